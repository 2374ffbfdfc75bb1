package postgres_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// statements counts those that count.
type statements struct{ counting atomic.Int64 }

func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		s.see(q.SQL)
	}
	return ctx
}
func (s *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.see(data.SQL)
	return ctx
}
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *statements) see(sql string) {
	if strings.Contains(sql, "count(*) from orders") {
		s.counting.Add(1)
	}
}

// reader is a replica of w that listens and only reads.
type reader struct {
	*world
	store   *postgres.Store
	market  *core.Market
	counted *statements
	news    *storetest.Listener
}

func (w *world) reader() *reader {
	w.T.Helper()
	r := &reader{world: w, counted: &statements{}}
	r.store = w.Another(postgres.Options{Tracer: r.counted})
	r.market = core.New(r.store, core.Options{Now: w.Clock.Now})
	r.news = storetest.Listen(w.T, r.store)
	return r
}

func (r *reader) shows(text string, want int) {
	r.T.Helper()
	page, err := r.market.BrowseOrders(r.T.Context(), core.OrderQuery{OrderFilter: core.OrderFilter{Text: text}})
	must(r.T, err)
	counts, err := r.market.CountOrders(r.T.Context(), core.OrderFilter{Text: text})
	must(r.T, err)
	miners, err := r.market.BrowseOrders(r.T.Context(), core.OrderQuery{OrderFilter: core.OrderFilter{Text: text, Categories: []core.Category{"Miner"}}})
	must(r.T, err)
	if page.Total != want || len(page.Orders) != want || counts.All != want || counts.ByCategory["Miner"] != want || miners.Total != want {
		r.T.Errorf("%q: total %d of %d orders, counts %d, miners %d; want %d", text, page.Total, len(page.Orders), counts.All, miners.Total, want)
	}
}

func TestTotalsAreCountedOnceUntilSomethingChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.Post(w.Ann)
	w.Post(w.Ann)
	r := w.reader()
	r.shows("", 2)
	r.shows("iron", 2)
	counted := r.counted.counting.Load()
	r.shows("iron", 2)
	r.shows("", 2)
	if again := r.counted.counting.Load(); again != counted {
		t.Errorf("counted %d times more for what was known", again-counted)
	}
	// Another replica writes; this one hears of it and counts again.
	for _, change := range []struct {
		name string
		do   func() error
		want int
	}{
		{"posted", func() error { w.Post(w.Bob); return nil }, 3},
		{"closed", func() error { _, err := w.CloseOrder(t.Context(), w.Ann, first.ID); return err }, 2},
		{"deleted", func() error { return w.DeleteOrder(t.Context(), w.Ann, first.ID) }, 2},
	} {
		must(t, change.do())
		r.news.Next()
		r.shows("iron", change.want)
		r.shows("", change.want)
	}
}

func TestASaleDoesNotChangeTheTotals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	r := w.reader()
	r.shows("", 1)
	counted := r.counted.counting.Load()
	_, err := w.LogSale(t.Context(), w.Ann, order.ID, core.SaleDraft{Quantity: 1})
	must(t, err)
	r.news.Until(order.ID)
	r.shows("", 1)
	if r.counted.counting.Load() != counted {
		t.Error("a sale that changes no list had everything counted again")
	}
	_, err = w.LogSale(t.Context(), w.Ann, order.ID, core.SaleDraft{Quantity: 9})
	must(t, err)
	r.news.Until(order.ID)
	r.shows("", 0)
}

func TestAWriteIsInTheTotalsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	storetest.Listen(t, w.Store)
	own := &reader{world: w, market: w.Market}
	for i := range 30 {
		w.Post(w.Ann)
		own.shows("iron", i+1)
	}
}

func TestTotalsLeaveOutExpiredOrders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Post(w.Ann)
	w.Clock.Forward(time.Hour)
	w.Post(w.Ann)
	r := w.reader()
	r.shows("", 2)
	w.Clock.Forward(core.OrderLifetime - time.Hour - time.Microsecond)
	r.shows("", 2)
	w.Clock.Forward(time.Microsecond)
	r.shows("", 1)
	w.Clock.Forward(time.Hour)
	r.shows("", 0)
}

func TestAfterAnIdleTimeAListIsCountedAgainOnlyIfItChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.reader()
	w.Post(w.Ann)
	r.news.Next()
	r.shows("", 1)
	counted := r.counted.counting.Load()
	r.news.WaitUntilIdle(r.store)
	r.shows("", 1)
	if n := r.counted.counting.Load() - counted; n != 0 {
		t.Errorf("what had not changed was counted with %d statements", n)
	}
	r.news.WaitUntilIdle(r.store)
	// No notification comes, so the reader must have the feed polled.
	must(t, w.SQL("with gone as (delete from orders) insert into changes (orders, users, lists) values ('{1}', '{}', true)"))
	r.shows("", 0)
}

func TestWithoutTheChangeFeedNothingIsCached(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	store := w.Another(postgres.Options{})
	deaf := &reader{world: w, market: core.New(store, core.Options{Now: w.Clock.Now})}
	for i := range 5 {
		w.Post(w.Ann)
		deaf.shows("iron", i+1)
	}
}
