//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// program is the real program as a child process. It may be killed and started again, at the same address.
type program struct {
	file    string
	args    []string
	env     []string
	address string // of the page; empty for a bot alone
	metrics string // address of its metrics
	log     *tail
	// logIsFull has it log to a full disk.
	logIsFull bool
	clock     string // the file that says how far its host's clock is ahead

	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has gone; its exit is in cmd.ProcessState
}

// start starts the process. It does not wait for it to be ready.
func (p *program) start() error {
	p.cmd = exec.Command(p.file, append([]string{"serve"}, p.args...)...)
	p.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, p.env...)
	p.cmd.Stderr = p.log
	if p.logIsFull {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("open a full disk: %w", err)
		}
		defer full.Close()
		p.cmd.Stderr = full
	}
	p.cmd.SysProcAttr = dieWithUs()
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("start the program: %w", err)
	}
	p.ended = make(chan struct{})
	go func(cmd *exec.Cmd, ended chan struct{}) {
		_ = cmd.Wait() // how it ended is in ProcessState
		close(ended)
	}(p.cmd, p.ended)
	return nil
}

// running reports whether there is a process.
func (p *program) running() bool {
	if p.ended == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// signal sends a signal to the process, and does nothing when there is none.
func (p *program) signal(sig os.Signal) {
	if p.running() {
		_ = p.cmd.Process.Signal(sig) // it may have ended just now
	}
}

// kill ends the process at once, as running out of memory does.
func (p *program) kill() {
	p.signal(syscall.SIGKILL)
	if p.ended != nil {
		<-p.ended
	}
}

// stop asks the process to end, within drain, and returns how long that took.
func (p *program) stop() (time.Duration, error) {
	if !p.running() {
		return 0, nil
	}
	began := time.Now()
	p.signal(syscall.SIGCONT)
	p.signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(drain):
		p.kill()
		return time.Since(began), fmt.Errorf("the program did not end within %s of SIGTERM:\n%s",
			drain, p.log)
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		return time.Since(began), fmt.Errorf("the program ended with status %d after SIGTERM:\n%s",
			code, p.log)
	}
	return time.Since(began), nil
}

// ready waits until the page says that it is ready to serve.
func (p *program) ready(ctx context.Context) error {
	if p.address == "" {
		return nil
	}
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		resp, err := client.Get("http://" + p.address + "/readyz")
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New(resp.Status)
		}
		select {
		case <-p.ended:
			return fmt.Errorf("the program has ended, %s:\n%s", p.cmd.ProcessState, p.log)
		case <-ctx.Done():
			return fmt.Errorf("the program does not become ready: %w:\n%s", err, p.log)
		case <-time.After(5 * time.Millisecond): // it does not tell; this asks it again
		}
	}
}

// metric reads one of the program's metrics, such as tradepost_notices_pending. It is 0 when there is none.
func (p *program) metric(ctx context.Context, name string) (value float64, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.metrics+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if text, found := strings.CutPrefix(lines.Text(), name+" "); found {
			return strconv.ParseFloat(text, 64)
		}
	}
	return 0, lines.Err()
}

// freeAddress returns an unused address.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free address: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// tail keeps the last lines of a log.
type tail struct {
	mu    sync.Mutex
	lines []string
	rest  []byte
	also  io.Writer // nil for nowhere
}

const tailLines = 40

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.also != nil {
		_, _ = t.also.Write(p) // the log is a help, not a result
	}
	t.rest = append(t.rest, p...)
	for {
		line, rest, found := bytes.Cut(t.rest, []byte("\n"))
		if !found {
			break
		}
		t.rest = rest
		t.lines = append(t.lines, string(line))
	}
	if extra := len(t.lines) - tailLines; extra > 0 {
		t.lines = append(t.lines[:0], t.lines[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return "    " + strings.Join(t.lines, "\n    ")
}
