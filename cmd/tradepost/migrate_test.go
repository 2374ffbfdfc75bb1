package main_test

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgtest"
)

func TestAProgramKilledWhileItMigratesIsFollowedByOneThatCompletes(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Empty(t)
	connect := func() *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		return conn
	}
	other, look := connect(), connect()
	// Another's table of the same name, not yet committed, keeps the migration waiting in the middle of its file.
	if _, err := other.Exec(t.Context(), "begin; create table notices ()"); err != nil {
		t.Fatal(err)
	}
	killed := exec.Command(binary, "migrate", "--database-url", dsn)
	killed.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for waiting := false; !waiting; {
		if time.Now().After(deadline) {
			t.Fatal("it did not begin to migrate")
		}
		err := look.QueryRow(t.Context(), `
select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%create table%')`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if _, err := other.Exec(t.Context(), "rollback"); err != nil {
		t.Fatal(err)
	}

	// Two more start at once, as replicas do.
	said := make(chan string, 2)
	for range cap(said) {
		go func() {
			out, err := exec.Command(binary, "migrate", "--database-url", dsn).CombinedOutput()
			if err != nil {
				said <- err.Error() + ": " + string(out)
				return
			}
			said <- ""
		}()
	}
	for range cap(said) {
		if trouble := <-said; trouble != "" {
			t.Error(trouble)
		}
	}
	out, err := exec.Command(binary, "check", "--database-url", dsn).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "all invariants hold") {
		t.Errorf("check: %v, %s", err, out)
	}
}
