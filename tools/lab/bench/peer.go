package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// serveBytes is the first argument with which this program runs as a peer.
const serveBytes = "serve-bytes"

// runLimit is the limit: a bare net/http handler that answers constant bytes from memory, in a process of
// its own. It prints its address and ends with its standard input.
func runLimit(args []string) error {
	file := args[0]
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	length := []string{strconv.Itoa(len(body))}
	kind := []string{"application/json"}
	return serveAsPeer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h["Content-Type"], h["Content-Length"] = kind, length
		_, _ = w.Write(body)
	}))
}

func serveAsPeer(answer http.Handler) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(listener, answer)
}

// peerProcess is this program running as a peer.
type peerProcess struct {
	address string
	pid     int
	stop    func()
}

// startWith starts a peer with a file of these bytes.
func startWith(ctx context.Context, peer string, file []byte, args ...string) (*peerProcess, error) {
	f, err := os.CreateTemp("", "bench-bytes-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	if _, err := f.Write(file); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return startPeer(ctx, append([]string{peer, f.Name()}, args...)...)
}

// startPeer starts this program as a peer, and returns once it listens.
func startPeer(ctx context.Context, args ...string) (*peerProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the peer: %w", err)
	}
	stop := func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		stop()
		return nil, fmt.Errorf("start the peer: %w", err)
	}
	return &peerProcess{strings.TrimSpace(line), cmd.Process.Pid, stop}, nil
}
