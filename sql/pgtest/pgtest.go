// Package pgtest gives each test a PostgreSQL database of its own, migrated and empty, in about ten
// milliseconds.
//
// Tests need real commits (jobs and notifications leave at commit, and races are between transactions), so
// rolling back is no way to keep them apart. Instead the migrations run once into a template, named by
// their hash, and each test gets a copy of its files. Copying files is fast in memory and slow on a disk,
// so the server keeps them in /dev/shm where there is room.
//
// The test processes of a checkout share one server. The first starts it, in half a second, and it ends
// some seconds after the last, however that one ends; see lease_unix.go. No TestMain is needed. A result
// must not depend on what other databases of the server do: numbers of transactions and snapshots, for
// example, are the server's. A test of such things has a server of its own, from NewServer.
//
// TEST_DATABASE_URL names another server; its user must be allowed to create databases, and it must be
// version 15 or newer.
//
// With TEST_CITUS_WORKERS, TEST_DATABASE_URL is the coordinator of a Citus, and the market's tables are in
// a distributed schema: make citus.
//
// A database is dropped when its test has passed. When the test failed, the database is kept and its address
// logged: with TEST_DATABASE_URL for a day at least, else until the server ends.
package pgtest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core/coretest"
)

// patience is how long a database may take to be made or dropped, on a machine that is busy with tests.
var patience = coretest.Patience(time.Minute)

// maxConns is small, so that many tests at once do not use up the server's connections, and large enough
// for a race.
const maxConns = 4

// New returns the address of a migrated database without any rows.
func New(t testing.TB) string {
	t.Helper()
	return shared(t).migrated(t)
}

// Empty returns the address of a database with nothing in it, for tests of the migrations themselves.
func Empty(t testing.TB) string {
	t.Helper()
	return shared(t).database(t, "template0")
}

// Pool returns connections to a database as New makes it. They are closed with the test, which fails when
// one of them was not given back.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return connect(t, New(t))
}

func connect(t testing.TB, dsn string) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		t.Fatalf("read the address of a test database: %v", err)
	}
	config.MaxConns = maxConns
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(t.Context()), config)
	if err != nil {
		t.Fatalf("connect to a test database: %v", err)
	}
	t.Cleanup(func() {
		closed := make(chan struct{})
		go func() { pool.Close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(coretest.Patience(5 * time.Second)):
			t.Errorf("%d connections were not given back to the pool", pool.Stat().AcquiredConns())
		}
	})
	return pool
}

// DropForOlder drops the triggers that are there for a program before 00246 beside this one. Without them
// nothing but the store writes to other tables.
const DropForOlder = `
do $$
declare
    t record;
begin
    for t in select tgname, tgrelid::regclass as on_table from pg_trigger
        where not tgisinternal and pg_get_triggerdef(oid) like '%tradepost.store_writes%' loop
        execute format('drop trigger %I on %s', t.tgname, t.on_table);
    end loop;
end $$`
