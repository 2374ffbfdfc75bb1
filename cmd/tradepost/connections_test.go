package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestConnectionsBeyondTheLimitAreTurnedAwayUntilOneCloses(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	server.Listener = atMost(3, server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	connect := func() net.Conn {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
		return conn
	}
	served := func(conn net.Conn) bool {
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		return err == nil && answer.StatusCode == http.StatusNoContent && answer.Body.Close() == nil
	}
	var open []net.Conn
	for i := range 3 {
		open = append(open, connect())
		if !served(open[i]) {
			t.Fatalf("connection %d is not served", i)
		}
	}
	for range 5 {
		answer, _ := io.ReadAll(connect())
		if !strings.HasPrefix(string(answer), "HTTP/1.1 503 ") || !strings.Contains(string(answer), "Retry-After: 1\r\n") {
			t.Errorf("one too many hears %q", answer)
		}
	}
	if !served(open[1]) {
		t.Error("one that is open is not served any more")
	}
	_ = open[0].Close()
	deadline := time.Now().Add(10 * time.Second)
	for !served(connect()) {
		if time.Now().After(deadline) {
			t.Fatal("the place of a connection that was closed is not given again")
		}
	}
}
