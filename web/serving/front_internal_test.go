package serving

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2/memstore"
	"github.com/go-chi/chi/v5"

	"tradepost/core/cache"
	"tradepost/web/kernel"
)

func TestASilentStreamShowsThatItIsAliveAndOutlivesTheLimitsOfRequests(t *testing.T) {
	t.Parallel()
	f := testFront()
	f.heartbeat = 5 * time.Millisecond
	server := httptest.NewUnstartedServer(nil)
	server.Config = f.Server(t.Context(), f.serves(f.Session.LoadSession(http.HandlerFunc(f.Events))))
	server.Config.ReadTimeout, server.Config.WriteTimeout = 20*time.Millisecond, 20*time.Millisecond
	server.Start()
	defer server.Close()
	defer f.hub.Close()
	response, err := server.Client().Get(server.URL + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	const enough = 20 // beats: five times as long as a request may take
	beats := 0
	for lines := bufio.NewScanner(io.LimitReader(response.Body, 1<<16)); beats < enough && lines.Scan(); {
		if lines.Text() == ": still here" {
			beats++
		}
	}
	if beats != enough {
		t.Errorf("the stream ended after %d beats", beats)
	}
}

func TestAStalledBodyTimesOut(t *testing.T) {
	t.Parallel()
	f := testFront()
	f.bodies.maxTime = 20 * time.Millisecond
	server := httptest.NewUnstartedServer(nil)
	server.Config = f.Server(t.Context(), f.serves(http.NotFoundHandler()))
	server.Config.ReadTimeout = 0 // the deadline of a body is its own
	server.Listener = f.Listener(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
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

func TestResponsesAreCompressedWhileAProcessorIsIdle(t *testing.T) {
	t.Parallel()
	f := testFront()
	page := f.ShedLoad()(f.CompressWhenIdle("application/json")(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}"))
	})))
	for busy, encoding := range map[int32]string{0: "gzip", int32(runtime.GOMAXPROCS(0)) - 1: "gzip", int32(runtime.GOMAXPROCS(0)): "", 500: ""} {
		f.inFlight.Store(busy) // besides the one that is asked
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/api/orders?q=iron", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		page.ServeHTTP(w, r)
		if h := w.Header(); h.Get("Content-Encoding") != encoding || !strings.Contains(h.Get("Vary"), "Accept-Encoding") {
			t.Errorf("with %d others: Content-Encoding %q, Vary %q", busy, h.Get("Content-Encoding"), h.Get("Vary"))
		}
	}
}

// testFront returns a front without a market.
func testFront() *Front {
	k := &kernel.Kernel{
		Public: &url.URL{Scheme: "http", Host: "trade.example"}, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Session: kernel.NewSessions(memstore.NewWithCleanupInterval(0), false, kernel.NewLanguages(nil), time.Now),
	}
	stopping := func() bool { return false }
	return New(k, Options{Hub: NewHub(), Cache: cache.New(nil), Limits: kernel.Limits{}.WithDefaults(), Stopping: stopping})
}

// serves returns the handler of a front that has one route.
func (f *Front) serves(handler http.Handler) http.Handler {
	r := chi.NewRouter()
	r.Use(Identify, f.ClientAddress(), f.Observe, f.RecoverPanics, f.SecureHeaders, f.LimitRequests(), f.ReadBody)
	r.Handle("/*", handler)
	return f.Handler(r)
}
