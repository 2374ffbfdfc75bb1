// Command ring plays puppets who do all that they may against an honest market, on the real core and store
// with a driven clock, and prints what they move and what that costs. docs/threat-model.md has its table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/schema"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ring:", err)
		os.Exit(1)
	}
}

// grown is a market of 60 people who have traded for months.
func grown(seed uint64) plan { return plan{honest: 60, fills: []int{0, 5, 10, 50, 400}, seed: seed} }

// usualPlans are played.
func usualPlans(seed uint64) []plan {
	return []plan{
		grown(seed),
		{young: true, honest: 24, fills: []int{0, 5, 10}, seed: seed},
	}
}

// usualAttacks are played against each, after none.
func usualAttacks() (all []attack) {
	for _, edges := range []int{0, 9} {
		for _, puppets := range []int{1, 3, 14, 50} {
			all = append(all, attack{puppets: puppets, edges: edges})
		}
	}
	for _, edges := range []int{0, 9} {
		all = append(all, attack{puppets: 14, edges: edges, crossing: true},
			attack{puppets: 14, edges: edges, crossing: true, planning: true})
	}
	return all
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("ring", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "of honest prices and pairs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	server, err := pgembed.Start(ctx, pgembed.Options{Temporary: true, Fast: true})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	defer func() { _ = server.Stop(context.WithoutCancel(ctx)) }()
	var played []outcome
	for _, p := range usualPlans(*seed) {
		all, err := playAll(ctx, func(ctx context.Context, name, of string) (string, error) {
			return server.DSN(name), database(ctx, server, name, of)
		}, p, usualAttacks())
		if err != nil {
			return err
		}
		played = append(played, all...)
	}
	return errors.Join(printRows(out, played), printCosts(out, played))
}

// outcome is the result of an attack.
type outcome struct {
	plan
	attack
	days           int // on which puppets acted
	without, shown figures
}

// playAll plays each attack on a copy of the same market, and one copy without an attack.
func playAll(
	ctx context.Context, copyOf func(ctx context.Context, name, of string) (dsn string, err error), p plan, attacks []attack,
) (played []outcome, err error) {
	dsn, err := copyOf(ctx, p.kind(), "")
	if err != nil {
		return nil, err
	}
	honest, err := open(ctx, dsn, p)
	if err != nil {
		return nil, err
	}
	honest.store.Close()
	var without figures
	for n, by := range append([]attack{{}}, attacks...) {
		if dsn, err = copyOf(ctx, fmt.Sprintf("%s_%d", p.kind(), n), p.kind()); err != nil {
			return nil, err
		}
		a, err := honest.again(ctx, dsn, by)
		if err != nil {
			return nil, err
		}
		shown, err := a.play(ctx)
		a.store.Close()
		if err != nil {
			return nil, fmt.Errorf("a %s market, %d puppets, %d honest trades: %w", p.kind(), by.puppets, by.edges, err)
		}
		if n == 0 {
			without = shown
			continue
		}
		o := outcome{p, by, a.days, without, shown}
		fmt.Fprint(os.Stderr, row(o)) // all of it takes minutes
		played = append(played, o)
	}
	return played, nil
}

// database makes a database of a server: a copy of another, or a migrated one.
func database(ctx context.Context, server *pgembed.Server, name, of string) error {
	admin, err := pgconnect.Open(ctx, server.DSN(""), pgconnect.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	defer admin.Close()
	statement := "create database " + name
	if of != "" {
		statement += " template " + of
	}
	if _, err = admin.Exec(ctx, statement); err != nil || of != "" {
		return err
	}
	pool, err := pgconnect.Open(ctx, server.DSN(name), pgconnect.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	defer pool.Close()
	return schema.Migrate(ctx, pool, slog.New(slog.DiscardHandler))
}
