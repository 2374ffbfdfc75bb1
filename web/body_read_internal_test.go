package web

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2/memstore"
)

func serveInternally(t *testing.T, change func(*Server)) *httptest.Server {
	t.Helper()
	s, err := New(nil, Options{PublicURL: "http://trade.example", Sessions: memstore.NewWithCleanupInterval(0), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	change(s)
	server := httptest.NewUnstartedServer(nil)
	server.Config = s.HTTP(t.Context())
	server.Config.ReadTimeout = 0 // the deadline of a body is its own
	server.Listener = s.Listener(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func TestAStalledBodyTimesOut(t *testing.T) {
	t.Parallel()
	server := serveInternally(t, func(s *Server) { s.front.bodies.maxTime = 20 * time.Millisecond })
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprint(conn, "POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	lines := bufio.NewReader(conn)
	answer, err := http.ReadResponse(lines, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusRequestTimeout || !answer.Close {
		t.Errorf("answered %s, closes %t", answer.Status, answer.Close)
	}
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("the connection goes on with %q, %v", rest, err)
	}
}
