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
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// buildProgram builds the program to be measured, as it is released.
func buildProgram(ctx context.Context) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "bench-program-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "tradepost")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, "./cmd/tradepost")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		remove()
		return "", nil, fmt.Errorf("build the program: %w", err)
	}
	return path, remove, nil
}

// program is a running child.
type program struct {
	cmd     *exec.Cmd
	address string
	metrics string        // address of its metrics
	ready   time.Duration // from its start until it said that it is ready
}

func startProgram(
	ctx context.Context, binary, dsn string, keepLog bool, env []string, args ...string,
) (*program, error) {
	p := &program{}
	for _, address := range []*string{&p.address, &p.metrics} {
		free, err := freeAddress()
		if err != nil {
			return nil, err
		}
		*address = free
	}
	p.cmd = exec.CommandContext(ctx, binary, append([]string{"serve"}, args...)...)
	// Everything comes from one address here, so what one client may do in a minute must not be the limit.
	// It is counted nevertheless.
	p.cmd.Env = append(os.Environ(), "DATABASE_URL="+dsn, "LISTEN="+p.address, "METRICS_LISTEN="+p.metrics,
		"PUBLIC_URL=http://"+p.address, "REQUEST_LIMIT=1000000000", "WRITE_LIMIT=1000000000",
		"OPEN_REQUESTS=0", "NEW_REQUESTS=0", "OFFERS=0", "OFFERS_PER_REQUEST=0", "REPORTS=0", "DM_PAIR=0",
		"DM_READER=0", "DM_ALERTS=0", "DM_REACH=0", "VISITOR_LIMIT=0",
		"CONNECTIONS_PER_CLIENT=0", "IN_FLIGHT_PER_CLIENT=0")
	p.cmd.Env = append(p.cmd.Env, env...)
	if keepLog {
		p.cmd.Stderr = os.Stderr
	}
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 15 * time.Second
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the program: %w", err)
	}
	where := "http://" + p.address + "/readyz"
	if len(args) > 0 && strings.HasSuffix(args[0], "bot") {
		where = "http://" + p.metrics + "/metrics"
	}
	for {
		resp, err := http.Get(where)
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Since(began) > 30*time.Second || ctx.Err() != nil {
			p.stop()
			return nil, errors.New("the program does not become ready; -log shows why")
		}
		time.Sleep(2 * time.Millisecond)
	}
	p.ready = time.Since(began)
	return p, nil
}

func (p *program) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// metric reads one of the program's metrics.
func (p *program) metric(name string) (float64, error) {
	resp, err := http.Get("http://" + p.metrics + "/metrics")
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if value, found := strings.CutPrefix(lines.Text(), name+" "); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, fmt.Errorf("the program has no metric %s", name)
}

// allocations is how many the program has made so far.
func (p *program) allocations() (float64, error) { return p.metric("go_memstats_mallocs_total") }

func (p *program) pid() int { return p.cmd.Process.Pid }

// busy is how long the program has kept a core busy.
func (p *program) busy() (time.Duration, error) { return processorTime(p.pid()) }

// memory is what the program occupies, in bytes, shared libraries and all.
func (p *program) memory() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		if rest, found := bytes.CutPrefix(line, []byte("VmRSS:")); found {
			kib, err := strconv.ParseFloat(string(bytes.Fields(rest)[0]), 64)
			return kib * 1024, err
		}
	}
	return 0, errors.New("the kernel does not say how much memory the program occupies")
}
