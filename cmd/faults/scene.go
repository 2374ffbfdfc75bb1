//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/bot/discordtest"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
)

const (
	heartbeat = time.Second // of the stand-in's gateway: what takes two of them is over soon
	patience  = 90 * time.Second
	// drain is how long a program may take to end.
	drain = 10 * time.Second
)

// scene is one fault's stage: a database of its own, a stand-in of its own, the programs, and the people. Whatever a
// script cannot do ends the round; see Fatalf.
type scene struct {
	ctx      context.Context // of the round
	ground   *ground
	server   *pgembed.Server
	database string
	db       *pgxpool.Pool // ours, to look and to turn clocks
	discord  *discordtest.Discord
	programs []*program
	owners   []*owner
	people   []*person    // everybody who has signed in; guarded by the tally's lock
	turns    atomic.Int64 // whose turn it is to be asked
	seen     int64        // the last notice that was judged
	tally
}

func (g *ground) newScene(ctx context.Context, f fault) (s *scene, err error) {
	s = &scene{ground: g, server: g.server}
	s.reset()
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s.ctx = ctx
	var dsn string
	if s.database, dsn, err = g.database(ctx); err != nil {
		return s, err
	}
	if s.db, err = pgxpool.New(ctx, g.server.DSN(s.database)); err != nil {
		return s, fmt.Errorf("connect to look: %w", err)
	}
	if s.discord, err = discordtest.Serve(discordtest.Options{Heartbeat: heartbeat, Patience: patience / 3, OnViolation: s.violated}); err != nil {
		return s, err
	}
	return s, s.try(func() {
		s.open(dsn, f.programs)
		for _, name := range []string{"maple", "rowan.ashdown"} {
			s.owners = append(s.owners, s.owner(s.discord.Player(s, name)))
		}
	})
}

// open starts the programs that a fault is about.
func (s *scene) open(dsn string, kinds []string) {
	if len(kinds) == 0 {
		kinds = []string{""}
	}
	var public string
	for _, only := range kinds {
		p := &program{file: s.ground.program, log: &tail{also: s.ground.logs}}
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
			"DATABASE_URL=" + dsn, "LISTEN=" + p.address, "METRICS_LISTEN=" + p.metrics, "PUBLIC_URL=" + public, "TRUSTED_PROXIES=127.0.0.1/32",
			"DISCORD_TOKEN=" + s.discord.Token(), "DISCORD_CLIENT_ID=" + s.discord.ClientID(),
			"DISCORD_CLIENT_SECRET=" + s.discord.ClientSecret(), "DISCORD_API_URL=" + s.discord.URL(),
			"DISCORD_HEARTBEAT=" + heartbeat.String(), "LOG_FORMAT=text", "LOG_LEVEL=" + s.ground.level(), "GOMAXPROCS=2",
		}
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
	if s.discord != nil {
		_ = s.discord.Close() // it keeps nothing
	}
	if s.db != nil {
		s.db.Close()
	}
	if s.database != "" {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = s.ground.exec(ctx, "drop database if exists "+s.database+" with (force)") // the server goes soon, and all with it
	}
}

// playRound plays a fault once. When all has come to rest, it judges.
func (s *scene) playRound(ctx context.Context, f fault, i int) (back time.Duration, counted count, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience+f.takes)
	defer cancel()
	s.ctx = ctx
	s.reset()
	err = s.try(func() {
		s.clearOffers()
		back = f.round(s, i)
	})
	if err == nil {
		err = s.try(func() { s.settled() })
	}
	counted, judgeErr := s.judge(ctx)
	if err = errors.Join(err, judgeErr); err != nil {
		err = errors.Join(err, s.saidAtLast())
	}
	return back, counted, err
}

// clearOffers takes away what visitors have left of earlier rounds: a request takes a hundred offers of visitors.
func (s *scene) clearOffers() {
	_, err := s.db.Exec(s.ctx, "delete from offers where seller_id is null")
	s.must(err)
}

// violated hears of requests that Discord's description forbids.
func (s *scene) violated(v discordtest.Violation) {
	s.complain(fmt.Errorf("what Discord does not accept: %s", v))
}

// keepsPromises checks the data.
func (s *scene) keepsPromises(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	store, err := postgres.Open(ctx, s.server.DSN(s.database), postgres.Options{MaxConns: 2, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer store.Close()
	violations, err := store.Check(ctx)
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

// Errorf notes what is wrong and goes on.
func (s *scene) Errorf(format string, args ...any) { s.complain(fmt.Errorf(format, args...)) }

// Fatalf ends the round.
func (s *scene) Fatalf(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

var _ discordtest.TB = (*scene)(nil)
