package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// contest is a row to be: what is asked of the program, and what it is compared with.
type contest struct {
	name string
	asks []ask // each client takes them in turn, from a place of its own
	own  func(client, n int) ask
	want int // the status of every answer; 200 when zero

	peer    string // the name of what it is compared with: against, run, or the same without what runs beside
	against *peerProcess
	run     func(context.Context) (float64, error)
	usual   *peerProcess // the same statements, read and written the usual way; nil for none
	// beside runs while ours is measured, and not while the same is measured on the quiet market; nil for
	// nothing.
	beside func(context.Context) (stop func() error, err error)

	goal  float64       // the ratio of both rates
	share float64       // the processor time of against by ours
	most  time.Duration // of processor time, ours and PostgreSQL's; 0 for none
	costs int           // statements a request; -1 when unknown
}

func (c contest) next(client, n int) ask {
	if c.own != nil {
		return c.own(client, n)
	}
	return c.asks[(client*len(c.asks)/clients+n)%len(c.asks)]
}

// turns are the measurements of one side.
type turns struct {
	rates, programs, postgres, bytes []float64
	latencies                        []time.Duration
}

// measured is what they come to.
type measured struct {
	rate     float64
	p50, p99 time.Duration
	cost     cost // of a request
}

func (t *turns) measured() measured {
	return measured{
		rate: median(t.rates), p50: percentile(t.latencies, 0.5), p99: percentile(t.latencies, 0.99),
		cost: cost{time.Duration(median(t.programs)), time.Duration(median(t.postgres))},
	}
}

// askPeer asks a peer, which answers everything with 200 and beside which nothing runs.
func (b *bench) askPeer(ctx context.Context, t *turns, p *peerProcess, c contest) error {
	c.want, c.beside = 200, nil
	return b.ask(ctx, t, p.address, p.pid, c)
}

// ask asks a process for one turn.
func (b *bench) ask(ctx context.Context, t *turns, address string, pid int, c contest) error {
	var stop func() error
	if c.beside != nil {
		var err error
		if stop, err = c.beside(ctx); err != nil {
			return err
		}
	}
	before, err := b.cost(pid)
	if err != nil {
		return err
	}
	s, err := load(ctx, address, b.turn, c.want, c.next)
	if stop != nil {
		err = errors.Join(err, stop())
	}
	if err != nil {
		return err
	}
	after, err := b.cost(pid)
	if err != nil {
		return err
	}
	each := after.since(before).each(len(s.latencies))
	t.rates, t.bytes, t.latencies = append(t.rates, s.rate), append(t.bytes, s.bytes),
		append(t.latencies, s.latencies...)
	t.programs, t.postgres = append(t.programs, float64(each.program)),
		append(t.postgres, float64(each.postgres))
	return nil
}

// hold measures ours and its peers alternately.
func (b *bench) hold(ctx context.Context, c contest) error {
	if !b.wanted(c.name) {
		return nil
	}
	if c.want == 0 {
		c.want = 200
	}
	// What is learnt by the first answers is not what is measured.
	warm := max(b.turn/4, 200*time.Millisecond)
	if _, err := load(ctx, b.program.address, warm, c.want, c.next); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	for _, p := range []*peerProcess{c.against, c.usual} {
		if p == nil {
			continue
		}
		if _, err := load(ctx, p.address, warm, 200, c.next); err != nil {
			return fmt.Errorf("%s, warming %s: %w", c.name, c.peer, err)
		}
	}
	var ours, peer, usual turns
	var allocs []float64
	for range b.turns {
		before, err := b.program.allocations()
		if err != nil {
			return err
		}
		asked := len(ours.latencies)
		if err := b.ask(ctx, &ours, b.program.address, b.program.pid(), c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		after, err := b.program.allocations()
		if err != nil {
			return err
		}
		allocs = append(allocs, (after-before)/float64(len(ours.latencies)-asked))
		switch {
		case c.against != nil:
			err = b.askPeer(ctx, &peer, c.against, c)
		case c.beside != nil:
			err = b.askPeer(ctx, &peer, &peerProcess{address: b.program.address, pid: b.program.pid()}, c)
		case c.run != nil:
			var rate float64
			rate, err = c.run(ctx)
			peer.rates = append(peer.rates, rate)
		}
		if err == nil && c.usual != nil {
			err = b.askPeer(ctx, &usual, c.usual, c)
		}
		if err != nil {
			return fmt.Errorf("%s, %s: %w", c.name, c.peer, err)
		}
	}
	b.add(row{
		size: b.size, name: c.name, queries: c.costs, peerName: c.peer, goal: c.goal, share: c.share,
		mostCost: c.most, beside: c.beside != nil,
		ours: ours.measured(), peer: peer.measured(), usual: usual.measured(), bytes: median(ours.bytes),
		allocs: median(allocs),
	})
	return nil
}

func (b *bench) add(r row) {
	b.rows = append(b.rows, r)
	if r.ours.rate == 0 {
		progress("%-34s %s", r.name, r.figure)
		return
	}
	progress("%-34s %10s/s, p99 %s, %s and %s of processor  %s %s/s  %.2f  usual %s", r.name,
		count(r.ours.rate), short(r.ours.p99), short(r.ours.cost.program),
		short(r.ours.cost.postgres), r.peerName, count(r.peer.rate), r.ratio(), short(r.usual.cost.both()))
}

// againstLimit compares with a bare handler that answers the same bytes.
func (b *bench) againstLimit(ctx context.Context, c contest, body []byte) error {
	if !b.wanted(c.name) {
		return nil
	}
	limit, err := startWith(ctx, serveBytes, body)
	if err != nil {
		return err
	}
	defer limit.stop()
	c.peer, c.against = "the limit", limit
	return b.hold(ctx, c)
}

// againstPostgres compares with pgbench running the statements that the program sends for the same
// requests, and with the usual way to read them. Where it sends none, because it knows the answer, it is
// compared with the limit.
func (b *bench) againstPostgres(ctx context.Context, c contest) error {
	if !b.wanted(c.name) {
		return nil
	}
	c.asks = c.asks[:min(len(c.asks), maxScripts)]
	scripts, statements, err := b.sameStatements(c.asks)
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	c.costs = statements
	if statements == 0 {
		r, err := b.fetchAsk(c.asks[0])
		if err != nil {
			return err
		}
		c.goal = 0
		return b.againstLimit(ctx, c, r.body)
	}
	if c.usual, err = b.startRows(ctx, c.asks); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	defer c.usual.stop()
	if !b.withoutPgbench {
		c.peer = "pgbench"
		c.run = func(ctx context.Context) (float64, error) { return b.pgbench(ctx, scripts) }
	}
	return b.hold(ctx, c)
}

func (b *bench) fetchAsk(a ask) (response, error) {
	c, err := dial(b.program.address)
	if err != nil {
		return response{}, err
	}
	defer c.close()
	return c.do(a, true)
}

// repeated asks for each path in turn.
func repeated(paths []string) []ask {
	var asks []ask
	for _, path := range paths {
		asks = append(asks, get(path))
	}
	return asks
}

// ids returns some ids of a table in a settled disorder.
func (b *bench) ids(ctx context.Context, from string, many int) ([]int64, error) {
	rows, err := b.store.Pool().Query(ctx,
		"select id from "+from+" order by hashint8(id), id limit "+strconv.Itoa(many))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return slices.Clip(ids), rows.Err()
}
