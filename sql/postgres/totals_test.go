package postgres_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
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
	news    *listening
}

func (w *world) reader() *reader {
	w.t.Helper()
	r := &reader{world: w, counted: &statements{}}
	r.store = w.another(postgres.Options{Tracer: r.counted})
	r.market = core.New(r.store, core.Options{Now: w.clock.now})
	r.news = listen(w.t, r.store)
	return r
}

func (r *reader) shows(text string, want int) {
	r.t.Helper()
	page, err := r.market.BrowseOrders(r.t.Context(), core.OrderQuery{OrderFilter: core.OrderFilter{Text: text}})
	must(r.t, err)
	counts, err := r.market.CountOrders(r.t.Context(), core.OrderFilter{Text: text})
	must(r.t, err)
	miners, err := r.market.BrowseOrders(r.t.Context(), core.OrderQuery{OrderFilter: core.OrderFilter{Text: text, Category: "Miner"}})
	must(r.t, err)
	if page.Total != want || len(page.Orders) != want || counts.All != want || counts.ByCategory["Miner"] != want || miners.Total != want {
		r.t.Errorf("%q: total %d of %d orders, counts %d, miners %d; want %d", text, page.Total, len(page.Orders), counts.All, miners.Total, want)
	}
}

func TestTotalsAreCountedOnceUntilSomethingChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.post(w.ann)
	w.post(w.ann)
	r := w.reader()
	r.shows("", 2)
	r.shows("iron", 2)
	counted := r.counted.counting.Load()
	r.shows("iron", 2)
	r.shows("", 2)
	if again := r.counted.counting.Load(); again != counted {
		t.Errorf("counted %d times more for what was known", again-counted)
	}
	// Another replica writes: heard of, and counted anew.
	for _, change := range []struct {
		name string
		do   func() error
		want int
	}{
		{"posted", func() error { w.post(w.bob); return nil }, 3},
		{"closed", func() error { _, err := w.CloseOrder(t.Context(), w.ann, first.ID); return err }, 2},
		{"deleted", func() error { return w.DeleteOrder(t.Context(), w.ann, first.ID) }, 2},
	} {
		must(t, change.do())
		r.news.next()
		r.shows("iron", change.want)
		r.shows("", change.want)
	}
}

func TestASaleLeavesTheTotalsAsTheyAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.post(w.ann)
	r := w.reader()
	r.shows("", 1)
	counted := r.counted.counting.Load()
	_, err := w.LogSale(t.Context(), w.ann, order.ID, core.SaleDraft{Quantity: 1})
	must(t, err)
	r.news.until(order.ID)
	r.shows("", 1)
	if r.counted.counting.Load() != counted {
		t.Error("a sale that changes no list had everything counted again")
	}
	_, err = w.LogSale(t.Context(), w.ann, order.ID, core.SaleDraft{Quantity: 9})
	must(t, err)
	r.news.until(order.ID)
	r.shows("", 0)
}

func TestOnesOwnWriteIsInTheTotalsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	listen(t, w.store)
	own := &reader{world: w, market: w.Market}
	for i := range 30 {
		w.post(w.ann)
		own.shows("iron", i+1)
	}
}

func TestTotalsKnowTheTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.post(w.ann)
	w.clock.forward(time.Hour)
	w.post(w.ann)
	r := w.reader()
	r.shows("", 2)
	w.clock.forward(core.OrderLife - time.Hour - time.Microsecond)
	r.shows("", 2)
	w.clock.forward(time.Microsecond)
	r.shows("", 1)
	w.clock.forward(time.Hour)
	r.shows("", 0)
	w.clock.forward(-2 * time.Hour)
	r.shows("", 2)
}

func TestAListReadAfterARestIsCountedOnlyIfItChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.reader()
	w.post(w.ann)
	r.news.next()
	r.shows("", 1)
	counted := r.counted.counting.Load()
	r.news.rests(r.store)
	r.shows("", 1)
	if n := r.counted.counting.Load() - counted; n != 0 {
		t.Errorf("what had not changed was counted with %d statements", n)
	}
	r.news.rests(r.store)
	// Nobody rings for it, so it is up to the reader to look.
	must(t, w.sql("with gone as (delete from orders) insert into changes (orders, users, lists) values ('{1}', '{}', true)"))
	r.shows("", 0)
}

func TestWhoDoesNotListenCountsEachTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	store := w.another(postgres.Options{})
	deaf := &reader{world: w, market: core.New(store, core.Options{Now: w.clock.now})}
	for i := range 5 {
		w.post(w.ann)
		deaf.shows("iron", i+1)
	}
}
