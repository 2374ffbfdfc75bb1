//go:build unix

package pgtest_test

import (
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTheProcessesOfACheckoutShareAServer(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	started := make(chan *stay)
	for range 2 {
		go func() { started <- m.stay() }()
	}
	first, second := <-started, <-started
	if first.socket() != second.socket() || first.pid != second.pid {
		t.Errorf("two that start at once use %s and %s", first.dsn, second.dsn)
	}
	first.kill()
	for _, way := range []string{"pass", "fail", "panic"} {
		out, _ := command(way, m.env...).CombinedOutput() // returns when no process has the output
		if way != "pass" && !strings.Contains(string(out), url.QueryEscape(first.socket())) {
			t.Errorf("%s: another server was used:\n%s", way, out)
		}
	}
	if second.postmaster() != first.pid {
		t.Error("the server ended while a process used it")
	}
	second.kill()
	third := m.stay() // in time: the server has no process for a moment only
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.wait()
	}()
	select {
	case <-ended:
		t.Error("the server ended while a process used it that came between")
	case <-time.After(4 * time.Second): // longer than the server waits: the time is what is tested
	}
	if third.pid != first.pid {
		t.Error("the server ended at once after its last process")
	}
	third.kill()
	<-ended
	m.ended(third)
}

func TestAServerDoesNotKeepTheOutputOfTheTests(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	out, _ := command("pass", m.env...).CombinedOutput() // returns when no process has the output
	if !m.held() {
		t.Errorf("the server ended before the output did:\n%s", out)
	}
}

func TestAServerGoesWithItsKilledHolder(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	first := m.stay()
	out, err := exec.Command("ps", "-o", "ppid=", "-p", first.postmaster()).Output()
	if err != nil {
		t.Fatal(err)
	}
	holder, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil || holder < 2 {
		t.Fatalf("the holder is process %d: %v", holder, err)
	}
	if err := syscall.Kill(holder, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	m.wait()
	if left, err := os.ReadFile(m.address()); err != nil || len(left) == 0 {
		t.Errorf("the address that the holder left is %q: %v", left, err)
	}

	second := m.stay() // it neither uses that address nor waits for its server
	if second.postmaster() == first.pid {
		t.Error("the server of a killed holder is used")
	}
}

func TestAServerThatDoesNotStartFailsTheTest(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	out, err := command("pass", append(m.env, "PG_BIN_DIR="+t.TempDir())...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no PostgreSQL found in PG_BIN_DIR") {
		t.Errorf("it went\n%s", out)
	}
}
