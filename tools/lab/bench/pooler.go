package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"tradepost/sql/pooler"
)

// replicasPooled is how many programs share PostgreSQL where connections are counted.
const replicasPooled = 4

// The names of the connections of either side.
const (
	namedDirect = "bench direct"
	namedPooled = "bench pooled"
)

// runPooler compares the program on PostgreSQL with the program on PgBouncer, as deploy/pgbouncer.ini has it.
func runPooler(ctx context.Context, s settings, binary string) error {
	if _, err := pooler.Find(); errors.Is(err, pooler.ErrMissing) {
		progress("%v; nothing is measured", err)
		return nil
	}
	b, err := newBench(ctx, s, binary, s.sizes[len(s.sizes)-1])
	if err != nil {
		return err
	}
	defer b.close()
	between, err := pooler.Start(ctx, pooler.Options{Server: b.dsn})
	if err != nil {
		return err
	}
	defer between.Stop()
	through, err := between.URL(b.dsn)
	if err != nil {
		return err
	}
	pooled := []string{"DATABASE_POOLER_URL=" + through + "&application_name=" + "bench%20pooled"}
	var lines [][]string
	if lines, err = b.compareCosts(ctx, between, pooled); err != nil {
		return err
	}
	fmt.Printf("\n%s, %d processors, %s; %d connections; medians of %d turns of %s\n",
		time.Now().Format(time.DateOnly),
		runtime.NumCPU(), runtime.Version(), clients, s.turns, s.turn)
	err = printTable(os.Stdout, fmt.Sprintf("Processor time of a request, with and without a pooler: %s requests", count(float64(b.size))),
		[]string{"what", "direct: a second", "program", "PostgreSQL", "pooler: a second", "program",
			"PostgreSQL", "PgBouncer"}, lines)
	if err != nil {
		return err
	}
	lines = nil
	for _, side := range []struct {
		what, name, dsn string
		env             []string
	}{
		{"direct", namedDirect, b.dsn + "&application_name=bench%20direct", nil},
		{"pooler", namedPooled, b.dsn, pooled},
	} {
		sessions, alone, err := b.countSessions(ctx, side.name, side.dsn, side.env)
		if err != nil {
			return err
		}
		lines = append(lines, []string{side.what, count(float64(sessions)), count(float64(alone))})
	}
	return printTable(os.Stdout, fmt.Sprintf("Sessions of PostgreSQL while %d pages are asked through %d connections each", replicasPooled, clients),
		[]string{"what", "shared", "of a page's own"}, lines)
}

// compareCosts has both programs answer the same in turns.
func (b *bench) compareCosts(
	ctx context.Context, between *pooler.Pooler, env []string,
) (lines [][]string, err error) {
	other, err := startProgram(ctx, b.binary, b.dsn, b.keepLog, env, "--only=web")
	if err != nil {
		return nil, err
	}
	defer other.stop()
	contests, err := b.pooledContests(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range contests {
		if !b.wanted(c.name) {
			continue
		}
		if c.want == 0 {
			c.want = 200
		}
		var direct, through turns
		var poolers []time.Duration
		for turn := range b.turns + 1 {
			if turn == 1 {
				// what is learnt by the first answers is not what is measured
				direct, through, poolers = turns{}, turns{}, nil
			}
			if err := b.ask(ctx, &direct, b.program.address, b.program.pid(), c); err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			before, err := processorTime(between.PID())
			if err != nil {
				return nil, err
			}
			asked := len(through.latencies)
			if err := b.ask(ctx, &through, other.address, other.pid(), c); err != nil {
				return nil, fmt.Errorf("%s, through the pooler: %w", c.name, err)
			}
			after, err := processorTime(between.PID())
			if err != nil {
				return nil, err
			}
			poolers = append(poolers, (after-before)/time.Duration(max(len(through.latencies)-asked, 1)))
		}
		d, p := direct.measured(), through.measured()
		lines = append(lines, []string{
			c.name, count(d.rate), short(d.cost.program), short(d.cost.postgres), count(p.rate),
			short(p.cost.program), short(p.cost.postgres), short(median(poolers)),
		})
	}
	return lines, b.checkInvariants(ctx, false)
}

// pooledContests are what is asked most, and the writes.
func (b *bench) pooledContests(ctx context.Context) ([]contest, error) {
	pages, err := b.pagesFrom(ctx, "newest", open)
	if err != nil {
		return nil, err
	}
	words, err := b.follow(4, "q", "iron")
	if err != nil {
		return nil, err
	}
	ids, err := b.ids(ctx, open, 128)
	if err != nil {
		return nil, err
	}
	var orders []string
	for _, id := range ids {
		orders = append(orders, fmt.Sprintf("/api/orders/%d", id))
	}
	ropes, err := b.ropes(ctx)
	if err != nil {
		return nil, err
	}
	return append([]contest{
		{name: "first page", asks: []ask{get("/api/orders", gzipped)}},
		{name: "any page", asks: repeated(pages)},
		{name: "search: a common word", asks: repeated(words)},
		{name: "one order", asks: repeated(orders)},
		{name: "own requests", own: func(client,
			_ int) ask {
			return get("/api/me/orders", gzipped, b.cookies[client])
		}},
	}, b.writes(ropes)...), nil
}

// countSessions asks several programs at once and counts their sessions: those that answer requests, and
// those that are a program's own.
func (b *bench) countSessions(
	ctx context.Context, name, dsn string, env []string,
) (sessions, alone int, err error) {
	contests, err := b.pooledContests(ctx)
	if err != nil {
		return 0, 0, err
	}
	var wait sync.WaitGroup
	errs := make([]error, replicasPooled)
	before := 0
	const others = "select count(*) from pg_stat_activity where application_name = 'tradepost changes'"
	if err := b.store.Pool().QueryRow(ctx, others).Scan(&before); err != nil {
		return 0, 0, err
	}
	for i := range replicasPooled {
		p, err := startProgram(ctx, b.binary, dsn, b.keepLog, env, "--only=web")
		if err != nil {
			return 0, 0, err
		}
		defer p.stop()
		wait.Go(func() {
			_, errs[i] = load(ctx, p.address, b.turn, 200, contests[1].next)
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return 0, 0, err
	}
	if err := b.store.Pool().QueryRow(ctx, others).Scan(&alone); err != nil {
		return 0, 0, err
	}
	err = b.store.Pool().QueryRow(ctx, "select count(*) from pg_stat_activity where application_name = $1",
		name).Scan(&sessions)
	return sessions, alone - before, err
}
