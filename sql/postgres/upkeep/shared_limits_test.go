package upkeep_test

import (
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// Of many uses at once, in two replicas, as many as a limit allows are counted within it.
func TestManyUsesAtOnceAreCountedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stores := [2]*postgres.Store{w.Another(postgres.Options{Now: w.Clock.Now}), w.Another(postgres.Options{Now: w.Clock.Now})}
	uses := func(by int) []core.LimitUse {
		return []core.LimitUse{
			{Limit: "offers", Client: "203.0.113.7", Window: time.Minute, By: by}, {Limit: "reports", Client: "203.0.113.7", Window: time.Minute, By: 2 * by},
		}
	}
	var within atomic.Int32
	for i, err := range storetest.AtOnce(40, func(i int) error {
		counts, err := stores[i%2].CountUses(t.Context(), uses(1))
		if err == nil && counts[0] <= 10 {
			within.Add(1)
		}
		return err
	}) {
		if err != nil {
			t.Errorf("use %d: %v", i, err)
		}
	}
	if within.Load() != 10 {
		t.Errorf("%d uses were within a limit of 10", within.Load())
	}
	asked := func(want ...float64) {
		t.Helper()
		counts, err := stores[0].CountUses(t.Context(), uses(0))
		must(t, err)
		storetest.Same(t, want, counts)
	}
	asked(40, 80)
	w.Clock.Forward(90 * time.Second) // half of the next window
	asked(20, 40)
	_, err := stores[1].CountUses(t.Context(), uses(-30)) // a refund
	must(t, err)
	asked(20, 40)
	w.Clock.Forward(time.Minute)
	asked(0, 0)
	w.Clock.Forward(time.Hour)
	must(t, stores[0].Cleanup(t.Context()))
	if n := w.Value("select count(*) from limit_uses"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestReplicasTakeTurns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stores := [2]*postgres.Store{w.Another(postgres.Options{Now: w.Clock.Now}), w.Another(postgres.Options{Now: w.Clock.Now})}
	pace := postgres.Pace{Name: "calls", Every: 100 * time.Millisecond, Burst: 3}
	const ms = time.Millisecond
	for i, want := range []time.Duration{0, 0, 0, 100 * ms, 200 * ms, 300 * ms} {
		wait, ok, err := stores[i%2].TakeTurn(t.Context(), pace, 300*ms)
		if err != nil || !ok || wait != want {
			t.Errorf("turn %d is after %s, want %s (%t, %v)", i, wait, want, ok, err)
		}
	}
	if _, ok, err := stores[0].TakeTurn(t.Context(), pace, 300*ms); ok || err != nil {
		t.Errorf("a turn that comes too late is taken, %v", err)
	}
	w.Clock.Forward(100 * ms)
	if wait, ok, err := stores[1].TakeTurn(t.Context(), pace, 300*ms); wait != 300*ms || !ok || err != nil {
		t.Errorf("the next turn is after %s, %t, %v", wait, ok, err)
	}
	w.Clock.Forward(time.Minute)
	if wait, ok, err := stores[1].TakeTurn(t.Context(), pace, 0); wait != 0 || !ok || err != nil {
		t.Errorf("after a pause the next turn is after %s, %t, %v", wait, ok, err)
	}
}
