//go:build unix

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/tools/lab/faults/history"
)

const (
	// chapterOf is how many operations have a database, two programs and a stand-in of their own. What is
	// kept
	// of earlier chapters are counts.
	chapterOf = 20_000
	// tablesAtOnce is how many requests are traded at the same time, each by three people.
	tablesAtOnce = 12
	// ownersAtOnce is how many people change their settings, stock and watches meanwhile.
	ownersAtOnce = 2
	// checkLimit is how long Porcupine may look at one history.
	checkLimit = 20 * time.Second
	// mostHistoryFindings end a run early. A slice ends at the first.
	mostHistoryFindings = 10
)

// histories are many operations of all kinds under faults, whose histories are checked while they grow: a
// history is about one request, or one value of a user's own, and is forgotten once it is checked.
type histories struct {
	ground *ground
	total  int64 // operations to play
	seed   uint64
	most   int  // findings, which end it
	mild   bool // only connections and COMMITs are lost, which make test has time for
	began  time.Time
	done   atomic.Int64

	mu         sync.Mutex
	counts     map[writeKind]int
	faults     map[string]int
	checked    int
	undecided  int
	unsent     int // asked for in Discord, and given up before anything was sent that could have an effect
	pending    int // operations of unknown outcome
	chapters   int
	findings   []string
	unanswered int // attempts of writes on the page that were repeated
}

// playHistories plays operations, prints how far it is every ten seconds, and a table at the end.
func (g *ground) playHistories(ctx context.Context, operations int, out io.Writer) error {
	h := newHistories(g, operations, g.seed)
	stop := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		tick := time.NewTicker(10 * time.Second)
		for n := 1; ; n++ {
			select {
			case <-tick.C:
				fmt.Fprintln(os.Stderr, h.progress())
				if n%6 == 0 {
					fmt.Fprintln(os.Stderr, h.perKind())
				}
			case <-stop:
				tick.Stop()
				return
			}
		}
	})
	err := h.play(ctx)
	close(stop)
	telling.Wait()
	h.print(out)
	return err
}

func newHistories(g *ground, operations int, seed uint64) *histories {
	return &histories{ground: g, total: int64(operations), seed: seed, most: mostHistoryFindings,
		began:  time.Now(),
		counts: map[writeKind]int{}, faults: map[string]int{}}
}

// play plays chapters until all operations are played. Chapter n of a run has the seed of the run plus n.
func (h *histories) play(ctx context.Context) error {
	for h.done.Load() < h.total && !h.enough() {
		if err := h.chapter(ctx, h.seed+uint64(h.chapters)); err != nil {
			return fmt.Errorf("seed %d: %w", h.seed+uint64(h.chapters), err)
		}
		h.chapters++
	}
	if len(h.findings) > 0 {
		return errors.New(strings.Join(h.findings, "\n"))
	}
	return ctx.Err()
}

func (h *histories) enough() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.findings) >= h.most
}

// found records a finding, and keeps the history where logs are kept.
func (h *histories) found(seed uint64, what string, writes []history.Write) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := fmt.Sprintf("seed %d: %s", seed, what)
	h.findings = append(h.findings, text)
	fmt.Fprintln(os.Stderr, "FOUND", text)
	if h.ground.keepIn != "" {
		lines := strings.Join(history.Describe(writes), "\n")
		path := filepath.Join(h.ground.keepIn, fmt.Sprintf("history-%d-%d.txt", seed, len(h.findings)))
		if err := os.WriteFile(path, []byte(text+"\n"+lines+"\n"), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, "faults:", err)
		}
	}
}

// count counts an operation.
func (h *histories) count(by adapter, kind op, c certainty) {
	h.done.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts[writeKind{by, kind, c}]++
	if c == unknown {
		h.pending++
	}
}

func (h *histories) progress() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	done, took := h.done.Load(), time.Since(h.began)
	faults := 0
	for _, n := range h.faults {
		faults += n
	}
	reads, kinds := 0, map[writeKind]bool{}
	for kind, n := range h.counts {
		kinds[writeKind{adapter: kind.adapter, op: kind.op}] = true
		if strings.HasPrefix(string(kind.op), "read") {
			reads += n
		}
	}
	return fmt.Sprintf("%s: %d of %d operations (%.0f a second), %d of them reads, %d of unknown outcome; %d kinds; %d faults; %d histories checked, %d not decided; %d findings",
		took.Round(time.Second), done, h.total, float64(done)/took.Seconds(), reads, h.pending,
		len(kinds), faults, h.checked, h.undecided, len(h.findings))
}

// perKind says how many operations there were of each kind so far.
func (h *histories) perKind() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[op]int{}
	for kind, n := range h.counts {
		all[kind.op] += n
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, fmt.Sprintf("%s %d", kind, all[kind]))
	}
	return "  " + strings.Join(parts, ", ")
}

// print prints how often each kind of operation had each outcome, the faults and the checks.
func (h *histories) print(out io.Writer) {
	fmt.Fprintln(out, h.progress())
	(&ground{counts: h.counts}).printWrites(out)
	fmt.Fprintf(out, "\n  %12s  fault\n", "times")
	for _, name := range slices.Sorted(maps.Keys(h.faults)) {
		fmt.Fprintf(out, "  %12d  %s\n", h.faults[name], name)
	}
	fmt.Fprintf(out, "\n  %12d  operations, in %d chapters from seed %d, in %s\n", h.done.Load(), h.chapters,
		h.seed,
		time.Since(h.began).Round(time.Second))
	for _, line := range []struct {
		n    int
		what string
	}{
		{h.pending, "of unknown outcome"},
		{h.unanswered, "attempts without an answer, which were repeated under their key"},
		{h.unsent, "given up in Discord before anything was sent (not counted)"},
		{h.checked, "histories checked"}, {h.undecided, "histories not decided in time"},
		{len(h.findings), "findings"},
	} {
		fmt.Fprintf(out, "  %12d  %s\n", line.n, line.what)
	}
}

// chapter is the operations that have a database of their own.
type chapter struct {
	*scene
	h       *histories
	seed    uint64
	left    atomic.Int64
	proxies []*commitProxy
	victim  *person // is blocked by a moderator, who also stops their reach
	// blocker is the moderator in another browser, who signs in again and again: a block asks for that, and
	// it
	// ends the session before.
	blocker *person
	fresh   time.Time
	lately  []string // the latest faults
}

// chapterLimit is how long a chapter may take.
const chapterLimit = 30 * time.Minute

// chapter plays some operations, and then checks everything that is stored.
func (h *histories) chapter(ctx context.Context, seed uint64) error {
	s, err := h.ground.newScene(ctx, fault{programs: both, server: true})
	if err != nil {
		return err
	}
	defer s.close()
	ctx, cancel := context.WithTimeout(ctx, chapterLimit)
	defer cancel()
	s.ctx = ctx
	s.reset()
	c := &chapter{scene: s, h: h, seed: seed}
	c.left.Store(min(chapterOf, h.total-h.done.Load()))
	if err := s.try(func() { c.play() }); err != nil {
		return errors.Join(err, s.saidAtLast())
	}
	if err := s.try(s.settled); err != nil {
		return errors.Join(err, s.saidAtLast())
	}
	unknown, err := s.unknown(ctx, s.record())
	if err == nil && len(unknown) > 0 {
		h.found(seed, fmt.Sprintf("%d messages of which the database knows nothing", len(unknown)), nil)
	}
	for _, complaint := range s.complaints {
		h.found(seed, complaint.Error(), nil)
	}
	return errors.Join(err, s.checkInvariants(ctx))
}

// play has everybody trade while faults come and go.
func (c *chapter) play() {
	var done []func()
	for _, p := range c.programs {
		proxy, end := c.throughOf(p)
		c.proxies = append(c.proxies, proxy)
		done = append(done, end)
	}
	c.victim = c.newPerson("victim")
	c.blocker = c.person(c.moderator.Player)
	c.fresh = time.Now()
	var players []func()
	for i := range tablesAtOnce {
		t := &tableOf{chapter: c, buyer: c.newPerson("buyer"), sellers: []*person{c.newPerson("seller"),
			c.newPerson("seller")},
			random: rand.New(rand.NewPCG(c.seed, uint64(i)))}
		players = append(players, t.play)
	}
	for i := range ownersAtOnce {
		o := &ownerOf{chapter: c, who: c.newPerson("owner"), polyglot: c.newPerson("polyglot"),
			random: rand.New(rand.NewPCG(c.seed, uint64(100+i)))}
		if i == 0 {
			o.moderates = true
		}
		players = append(players, o.play)
	}
	stop := make(chan struct{})
	for i := range c.programs {
		players = append(players, func() { c.browses(i) })
	}
	misfortunes := c.meanwhile(func() { c.misfortunes(rand.New(rand.NewPCG(c.seed, 1000)), stop) })
	var playing sync.WaitGroup
	failed := make(chan error, len(players))
	for _, play := range players {
		playing.Go(func() { failed <- c.try(play) })
	}
	playing.Wait()
	close(stop)
	misfortunes()
	for range players {
		c.must(<-failed)
	}
	c.discord.LiftFaults()
	for _, end := range done {
		end()
	}
}

// browses reads the list of one replica as visitors do, so that it has a response in its cache at any time.
// What
// they read is not part of a history.
func (c *chapter) browses(replica int) {
	anybody := &person{browser: &http.Client{Timeout: 10 * time.Second, Transport: from(visitors.Add(1))}}
	for c.more() {
		c.getOnce(anybody, "http://"+c.page(replica).address+"/api/orders", false)
		c.rest(15 * time.Millisecond)
	}
}

// more reports whether there are operations left to play.
func (c *chapter) more() bool { return c.left.Load() > 0 && !c.h.enough() && c.ctx.Err() == nil }

// send sends a write through its adapter. Over HTTP it is repeated under its key until its outcome is known,
// at
// one replica after another; of some the client goes away while they are on their way, and some of those are
// not repeated. Sent reports whether anything was sent that may have an effect.
func (c *chapter) send(r *rand.Rand, w write) (o outcome, sent bool, called, returned time.Time) {
	c.left.Add(-1)
	if w.key == "" {
		w.key = fmt.Sprintf("histories-%020d-%020d", r.Uint64(), r.Uint64())
	}
	called = time.Now()
	if w.adapter == overDiscord {
		o = c.writeOverDiscord(w)
		sent = o.key != ""
	} else {
		o, sent = c.sendOverHTTP(r, w), true
	}
	returned = time.Now()
	if !sent {
		c.h.mu.Lock()
		c.h.unsent++
		c.h.mu.Unlock()
		return o, sent, called, returned
	}
	c.h.count(w.adapter, w.op, o.certainty)
	return o, sent, called, returned
}

func (c *chapter) sendOverHTTP(r *rand.Rand, w write) outcome {
	method, path, data := c.encoded(w)
	goesAway, once := r.IntN(100) < 5, w.once && r.IntN(2) == 0
	pause := 10 * time.Millisecond
	for turn := r.IntN(2); ; turn++ {
		ctx, cancel := c.ctx, context.CancelFunc(func() {})
		if goesAway {
			ctx, cancel = context.WithTimeout(c.ctx, time.Duration(r.IntN(20_000))*time.Microsecond)
		}
		o := c.attempt(ctx, w, method, "http://"+c.page(turn).address+path, data)
		cancel()
		if o.status == http.StatusTooManyRequests {
			o.certainty = refused
		}
		if o.certainty != unknown || goesAway && once {
			return o
		}
		goesAway = goesAway && r.IntN(2) == 0
		c.h.mu.Lock()
		c.h.unanswered++
		c.h.mu.Unlock()
		c.rest(pause)
		pause = min(2*pause, 200*time.Millisecond)
	}
}

// keepBeside keeps the latest faults and the latest offers beside a history that nothing explains.
func (c *chapter) keepBeside(what string) {
	c.h.mu.Lock()
	text := strings.Join(c.lately, "\n") + "\n"
	c.h.mu.Unlock()
	rows, err := c.db.Query(c.ctx, `select concat_ws(' ', offer_id, order_id, kind, name, quantity, created_at)
		from notices order by id desc limit 2000`)
	if err == nil {
		lines, _ := pgx.CollectRows(rows, pgx.RowTo[string]) // any lines help
		text += strings.Join(lines, "\n")
	}
	path := filepath.Join(c.h.ground.keepIn, strings.ReplaceAll(what, " ", "-")+"-notices.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
	}
}

// check checks a history and forgets it.
func (c *chapter) check(what string, writes []history.Write, by func([]history.Write,
	time.Duration) history.Verdict) {
	slices.SortStableFunc(writes, func(a, b history.Write) int { return cmp.Compare(a.Called, b.Called) })
	verdict := by(writes, checkLimit)
	c.h.mu.Lock()
	c.h.checked++
	if verdict == history.TooLong {
		c.h.undecided++
	}
	c.h.mu.Unlock()
	if verdict == history.Contradicted {
		if c.h.ground.keepIn != "" {
			c.keepBeside(what)
		}
		at := history.Contradicts(writes, by, checkLimit)
		c.h.found(c.seed,
			fmt.Sprintf("%s (%d operations) is explained by no order of events; the first answer that contradicts others:\n%s",
				what, len(writes), history.Describe([]history.Write{at})[0]), writes)
	}
}
