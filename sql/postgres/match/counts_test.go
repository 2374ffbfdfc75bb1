package match_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	corematch "tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
	"tradepost/sql/postgres/match"
)

// statements counts those that count.
type statements struct {
	counting   atomic.Int64 // of any kind
	everything atomic.Int64 // all open orders
	filtered   atomic.Int64 // those that match a filter
	found      atomic.Int64 // searches that found and sorted all that match
	followed   atomic.Int64 // what has changed since the totals were known
}

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
	if strings.Contains(sql, "-count(*) from orders") {
		s.everything.Add(1)
	}
	if strings.Contains(sql, "select counted from changes") {
		s.followed.Add(1)
	}
	if strings.Contains(sql, " offset 0") {
		s.found.Add(1)
	}
	if strings.Contains(sql, ") counted") {
		s.filtered.Add(1)
	}
}

// reader is a replica of w that listens and only reads.
type reader struct {
	*world
	store   *postgres.Store
	market  *market.Market
	counted *statements
	news    *storetest.Listener
}

func (w *world) reader() *reader {
	w.T.Helper()
	r := &reader{world: w, counted: &statements{}}
	r.store = w.Another(postgres.Options{Tracer: r.counted})
	r.market = market.New(r.store, market.Options{Now: w.Clock.Now})
	r.news = storetest.Listen(w.T, r.store)
	return r
}

func (r *reader) shows(text string, want int) {
	r.T.Helper()
	page, err := r.market.Match.BrowseOrders(r.T.Context(), corematch.OrderQuery{OrderFilter: corematch.OrderFilter{Text: text}})
	must(r.T, err)
	counts, err := r.market.Match.CountOrders(r.T.Context(), corematch.OrderFilter{Text: text})
	must(r.T, err)
	miners, err := r.market.Match.BrowseOrders(r.T.Context(), corematch.OrderQuery{OrderFilter: corematch.OrderFilter{Text: text, Categories: []game.Category{"Miner"}}})
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
	// While the feed of a busy machine is behind, nothing counts as known.
	known := storetest.Within(10*time.Second, func() bool {
		counted := r.counted.counting.Load()
		r.shows("iron", 2)
		r.shows("", 2)
		return r.counted.counting.Load() == counted
	})
	if !known {
		t.Error("what is known is counted again each time")
	}
	// Another replica writes; this one hears of it and counts again.
	for _, change := range []struct {
		name string
		do   func() error
		want int
	}{
		{"posted", func() error { w.Post(w.Bob); return nil }, 3},
		{"closed", func() error { _, err := w.Trade.CloseOrder(t.Context(), w.Ann, first.ID); return err }, 2},
		{"deleted", func() error { return w.Trade.DeleteOrder(t.Context(), w.Ann, first.ID) }, 2},
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
	_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
	must(t, err)
	r.news.Until(order.ID)
	r.shows("", 1)
	if r.counted.counting.Load() != counted {
		t.Error("a sale that changes no list had everything counted again")
	}
	_, err = w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 9})
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
	w.Clock.Forward(trade.OrderLifetime - time.Hour - time.Microsecond)
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
	must(t, w.SQL("delete from orders"))
	must(t, w.SQL("insert into changes (orders, users, lists) values ('{1}', '{}', true)"))
	r.shows("", 0)
}

func TestWithoutTheChangeFeedNothingIsCached(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	store := w.Another(postgres.Options{})
	deaf := &reader{world: w, market: market.New(store, market.Options{Now: w.Clock.Now})}
	for i := range 5 {
		w.Post(w.Ann)
		deaf.shows("iron", i+1)
	}
}

func TestTotalsFollowTheChangeFeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.Post(w.Ann), w.Post(w.Ann)
	r := w.reader()
	r.shows("", 2)
	counted := r.counted.everything.Load()
	chef := game.Category("Chef")
	for _, change := range []struct {
		name  string
		do    func() error
		want  int
		chefs int
		again int64
	}{
		{"posted", func() error { w.Post(w.Bob); return nil }, 3, 0, 0},
		{"moved to another category", func() error {
			_, err := w.Trade.EditOrder(t.Context(), w.Ann, second.ID, trade.OrderEdit{Version: second.Version, Category: &chef})
			return err
		}, 3, 1, 0},
		{"closed", func() error { _, err := w.Trade.CloseOrder(t.Context(), w.Ann, second.ID); return err }, 2, 0, 0},
		{"deleted", func() error { return w.Trade.DeleteOrder(t.Context(), w.Ann, first.ID) }, 1, 0, 0},
		{"posted by a program that does not say it", func() error {
			return w.SQL(`with posted as (insert into orders (user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category,
				created_at, updated_at, expires_at) select user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, 'Chef',
				created_at, updated_at, expires_at from orders where status = 'active' limit 1 returning id)
				insert into changes (orders, users, lists) select array[id], '{}', true from posted`)
		}, 2, 1, 1},
	} {
		must(t, change.do())
		r.news.Next()
		counts, err := r.market.Match.CountOrders(t.Context(), corematch.OrderFilter{})
		must(t, err)
		page, err := r.market.Match.BrowseOrders(t.Context(), corematch.OrderQuery{})
		must(t, err)
		if counts.All != change.want || counts.ByCategory[chef] != change.chefs || page.Total != change.want {
			t.Errorf("%s: %d, of which %d chef's, and a page of %d; want %d and %d", change.name, counts.All, counts.ByCategory[chef], page.Total, change.want, change.chefs)
		}
		if again := r.counted.everything.Load() - counted; again != change.again {
			t.Errorf("%s: everything was counted %d times, want %d", change.name, again, change.again)
		}
	}
	w.Clock.Forward(trade.OrderLifetime)
	r.shows("", 0)
	if again := r.counted.everything.Load() - counted; again != 1 {
		t.Errorf("after orders expired, everything was counted %d times", again-1)
	}
}

func TestKeptTotalsAreExactWhileManyWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Post(w.Ann)
	r := w.reader()
	r.shows("", 1)
	counted := r.counted.everything.Load()
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for i := range 12 {
				order := w.Post(w.Bob)
				if i%3 == 0 {
					if err := w.Trade.DeleteOrder(t.Context(), w.Bob, order.ID); err != nil {
						t.Error(err)
					}
				}
				if _, err := r.market.Match.CountOrders(t.Context(), corematch.OrderFilter{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	w.Post(w.Ann)
	own := &reader{world: w, market: market.New(r.store, market.Options{Now: w.Clock.Now})}
	for range 100 { // until the last change is read
		if counts, err := own.market.Match.CountOrders(t.Context(), corematch.OrderFilter{}); err != nil || counts.All == 34 {
			break
		}
		r.news.Next()
	}
	own.shows("", 34)
	if again := r.counted.everything.Load() - counted; again != 0 {
		t.Errorf("everything was counted %d times", again)
	}
}

func TestAFilterIsCountedToAThousandAndNotAgainWhileMoreMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ordered := w.Post(w.Ann)
	must(t, w.SQL(`insert into orders (user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, importance,
		created_at, updated_at, expires_at) select user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, category, 'urgent',
		created_at, updated_at, expires_at from orders, generate_series(1, 1002)`))
	r := w.reader()
	urgent := corematch.OrderFilter{Importance: []game.Importance{game.Urgent}}
	shows := func(total int, atLeast bool, counting int64) {
		t.Helper()
		before := r.counted.counting.Load()
		page, err := r.market.Match.BrowseOrders(t.Context(), corematch.OrderQuery{OrderFilter: urgent})
		must(t, err)
		if page.Total != total || page.AtLeast != atLeast || len(page.Orders) != core.PageSize {
			t.Errorf("%d at least: %v, of %d orders; want %d, %v", page.Total, page.AtLeast, len(page.Orders), total, atLeast)
		}
		if n := r.counted.filtered.Load(); n != counting {
			t.Errorf("the filter was counted %d times, want %d (%d statements)", n, counting, r.counted.counting.Load()-before)
		}
	}
	shows(1000, true, 1)
	w.Post(w.Bob)
	r.news.Next()
	shows(1000, true, 1)
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, ordered.ID)) // one of the urgent ones, for all that is known
	r.news.Next()
	shows(1000, true, 1)
	for _, next := range []struct {
		total   int
		atLeast bool
		counted int64
	}{{1000, true, 2}, {1000, false, 3}, {999, false, 4}} {
		page, err := w.Market.Match.BrowseOrders(t.Context(), corematch.OrderQuery{OrderFilter: urgent, Limit: 1})
		must(t, err)
		must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, page.Orders[0].ID))
		r.news.Next()
		shows(next.total, next.atLeast, next.counted)
	}
}

func TestAllPagesOfASearchShareItsMatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	r := w.reader()
	for _, sort := range corematch.Sorts {
		q := corematch.OrderQuery{OrderFilter: corematch.OrderFilter{Text: "rare"}, Sort: sort, Limit: 2}
		before := r.counted.found.Load()
		var listed []core.OrderID
		for {
			page, err := r.market.Match.BrowseOrders(t.Context(), q)
			must(t, err)
			for _, o := range page.Orders {
				listed = append(listed, o.ID)
			}
			if q.After = page.Next; q.After == nil {
				if len(listed) != page.Total || len(listed) <= 4 {
					t.Errorf("%s: %d are listed of %d", sort, len(listed), page.Total)
				}
				break
			}
		}
		if n := r.counted.found.Load() - before; n != 1 {
			t.Errorf("%s: %d orders were found %d times", sort, len(listed), n)
		}
		sql, args := match.PageQuery(corematch.OrderQuery{OrderFilter: q.OrderFilter, List: corematch.OpenOrders, Sort: sort, Limit: 1000, Now: w.Clock.Now()}, true)
		rows, err := w.Store.Pool().Query(t.Context(), "select id from ("+sql+") listed", args...)
		must(t, err)
		want, err := pgx.CollectRows(rows, pgx.RowTo[core.OrderID])
		must(t, err)
		if !slices.Equal(listed, want) {
			t.Errorf("%s: the pages list %v, want %v", sort, listed, want)
		}
	}
	found := r.counted.found.Load()
	w.Post(w.Ann)
	r.news.Next()
	_, err := r.market.Match.BrowseOrders(t.Context(), corematch.OrderQuery{OrderFilter: corematch.OrderFilter{Text: "rare"}})
	must(t, err)
	if n := r.counted.found.Load() - found; n != 1 {
		t.Errorf("after a change it was found %d times", n)
	}
}
