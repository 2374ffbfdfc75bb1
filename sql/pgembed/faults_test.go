//go:build unix

package pgembed_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"tradepost/core/coretest"
	"tradepost/sql/pgembed"
)

// backWithin is the guarantee: how soon after the server's death a program can work again.
var backWithin = coretest.Patience(5 * time.Second)

func TestKilledServerIsRestarted(t *testing.T) {
	t.Parallel()
	server := start(t, pgembed.Options{Temporary: true, Fast: true})
	pool, err := pgxpool.New(t.Context(), server.DSN(""))
	must(t, err)
	defer pool.Close()
	_, err = pool.Exec(t.Context(), "create table kept (n int)")
	must(t, err)

	for n := range 3 {
		_, err := pool.Exec(t.Context(), "insert into kept values ($1)", n)
		must(t, err)
		pid := server.PID()
		must(t, server.Kill(t.Context()))
		var rows int
		took := within(t, backWithin, "the pool works again", func() bool {
			return pool.QueryRow(t.Context(), "select count(*) from kept").Scan(&rows) == nil
		})
		t.Logf("back after %v", took)
		if rows != n+1 {
			t.Errorf("%d rows are there, %d were committed", rows, n+1)
		}
		must(t, server.Ready(t.Context()))
		if server.PID() == pid {
			t.Error("the server was not killed")
		}
	}
	select {
	case <-server.Exited():
		t.Error("a server that came back counts as gone")
	default:
	}
}

// A backend that computes does not notice that its postmaster is dead, and its memory keeps a new server from starting.
func TestKilledServerIsRestartedDuringAQuery(t *testing.T) {
	t.Parallel()
	server := start(t, pgembed.Options{Temporary: true, Fast: true})
	conn := connect(t, server.DSN(""))
	ended := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), "do $$ declare n bigint := 0; begin loop n := n + 1; end loop; end $$")
		ended <- err
	}()
	within(t, backWithin, "the query runs", func() bool {
		return query[int](t, server.DSN(""), "select count(*) from pg_stat_activity where state = 'active' and query like 'do %'") == 1
	})

	must(t, server.Kill(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), backWithin)
	defer cancel()
	must(t, server.Ready(ctx))
	if err := <-ended; err == nil {
		t.Error("an endless query has ended well")
	}
}

func TestAKilledConnectionLeavesTheServerUp(t *testing.T) {
	t.Parallel()
	server := start(t, pgembed.Options{Temporary: true, Fast: true})
	backend := query[int](t, server.DSN(""), "select pid from pg_stat_activity where backend_type = 'checkpointer'")
	must(t, syscall.Kill(backend, syscall.SIGKILL))
	ctx, cancel := context.WithTimeout(t.Context(), backWithin)
	defer cancel()
	must(t, server.Ready(ctx))
}

func TestDownStaysDownUntilUp(t *testing.T) {
	t.Parallel()
	server := start(t, pgembed.Options{Temporary: true, Fast: true})
	execute(t, server.DSN(""), "create table kept as select 7 as n")
	address := server.DSN("")

	must(t, server.Down(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := server.Ready(ctx); err == nil {
		t.Error("answers while it is down")
	}
	must(t, server.Up(t.Context()))
	if got := query[int](t, server.DSN(""), "select n from kept"); got != 7 || server.DSN("") != address {
		t.Errorf("n = %d at %s, before at %s", got, server.DSN(""), address)
	}
}

func TestRestartCutsConnections(t *testing.T) {
	t.Parallel()
	server := start(t, pgembed.Options{Temporary: true, Fast: true})
	conn := connect(t, server.DSN(""))
	must(t, server.Restart(t.Context()))
	if err := conn.Ping(t.Context()); err == nil {
		t.Error("a connection has survived")
	}
	query[int](t, server.DSN(""), "select 1")
}

func TestFrozenServerAnswersAfterItThaws(t *testing.T) {
	t.Parallel()
	server := start(t, pgembed.Options{Temporary: true, Fast: true})
	conn := connect(t, server.DSN(""))

	must(t, server.Freeze(t.Context()))
	answered := make(chan error, 1)
	go func() { answered <- conn.Ping(context.Background()) }()
	select {
	case err := <-answered:
		t.Errorf("answered %v while frozen", err)
	case <-time.After(200 * time.Millisecond): // that nothing comes is only seen by waiting
	}
	server.Thaw()
	if err := <-answered; err != nil {
		t.Errorf("after the thaw: %v", err)
	}
}

func TestAFrozenServerCanBeStopped(t *testing.T) {
	t.Parallel()
	server := start(t, pgembed.Options{Temporary: true, Fast: true})
	pid := server.PID()
	must(t, server.Freeze(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), coretest.Patience(5*time.Second))
	defer cancel()
	must(t, server.Stop(ctx))
	if alive(pid) {
		t.Error("it still runs")
	}
}

// Stopping must not wait for a query that never ends.
func TestStopEndsRunningQueries(t *testing.T) {
	t.Parallel()
	server := start(t, pgembed.Options{DataDir: openDir(t), Fast: true})
	conn := connect(t, server.DSN(""))
	ended := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), "select pg_sleep(600)")
		ended <- err
	}()
	within(t, backWithin, "the query runs", func() bool {
		return query[int](t, server.DSN(""), "select count(*) from pg_stat_activity where wait_event = 'PgSleep'") == 1
	})
	must(t, server.Stop(t.Context())) // returns before the query would have ended
	if err := <-ended; err == nil {
		t.Error("the query has ended well")
	}
}

// An empty database in place of the lost one would pass for success.
func TestAServerEndsWhenItsDataDisappears(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	server := start(t, pgembed.Options{DataDir: dir, Fast: true})
	cluster, elsewhere := filepath.Join(dir, "pg"+major(server)), filepath.Join(dir, "elsewhere")
	must(t, os.Rename(cluster, elsewhere))
	_ = server.Kill(t.Context())
	select {
	case <-server.Exited():
	case <-time.After(backWithin):
		t.Fatal("still trying")
	}
	if err := server.Err(); err == nil || !strings.Contains(err.Error(), "has vanished") {
		t.Errorf("Err = %v", err)
	}
	// Found again, it is served again, which also frees the memory of the server that was killed.
	must(t, os.Rename(elsewhere, cluster))
	start(t, pgembed.Options{DataDir: dir, Fast: true})
}

func TestDataOfAnotherVersion(t *testing.T) {
	t.Parallel()
	t.Run("is served by that version, though another is found first", func(t *testing.T) {
		t.Parallel()
		binDir, old := systemPostgres(t)
		dir := openDir(t)
		first := start(t, pgembed.Options{DataDir: dir, BinDir: binDir})
		execute(t, first.DSN(""), "create table kept as select 7 as n")
		must(t, first.Stop(t.Context()))

		second := start(t, pgembed.Options{DataDir: dir})
		if major(second) != old || query[int](t, second.DSN(""), "select n from kept") != 7 {
			t.Errorf("served by %s", second.Version())
		}
	})
	t.Run("is refused when that version is not there", func(t *testing.T) {
		t.Parallel()
		dir := openDir(t)
		cluster := filepath.Join(dir, "pg99")
		must(t, os.Mkdir(cluster, 0o700))
		must(t, os.WriteFile(filepath.Join(cluster, "PG_VERSION"), []byte("99\n"), 0o600))
		_, err := pgembed.Start(t.Context(), pgembed.Options{SearchFrom: here, DataDir: dir})
		want := cluster + " was made by PostgreSQL 99 but "
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), ": use that version, or move the folder away") {
			t.Errorf("err = %v", err)
		}
	})
}

func TestAFolderThatCannotBeUsedIsNamed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	_, err := pgembed.Start(t.Context(), pgembed.Options{SearchFrom: here, DataDir: filepath.Join(file, "data")})
	want := fmt.Sprintf("cannot keep the database in %s, choose a folder that can be written to", filepath.Join(file, "data"))
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("err = %v", err)
	}
}

func TestAFolderThatMayNotBeWrittenToIsNamed(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		dir := openDir(t) // root's
		p, said := tryParent(t, dir, as(t, 65534))
		if p != nil || !strings.Contains(said, "cannot keep the database in "+dir) {
			t.Errorf("said %q", said)
		}
		return
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o500))
	_, err := pgembed.Start(t.Context(), pgembed.Options{SearchFrom: here, DataDir: dir})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "cannot keep the database in "+dir) {
		t.Errorf("err = %v", err)
	}
}

func major(s *pgembed.Server) string {
	major, _, _ := strings.Cut(s.Version(), ".")
	return major
}
