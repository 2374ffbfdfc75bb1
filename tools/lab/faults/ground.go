//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// ground is what all faults are played on.
type ground struct {
	settings
	shared *cluster  // of the faults that leave PostgreSQL's server alone
	logs   io.Writer // what programs log; nil for nowhere
	env    []string  // more settings of the programs

	mu     sync.Mutex
	counts map[writeKind]int // of all rounds
}

func newGround(ctx context.Context, s settings) (*ground, error) {
	shared, err := startCluster(ctx, "")
	if err != nil {
		return nil, err
	}
	g := &ground{settings: s, shared: shared, counts: map[writeKind]int{}}
	if s.keepLog {
		g.logs = os.Stderr
	}
	return g, nil
}

// level is what the programs log.
func (g *ground) level() string {
	if g.keepLog {
		return "debug"
	}
	return "warn"
}

func (g *ground) close() { g.shared.stop() }

// playAll plays faults, several at a time: those that break PostgreSQL's server have one of their own. It
// reports each as it ends, and returns the results in the order of the faults.
func (g *ground) playAll(ctx context.Context, faults []fault, report func(result)) table {
	results := make(table, len(faults))
	var playing errgroup.Group
	playing.SetLimit(g.atOnce)
	for i, f := range faults {
		playing.Go(func() error {
			results[i] = g.play(ctx, f, f.times(g.rounds))
			report(results[i])
			return nil
		})
	}
	_ = playing.Wait() // failures are in the results
	return results
}

// play plays a fault for some rounds. It stops at the first round that cannot be finished. Round 0 makes
// new messages: there is none yet that an odd round could add to.
func (g *ground) play(ctx context.Context, f fault, rounds int) result {
	r := result{name: f.name, family: f.family, lasts: f.lasts, most: f.most}
	if f.needs != nil {
		if err := f.needs(); err != nil {
			r.skipped = err.Error()
			return r
		}
	}
	s, err := g.newScene(ctx, f)
	if err != nil {
		r.err = err
		return r
	}
	abandoned := false
	defer func() {
		if abandoned {
			go s.close() // it may hang as its round does
			return
		}
		s.close()
	}()
	for i := range rounds {
		if ctx.Err() != nil {
			break
		}
		back, counted, err := s.playRound(ctx, f, i)
		r.count.add(counted)
		r.rounds++
		r.back = append(r.back, back)
		if err != nil {
			r.err = fmt.Errorf("round %d: %w", i+1, err)
			abandoned = errors.Is(err, errHangs)
			break
		}
	}
	if abandoned {
		return r
	}
	r.note = s.remark
	if err := s.checkInvariants(ctx); err != nil {
		r.err = errors.Join(r.err, err)
	}
	return r
}

// playOnce plays each fault once. Faults that need the same programs and the same PostgreSQL share a scene,
// one after another, which saves most of the time that many scenes take. It reports each fault as it ends.
func (g *ground) playOnce(ctx context.Context, faults []fault, report func(result)) {
	var playable []fault
	for _, f := range faults {
		if f.needs != nil {
			if err := f.needs(); err != nil {
				report(result{name: f.name, lasts: f.lasts, skipped: err.Error()})
				continue
			}
		}
		playable = append(playable, f)
	}
	var playing errgroup.Group
	playing.SetLimit(g.atOnce)
	for _, chain := range chains(playable) {
		playing.Go(func() error {
			for len(chain) > 0 {
				chain = g.playChain(ctx, chain, report)
			}
			return nil
		})
	}
	_ = playing.Wait() // failures are in the results
}

// chainMost is how many faults share a scene.
const chainMost = 7

// chains groups faults by the scene that they need.
func chains(faults []fault) (all [][]fault) {
	last := map[string]int{}
	for _, f := range faults {
		key := fmt.Sprint(f.programs, f.server, f.disk, f.proxy, f.quotas)
		i, known := last[key]
		if !known || len(all[i]) == chainMost {
			i = len(all)
			last[key], all = i, append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	return all
}

// playChain plays faults in one scene, until one of them fails. It returns those that are left.
func (g *ground) playChain(ctx context.Context, chain []fault, report func(result)) (left []fault) {
	r := result{name: chain[0].name, lasts: chain[0].lasts}
	s, err := g.newScene(ctx, chain[0])
	if err != nil {
		r.err = err
		report(r)
		return chain[1:]
	}
	for i, f := range chain {
		left = chain[i+1:]
		r = result{name: f.name, lasts: f.lasts, rounds: 1, most: f.most}
		var back time.Duration
		back, r.count, r.err = s.playRound(ctx, f, 0)
		r.back = []time.Duration{back}
		if errors.Is(r.err, errHangs) {
			report(r)
			go s.close() // it may hang as its round does
			return left
		}
		if len(left) == 0 || r.err != nil {
			r.err = errors.Join(r.err, s.checkInvariants(ctx))
		}
		report(r)
		if r.err != nil {
			break
		}
	}
	s.close()
	return left
}

// errHangs is the error of a round that does not even end when its time is over.
var errHangs = errors.New("the round hangs")

// grace is what a round has to come to its end when its time is over.
const grace = 20 * time.Second

// within runs a round and waits for it no longer than its limit and the grace.
func within(limit time.Duration, round func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- round() }()
	timer := time.NewTimer(limit + grace)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
		return fmt.Errorf("%w: no end after %s", errHangs, limit+grace)
	}
}
