package serving

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"
)

func TestRequestOnAnEarlierConnectionIsAnsweredAtShutdown(t *testing.T) {
	listener := listenLocally(t)
	end, ended := serveNothing(t, listener, ShutdownDelay)

	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// It is not enough that the kernel has the connection: the server must have it.
	if resp := ask(t, listener.Addr().String()); resp.Close {
		t.Error("the server said good-bye before it was asked to end")
	}
	end()
	for !errors.Is(dialError(listener.Addr().String()), syscall.ECONNREFUSED) {
		time.Sleep(time.Millisecond) // a listener does not tell that it is closed
	}

	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: market\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("the server hung up on a request: %v", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent || !resp.Close {
		t.Errorf("got status %d, connection ends: %t; want 204 and the end of the connection", resp.StatusCode, resp.Close)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func listenLocally(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// serveNothing serves answers without content until end is called; ended returns its error.
func serveNothing(t *testing.T, listener net.Listener, delay time.Duration) (end func(), ended <-chan error) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	how := make(chan error, 1)
	go func() {
		how <- Serve(ctx, &http.Server{
			Handler:           http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }),
			ReadHeaderTimeout: 5 * time.Second,
		}, listener, delay)
	}()
	return end, how
}

func ask(t *testing.T, address string) *http.Response {
	t.Helper()
	resp, err := http.Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp
}

func dialError(address string) error {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		_ = conn.Close()
	}
	return err
}
