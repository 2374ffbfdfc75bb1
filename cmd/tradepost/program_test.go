package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tradepost/core/coretest"
	"tradepost/sql/pgtest"
)

// binary is the program, built once for all tests here: they start it as people do.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "tradepost-program")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "tradepost")
		if dir := pgtest.Installed(); dir != "" && os.Getenv("PG_BIN_DIR") == "" {
			_ = os.Setenv("PG_BIN_DIR", dir) // this program is not beside its checkout
		}
		build := exec.Command("go", "build", "-o", binary, ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as in the image
		if out, err := build.CombinedOutput(); err != nil {
			panic(fmt.Sprintf("build the program: %v\n%s", err, out))
		}
		return m.Run()
	}())
}

// demo is a running demo.
type demo struct {
	board, discord string
	cmd            *exec.Cmd
	exited         chan error
}

// startDemo starts a demo and waits until it says that it is open.
func startDemo(t *testing.T, data string, args ...string) *demo {
	t.Helper()
	args = append([]string{"demo", "--listen", "127.0.0.1:0", "--discord-listen", "127.0.0.1:0", "--data", data}, args...)
	cmd := exec.Command(binary, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d := &demo{cmd: cmd, exited: make(chan error, 1)}
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	lines := bufio.NewScanner(out)
	for d.discord == "" && lines.Scan() {
		switch line := lines.Text(); {
		case strings.Contains(line, "the board"):
			d.board = address.FindString(line)
		case strings.Contains(line, "the stand-in Discord "):
			d.discord = address.FindString(line)
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, out)
		d.exited <- cmd.Wait()
	}()
	t.Cleanup(func() { d.end(t, syscall.SIGTERM) })
	if d.discord == "" {
		t.Fatalf("the demo did not open:\n%s", errors.String())
	}
	return d
}

// end sends a signal, unless the demo has ended, and waits for its end.
func (d *demo) end(t *testing.T, signal syscall.Signal) {
	t.Helper()
	select {
	case err := <-d.exited:
		d.exited <- err
		return
	default:
	}
	_ = d.cmd.Process.Signal(signal)
	select {
	case err := <-d.exited:
		d.exited <- err
	case <-time.After(coretest.Patience(20 * time.Second)):
		_ = d.cmd.Process.Kill()
		t.Errorf("the demo was still there 20 s after %s", signal)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v\n%s", url, resp.Status, err, body)
	}
	return string(body)
}

// processesOf lists the processes that have the folder on their command line.
func processesOf(t *testing.T, folder string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte(folder)) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

func TestTheDemoKeepsItsDataAndLeavesNoProcessBehind(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if err := os.Chmod(data, 0o755); err != nil {
		t.Fatal(err)
	}
	first := startDemo(t, data)
	before := get(t, first.board+"/api/orders")
	if !strings.Contains(before, `"total":58`) {
		t.Fatalf("the seeded board: %.200s", before)
	}
	if len(processesOf(t, data)) < 2 {
		t.Fatal("no PostgreSQL runs beside the demo")
	}

	first.end(t, syscall.SIGKILL)
	deadline := time.Now().Add(time.Minute)
	for len(processesOf(t, data)) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("still there a minute after the demo was killed: %q", processesOf(t, data))
		}
		time.Sleep(20 * time.Millisecond) // processes of others give no signal when they end
	}

	second := startDemo(t, data)
	if after := get(t, second.board+"/api/orders"); after != before {
		t.Errorf("the board after a kill and a new start differs:\n%.300s\n%.300s", before, after)
	}
	second.end(t, syscall.SIGTERM)

	fresh := startDemo(t, data, "--fresh", "--empty", "--site-name", "Harbour Market", "--accent", "#1f6f63")
	if !strings.Contains(get(t, fresh.board+"/api/orders"), `"total":0`) {
		t.Error("a fresh and empty demo shows requests")
	}
	if !strings.Contains(get(t, fresh.board+"/"), `content="Harbour Market"`) {
		t.Error("the demo does not show the name of the site")
	}
	args := []string{"demo", "--data", data, "--listen", "127.0.0.1:0", "--discord-listen", "127.0.0.1:0"}
	out, err := exec.Command(binary, args...).CombinedOutput()
	want := fmt.Sprintf("tradepost: another demo runs in %s: stop it, or choose another folder with --data (make run DATA=FOLDER)\n", data)
	if err == nil || string(out) != want {
		t.Errorf("two demos in one folder: %v, said %q, want %q", err, out, want)
	}
}

func TestATakenPortIsReported(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for flag, args := range map[string][]string{
		"--listen":         {"--listen", taken.Addr().String(), "--discord-listen", "127.0.0.1:0"},
		"--discord-listen": {"--listen", "127.0.0.1:0", "--discord-listen", taken.Addr().String()},
	} {
		out, err := exec.Command(binary, append([]string{"demo", "--data", t.TempDir()}, args...)...).CombinedOutput()
		want := fmt.Sprintf("tradepost: %s is taken by another program: stop it, or choose another address with %s\n", taken.Addr(), flag)
		if err == nil || string(out) != want {
			t.Errorf("%s: %v, said %q, want %q", flag, err, out, want)
		}
	}
	before, err := exec.Command("../../scripts/free.sh", "LISTEN", taken.Addr().String(), "DISCORD_LISTEN", freeAddress(t)).CombinedOutput() // what make run asks before it builds
	want := fmt.Sprintf("%s is taken by another program: stop it, or choose another address with LISTEN=127.0.0.1:PORT\n", taken.Addr())
	if err == nil || string(before) != want {
		t.Errorf("before the build: %v, said %q, want %q", err, before, want)
	}
}

func TestHealthcheckReportsReadiness(t *testing.T) {
	t.Parallel()
	d := startDemo(t, t.TempDir(), "--empty")
	address := strings.TrimPrefix(d.board, "http://")
	if out, err := exec.Command(binary, "healthcheck", "--listen", address).CombinedOutput(); err != nil {
		t.Errorf("of a running market: %v, %s", err, out)
	}
	d.end(t, syscall.SIGTERM)
	if out, err := exec.Command(binary, "healthcheck", "--listen", address).CombinedOutput(); err == nil {
		t.Errorf("of one that is gone: %s", out)
	}
}

// TestEveryCommandOfTheAPIPageWorks runs the blocks of docs/api.md in one shell and compares what they print.
func TestEveryCommandOfTheAPIPageWorks(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	d := startDemo(t, t.TempDir())
	var script strings.Builder
	script.WriteString("set -euo pipefail\n")
	var want []string
	count := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for line := range strings.Lines(block[1]) {
			if output, ok := strings.CutPrefix(line, "# → "); ok {
				want = append(want, strings.TrimSuffix(output, "\n"))
			}
			count++
			script.WriteString(strings.ReplaceAll(line, "http://127.0.0.1:8080", d.board))
		}
	}
	if count < 100 || len(want) < 40 {
		t.Fatalf("found %d lines and %d expected outputs: the page's form has changed", count, len(want))
	}
	cmd := exec.Command("bash", "-c", script.String())
	cmd.Dir = t.TempDir()
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for i := range max(len(got), len(want)) {
		g, w := "(nothing)", "(nothing)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Fatalf("answer %s of the page is %q, want %q (%v)\n%s", strconv.Itoa(i+1), g, w, err, errors.String())
		}
	}
	if err != nil {
		t.Errorf("%v\n%s", err, errors.String())
	}
}
