package web_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"tradepost/web"
)

// nowhere takes an answer and keeps nothing of it but what it was.
type nowhere struct {
	header http.Header
	status int
	bytes  int
}

func (n *nowhere) Header() http.Header { return n.header }
func (n *nowhere) WriteHeader(s int)   { n.status = s }
func (n *nowhere) Write(p []byte) (int, error) {
	if n.status == 0 {
		n.status = http.StatusOK
	}
	n.bytes += len(p)
	return len(p), nil
}

// The most frequent responses are cached and cost few allocations. The bounds are for a build with
// the race detector, which allocates a little more.
func TestFrequentReadsAllocateLittle(t *testing.T) {
	s := open(t, func(o *web.Options) {
		o.Log, o.Limits.Requests = slog.New(slog.DiscardHandler), 5000 // values above 5,000 are formatted for each answer
	})
	s.readsChanges()
	maple := s.signedIn("maple")
	for range 80 {
		maple.posts()
	}
	tag := s.visitor().get("/api/orders").wants(http.StatusOK).header.Get("ETag")
	public := s.visitor().get("/api/public/orders").wants(http.StatusOK).header.Get("ETag")
	for _, tt := range []struct {
		name, path string
		header     http.Header
		status     int
		most       float64
	}{
		{"the first page", "/api/orders", http.Header{}, http.StatusOK, 4},
		{"the first page, compressed", "/api/orders", http.Header{"Accept-Encoding": {"gzip"}}, http.StatusOK, 4},
		{"the first page, known already", "/api/orders", http.Header{"If-None-Match": {tag}}, http.StatusNotModified, 4},
		{"a list for programs, known already", "/api/public/orders", http.Header{"If-None-Match": {public}}, http.StatusNotModified, 4},
		{"the first page of a category", "/api/orders?category=Miner", http.Header{}, http.StatusOK, 4},
		{"the counts", "/api/orders/counts", http.Header{}, http.StatusOK, 4},
		{"the board's document", "/", http.Header{}, http.StatusOK, 28},
	} {
		r := httptest.NewRequest(http.MethodGet, tt.path, nil)
		r.Header = tt.header
		r.RemoteAddr = "192.0.2.1:1000"
		w := &nowhere{header: http.Header{}}
		s.server.Config.Handler.ServeHTTP(w, r) // it is built once
		got := testing.AllocsPerRun(200, func() {
			clear(w.header)
			*w = nowhere{header: w.header}
			s.server.Config.Handler.ServeHTTP(w, r)
		})
		if w.status != tt.status {
			t.Errorf("%s was answered with %d", tt.name, w.status)
		}
		if got > tt.most {
			t.Errorf("%s takes %.0f allocations, want at most %.0f", tt.name, got, tt.most)
		}
	}
}
