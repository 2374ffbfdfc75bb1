//go:build unix

package pgembed_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"tradepost/core/coretest"
	"tradepost/sql/pgembed"
)

// parentOf is set in a copy of this test program that plays the program whose child the server is.
const parentOf = "PGEMBED_TEST_PARENT_OF"

// here is in the checkout, with what npm has installed for it.
var here = []string{"."}

func TestMain(m *testing.M) {
	if dir := os.Getenv(parentOf); dir != "" {
		playParent(dir)
		return
	}
	os.Exit(m.Run())
}

// playParent starts a server, writes a row, says where it is, and waits to be killed.
func playParent(dir string) {
	ctx := context.Background()
	server, err := pgembed.Start(ctx, pgembed.Options{SearchFrom: here, DataDir: dir, Temporary: os.Getenv("PGEMBED_TEST_TEMPORARY") != ""})
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	conn, err := pgx.Connect(ctx, server.DSN(""))
	if err == nil {
		_, err = conn.Exec(ctx, "create table if not exists kept (what text); insert into kept values ('from the parent')")
	}
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("ready", server.PID(), server.DSN(""))
	if line, _ := bufio.NewReader(os.Stdin).ReadString('\n'); line == "panic\n" {
		panic("as a test does")
	}
}

// parent is a running copy of playParent.
type parent struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	server int // the server's process id
	dsn    string
}

// startParent starts a copy of this program that runs a server on dir.
func startParent(t *testing.T, dir string, change ...func(*exec.Cmd)) *parent {
	t.Helper()
	p, said := tryParent(t, dir, change...)
	if p == nil {
		t.Fatalf("parent said %q", said)
	}
	return p
}

// tryParent returns no parent but what it said when its server does not start.
func tryParent(t *testing.T, dir string, change ...func(*exec.Cmd)) (p *parent, said string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), parentOf+"="+dir)
	for _, f := range change {
		f(cmd)
	}
	out, err := cmd.StdoutPipe()
	must(t, err)
	stdin, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	p = &parent{cmd: cmd, stdin: stdin}
	t.Cleanup(p.kill)
	said, _ = bufio.NewReader(out).ReadString('\n')
	if _, err := fmt.Sscanf(said, "ready %d %s", &p.server, &p.dsn); err != nil {
		return nil, said
	}
	return p, said
}

// kill kills the parent with SIGKILL and waits until the kernel has put it away.
func (p *parent) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// temporaryParent makes the parent's server a temporary one.
func temporaryParent(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, "PGEMBED_TEST_TEMPORARY=1") }

// start starts a server that is stopped with the test.
func start(t *testing.T, o pgembed.Options) *pgembed.Server {
	t.Helper()
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if len(o.SearchFrom) == 0 {
		o.SearchFrom = here
	}
	server, err := pgembed.Start(t.Context(), o)
	must(t, err)
	t.Cleanup(func() { _ = server.Stop(context.Background()) })
	return server
}

// connect makes a connection that is closed with the test.
func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// query returns the one value that sql yields.
func query[T any](t *testing.T, dsn, sql string) T {
	t.Helper()
	var value T
	conn := connect(t, dsn)
	defer func() { _ = conn.Close(context.Background()) }()
	must(t, conn.QueryRow(t.Context(), sql).Scan(&value))
	return value
}

func execute(t *testing.T, dsn, sql string) {
	t.Helper()
	conn := connect(t, dsn)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err := conn.Exec(t.Context(), sql)
	must(t, err)
}

// openDir is a folder that every user may enter, unlike t.TempDir, and in memory where there is some.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "pgembed-test-")
	if err != nil {
		dir, err = os.MkdirTemp("/tmp", "pgembed-test-")
	}
	must(t, err)
	must(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// patience is how long other processes may take on a busy machine. On an idle one a killed parent's server is gone in
// well under a second.
var patience = coretest.Patience(10 * time.Second)

// within polls until done or fails after limit; it is for what other processes do, which send us no signal.
func within(t *testing.T, limit time.Duration, what string, done func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !done() {
		if time.Since(began) > limit {
			t.Fatalf("not within %v: %s", limit, what)
		}
		time.Sleep(2 * time.Millisecond)
	}
	return time.Since(began)
}

// alive reports whether a process runs. A zombie does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(string(out), "Z")
}

func socketDir(dsn string) string {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return ""
	}
	return config.Host
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// systemPostgres is a PostgreSQL beside the one that is found first, or skips the test.
func systemPostgres(t *testing.T) (binDir, major string) {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		t.Skip("needs a second PostgreSQL, in /usr/lib/postgresql")
	}
	dir := filepath.Dir(found[0])
	return dir, strings.Split(dir, "/")[4]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
