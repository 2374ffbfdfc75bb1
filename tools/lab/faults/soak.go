//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"tradepost/bot/discordtest"
)

// The soak plays interactions against one program for a long time and watches its heap.
const (
	soakPlayers = 6
	soakRows    = 10       // of the table
	soakGrowth  = 20 << 20 // bytes of heap between the end of the warm-up and the end
	soakCycles  = 4        // garbage collections that one measurement waits for
)

// soakWarmUp is how many interactions of a soak do not count: caches fill, connections open.
func soakWarmUp(count int) int { return max(200, min(count/20, 20_000)) }

// soakRow is one line of the soak's table.
type soakRow struct {
	interactions int64
	took         time.Duration
	heap         float64 // live after a garbage collection, in bytes
	resident     float64
	goroutines   float64
	unanswered   int64
}

// soak plays count interactions and fails when the heap grew too much.
func (g *ground) soak(ctx context.Context, count int, out io.Writer) error {
	g.env = append(g.env, "REQUEST_LIMIT=10000000", "WRITE_LIMIT=10000000")
	s, err := g.newScene(ctx, fault{name: "soak"})
	if err != nil {
		return err
	}
	defer s.close()
	s.ctx = ctx
	var rows []soakRow
	err = s.try(func() { s.soak(count, func(row soakRow) { rows = append(rows, row) }) })
	printSoak(out, rows)
	if err == nil {
		err = s.checkInvariants(ctx)
	}
	if err != nil {
		return errors.Join(err, s.saidAtLast())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(errors.Join(s.complaints...), soakVerdict(rows, int64(count)))
}

// soakVerdict fails when the heap has grown since the first row, or when too little was played.
func soakVerdict(rows []soakRow, count int64) error {
	if len(rows) < 2 || rows[len(rows)-1].interactions < count {
		return errors.New("soak: stopped before the end")
	}
	if last := rows[len(rows)-1]; last.unanswered*1000 > last.interactions {
		return fmt.Errorf("soak: %d interactions were not answered", last.unanswered)
	}
	if grown := rows[len(rows)-1].heap - rows[0].heap; grown > soakGrowth {
		return fmt.Errorf("soak: the heap grew by %.1f MiB, allowed are %d", grown/(1<<20), soakGrowth>>20)
	}
	return nil
}

// soak has players interact until count interactions were answered, and reports what it measures now and
// then.
func (s *scene) soak(count int, report func(soakRow)) {
	began := time.Now()
	var played atomic.Int64
	players := make([]*soaker, soakPlayers)
	for i := range players {
		p := s.owner(s.discord.NewPlayer(s, fmt.Sprintf("soaker%d", i)))
		players[i] = &soaker{scene: s, owner: p, played: &played}
	}
	for i, p := range players {
		p.other = players[(i+1)%len(players)].owner
	}
	warm := soakWarmUp(count)
	for i := range soakRows + 1 {
		goal := int64(warm) + int64(i)*int64(count-warm)/soakRows
		s.soakTo(players, goal)
		row := s.measureSoak(players)
		row.interactions, row.took, row.unanswered = played.Load(), time.Since(began),
			s.unansweredTurns.Load()
		report(row)
		fmt.Fprintf(os.Stderr, "%9d interactions, %s, heap %.1f MiB\n", row.interactions,
			row.took.Round(time.Second), row.heap/(1<<20))
	}
}

// soakTo plays until so many interactions were played in all.
func (s *scene) soakTo(players []*soaker, goal int64) {
	var playing sync.WaitGroup
	failed := make(chan error, len(players))
	for _, p := range players {
		playing.Go(func() {
			failed <- s.try(func() {
				for p.played.Load() < goal && s.ctx.Err() == nil {
					p.play()
				}
			})
		})
	}
	playing.Wait()
	for range players {
		s.must(<-failed)
	}
	s.must(s.ctx.Err())
}

// measureSoak plays on until the garbage was collected some times, and takes the smallest heap that was
// live: the rest was in use by interactions just then.
func (s *scene) measureSoak(players []*soaker) (row soakRow) {
	s.discord.ForgetRequests()
	p := s.programs[0]
	metric := func(name string) float64 {
		value, err := p.metric(s.ctx, name)
		s.must(err)
		return value
	}
	for range soakCycles {
		for before := metric("go_gc_duration_seconds_count"); metric("go_gc_duration_seconds_count") == before; {
			s.must(s.ctx.Err())
			players[0].play()
		}
		if heap := metric("go_gc_heap_live_bytes"); row.heap == 0 || heap < row.heap {
			row.heap = heap
		}
	}
	row.resident, row.goroutines = metric("process_resident_memory_bytes"), metric("go_goroutines")
	return row
}

// soaker is one player of a soak.
type soaker struct {
	scene  *scene
	owner  *owner
	other  *owner // on whose request they offer
	played *atomic.Int64
	turns  int
	offers int
}

// soakWords are typed into completions.
var soakWords = []string{"iron", "or", "kraken", "ore of soak", "x", "oak"}

// play plays a turn. An answer that does not come in time is counted: a machine may be too busy for
// Discord's three seconds.
func (k *soaker) play() {
	if err := k.scene.try(k.turn); err != nil {
		k.count(1)
		k.scene.unansweredTurns.Add(1)
		k.scene.must(k.scene.ctx.Err())
	}
}

// turn plays one round of what people do: look, search, page, log a sale, and now and then offer and accept.
func (k *soaker) turn() {
	k.turns++
	request := discordtest.Str("request", strconv.FormatInt(k.owner.order, 10))
	switch k.turns % 12 {
	case 0:
		k.owner.Slash("request browse")
	case 1:
		k.owner.Slash("request show", request)
	case 2:
		k.owner.Slash("request mine")
	case 3:
		k.owner.Slash("sales log", request, discordtest.Int("quantity", 1))
	case 4:
		if k.turns%240 == 4 {
			k.trade()
			return
		}
		k.owner.Slash("offer list", request)
	default:
		k.owner.Complete("offer send", "request", soakWords[k.turns%len(soakWords)])
	}
	k.count(1)
}

// trade offers, and the other player accepts.
func (k *soaker) trade() {
	k.offers++
	request := discordtest.Str("request", strconv.FormatInt(k.other.order, 10))
	k.owner.Slash("offer send", request, discordtest.Int("quantity", 2),
		discordtest.Str("message", "I have two"),
		discordtest.Str("name", fmt.Sprintf("%s %d", k.owner.Username(), k.offers)))
	k.other.Slash("offer accept", k.other.Pick("offer accept", "offer", k.owner.Username()),
		discordtest.Int("quantity", 1))
	k.count(3)
}

func (k *soaker) count(n int64) {
	if now := k.played.Add(n); now%500 < n {
		k.scene.discord.ForgetRequests() // the stand-in would keep them
	}
}

func printSoak(out io.Writer, rows []soakRow) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "interactions\ttime\ta second\tlive heap\tgrowth\tresident\tgoroutines\tunanswered\t")
	for i, r := range rows {
		rate := float64(r.interactions) / r.took.Seconds()
		if i > 0 {
			rate = float64(r.interactions-rows[i-1].interactions) / (r.took - rows[i-1].took).Seconds()
		}
		fmt.Fprintf(w, "%d\t%s\t%.0f\t%.1f MiB\t%+.1f MiB\t%.0f MiB\t%.0f\t%d\t\n", r.interactions,
			r.took.Round(time.Second), rate,
			r.heap/(1<<20), (r.heap-rows[0].heap)/(1<<20), r.resident/(1<<20), r.goroutines, r.unanswered)
	}
	_ = w.Flush() // nothing could be done about it
}
