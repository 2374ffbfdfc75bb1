//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/tools/lab/faults/history"
	"tradepost/tools/lab/liveness"
)

const (
	heartbeat = time.Second // of the stand-in's gateway: what takes two of them is over soon
	patience  = 90 * time.Second
	// drain is how long a program may take to end.
	drain = 10 * time.Second
)

// scene is the test environment of one fault: a database of its own, a stand-in of its own, the
// programs, and the people. Whatever a script cannot do ends the round; see Fatalf.
type scene struct {
	ctx             context.Context // of the round
	ground          *ground
	cluster         *cluster
	server          *pgembed.Server // of the cluster
	proxy           *proxy          // nil when the programs reach PostgreSQL directly
	disk            *smallDisk      // nil when its data is where all temporary files are
	database        string
	db              *pgxpool.Pool // ours, to look and to turn clocks
	discord         *discordtest.Discord
	programs        []*program
	owners          []*owner
	buyer           *person // trades with seller, see trading
	seller          *person
	people          []*person           // everybody who has signed in; guarded by the tally's lock
	quotas          bool                // of the programs: digests tell of what is beyond them
	racers          []*owner            // who take part in races
	watched         []string            // words that are watched for
	watchers        map[string][]string // who watches for each
	basil           *person             // trades with rules, see playRules
	moderator       *person             // moderates what basil and others do
	hazel           *person             // buys of sellers who are new to the market, see agree
	agreed          []*agreement        // of all rounds
	clocks          string              // the folder of the programs' clocks
	lapsing         bool                // a clock was wrong for longer than an offer stands
	ruledRounds     int                 // of playRules
	turns           atomic.Int64        // whose turn it is to be asked
	unansweredTurns atomic.Int64        // of a soak
	seen            int64               // the last notice that was judged
	gated           bool                // see setGates
	receivers       []*receiver         // of the owners, see makeWebhooks
	remark          string              // what else a fault has measured, for the table
	tally
}

func (g *ground) newScene(ctx context.Context, f fault) (s *scene, err error) {
	s = &scene{ground: g}
	s.reset()
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	s.ctx = ctx
	dsn, err := s.openDatabase(f)
	if err != nil {
		return s, err
	}
	if s.discord, err = discordtest.Serve(discordtest.Options{Limits: &discordtest.Unlimited,
		Heartbeat: heartbeat, Patience: patience / 3, OnViolation: s.violated}); err != nil {
		return s, err
	}
	return s, s.try(func() {
		moderator := s.discord.NewPlayer(s, "sage")
		s.open(dsn, f, "MODERATORS="+moderator.ID())
		s.moderator = s.person(moderator)
		s.basil = s.person(s.discord.NewPlayer(s, "basil"))
		for _, name := range []string{"maple", "rowan.ashdown"} {
			s.owners = append(s.owners, s.owner(s.discord.Player(s, name)))
		}
		s.buyer = s.person(s.discord.Player(s, "juniper_fox"))
		s.seller = s.person(s.discord.Player(s, "oldtamsin"))
		s.hazel = s.person(s.discord.NewPlayer(s, "hazel"))
	})
}

// openDatabase makes a database for a fault, and returns where the programs find it.
func (s *scene) openDatabase(f fault) (dsn string, err error) {
	s.cluster = s.ground.shared
	if f.server || f.disk {
		dataDir := ""
		if f.disk {
			if s.disk, err = mountSmallDisk(); err != nil {
				return "", err
			}
			dataDir = s.disk.folder
		}
		if s.cluster, err = startCluster(s.ctx, dataDir); err != nil {
			return "", err
		}
	}
	s.server = s.cluster.server
	if s.database, err = s.cluster.database(s.ctx); err != nil {
		return "", err
	}
	if s.db, err = pgxpool.New(s.ctx, s.server.DSN(s.database)); err != nil {
		return "", fmt.Errorf("connect to look: %w", err)
	}
	dsn = s.cluster.dsn(s.database)
	if !f.proxy {
		return dsn, nil
	}
	direct, err := pgx.ParseConfig(dsn)
	if err != nil {
		return "", fmt.Errorf("read the address of PostgreSQL: %w", err)
	}
	if s.proxy, err = startProxy(filepath.Join(direct.Host,
		fmt.Sprintf(".s.PGSQL.%d", direct.Port))); err != nil {
		return "", err
	}
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", role, s.proxy.port(), s.database), nil
}

// noQuotas sets no limit to what one account does.
var noQuotas = []string{"OPEN_REQUESTS=0", "NEW_REQUESTS=0", "OFFERS=0", "OFFERS_PER_REQUEST=0", "REPORTS=0",
	"DM_PAIR=0", "DM_READER=0", "DM_ALERTS=0", "DM_REACH=0"}

// noThreads is every feature but the threads of trades: what is counted here are direct messages, and a
// thread replaces them. That a thread is made once over lost answers and restarts is shown by a test of the
// bot.
func noThreads() string {
	return "FEATURES=" + strings.Join(slices.DeleteFunc(slices.Clone(core.FeatureNames),
		func(name string) bool { return name == "threads" }), ",")
}

// open starts the programs that a fault is about.
func (s *scene) open(dsn string, f fault, env ...string) {
	s.quotas = f.quotas
	kinds := f.programs
	if len(kinds) == 0 {
		kinds = []string{""}
	}
	var public string
	var err error
	s.clocks, err = os.MkdirTemp("", "faults-clocks-")
	s.must(err)
	for _, only := range kinds {
		p := &program{file: s.ground.program, log: &tail{also: s.ground.logs}}
		p.clock = filepath.Join(s.clocks, fmt.Sprint("clock", len(s.programs)))
		metrics, err := freeAddress()
		s.must(err)
		p.metrics = metrics
		if only != "" {
			p.args = []string{"--only", only}
		}
		if only != "bot" {
			address, err := freeAddress()
			s.must(err)
			p.address = address
			if public == "" {
				public = "http://" + address
				s.discord.AllowRedirect(public + "/auth/discord/callback")
			}
		}
		p.env = []string{
			"DATABASE_URL=" + dsn, "METRICS_LISTEN=" + p.metrics, "PUBLIC_URL=" + public,
			"TRUSTED_PROXIES=127.0.0.1/32",
			"VISITOR_LIMIT=0", // visitors here come from few networks
			"WEBHOOKS_ANYWHERE=true",
			"DISCORD_TOKEN=" + s.discord.Token(), "DISCORD_CLIENT_ID=" + s.discord.ClientID(),
			"DISCORD_CLIENT_SECRET=" + s.discord.ClientSecret(), "DISCORD_API_URL=" + s.discord.URL(),
			"DISCORD_HEARTBEAT=" + heartbeat.String(), "LOG_FORMAT=text", "LOG_LEVEL=" + s.ground.level(),
			"GOMAXPROCS=2",
			"REQUEST_LIMIT=1000000", "WRITE_LIMIT=1000000", noThreads(),
		}
		if !f.quotas {
			p.env = append(p.env, noQuotas...)
		}
		if p.address != "" {
			p.env = append(p.env, "LISTEN="+p.address)
		}
		p.env = append(p.env, "CLOCK_STEPS="+p.clock)
		p.env = append(append(p.env, env...), s.ground.env...)
		s.programs = append(s.programs, p)
		s.must(p.start())
		s.must(p.ready(s.ctx))
	}
	s.discord.WaitForBot(s)
}

func (s *scene) close() {
	for _, p := range s.programs {
		p.kill()
	}
	for _, r := range s.receivers {
		r.server.CloseClientConnections()
		r.server.Close()
	}
	if s.discord != nil {
		_ = s.discord.Close() // it keeps nothing
	}
	if s.db != nil {
		s.db.Close()
	}
	if s.proxy != nil {
		s.proxy.close()
	}
	if s.cluster != nil {
		s.closeDatabase()
	}
	if s.disk != nil {
		s.disk.unmount()
	}
	if s.clocks != "" {
		_ = os.RemoveAll(s.clocks) // they are some bytes in a temporary folder
	}
}

func (s *scene) closeDatabase() {
	if s.cluster != s.ground.shared {
		s.cluster.server.Thaw()
		s.cluster.stop()
		return
	}
	if s.database != "" {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		// the server goes soon, and all with it
		_ = s.cluster.exec(ctx, "drop database if exists "+s.database+" with (force)")
	}
}

// playRound plays a fault once. When all has come to rest, it judges.
func (s *scene) playRound(
	ctx context.Context, f fault, i int,
) (back time.Duration, counted count, err error) {
	ctx, cancel := context.WithTimeout(ctx, f.limit())
	defer cancel()
	s.ctx = ctx
	s.reset()
	var took time.Duration
	err = within(f.limit(), func() error {
		err := s.try(func() {
			s.clearOffers()
			took = s.besideHandovers(f, func() time.Duration { return f.round(s, i) })
		})
		if err != nil {
			return err
		}
		return s.try(func() { s.settled() })
	})
	if errors.Is(err, errHangs) {
		return 0, counted, errors.Join(err, s.saidAtLast())
	}
	if err == nil {
		err = s.compare(ctx)
	}
	counted, judgeErr := s.judge(ctx)
	s.ground.countWrites(s.writesNow())
	if err = errors.Join(err, judgeErr); err != nil {
		err = errors.Join(err, s.saidAtLast())
	}
	return took, counted, err
}

// clearOffers takes away what visitors have left of earlier rounds: a request takes a hundred offers of
// visitors.
func (s *scene) clearOffers() {
	rows, err := s.db.Query(s.ctx, "delete from offers where seller_id is null returning id")
	s.must(err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	s.must(err)
	for _, id := range ids {
		s.history.Keep(history.Write{Operation: history.Remove, Offer: id,
			Outcome: history.Outcome{Status: history.Acknowledged}})
	}
}

// violated hears of requests that Discord's description forbids.
func (s *scene) violated(v discordtest.Violation) {
	s.complain(fmt.Errorf("what Discord does not accept: %s", v))
}

// checkInvariants checks the data.
func (s *scene) checkInvariants(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience+liveness.Longest)
	defer cancel()
	pool, err := pgconnect.Open(ctx, s.server.DSN(s.database), pgconnect.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	defer pool.Close()
	return brokenIn(ctx, pool)
}

// brokenIn returns the violations of the invariants of a database.
func brokenIn(ctx context.Context, pool *pgxpool.Pool) error {
	violations, err := liveness.Broken(ctx, pool, true)
	if err != nil {
		return err
	}
	var broken []error
	for _, v := range violations {
		broken = append(broken, errors.New(v.String()))
	}
	return errors.Join(broken...)
}

// failure ends a round.
type failure struct{ err error }

// try runs a script and returns what ended it.
func (s *scene) try(script func()) (err error) {
	defer func() {
		switch got := recover().(type) {
		case nil:
		case failure:
			err = got.err
		default:
			err = fmt.Errorf("%v\n%s", got, debug.Stack())
		}
	}()
	script()
	return nil
}

// saidAtLast are the last words of each program.
func (s *scene) saidAtLast() error {
	var all []error
	for i, p := range s.programs {
		all = append(all, fmt.Errorf("program %d (running: %v) said at last:\n%s", i+1, p.running(), p.log))
	}
	return errors.Join(all...)
}

func (s *scene) must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// A scene stands in for the test that the stand-in wants.

// Helper does nothing.
func (s *scene) Helper() {}

// Logf does nothing.
func (s *scene) Logf(string, ...any) {}

// Cleanup is for tests.
func (s *scene) Cleanup(func()) { panic("a scene ends with close") }

// Errorf records an error and continues.
func (s *scene) Errorf(format string, args ...any) { s.complain(fmt.Errorf(format, args...)) }

// Fatalf ends the round.
func (s *scene) Fatalf(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

var _ discordtest.TB = (*scene)(nil)
