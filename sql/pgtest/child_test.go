package pgtest_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgembed"
	"tradepost/sql/pgtest"
)

// play is set in a copy of this test program, and says how its one test goes.
const play = "PGTEST_PLAY"

func TestInAChild(t *testing.T) {
	switch os.Getenv(play) {
	case "":
		t.Skip("played in other processes by the tests below")
	case "pass":
		pgtest.Pool(t)
	case "fail":
		t.Error("this test fails, at " + pgtest.New(t))
	case "panic":
		t.Log("address ", pgtest.New(t), " ")
		panic("this test panics")
	case "stay":
		t.Log("address ", pgtest.New(t), " ")
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent closes it
	case "keep a connection":
		if _, err := pgtest.Pool(t).Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheDatabaseOfAFailedTestIsKept(t *testing.T) {
	t.Parallel()
	// The template is there before the child looks for it: a lock in one database does not exclude one in another.
	out := child(t, "fail", pgtest.New(t))
	if !strings.Contains(out, "the test's database is kept for a day: ") {
		t.Errorf("the address is not printed:\n%s", out)
	}
	conn, err := pgx.Connect(t.Context(), address(t, out))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	var orders int
	if err := conn.QueryRow(t.Context(), "select count(*) from orders").Scan(&orders); err != nil {
		t.Error(err)
	}
}

func TestAConnectionNotGivenBackFailsTheTest(t *testing.T) {
	t.Parallel()
	out := child(t, "keep a connection", "")
	if !strings.Contains(out, "1 connections were not given back to the pool") {
		t.Errorf("it went\n%s", out)
	}
}

func TestProcessesShareAServerAndATemplate(t *testing.T) {
	t.Parallel()
	server := anotherServer(t)
	ancient := "t_1500000000_1_1"
	conn, err := pgx.Connect(t.Context(), server.DSN("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), "create database "+ancient); err != nil {
		t.Fatal(err)
	}

	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if out := child(t, "pass", server.DSN("postgres")); !strings.Contains(out, "PASS") {
				t.Errorf("it went\n%s", out)
			}
		})
	}
	all.Wait()

	rows, err := conn.Query(t.Context(), "select datname from pg_database where datname not in ('postgres', 'tradepost', 'template0', 'template1')")
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != 1 || !strings.HasPrefix(names[0], "template_") || strings.HasSuffix(names[0], "_new") {
		t.Errorf("left on the server: %q, want one template", names)
	}
}

// child plays this package's one-test program in a process of its own, on the server given or, without, on that of all.
func child(t *testing.T, way, server string) (out string) {
	t.Helper()
	raw, _ := command(way, "TEST_DATABASE_URL="+server).CombinedOutput() // it may be meant to fail
	return string(raw)
}

func command(way string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestInAChild$", "-test.v")
	cmd.Env = append(append(os.Environ(), play+"="+way), env...)
	return cmd
}

// anotherServer is the server that TEST_DATABASE_URL names.
func anotherServer(t *testing.T) *pgembed.Server {
	t.Helper()
	server, err := pgembed.Start(t.Context(), pgembed.Options{Temporary: true, Fast: true, SearchFrom: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop(context.Background()) })
	return server
}

var addresses = regexp.MustCompile(`postgres://\S+`)

func address(t *testing.T, out string) string {
	t.Helper()
	found := addresses.FindString(out)
	if found == "" {
		t.Fatalf("no address in\n%s", out)
	}
	return found
}
