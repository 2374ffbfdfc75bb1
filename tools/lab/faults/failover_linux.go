package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"tradepost/bot/discordtest"
	"tradepost/tools/lab/faults/history"
)

// way is how programs reach the cluster. Each has a market of its own.
type way struct {
	name     string
	database string
	env      func(*patroniCluster) []string // DATABASE_URL first
}

var ways = []way{
	{"HAProxy", "tradepost", func(c *patroniCluster) []string {
		return []string{"DATABASE_URL=" + c.dsn(role, clusterGate+":5000", "tradepost", ""),
			"DATABASE_REPLICAS=" + c.standbys("tradepost")}
	}},
	{"several hosts", "hosts", func(c *patroniCluster) []string {
		return []string{"DATABASE_URL=" + c.dsn(role, c.hosts(), "hosts",
			"&target_session_attrs=read-write&connect_timeout=2"), "DATABASE_REPLICAS=" + c.standbys("hosts")}
	}},
}

// standbys are the three machines, each by its own address.
func (c *patroniCluster) standbys(database string) string {
	var all []string
	for _, n := range c.nodes {
		all = append(all, c.dsn(role, n.address+":5432", database, "&connect_timeout=2"))
	}
	return strings.Join(all, ",")
}

// failover is one way to lose a primary. strike begins it and returns what ends it.
type failover struct {
	name   string
	most   time.Duration // within which the market takes writes again
	strike func(ctx context.Context, c *patroniCluster, n *clusterNode) (end func() error, err error)
	alone  bool // the former primary still runs, and could take writes
}

// writesPerSecond is asked of the cluster, by all ways together, while it takes writes.
const writesPerSecond = 50

func nothing() error { return nil }

var failovers = []failover{
	{"kill -9 the primary", 20 * time.Second,
		func(_ context.Context, c *patroniCluster, n *clusterNode) (func() error, error) {
			c.kill(n)
			return nothing, nil
		}, false},
	{"switch over on purpose", 20 * time.Second,
		func(ctx context.Context, c *patroniCluster, n *clusterNode) (func() error, error) {
			return nothing, c.switchOver(ctx, n)
		}, false},
	{"freeze its machine", 45 * time.Second,
		func(_ context.Context, c *patroniCluster, n *clusterNode) (func() error, error) {
			c.freeze(n)
			return func() error { c.thaw(n); return nil }, nil
		}, false},
	{"cut its machine off", 45 * time.Second,
		func(_ context.Context, c *patroniCluster, n *clusterNode) (func() error, error) {
			return func() error { return c.rejoin(n) }, c.cut(n)
		}, true},
}

// stage is a market on the cluster, with the programs that reach it one way, and what a round is doing to it.
type stage struct {
	*scene
	by      way
	pulse   *pulse
	readers *readers
	stop    func() // the trading
	wait    func()
	trades  time.Time // since when it is traded in this round
	result  *failoverResult
	err     error // of the round
}

// playFailovers starts a cluster and takes its primary away, in every way, and prints what that came to.
func (g *ground) playFailovers(ctx context.Context, rounds int, out io.Writer) (err error) {
	if !thisMachine().ready(out) {
		return nil
	}
	if g.keepIn != "" {
		if err := os.MkdirAll(g.keepIn, 0o755); err != nil {
			return err
		}
	}
	began := time.Now()
	fmt.Fprintln(os.Stderr, "starting three PostgreSQLs with Patroni and etcd")
	c, err := startPatroni(ctx, g.keepIn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	split := &splitBrain{}
	played, err := g.playAllFailovers(ctx, c, rounds, split)
	var costs []readCost
	if err == nil && (g.only == "" || g.only == "reads") {
		costs, err = g.processorPerRead(ctx, c)
	}
	return errors.Join(err, printFailovers(out, played, split), printReads(out, costs),
		sayHowLong(out, began))
}

// playAllFailovers plays rounds of each failover, at all ways at once, until one is not as promised.
func (g *ground) playAllFailovers(
	ctx context.Context, c *patroniCluster, rounds int, split *splitBrain,
) (played []*failoverResult, err error) {
	var stages []*stage
	defer func() {
		for _, s := range stages {
			s.close()
		}
	}()
	for _, w := range ways {
		if !g.plays(w) {
			continue
		}
		s, err := g.failoverScene(ctx, c, w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", w.name, err, c.lastWords())
		}
		stages = append(stages, &stage{by: w, scene: s})
	}
	for _, f := range failovers {
		var struck []*stage
		for _, s := range stages {
			if g.plays(s.by, f) {
				s.result = &failoverResult{way: s.by.name, result: result{name: f.name, most: f.most}}
				played, struck = append(played, s.result), append(struck, s)
			}
		}
		for i := 0; i < rounds && len(struck) > 0; i++ {
			if err := g.playRoundOf(ctx, c, f, struck, split); err != nil {
				return played, fmt.Errorf("%s, round %d: %w", f.name, i+1, err)
			}
		}
	}
	var broken []error
	for _, s := range stages {
		broken = append(broken, s.checkCluster(ctx))
	}
	return played, errors.Join(broken...)
}

// plays reports whether a way is played with any of some failovers; with any at all for none.
func (g *ground) plays(w way, with ...failover) bool {
	if len(with) == 0 {
		with = failovers
	}
	return slices.ContainsFunc(with, func(f failover) bool {
		return strings.Contains(w.name+": "+f.name,
			g.only)
	})
}

// playRoundOf plays one round under load, and waits until the cluster is whole again.
func (g *ground) playRoundOf(
	ctx context.Context, c *patroniCluster, f failover, stages []*stage, split *splitBrain,
) error {
	round, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	began := time.Now()
	err := loseThePrimary(round, c, f, stages, split)
	var judging errgroup.Group
	for _, s := range stages {
		judging.Go(func() error {
			s.judgeRound(round, g.keepIn)
			return nil
		})
	}
	_ = judging.Wait() // what was found is each stage's
	for _, s := range stages {
		fmt.Fprintf(os.Stderr, "%s: %s: round %d: %s\n", s.by.name, f.name, s.result.rounds,
			s.result.progress(s.err))
		if !s.result.asPromised() {
			s.err = errors.Join(s.err, errors.New("not as promised, see the table"))
		}
		if s.err != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", s.by.name, s.err))
		}
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, c.lastWords())
	}
	played := time.Since(began)
	err = c.awaitHealthy(ctx, 2*time.Minute)
	fmt.Fprintf(os.Stderr, "the round took %s, the cluster was whole again %s later\n", short(played),
		short(time.Since(began)-played))
	return err
}

// loseThePrimary strikes under load through both adapters, with readers.
func loseThePrimary(
	ctx context.Context, c *patroniCluster, f failover, stages []*stage, split *splitBrain,
) (err error) {
	each := func(do func(s *stage)) {
		var doing errgroup.Group
		for _, s := range stages {
			doing.Go(func() error {
				if s.err == nil {
					s.err = s.try(func() { do(s) })
				}
				return nil
			})
		}
		_ = doing.Wait() // errors are the stages'
	}
	for _, s := range stages {
		s.ctx, s.err = ctx, nil
		s.reset()
	}
	each(func(s *stage) {
		s.clearOffers()
		s.stop, s.wait = s.tradingEvery(time.Duration(len(stages)) * time.Second / writesPerSecond)
		s.trades = time.Now()
		s.readers, s.pulse = s.readPages(), s.pulseAt()
		s.rest(2 * time.Second)
	})
	n := c.primary()
	if n == nil {
		return errors.New("there is no primary")
	}
	if f.alone {
		split.write(ctx, n)
	}
	began := time.Now()
	end, err := f.strike(ctx, c, n)
	if f.alone {
		split.begin()
	}
	if err == nil {
		err = c.awaitOther(ctx, n)
	}
	other := time.Now()
	each(func(s *stage) { s.pulse.wroteSince(other) })
	if f.alone {
		pause(ctx, 2*time.Second)
		split.stop()
	}
	if end != nil {
		err = errors.Join(err, end())
	}
	pause(ctx, 3*time.Second)
	each(func(s *stage) {
		s.stop()
		s.readers.stop()
		s.pulse.stop()
		s.result.traded += time.Since(s.trades)
		s.wait()
		s.settled()
	})
	for _, s := range stages {
		if s.pulse != nil && s.readers != nil {
			s.result.measured(s.pulse.longestWithout(began), s.readers)
		}
	}
	return err
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// judgeRound compares all answers with what is stored, and keeps both in a folder where they differ.
func (s *stage) judgeRound(ctx context.Context, folder string) {
	if s.err == nil {
		s.err = s.compare(ctx)
	}
	counted, err := s.judge(ctx)
	s.result.count.add(counted)
	s.result.rounds++
	if s.err = errors.Join(s.err, err); s.err != nil && folder != "" {
		s.err = errors.Join(s.err, s.keepHistory(ctx, filepath.Join(folder, s.by.database+"-history.json")))
	}
}

// keepHistory writes down everything that is compared.
func (s *stage) keepHistory(ctx context.Context, file string) error {
	stored, err := s.stored(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	writes := s.history.Writes()
	text, err := json.MarshalIndent(map[string]any{"writes": writes, "stored": stored,
		"findings": history.Check(writes, stored)}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// failoverScene is a market on the cluster: two programs with both adapters, and people.
func (g *ground) failoverScene(ctx context.Context, c *patroniCluster, w way) (s *scene, err error) {
	own := &ground{settings: g.settings, env: w.env(c)}
	if g.keepIn != "" {
		if own.logs, err = os.OpenFile(filepath.Join(g.keepIn, w.database+"-programs.log"),
			os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
			return nil, err
		}
	}
	s = &scene{ground: own}
	s.reset()
	defer func() {
		if err != nil {
			err = errors.Join(err, s.saidAtLast())
			s.close()
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	s.ctx = ctx
	if s.db, err = pgxpool.New(ctx, c.dsn("postgres", clusterGate+":5000", w.database, "")); err != nil {
		return s, err
	}
	if err := s.emptied(ctx); err != nil {
		return s, err
	}
	if s.discord, err = discordtest.Serve(discordtest.Options{Limits: &discordtest.Unlimited,
		Heartbeat: heartbeat, Patience: patience / 3, OnViolation: s.violated}); err != nil {
		return s, err
	}
	return s, s.try(func() {
		s.open("", fault{programs: both})
		for _, name := range []string{"maple", "rowan.ashdown"} {
			s.owners = append(s.owners, s.owner(s.discord.Player(s, name)))
		}
		s.buyer = s.person(s.discord.Player(s, "juniper_fox"))
		s.seller = s.person(s.discord.Player(s, "oldtamsin"))
	})
}

// emptied removes what an earlier scene has left: its stand-in for Discord, which knew the messages, is gone.
func (s *scene) emptied(ctx context.Context) error {
	_, err := s.db.Exec(ctx, "drop schema public cascade")
	if err == nil {
		_, err = s.db.Exec(ctx, "create schema public authorization "+role)
	}
	return err
}

func (s *scene) checkCluster(ctx context.Context) error {
	return brokenIn(ctx, s.db)
}
