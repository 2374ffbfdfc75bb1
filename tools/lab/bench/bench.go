package main

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
	"tradepost/tools/lab/liveness"
)

// bench is one market with the program running on it.
type bench struct {
	settings
	size   int
	binary string
	server *pgembed.Server
	dsn    string
	store  *postgres.Store // our own, beside the program's
	probe  *probe

	serverPID int // of PostgreSQL

	stopListening func()

	program *program
	cookies []string // of users 1 to signedIn
	rows    []row

	posted atomic.Int64 // beside what was measured
}

func newBench(ctx context.Context, s settings, binary string, size int) (_ *bench, err error) {
	b := &bench{settings: s, size: size, binary: binary}
	b.posted.Store(time.Now().Unix() % 1_000_000 * 1_000) // in a market that was kept no two are equal either
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	place := pgembed.Options{DataDir: s.dir, Temporary: true}
	if s.kept != "" {
		place = pgembed.Options{DataDir: filepath.Join(s.kept, strconv.Itoa(size))}
	}
	if b.server, err = pgembed.Start(ctx, place); err != nil {
		return nil, err
	}
	b.dsn = b.server.DSN("")
	began := time.Now()
	there, err := b.isFilled(ctx)
	if err != nil {
		return nil, err
	}
	if !there {
		if err := b.fill(ctx); err != nil {
			return nil, fmt.Errorf("make a market of %d orders: %w", size, err)
		}
		progress("made a market of %d orders in %s", size, time.Since(began).Round(time.Millisecond))
	}
	b.probe = &probe{}
	if b.store, err = postgres.Open(ctx, b.dsn,
		postgres.Options{Log: slog.New(slog.DiscardHandler), Tracer: b.probe}); err != nil {
		return nil, err
	}
	// Like the program's, our store hears of changes: what it remembers is right only then.
	listening, stop := context.WithCancel(ctx)
	b.stopListening = stop
	go b.store.Feed().Listen(listening, func(core.Change) {})
	if !there {
		if err := b.checkInvariants(ctx, false); err != nil {
			return nil, err
		}
	}
	if err := b.findServer(ctx); err != nil {
		return nil, fmt.Errorf("find the process of PostgreSQL: %w", err)
	}
	if err := b.signIn(ctx); err != nil {
		return nil, err
	}
	b.program, err = startProgram(ctx, b.binary, b.dsn, b.keepLog, nil, "--only=web")
	return b, err
}

func (b *bench) close() {
	if b.program != nil {
		b.program.stop()
	}
	if b.stopListening != nil {
		b.stopListening()
	}
	if b.store != nil {
		b.store.Close()
	}
	if b.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := b.server.Stop(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "bench: stop PostgreSQL:", err)
		}
	}
}

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

// isFilled reports whether the market is there since an earlier run.
func (b *bench) isFilled(ctx context.Context) (there bool, err error) {
	conn, err := pgx.Connect(ctx, b.dsn)
	if err != nil {
		return false, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = conn.QueryRow(ctx, "select to_regclass('bench_filled') is not null").Scan(&there)
	return there, err
}

//go:embed dataset.sql
var dataset string

// fill migrates the database and fills it. The indexes of the large tables are made after the rows, which
// is faster.
func (b *bench) fill(ctx context.Context) error {
	pool, err := pgconnect.Open(ctx, b.dsn, pgconnect.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := schema.Migrate(ctx, pool, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, b.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	indexes, err := looseIndexes(ctx, conn)
	if err != nil {
		return err
	}
	script := []string{"set session_replication_role = replica", "set maintenance_work_mem = '512MB'",
		"set work_mem = '256MB'"}
	for _, index := range indexes {
		script = append(script, "drop index "+index.Name)
	}
	users := min(max(b.size/50, 64), 20_000)
	script = append(script, strings.NewReplacer(":size", strconv.Itoa(b.size), ":users",
		strconv.Itoa(users)).Replace(dataset))
	for _, index := range indexes {
		script = append(script, index.Definition)
	}
	script = append(script, "vacuum analyze", "checkpoint", "create table bench_filled ()")
	for _, part := range script {
		// The simple protocol takes many statements at once.
		if _, err := conn.PgConn().Exec(ctx, part).ReadAll(); err != nil {
			return fmt.Errorf("%.60s: %w", part, err)
		}
	}
	return nil
}

type index struct{ Name, Definition string }

// looseIndexes are those of the market's tables that no constraint needs.
func looseIndexes(ctx context.Context, conn *pgx.Conn) ([]index, error) {
	rows, err := conn.Query(ctx, `
select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
where indrelid = any(array['orders', 'offers', 'order_updates', 'sent_offers', 'notices']::regclass[])
    and not exists (select from pg_constraint where conindid = indexrelid)`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[index])
}

// checkInvariants checks the invariants of the measured market. With owes, a bot has delivered.
func (b *bench) checkInvariants(ctx context.Context, owes bool) error {
	violations, err := liveness.Broken(ctx, b.store.Pool(), owes)
	if err != nil {
		return err
	}
	for _, v := range violations {
		return fmt.Errorf("%d invariants are violated, first: %s", len(violations), v)
	}
	return nil
}

// wanted reports whether a row is to be measured.
func (b *bench) wanted(name string) bool {
	return slices.ContainsFunc(strings.Split(b.only, "|"),
		func(part string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(part)) })
}

// query writes a path with parameters.
func query(path string, pairs ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			values.Add(pairs[i], pairs[i+1])
		}
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// fetch asks the program once and wants a body.
func (b *bench) fetch(path string, headers ...string) (response, error) {
	c, err := dial(b.program.address)
	if err != nil {
		return response{}, err
	}
	defer c.close()
	r, err := c.do(get(path, headers...), true)
	if err == nil && r.status != http.StatusOK {
		err = fmt.Errorf("GET %s: answered %d: %.200s", path, r.status, r.body)
	}
	return r, err
}
