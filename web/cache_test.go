package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// marketOn returns a market on a double of the store, with the clock and the features of its server.
func marketOn(store market.Store, opts Options) *market.Market {
	return market.New(store, market.Options{Now: opts.Now, Forms: coretest.Forms, Features: opts.Features})
}

// countedStore has one order and counts how often it is read.
type countedStore struct {
	market.Store
	mu         sync.Mutex
	order      trade.Order
	reads      int
	err        error
	panics     bool
	validUntil time.Time
	hold       chan struct{} // a read waits until it is closed
}

func (m *countedStore) read() (trade.Order, error) {
	m.mu.Lock()
	m.reads++
	order, err, panics, hold := m.order, m.err, m.panics, m.hold
	m.mu.Unlock()
	if hold != nil {
		<-hold
	}
	if panics {
		panic("out of order")
	}
	return order, err
}

func (m *countedStore) Orders(context.Context, match.OrderQuery) (match.OrderPage, error) {
	order, err := m.read()
	return match.OrderPage{
		Orders: []trade.ListedOrder{{Order: order}}, Total: 1, ValidUntil: m.validUntil,
	}, err
}

func (m *countedStore) CategoryCounts(
	context.Context, match.OrderFilter, time.Time,
) (match.CategoryCounts, error) {
	_, err := m.read()
	return match.CategoryCounts{All: 1, ValidUntil: m.validUntil}, err
}

// Total is high enough that no typo is looked for. It is not counted: it belongs to the read that follows.
func (m *countedStore) Total(context.Context, match.OrderFilter, time.Time) (match.Total, error) {
	return match.Total{Orders: match.FewMatches}, nil
}

func (m *countedStore) rename(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order.ItemName = name
}

func (m *countedStore) wasRead() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reads
}

type noUser struct{} // a session store without sessions

func (noUser) Find(string) ([]byte, bool, error) { return nil, false, nil }

func (noUser) Commit(string, []byte, time.Time) error { return nil }

func (noUser) Delete(string) error { return nil }

// door is a server on a countedStore, asked without a network.
type door struct {
	t      *testing.T
	server *Server
	store  *countedStore
	cache  *cache.Cache
}

// newDoor opens a door whose cached responses are fresh for an hour, so that a slow machine changes nothing.
func newDoor(t *testing.T, change ...func(*Options)) *door {
	t.Helper()
	d := &door{t: t, cache: cache.New(nil), store: &countedStore{order: coretest.Order()}}
	opts := Options{
		PublicURL: "http://trade.example", Sessions: noUser{}, Log: slog.New(slog.DiscardHandler),
		Cache: d.cache,
	}
	for _, f := range change {
		f(&opts)
	}
	var err error
	if d.server, err = New(marketOn(d.store, opts), opts); err != nil {
		t.Fatal(err)
	}
	d.cache.UpToDate(time.Now().Add(time.Hour))
	return d
}

func (d *door) get(path string, headers ...string) *httptest.ResponseRecorder {
	d.t.Helper()
	return d.ask(http.MethodGet, path, "", headers...)
}

func (d *door) ask(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	d.t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.server.ServeHTTP(w, r)
	return w
}

func (d *door) shows(item string, headers ...string) {
	d.t.Helper()
	if w := d.get("/api/orders", headers...); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"itemName":"`+item+`"`) {
		d.t.Errorf("answered %d: %s, want %s", w.Code, w.Body, item)
	}
}

func (d *door) wantReads(n int) {
	d.t.Helper()
	if got := d.store.wasRead(); got != n {
		d.t.Errorf("the market was read %d times, want %d", got, n)
	}
}

func TestACachedResponseIsFetchedOncePerChange(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]core.Change{
		"of an order":     {Orders: []core.OrderID{7}},
		"that was missed": {Resync: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoor(t)
			for range 20 {
				d.shows("Iron Ore")
			}
			d.wantReads(1)
			d.store.rename("Copper Ore")
			d.cache.Changed(core.Change{Users: []core.UserID{3}}) // an inbox
			d.shows("Iron Ore")
			d.wantReads(1)
			d.cache.Changed(change)
			for range 20 {
				d.shows("Copper Ore")
			}
			d.wantReads(2)
		})
	}
}

func TestACachedResponseExpires(t *testing.T) {
	t.Parallel()
	d := newDoor(t) // outside of the bubble: the session manager starts a goroutine that never ends
	synctest.Test(t, func(t *testing.T) {
		d.cache.UpToDate(time.Now())
		d.shows("Iron Ore")
		d.store.rename("Copper Ore") // while the change feed is away
		time.Sleep(400 * time.Millisecond)
		d.shows("Copper Ore")
	})
}

func TestAPageThatHasJustWrittenBypassesTheCache(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.shows("Iron Ore")
	if w := d.ask(http.MethodPost, "/api/orders", `{}`, "Content-Type", "application/json"); w.Header().Get("Set-Cookie") != "" {
		t.Errorf("a write leaves the cookie %s", w.Header().Get("Set-Cookie"))
	}
	d.store.rename("Copper Ore") // by another replica, which this one has not heard of yet
	d.shows("Iron Ore")
	d.shows("Copper Ore", "Cache-Control", "no-cache")
}

func TestConcurrentRequestsShareOneFetch(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		d.store.hold = hold
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() { d.shows("Iron Ore") })
		}
		synctest.Wait()
		d.wantReads(1)
		// A request after a write does not share a load that began before it.
		d.cache.Changed(core.Change{Orders: []core.OrderID{7}})
		wait.Go(func() { d.shows("Iron Ore") })
		synctest.Wait()
		d.wantReads(2)
		close(hold)
		wait.Wait()
	})
}

func TestAFailedFetchIsNotCached(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.store.err = errors.New("no connection")
	if w := d.get("/api/orders"); w.Code != http.StatusInternalServerError {
		t.Errorf("answered %d", w.Code)
	}
	d.store.err, d.store.panics = nil, true
	if w := d.get("/api/orders"); w.Code != http.StatusInternalServerError {
		t.Errorf("answered %d", w.Code)
	}
	d.store.panics = false
	d.shows("Iron Ore")
}

func TestACachedResponseIsServedInTheAcceptedEncoding(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	for _, path := range []string{"/api/orders", "/api/orders/counts", "/api/orders?category=Miner&sort=price"} {
		d.get(path)
		plain, small := d.get(path), d.get(path, "Accept-Encoding", "gzip, br")
		zip, err := gzip.NewReader(bytes.NewReader(small.Body.Bytes()))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if content, err := io.ReadAll(zip); err != nil || !bytes.Equal(content, plain.Body.Bytes()) || !json.Valid(content) {
			t.Errorf("%s is %q compressed and %q plain, %v", path, content, plain.Body, err)
		}
		for _, w := range []*httptest.ResponseRecorder{plain, small} {
			h := w.Header()
			if h.Get("Content-Type") != "application/json" || h.Get("Vary") != "Accept-Encoding" || h.Get("Cache-Control") != "no-cache" ||
				h.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s has the headers %v", path, h)
			}
		}
		if plain.Header().Get("ETag") == small.Header().Get("ETag") || plain.Header().Get("Content-Encoding") != "" || small.Header().Get("Content-Encoding") != "gzip" {
			t.Errorf("%s: the ETag or Content-Encoding does not distinguish the two encodings: %v, %v", path, plain.Header(), small.Header())
		}
		again := d.get(path, "Accept-Encoding", "gzip", "If-None-Match", small.Header().Get("ETag"))
		if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("ETag") != small.Header().Get("ETag") {
			t.Errorf("%s, known already: %d, %v", path, again.Code, again.Header())
		}
		if head := d.ask(http.MethodHead, path, ""); head.Code != http.StatusOK || head.Body.Len() != 0 || head.Header().Get("Content-Length") == "" {
			t.Errorf("HEAD %s: %d, %v", path, head.Code, head.Header())
		}
	}
}

func TestCachedResponsesCountAgainstTheLimit(t *testing.T) {
	t.Parallel()
	d := newDoor(t, func(o *Options) { o.Limits.Requests = 3 })
	for range 3 {
		d.shows("Iron Ore")
	}
	if w := d.get("/api/orders"); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("the fourth is answered %d", w.Code)
	}
}

func TestOnlyFirstPagesAreCached(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	for _, path := range []string{
		"/api/orders?cursor=bmV3ZXN0OjE6MQ", "/api/orders?q=iron", "/api/orders?limit=5", "/api/orders?importance=high", "/api/orders/counts?q=iron",
	} {
		before := d.store.wasRead()
		d.get(path)
		d.get(path)
		if d.store.wasRead() != before+2 {
			t.Errorf("%s is cached", path)
		}
	}
	for _, path := range []string{"/api/orders?sort=newest", "/api/orders?category=Chef", "/api/orders?sort=total&category=Chef", "/api/orders?category=Chef&sort=total"} {
		d.get(path)
		before := d.store.wasRead()
		d.get(path)
		if d.store.wasRead() != before {
			t.Errorf("%s is not cached", path)
		}
	}
	if w := d.get("/api/orders?category=Cook"); w.Code != http.StatusUnprocessableEntity && w.Code != http.StatusOK {
		t.Errorf("an unknown category is answered %d", w.Code)
	}
}

func TestTheFirstPageIsLoadedAgainWhenAnOrderExpires(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	d := newDoor(t, func(o *Options) { o.Now = func() time.Time { return now } })
	d.store.validUntil = now.Add(time.Hour)
	for _, path := range []string{kernel.ListsPath, kernel.CountsPath} {
		d.get(path)
		d.get(path)
	}
	d.wantReads(2)
	now = now.Add(time.Hour)
	d.get(kernel.ListsPath)
	d.get(kernel.CountsPath)
	d.wantReads(4)
}

func TestTheFrontPageIsEncodedOnce(t *testing.T) {
	t.Parallel()
	d := newDoor(t, func(o *Options) {
		o.Dist, o.Name = fstest.MapFS{"index.html": {Data: []byte("<html><head><title>x</title></head><body>" + strings.Repeat("a ", 2000) + "</body></html>")}}, "The Dock"
	})
	for _, path := range []string{"/", "/mine", "/completed"} {
		plain, small := d.get(path), d.get(path, "Accept-Encoding", "br, gzip")
		if !strings.Contains(plain.Body.String(), "<title>The Dock") || plain.Header().Get("Content-Type") != "text/html; charset=utf-8" ||
			plain.Header().Get("Content-Security-Policy") == "" || small.Header().Get("Content-Encoding") != "gzip" || small.Body.Len() >= plain.Body.Len() {
			t.Errorf("%s: %v and %v", path, plain.Header(), small.Header())
		}
		if again := d.get(path, "Accept-Encoding", "gzip", "If-None-Match", small.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s, known already, is answered %d", path, again.Code)
		}
	}
}
