package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/bot/discordtest"
	"tradepost/sql/invariants"
)

// way is how the programs reach the cluster.
type way struct {
	name string
	env  func(*patroniCluster) []string
}

var ways = []way{
	{"HAProxy", func(c *patroniCluster) []string {
		return []string{"DATABASE_URL=" + c.dsn(role, clusterGate+":5000", clusterDatabase, ""), "DATABASE_REPLICAS=" + c.standbys()}
	}},
	{"several hosts", func(c *patroniCluster) []string {
		return []string{"DATABASE_URL=" + c.dsn(role, c.hosts(), clusterDatabase, "&target_session_attrs=read-write&connect_timeout=2"), "DATABASE_REPLICAS=" + c.standbys()}
	}},
}

// standbys are the three machines, each by its own address.
func (c *patroniCluster) standbys() string {
	var all []string
	for _, n := range c.nodes {
		all = append(all, c.dsn(role, n.address+":5432", clusterDatabase, "&connect_timeout=2"))
	}
	return strings.Join(all, ",")
}

// failover is one way to lose a primary. strike begins it and returns what ends it.
type failover struct {
	name   string
	most   time.Duration // within which the market takes writes again
	strike func(c *patroniCluster, n *clusterNode) (end func() error, err error)
	alone  bool // the former primary still runs, and could take writes
}

// shortened is the beginning of an error.
func shortened(err error) string {
	if err == nil {
		return "as promised"
	}
	return fmt.Sprintf("%.2000s", err)
}

func nothing() error { return nil }

var failovers = []failover{
	{"kill -9 the primary", 20 * time.Second, func(c *patroniCluster, n *clusterNode) (func() error, error) {
		c.kill(n)
		return nothing, nil
	}, false},
	{"switch over on purpose", 20 * time.Second, func(c *patroniCluster, n *clusterNode) (func() error, error) {
		return nothing, c.switchOver(n)
	}, false},
	{"freeze its machine", 45 * time.Second, func(c *patroniCluster, n *clusterNode) (func() error, error) {
		c.freeze(n)
		return func() error { c.thaw(n); return nil }, nil
	}, false},
	{"cut its machine off", 45 * time.Second, func(c *patroniCluster, n *clusterNode) (func() error, error) {
		return func() error { return c.rejoin(n) }, c.cut(n)
	}, true},
}

// failoverResult is what rounds of one failover have come to.
type failoverResult struct {
	way, name string
	result
	reads, readsFailed, backwards int
	slowestRead                   time.Duration
	split                         int // writes that the former primary acknowledged while it was cut off
	asked                         int // writes that it was asked for
}

// playFailovers starts a cluster and takes its primary away, in every way, and prints what that came to.
func (g *ground) playFailovers(ctx context.Context, rounds int, out io.Writer) error {
	if missing := missingPackages(); len(missing) > 0 {
		if os.Getuid() != 0 {
			fmt.Fprintf(out, "The cluster needs root, and these packages: %s\n", strings.Join(missing, " "))
			return nil
		}
		fmt.Fprintln(os.Stderr, "installing", strings.Join(missing, " "))
		if err := installPackages(missing); err != nil {
			fmt.Fprintf(out, "The cluster needs these packages, which cannot be installed here: %s\n%v\n", strings.Join(missing, " "), err)
			return nil
		}
	}
	if os.Getuid() != 0 {
		fmt.Fprintln(out, "The cluster needs root, for network namespaces.")
		return nil
	}
	fmt.Fprintln(os.Stderr, "starting three PostgreSQLs with Patroni and etcd")
	c, err := startPatroni(ctx)
	if err != nil {
		return err
	}
	defer c.stop()
	var played []*failoverResult
	for _, w := range ways {
		if !strings.Contains(w.name, g.only) {
			continue
		}
		s, err := g.failoverScene(ctx, c, w)
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", w.name, err, c.lastWords())
		}
		for _, f := range failovers {
			o := &failoverResult{way: w.name, name: f.name, result: result{most: f.most}}
			played = append(played, o)
			for i := 0; i < rounds && ctx.Err() == nil && o.err == nil; i++ {
				s.playFailover(ctx, c, f, o)
				fmt.Fprintf(os.Stderr, "%s: %s: round %d: writing again after %s, %d reads, %d failed, slowest %s; %v\n",
					w.name, f.name, i+1, short(o.back[len(o.back)-1]), o.reads, o.readsFailed, short(o.slowestRead), shortened(o.err))
			}
			if o.err != nil {
				fmt.Fprintln(os.Stderr, c.lastWords())
				break
			}
		}
		if err := s.checkCluster(ctx); err != nil && len(played) > 0 {
			played[len(played)-1].err = errors.Join(played[len(played)-1].err, err)
		}
		s.close()
	}
	perRead, err := g.processorPerRead(ctx, c)
	if err != nil {
		return err
	}
	return printFailovers(out, played, perRead)
}

// failoverScene is a market on the cluster: two programs with both adapters, and people.
func (g *ground) failoverScene(ctx context.Context, c *patroniCluster, w way) (s *scene, err error) {
	s = &scene{ground: &ground{settings: g.settings, shared: g.shared, logs: g.logs, env: w.env(c)}}
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
	if s.db, err = pgxpool.New(ctx, c.dsn("postgres", clusterGate+":5000", clusterDatabase, "")); err != nil {
		return s, err
	}
	if err := s.emptied(ctx); err != nil {
		return s, err
	}
	if s.discord, err = discordtest.Serve(discordtest.Options{Limits: &discordtest.Unlimited, Heartbeat: heartbeat, Patience: patience / 3, OnViolation: s.violated}); err != nil {
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
	violations, err := invariants.Check(ctx, s.db)
	if err != nil {
		return err
	}
	var broken []error
	for _, v := range violations {
		broken = append(broken, errors.New(v.String()))
	}
	return errors.Join(broken...)
}

// playFailover plays one round under load, and waits until the cluster is whole again.
func (s *scene) playFailover(ctx context.Context, c *patroniCluster, f failover, o *failoverResult) {
	round, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	s.ctx = round
	s.reset()
	var back time.Duration
	err := s.try(func() {
		s.clearOffers()
		back = s.loseThePrimary(c, f, o)
		s.settled()
	})
	if err == nil {
		err = s.compare(round)
	}
	counted, judgeErr := s.judge(round)
	o.count.add(counted)
	o.rounds++
	o.back = append(o.back, back)
	if err = errors.Join(err, judgeErr); err == nil {
		err = c.awaitHealthy(ctx, 2*time.Minute)
	}
	o.err = err
}

// loseThePrimary strikes under load through both adapters, with readers, and returns how long nothing was written.
func (s *scene) loseThePrimary(c *patroniCluster, f failover, o *failoverResult) time.Duration {
	stop, wait := s.trading(2 * time.Second)
	readers := s.readPages()
	pulse := s.pulse()
	s.rest(2 * time.Second)
	n := c.primary()
	if n == nil {
		s.Fatalf("there is no primary")
	}
	var lonely *lonely
	if f.alone {
		lonely = s.writeAlone(n)
	}
	began := time.Now()
	end, err := f.strike(c, n)
	s.must(err)
	if lonely != nil {
		lonely.cut.Store(true)
	}
	took := pulse.writesAgain(began)
	if lonely != nil {
		s.rest(2 * time.Second)
		asked, acknowledged := lonely.stop()
		o.asked, o.split = o.asked+asked, o.split+acknowledged
	}
	s.must(end())
	s.rest(3 * time.Second)
	pulse.stop()
	readers.stop()
	o.reads, o.readsFailed, o.backwards = o.reads+readers.reads, o.readsFailed+readers.failed, o.backwards+readers.backwards
	o.slowestRead = max(o.slowestRead, readers.slowest)
	if readers.last != nil {
		s.remark = readers.last.Error()
		fmt.Fprintln(os.Stderr, "a read:", readers.last)
	}
	stop()
	wait()
	return took
}

// printFailovers prints the table, and returns an error unless everything is as promised.
func printFailovers(out io.Writer, played []*failoverResult, perRead []string) error {
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| by way of\t| the primary\t| rounds\t| writes\t| lost\t| doubled\t| writing again after, at most\t| reads\t| failed\t| backwards\t| slowest\t| split brain: acknowledged of asked\t|")
	fmt.Fprintln(table, "|:--\t|:--\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|")
	var bad []error
	for _, o := range played {
		split := "-"
		if o.asked > 0 {
			split = fmt.Sprintf("%d of %d", o.split, o.asked)
		}
		fmt.Fprintf(table, "| %s\t| %s\t| %d\t| %d\t| %d\t| %d\t| %s\t| %d\t| %d\t| %d\t| %s\t| %s\t|\n", o.way, o.name, o.rounds, o.writes, o.lost, o.doubled, short(o.slowest()),
			o.reads, o.readsFailed, o.backwards, short(o.slowestRead), split)
		if !o.well() || o.readsFailed+o.backwards+o.split > 0 {
			bad = append(bad, fmt.Errorf("%s: %s: not as promised: %w", o.way, o.name, errors.Join(o.err, errors.New("see the table"))))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, line := range perRead {
		fmt.Fprintln(out, line)
	}
	return errors.Join(bad...)
}
