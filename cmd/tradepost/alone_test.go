package main_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/sql/pgtest"
)

// The image contains only the program.
func TestTheProgramRunsAloneInAnEmptyRoot(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "tradepost"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir := root; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) { // for another user to enter
		if err := os.Chmod(dir, 0o755); err != nil {
			break
		}
	}
	address := freeAddress(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "/tradepost", args...)
		cmd.Dir = "/"
		cmd.Env = []string{"DATABASE_URL=" + overTCP(t, pgtest.New(t)), "LISTEN=" + address}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Pdeathsig: syscall.SIGKILL}
		if os.Getuid() == 0 {
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65532, Gid: 65532}
		} else { // who may not change the root of a process may in a namespace of their own
			cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 65532, HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 65532, HostID: os.Getgid(), Size: 1}}
		}
		return cmd
	}
	served := run("serve", "--only", "web")
	log := &strings.Builder{}
	served.Stderr = log
	if err := served.Start(); err != nil {
		t.Fatalf("start it: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- served.Wait() }()
	for {
		out, err := run("healthcheck").CombinedOutput()
		if err == nil {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended with %v:\n%s", err, log)
		case <-ctx.Done():
			t.Fatalf("it is not well: %s", out)
		case <-time.After(50 * time.Millisecond): // it does not tell; the health check asks it again
		}
	}
	if page := get(t, "http://"+address+"/"); !strings.Contains(page, "<title>") {
		t.Errorf("its page is %.200s", page)
	}
	if err := served.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("asked to end, it ended with %v:\n%s", err, log)
	}
}

// lastPort is the last that freeAddress has tried. Tests of other packages begin elsewhere.
var lastPort atomic.Int64

// freeAddress is an address that nothing listens on. The system does not give its port to tests that listen at any:
// those begin at 32768, and one of them was taken by another test before the program that was given it listened.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 1000 {
		port := 20_000 + (int64(os.Getpid())*37+lastPort.Add(1))%10_000
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue // it is taken
		}
		defer l.Close()
		return l.Addr().String()
	}
	t.Fatal("no port is free")
	return ""
}

// overTCP makes a database reachable for a process that cannot see its socket.
func overTCP(t *testing.T, dsn string) string {
	t.Helper()
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	forward(t, l, config)
	return urlAt(config, l.Addr().String())
}

// urlAt is the address of a database behind a listener that is forwarded to it.
func urlAt(config *pgconn.Config, address string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(config.User, config.Password), Host: address, Path: config.Database}
	return u.String() + "?sslmode=disable"
}

// forward sends what comes to a listener to a database.
func forward(t *testing.T, l net.Listener, to *pgconn.Config) {
	t.Helper()
	network, address := pgconn.NetworkAddress(to.Host, to.Port)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer client.Close()
				server, err := net.Dial(network, address)
				if err != nil {
					return
				}
				defer server.Close()
				go func() {
					_, _ = io.Copy(server, client)
					_ = server.Close()
				}()
				_, _ = io.Copy(client, server)
			}()
		}
	}()
}
