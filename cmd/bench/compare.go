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
	want int    // the status of every answer; 200 when zero
	peer string // its name
	run  func(context.Context) (float64, error)
	// beside runs while ours is measured, and not while the peer is; nil for nothing.
	beside func(context.Context) (stop func() error, err error)
	goal   float64
	costs  int // statements a request; -1 when unknown
}

func (c contest) next(client, n int) ask {
	if c.own != nil {
		return c.own(client, n)
	}
	return c.asks[(client*len(c.asks)/clients+n)%len(c.asks)]
}

// hold measures ours and the peer alternately.
func (b *bench) hold(ctx context.Context, c contest) error {
	if !b.wanted(c.name) {
		return nil
	}
	if c.want == 0 {
		c.want = 200
	}
	r := row{size: b.size, name: c.name, peer: c.peer, goal: c.goal, queries: c.costs}
	// What is learnt by the first answers is not what is measured.
	warm := max(b.turn/4, 200*time.Millisecond)
	if _, err := load(ctx, b.program.address, warm, c.want, c.next); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	var rates, peerRates, bytes, allocs, busy []float64
	var latencies []time.Duration
	for range b.turns {
		before, err := b.program.spent()
		if err != nil {
			return err
		}
		s, err := c.ours(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		after, err := b.program.spent()
		if err != nil {
			return err
		}
		rates, bytes = append(rates, s.rate), append(bytes, s.bytes)
		allocs = append(allocs, (after.allocations-before.allocations)/float64(len(s.latencies)))
		busy = append(busy, float64(after.busy-before.busy)/float64(len(s.latencies)))
		latencies = append(latencies, s.latencies...)
		if c.run != nil {
			rate, err := c.run(ctx)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.name, c.peer, err)
			}
			peerRates = append(peerRates, rate)
		}
	}
	r.rate, r.peerRate = median(rates), median(peerRates)
	r.bytes, r.allocs, r.busy = median(bytes), median(allocs), time.Duration(median(busy))
	r.p50, r.p99 = percentile(latencies, 0.5), percentile(latencies, 0.99)
	b.add(r)
	return nil
}

func (c contest) ours(ctx context.Context, b *bench) (sample, error) {
	if c.beside == nil {
		return load(ctx, b.program.address, b.turn, c.want, c.next)
	}
	stop, err := c.beside(ctx)
	if err != nil {
		return sample{}, err
	}
	s, err := load(ctx, b.program.address, b.turn, c.want, c.next)
	return s, errors.Join(err, stop())
}

func (b *bench) add(r row) {
	b.rows = append(b.rows, r)
	if r.rate > 0 {
		progress("%-34s %10s/s, %s busy  %s %s/s  %.2f", r.name, count(r.rate), short(r.busy), r.peer, count(r.peerRate), r.ratio())
	} else {
		progress("%-34s %s", r.name, r.figure)
	}
}

// againstLimit compares with a bare handler that answers the same bytes.
func (b *bench) againstLimit(ctx context.Context, c contest, body []byte) error {
	if !b.wanted(c.name) {
		return nil
	}
	address, stop, err := startLimit(ctx, body)
	if err != nil {
		return err
	}
	defer stop()
	c.peer = "the limit"
	c.run = func(ctx context.Context) (float64, error) {
		s, err := load(ctx, address, b.turn, 200, c.next)
		return s.rate, err
	}
	return b.hold(ctx, c)
}

// againstPostgres compares with pgbench running the statements that the program sends for the same requests. Where it
// sends none, because it knows the answer, it is compared with the limit.
func (b *bench) againstPostgres(ctx context.Context, c contest) error {
	if !b.wanted(c.name) {
		return nil
	}
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
	c.peer = "pgbench"
	c.run = func(ctx context.Context) (float64, error) { return b.pgbench(ctx, scripts) }
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
	rows, err := b.store.Pool().Query(ctx, "select id from "+from+" order by hashint8(id), id limit "+strconv.Itoa(many))
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
