//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
)

// ground is what all faults are played on: a PostgreSQL to break, with a migrated database to copy.
type ground struct {
	settings
	server    *pgembed.Server
	databases atomic.Int64
	copying   sync.Mutex // of the template, by one at a time
	logs      io.Writer  // what programs log; nil for nowhere
}

// The programs' user is no superuser, as on a server that somebody else runs.
const (
	template = "faults_template"
	role     = "market"
)

func newGround(ctx context.Context, s settings) (*ground, error) {
	server, err := pgembed.Start(ctx, pgembed.Options{Temporary: true, Fast: true})
	if err != nil {
		return nil, fmt.Errorf("start a PostgreSQL to break: %w", err)
	}
	g := &ground{settings: s, server: server}
	if s.keepLog {
		g.logs = os.Stderr
	}
	if err := g.makeTemplate(ctx); err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

func (g *ground) makeTemplate(ctx context.Context) error {
	if err := g.exec(ctx, "create role "+role+" login"); err != nil {
		return err
	}
	if err := g.exec(ctx, "create database "+template+" owner "+role); err != nil {
		return err
	}
	pool, err := postgres.Connect(ctx, g.dsn(template), postgres.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	defer pool.Close()
	return postgres.Migrate(ctx, pool, slog.New(slog.DiscardHandler))
}

// level is what the programs log.
func (g *ground) level() string {
	if g.keepLog {
		return "debug"
	}
	return "warn"
}

// dsn is the address of a database for the programs.
func (g *ground) dsn(database string) string {
	return strings.Replace(g.server.DSN(database), "user="+pgembed.Superuser, "user="+role, 1)
}

// exec runs a statement outside of every fault's database.
func (g *ground) exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, g.server.DSN("postgres"))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// database makes a migrated one and returns its name and address.
func (g *ground) database(ctx context.Context) (name, dsn string, err error) {
	name = fmt.Sprintf("fault_%d", g.databases.Add(1))
	g.copying.Lock()
	defer g.copying.Unlock()
	if err := g.exec(ctx, "create database "+name+" template "+template+" strategy file_copy owner "+role); err != nil {
		return "", "", err
	}
	return name, g.dsn(name), nil
}

func (g *ground) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := g.server.Stop(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "faults: stop PostgreSQL:", err)
	}
}

// playAll plays faults, those that leave PostgreSQL alone several at a time. It reports each as it ends, and returns the
// results in the order of the faults.
func (g *ground) playAll(ctx context.Context, faults []fault, report func(result)) table {
	results := make(table, len(faults))
	play := func(i int) {
		f := faults[i]
		results[i] = g.play(ctx, f, max(1, g.rounds/max(1, f.rare)))
		report(results[i])
	}
	var alone []int
	var playing errgroup.Group
	playing.SetLimit(g.atOnce)
	for i, f := range faults {
		if f.server {
			alone = append(alone, i)
			continue
		}
		playing.Go(func() error {
			play(i)
			return nil
		})
	}
	_ = playing.Wait() // what went wrong is in the results
	for _, i := range alone {
		play(i)
	}
	return results
}

// play plays a fault for some rounds. It stops at the first round that cannot be finished. Round 0 makes new messages: there
// is none yet that an odd round could add to.
func (g *ground) play(ctx context.Context, f fault, rounds int) result {
	r := result{name: f.name, most: f.most}
	s, err := g.newScene(ctx, f)
	if err != nil {
		r.err = err
		return r
	}
	defer s.close()
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
			break
		}
	}
	if err := s.keepsPromises(ctx); err != nil {
		r.err = errors.Join(r.err, err)
	}
	return r
}
