package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// fullStore has one page of orders.
type fullStore struct{ market.Store }

func (fullStore) Orders(context.Context, match.OrderQuery) (match.OrderPage, error) {
	page := match.OrderPage{Total: 60}
	for i := range 60 {
		order := coretest.Order()
		order.ID = core.OrderID(i + 1)
		page.Orders = append(page.Orders, trade.ListedOrder{Order: order})
	}
	return page, nil
}

func (fullStore) CategoryCounts(
	context.Context, match.OrderFilter, time.Time,
) (match.CategoryCounts, error) {
	return match.CategoryCounts{All: 60}, nil
}

// discard is a ResponseWriter that keeps the headers alone.
type discard struct{ header http.Header }

func (d discard) Header() http.Header { return d.header }

func (d discard) WriteHeader(int) {}

func (d discard) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkCachedResponse is the handler's time for the responses that are asked for most.
func BenchmarkCachedResponse(b *testing.B) {
	b.Run("of one replica", func(b *testing.B) { benchCached(b, nil) })
	b.Run("of several", func(b *testing.B) { benchCached(b, nobodyElse{}) })
}

// nobodyElse are limits that other replicas do not use.
type nobodyElse struct{}

func (nobodyElse) CountUses(_ context.Context, uses []core.LimitUse) ([]float64, error) {
	return make([]float64, len(uses)), nil
}

func benchCached(b *testing.B, shared kernel.SharedLimits) {
	upToDate := cache.New(nil)
	upToDate.UpToDate(time.Now().Add(time.Hour))
	opts := Options{
		PublicURL: "http://trade.example", Sessions: noUser{}, Log: slog.New(slog.DiscardHandler),
		Cache: upToDate, Limits: kernel.Limits{Requests: 1 << 40}, Shared: shared,
		Dist: os.DirFS("../dashboard/dist"),
	}
	server, err := New(marketOn(fullStore{}, opts), opts)
	if err != nil {
		b.Fatal(err)
	}
	known := httptest.NewRecorder()
	server.ServeHTTP(known, httptest.NewRequest(http.MethodGet, kernel.ListsPath, nil))
	public := httptest.NewRecorder()
	server.ServeHTTP(public, httptest.NewRequest(http.MethodGet, kernel.PublicPrefix+"orders", nil))
	for _, bb := range []struct{ name, path, etag string }{
		{"first page", kernel.ListsPath, ""}, {"304", kernel.ListsPath, known.Header().Get("ETag")},
		{"304, for programs", kernel.PublicPrefix + "orders", public.Header().Get("ETag")}, {"counts", kernel.CountsPath, ""},
		{"document, cards", "/", ""}, {"document, list", "/?view=list", ""},
	} {
		b.Run(bb.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, bb.path, nil)
			if bb.etag != "" {
				r.Header.Set("If-None-Match", bb.etag)
			}
			r.Header.Set("Accept-Encoding", "gzip")
			w := discard{http.Header{}}
			server.ServeHTTP(w, r)
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				server.ServeHTTP(w, r)
			}
		})
	}
}
