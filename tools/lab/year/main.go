// Command year plays a year of a busy market on a private PostgreSQL, runs retention after each day, and
// prints how large each table is at the end. day.sql says what a day brings. docs/retention.md says what it
// has shown.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

//go:embed day.sql
var dayScript string

// plan says what is played.
type plan struct {
	days, posts, users int
	vacuumEvery        int // days
	keep               core.Retention
	progress           io.Writer
}

// outcome is what was left at the end.
type outcome struct {
	tables     []table
	bytes      int64 // the whole database at the end
	largest    int64 // at the end of any day
	violations []invariants.Violation
}

type table struct {
	name    string
	rows    int64
	bytes   int64 // with indexes
	removed int
}

func main() {
	p := plan{vacuumEvery: 7, keep: core.DefaultRetention, progress: os.Stderr}
	flag.IntVar(&p.days, "days", 365, "how many days are played")
	flag.IntVar(&p.posts, "posts", 2000, "requests posted a day")
	flag.IntVar(&p.users, "users", 20_000, "users")
	most := flag.Int64("most", 0, "fail when the database is larger than that many MiB at the end of any day; 0 for no limit")
	dir := flag.String("dir", "", "folder for the temporary database")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, p, *dir, *most)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "year:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, p plan, dir string, most int64) error {
	server, err := pgembed.Start(ctx, pgembed.Options{DataDir: dir, Temporary: true, Fast: true})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	defer func() { _ = server.Stop(context.WithoutCancel(ctx)) }()
	started := time.Now()
	done, err := simulate(ctx, server.DSN(""), p)
	if err != nil {
		return err
	}
	done.print(os.Stdout, p, time.Since(started))
	if len(done.violations) > 0 {
		return fmt.Errorf("%d invariants are broken; the first: %s", len(done.violations), done.violations[0])
	}
	if most > 0 && done.largest > most<<20 {
		return fmt.Errorf("the database grew to %d MiB, more than %d", done.largest>>20, most)
	}
	return nil
}

// simulate plays the days on the database that dsn names.
func simulate(ctx context.Context, dsn string, p plan) (outcome, error) {
	pool, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 2})
	if err != nil {
		return outcome{}, err
	}
	defer pool.Close()
	if err := schema.Migrate(ctx, pool, slog.New(slog.DiscardHandler)); err != nil {
		return outcome{}, err
	}
	store, err := postgres.Open(ctx, dsn, postgres.Options{MaxConns: 2, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return outcome{}, err
	}
	defer store.Close()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return outcome{}, fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := people(ctx, conn, p.users, begin); err != nil {
		return outcome{}, err
	}
	removed := map[string]int{}
	var done outcome
	for day := range p.days {
		at := begin.AddDate(0, 0, day)
		if err := playDay(ctx, conn, at, p); err != nil {
			return outcome{}, fmt.Errorf("day %d: %w", day+1, err)
		}
		gone, err := store.Retain(ctx, p.keep, at.AddDate(0, 0, 1),
			func(context.Context, time.Duration) error { return nil })
		if err != nil {
			return outcome{}, fmt.Errorf("day %d: %w", day+1, err)
		}
		for what, rows := range gone {
			removed[what] += rows
		}
		if (day+1)%p.vacuumEvery == 0 {
			if _, err := conn.Exec(ctx, "vacuum (analyze)"); err != nil {
				return outcome{}, fmt.Errorf("vacuum: %w", err)
			}
		}
		if err := conn.QueryRow(ctx, "select pg_database_size(current_database())").Scan(&done.bytes); err != nil {
			return outcome{}, fmt.Errorf("size: %w", err)
		}
		done.largest = max(done.largest, done.bytes)
		if p.progress != nil && (day+1)%30 == 0 {
			fmt.Fprintf(p.progress, "day %d: %d MiB\n", day+1, done.bytes>>20)
		}
	}
	if done.violations, err = invariants.Check(ctx, store.Pool()); err != nil {
		return outcome{}, err
	}
	done.tables, err = sizes(ctx, conn, removed)
	return done, err
}

func people(ctx context.Context, conn *pgx.Conn, users int, at time.Time) error {
	for _, statement := range []string{
		`insert into users (discord_id, username, display_name, email, created_at, updated_at)
select (80351110224678912 + n)::text, 'player_number_' || n, 'Player ' || n, 'player' || n || '@example.com', $2, $2 from generate_series(1, $1::integer) n`,
		`insert into mailboxes (user_id, channel_id) select id, (90351110224678912 + id)::text from users where $1::integer > 0 and $2::timestamptz is not null`,
		`insert into boards (channel_id, guild_id, user_id, created_at) select 'board ' || n, 'guild', 1, $2 from generate_series(1, 3) n where $1::integer > 0`,
	} {
		if _, err := conn.Exec(ctx, statement, users, at); err != nil {
			return fmt.Errorf("people: %w", err)
		}
	}
	return nil
}

// playDay runs each statement of day.sql, in one transaction.
func playDay(ctx context.Context, conn *pgx.Conn, at time.Time, p plan) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, fmt.Sprintf("select setseed(%f)", float64(at.YearDay())/400)); err != nil {
			return err
		}
		for _, part := range strings.Split(dayScript, "-- name: ")[1:] {
			name, statement, _ := strings.Cut(part, "\n")
			var args []any
			for i, value := range []any{at, p.posts, p.users} {
				if strings.Contains(statement, fmt.Sprintf("$%d", i+1)) {
					args = append(args, value)
				}
			}
			if _, err := tx.Exec(ctx, statement, args...); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
}

// removedAs names the kinds of retention by the table whose rows they remove.
var removedAs = map[string][]string{
	"notices": {"notices"}, "deliveries": {"deliveries"}, "drafts": {"drafts"},
	"board_posts": {"board_posts"},
	"orders":      {"archived_orders", "expired_orders"}, "claims": {"claims"},
}

func sizes(ctx context.Context, conn *pgx.Conn, removed map[string]int) ([]table, error) {
	rows, err := conn.Query(ctx, `
select c.relname::text, pg_total_relation_size(c.oid),
    (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', c.relname), false, true, '')))[1]::text::bigint
from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 2 desc`)
	if err != nil {
		return nil, fmt.Errorf("sizes: %w", err)
	}
	var tables []table
	var t table
	_, err = pgx.ForEachRow(rows, []any{&t.name, &t.bytes, &t.rows}, func() error {
		t.removed = 0
		for _, what := range removedAs[t.name] {
			t.removed += removed[what]
		}
		tables = append(tables, t)
		return nil
	})
	if err != nil {
		return nil, errors.Join(errors.New("sizes"), err)
	}
	return tables, nil
}

func (o outcome) print(w io.Writer, p plan, took time.Duration) {
	fmt.Fprintf(w, "%d days of %d requests by %d users, played in %s\n\n", p.days, p.posts, p.users,
		took.Round(time.Second))
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(columns, "table\trows\tremoved\tMiB with indexes\t\n")
	rest := int64(0)
	for _, t := range o.tables {
		if t.bytes < 1<<20 {
			rest += t.bytes
			continue
		}
		fmt.Fprintf(columns, "%s\t%d\t%d\t%.1f\t\n", t.name, t.rows, t.removed, float64(t.bytes)/(1<<20))
	}
	fmt.Fprintf(columns, "tables below 1 MiB\t\t\t%.1f\t\n", float64(rest)/(1<<20))
	fmt.Fprintf(columns, "the database\t\t\t%.1f\t\n", float64(o.bytes)/(1<<20))
	_ = columns.Flush()
	fmt.Fprintf(w, "\nlargest at the end of a day: %.1f MiB; invariants broken: %d\n",
		float64(o.largest)/(1<<20), len(o.violations))
}
