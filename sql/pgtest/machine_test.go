//go:build unix

package pgtest_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// machine has a temp directory of its own, and so no server for tests yet.
type machine struct {
	t   *testing.T
	tmp string
	env []string
}

func newMachine(t *testing.T) *machine {
	tmp := t.TempDir()
	return &machine{t, tmp, []string{"TEST_DATABASE_URL=", "TMPDIR=" + tmp}}
}

func (m *machine) address() string {
	m.t.Helper()
	found, err := filepath.Glob(filepath.Join(m.tmp, "tradepost-tests-*", "address"))
	if err != nil || len(found) != 1 {
		m.t.Fatalf("the addresses are %q: %v", found, err)
	}
	return found[0]
}

func (m *machine) lock(how int) error {
	m.t.Helper()
	file, err := os.Open(m.address())
	if err != nil {
		m.t.Fatal(err)
	}
	defer file.Close()
	for {
		if err := syscall.Flock(int(file.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// held reports whether a holder runs.
func (m *machine) held() bool {
	m.t.Helper()
	return errors.Is(m.lock(syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// wait returns when the holder has ended.
func (m *machine) wait() {
	m.t.Helper()
	if err := m.lock(syscall.LOCK_SH); err != nil {
		m.t.Fatal(err)
	}
}

// ended checks that a holder that has ended left nothing of the server that last used.
func (m *machine) ended(last *stay) {
	m.t.Helper()
	if left, err := os.ReadDir(m.tmp); err != nil || len(left) > 0 {
		m.t.Errorf("left in the temp directory: %v, %v", left, err)
	}
	if _, err := os.Stat(last.socket()); !errors.Is(err, fs.ErrNotExist) {
		m.t.Errorf("the server's socket is left: %v", err)
	}
}

// stay is a test process that has a database until it is killed.
type stay struct {
	t        *testing.T
	cmd      *exec.Cmd
	dsn, pid string
}

func (m *machine) stay() *stay {
	s := &stay{t: m.t, cmd: command("stay", m.env...)}
	if _, err := s.cmd.StdinPipe(); err != nil {
		m.t.Error(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		m.t.Error(err)
	}
	if err := s.cmd.Start(); err != nil {
		m.t.Error(err)
		return s
	}
	m.t.Cleanup(s.kill)
	lines := bufio.NewScanner(out)
	for s.dsn == "" && lines.Scan() {
		s.dsn = addresses.FindString(lines.Text())
	}
	if s.dsn == "" {
		m.t.Error("the process ended without a database")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	s.pid = s.postmaster()
	return s
}

func (s *stay) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

func (s *stay) socket() string {
	config, err := pgx.ParseConfig(s.dsn)
	if err != nil {
		s.t.Fatal(err)
	}
	return config.Host
}

// postmaster returns the process id of the server.
func (s *stay) postmaster() string {
	conn, err := pgx.Connect(context.Background(), s.dsn)
	if err != nil {
		s.t.Error(err)
		return ""
	}
	defer func() { _ = conn.Close(context.Background()) }()
	var pid string
	if err := conn.QueryRow(context.Background(), "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)").Scan(&pid); err != nil {
		s.t.Error(err)
	}
	return pid
}
