package main_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"tradepost/sql/pgtest"
)

// A body may take longer to arrive than a program that was asked to stop may take to end.
func TestAStalledUploadDoesNotDelayShutdown(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	page := freeAddress(t)
	m := h.serve("--only", "web", "--listen", page, "--database-url", pgtest.New(t))
	waitFor(t, "http://"+page+"/readyz")

	conn, err := net.Dial("tcp", page)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprint(conn, "POST /api/orders HTTP/1.1\r\nHost: market\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n")
	answers := bufio.NewReader(conn)
	if got, err := http.ReadResponse(answers, nil); err != nil || got.StatusCode != http.StatusContinue {
		t.Fatalf("the server does not wait for the upload: %v, %v", got, err)
	}
	m.end(t) // with an error when a request had to be cut off
	got, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || !got.Close {
		t.Errorf("the upload was answered %s with %v", got.Status, got.Header)
	}
}
