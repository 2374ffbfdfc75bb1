package discord

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// However they come, also many at once after a pause.
func TestNoMoreThanTheLimitAreSentInAnySecond(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	l := newLately(45, time.Second)
	now := time.Unix(1_800_000_000, 0)
	var sent []time.Time
	refused := 0
	for range 20_000 {
		if wait := l.add(now); wait > 0 {
			refused++
			if random.IntN(2) == 0 {
				now = now.Add(wait)
			}
		} else {
			sent = append(sent, now)
		}
		if random.IntN(60) == 0 {
			now = now.Add(time.Duration(random.Int64N(int64(2 * time.Second))))
		} else {
			now = now.Add(time.Duration(random.Int64N(int64(20 * time.Millisecond))))
		}
	}
	most := 0
	for i, from := range sent {
		past, _ := slices.BinarySearchFunc(sent, from.Add(time.Second), time.Time.Compare)
		most = max(most, past-i)
	}
	if most != 45 || refused == 0 {
		t.Errorf("%d are sent in some second, want 45 (%d were refused)", most, refused)
	}
}

// The turns of all programs together, and one that is late by as much as may be.
func TestTurnsAreNoMoreThanTheLimitInAnySecond(t *testing.T) {
	t.Parallel()
	every, atOnce := Every(45)
	var turns []time.Duration
	for n := range 1000 {
		turns = append(turns, max(time.Duration(n-atOnce+1)*every, 0))
	}
	for i := 45; i < len(turns); i++ {
		if within := turns[i] - turns[i-45]; within < time.Second+underWay {
			t.Fatalf("46 turns within %s", within)
		}
	}
}
