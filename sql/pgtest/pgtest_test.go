package pgtest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/pgtest"
)

func TestADatabaseIsMigratedAndEmpty(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	for table, want := range map[string]int{"orders": 0, "offers": 0, "river_job": 0} {
		if got := one[int](t, pool, "select count(*) from "+table); got != want {
			t.Errorf("%s has %d rows", table, got)
		}
	}
	if got := pool.Config().MaxConns; got != 4 {
		t.Errorf("MaxConns = %d", got)
	}
}

func TestAnEmptyDatabaseHasNoTables(t *testing.T) {
	t.Parallel()
	pool := open(t, pgtest.Empty(t))
	if got := one[int](t, pool, "select count(*) from pg_tables where schemaname = 'public'"); got != 0 {
		t.Errorf("it has %d tables", got)
	}
}

func TestDatabasesAreApart(t *testing.T) {
	t.Parallel()
	first, second := pgtest.Pool(t), pgtest.Pool(t)
	if _, err := first.Exec(t.Context(), "create table mine ()"); err != nil {
		t.Fatal(err)
	}
	if one[bool](t, second, "select to_regclass('mine') is not null") {
		t.Error("one test sees the other's tables")
	}
}

func TestManyTestsAtOnce(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			pool := pgtest.Pool(t)
			t.Logf("made in %v", time.Since(began))
			if _, err := pool.Exec(t.Context(), "create table mine ()"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDatabaseIsDroppedAfterItsTest(t *testing.T) {
	t.Parallel()
	var name string
	t.Run("a test", func(t *testing.T) {
		dsn := pgtest.New(t)
		pool := open(t, dsn)
		name = one[string](t, pool, "select current_database()")
		t.Cleanup(func() {
			// A leaked connection must not keep the database.
			_, _ = pgx.Connect(context.Background(), dsn)
		})
	})
	other := pgtest.Pool(t)
	if name == "" || one[bool](t, other, "select exists (select from pg_database where datname = '"+name+"')") {
		t.Errorf("%q is still there", name)
	}
}

func TestFaultsOfAServer(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServer(t)
	pool := server.Pool()
	if _, err := pool.Exec(t.Context(), "create table kept (n int)"); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, fault := range []struct {
		name string
		do   func()
	}{
		{"killed", func() { server.Kill(); server.Ready() }},
		{"restarted", server.Restart},
		{"down and up", func() {
			server.Down()
			if pool.Ping(t.Context()) == nil {
				t.Error("answers while it is down")
			}
			server.Up()
		}},
		{"connections cut", func() {
			if server.Cut() == 0 {
				t.Error("there was no connection to cut")
			}
		}},
		{"paused", func() {
			server.Pause()
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			if pool.Ping(ctx) == nil {
				t.Error("answers while it is paused")
			}
			server.Resume()
		}},
	} {
		if _, err := pool.Exec(t.Context(), "insert into kept values (1)"); err != nil {
			t.Fatalf("before it is %s: %v", fault.name, err)
		}
		rows++
		fault.do()
		pool.Reset() // what a program learns from its first error
		if got := one[int](t, pool, "select count(*) from kept"); got != rows {
			t.Errorf("%s: %d of %d rows are there", fault.name, got, rows)
		}
	}
	server.Exec("alter system set default_transaction_read_only = on")
	server.Restart()
	pool.Reset()
	if got := one[string](t, pool, "show transaction_read_only"); got != "on" {
		t.Errorf("read only is %s", got)
	}
}

func TestAServersEmptyDatabase(t *testing.T) {
	t.Parallel()
	pool := open(t, pgtest.NewServer(t).Empty())
	if got := one[int](t, pool, "select count(*) from pg_tables where schemaname = 'public'"); got != 0 {
		t.Errorf("it has %d tables", got)
	}
}

func open(t *testing.T, dsn string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func one[T any](t *testing.T, pool *pgxpool.Pool, sql string) T {
	t.Helper()
	var value T
	if err := pool.QueryRow(t.Context(), sql).Scan(&value); err != nil {
		t.Fatalf("%s: %v", strings.TrimSpace(sql), err)
	}
	return value
}
