package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/web"
)

// line is a connection that a test writes to by hand.
type line struct {
	net.Conn
	t       *testing.T
	answers *bufio.Reader
}

// dial opens a connection from a loopback address of its own.
func dial(t *testing.T, url, from string) *line {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	must(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return &line{conn, t, bufio.NewReader(conn)}
}

// sends writes a request without what follows its head.
func (l *line) sends(method, path string, headers ...string) *line {
	l.t.Helper()
	_, err := fmt.Fprintf(l, "%s %s HTTP/1.1\r\nHost: trade.example\r\n%s\r\n", method, path, strings.Join(append(headers, ""), "\r\n"))
	must(l.t, err)
	return l
}

func (l *line) answer() *http.Response {
	l.t.Helper()
	response, err := http.ReadResponse(l.answers, &http.Request{Method: http.MethodGet})
	must(l.t, err)
	return response
}

// is reads an answer to its end.
func (l *line) is(status int) *http.Response {
	l.t.Helper()
	response := l.answer()
	body, err := io.ReadAll(response.Body)
	must(l.t, err)
	if response.StatusCode != status {
		l.t.Fatalf("answered %s, want %d: %s", response.Status, status, body)
	}
	return response
}

func (l *line) ends() {
	l.t.Helper()
	if rest, err := io.ReadAll(l.answers); err != nil || len(rest) > 0 {
		l.t.Errorf("the connection goes on with %q, %v", rest, err)
	}
}

// stalls begins an upload that never comes, and returns once the server waits for it.
func (l *line) stalls(path string, headers ...string) *line {
	l.t.Helper()
	l.sends(http.MethodPost, path, append(headers, "Content-Type: application/json", "Content-Length: 100", "Expect: 100-continue")...)
	if got := l.answer(); got.StatusCode != http.StatusContinue {
		l.t.Fatalf("answered %s", got.Status)
	}
	return l
}

func TestStalledBodiesTakeNoSlot(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{InFlight: 4, Share: -1, ConnectionsPerClient: -1}))
	for range 16 {
		dial(t, s.url, "127.0.0.2").stalls("/api/orders")
	}
	s.visitor().get("/api/me").wants(http.StatusOK)
}

func TestOneClientStallsAFewBodiesAtMost(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{InFlight: 100, Share: 3, ConnectionsPerClient: -1}))
	for range 3 {
		dial(t, s.url, "127.0.0.2").stalls("/api/orders")
	}
	refused := dial(t, s.url, "127.0.0.2").sends(http.MethodPost, "/api/orders", "Content-Length: 100")
	if got := refused.is(http.StatusTooManyRequests); got.Header.Get("Retry-After") == "" {
		t.Error("the response has no Retry-After")
	}
	refused.ends()
	s.signedIn("maple").posts() // from another address
}

func TestABodyIsNotExpectedOnGetAndHead(t *testing.T) {
	t.Parallel()
	s := open(t)
	cached := open(t)
	cached.readsChanges()
	cached.visitor().get("/api/orders").wants(http.StatusOK)
	type sent struct {
		*line
		method, name string
	}
	var all []sent
	for _, url := range []string{s.url, cached.url} {
		for _, path := range []string{"/", "/api/orders", "/api/orders/counts", "/api/orders/1", "/api/me", "/api/events", "/requests/1", "/healthz", "/readyz", "/assets/app-1a2b.js", "/auth/discord", "/nothing"} {
			for _, length := range []string{"Content-Length: 100", "Transfer-Encoding: chunked"} {
				for _, method := range []string{http.MethodGet, http.MethodHead} {
					l := dial(t, url, "127.0.0.1").sends(method, path, length)
					all = append(all, sent{l, method, method + " " + path + " with " + length})
				}
			}
		}
	}
	for _, l := range all {
		response, err := http.ReadResponse(l.answers, &http.Request{Method: l.method})
		must(t, err)
		_, _ = io.ReadAll(response.Body)
		if response.StatusCode != http.StatusBadRequest || !response.Close {
			t.Errorf("%s answered %s, closes %t", l.name, response.Status, response.Close)
		}
		l.ends()
	}
}

func TestABodyIsReadBeforeItsMethodIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	l := dial(t, s.url, "127.0.0.1")
	for range 3 { // on one connection
		l.sends(http.MethodPost, "/readyz", "Content-Length: 2")
		_, err := io.WriteString(l, "{}")
		must(t, err)
		l.is(http.StatusMethodNotAllowed)
	}
}
