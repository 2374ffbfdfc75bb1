package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/token"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// bill is what something costs the database: what is sent, and how often an answer is waited for.
type bill struct{ statements, trips int }

// till counts what one store sends, besides what keeps connections and listening going.
type till struct {
	mu   sync.Mutex
	bill bill
	sent []string
}

func (c *till) add(sql ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// Bells ring now and then and not with every write: ours by itself, that of the queue within the transaction. The change
	// feed looks when its time has come, also while somebody reads. The pool opens a further connection when it is slow to
	// get one back, which then reads the domains.
	sql = slices.DeleteFunc(sql, func(s string) bool {
		return strings.Contains(s, "pg_notify") || strings.Contains(s, "-- name: ReadChanges ") ||
			strings.Contains(s, "from pg_type where typtype = 'd'")
	})
	if len(sql) > 0 {
		c.bill.trips++
		c.bill.statements += len(sql)
		c.sent = append(c.sent, strings.Join(sql, "\n    "))
	}
}

func (c *till) take() (bill, []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken, sent := c.bill, c.sent
	c.bill, c.sent = bill{}, nil
	return taken, sent
}

func (c *till) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	c.add(data.SQL)
	return ctx
}
func (c *till) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *till) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	var sql []string
	for _, q := range data.Batch.QueuedQueries {
		sql = append(sql, q.SQL)
	}
	c.add(sql...)
	return ctx
}
func (c *till) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *till) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// billed is a world whose market goes through a till. What is done but once, such as opening the connection, is done
// before the first bill.
type billed struct {
	*world
	till   *till
	market *market.Market
}

func newBilled(t *testing.T) *billed {
	t.Helper()
	b := &billed{world: newWorld(t), till: &till{}}
	b.market = market.New(b.Another(postgres.Options{Tracer: b.till, MaxConns: 1}), market.Options{Now: b.Clock.Now})
	draft := trade.OfferDraft{SellerName: "Cat", SellerContact: "cat", Message: "I have it", Quantity: 1}
	_, err := b.market.Trade.SendOffer(t.Context(), b.Cat, b.Post(b.Ann).ID, draft)
	must(t, err)
	return b
}

// costs runs something once and compares its bill. Idempotency keys cost two statements more, in a trip that is made
// anyway.
func (b *billed) costs(what string, want bill, do func() error) {
	b.T.Helper()
	b.till.take()
	if err := do(); err != nil {
		b.T.Fatalf("%s: %v", what, err)
	}
	if got, sent := b.till.take(); got != want {
		b.T.Errorf("%s costs %d statements in %d round trips, want %d in %d:\n  %s",
			what, got.statements, got.trips, want.statements, want.trips, strings.Join(sent, "\n  "))
	}
}

func TestStatementsPerWrite(t *testing.T) {
	t.Parallel()
	b := newBilled(t)
	ctx := t.Context()
	draft := trade.OrderDraft{ItemName: "Iron Ore", Quantity: 100, MaxPrice: 5, BuyerContact: "ann", Category: "Miner"}
	offer := trade.OfferDraft{SellerName: "Bob", SellerContact: "bob", Message: "I have it", Quantity: 50}

	var order trade.Order
	b.costs("posting", bill{10, 2}, func() (err error) {
		order, err = b.market.Trade.PostOrder(ctx, b.Ann, draft)
		return err
	})
	b.costs("a visitor's offer", bill{9, 3}, func() error {
		_, err := b.market.Trade.SendOffer(ctx, core.Actor{}, order.ID, offer)
		return err
	})
	var sent trade.SendOfferResult
	b.costs("a user's offer", bill{11, 3}, func() (err error) {
		sent, err = b.market.Trade.SendOffer(ctx, b.Bob, order.ID, offer)
		return err
	})
	b.costs("accepting part of it", bill{13, 2}, func() error {
		_, err := b.market.Trade.AcceptOffer(ctx, b.Ann, sent.Offer.ID, 10)
		return err
	})
	b.costs("logging a sale", bill{10, 2}, func() error {
		_, err := b.market.Trade.LogSale(ctx, b.Ann, order.ID, trade.SaleDraft{Quantity: 1})
		return err
	})
	b.costs("editing, with another item", bill{13, 3}, func() error {
		name := "Copper Ore"
		now, err := b.Trade.Order(ctx, b.Ann, order.ID)
		if err == nil {
			_, err = b.market.Trade.EditOrder(ctx, b.Ann, order.ID, trade.OrderEdit{Version: now.Version, ItemName: &name})
		}
		return err
	})
}

func TestStatementsPerRead(t *testing.T) {
	t.Parallel()
	b := newBilled(t)
	ctx := t.Context()
	var order trade.Order
	for range 3 {
		order = b.Post(b.Ann)
	}
	b.OfferOn(b.Bob, order, 1)
	storetest.Listen(t, b.Another(postgres.Options{}))
	// Totals are remembered by who listens. Before they are, a page costs a count more.
	store := b.Another(postgres.Options{Tracer: b.till})
	storetest.Listen(t, store)
	b.market = market.New(store, market.Options{Now: b.Clock.Now})
	page, err := b.market.Match.BrowseOrders(ctx, match.OrderQuery{Limit: 1})
	must(t, err)

	for name, q := range map[string]match.OrderQuery{
		"the first page":     {},
		"a page":             {Limit: 1, After: page.Next},
		"a page by pay":      {Sort: match.HighestPay},
		"a page of category": {OrderFilter: match.OrderFilter{Categories: []game.Category{"Miner"}}},
	} {
		b.costs(name, bill{1, 1}, func() error {
			_, err := b.market.Match.BrowseOrders(ctx, q)
			return err
		})
	}
	b.costs("the counts", bill{0, 0}, func() error {
		_, err := b.market.Match.CountOrders(ctx, match.OrderFilter{})
		return err
	})
	b.costs("an order", bill{1, 1}, func() error {
		_, err := b.market.Trade.Order(ctx, core.Actor{}, order.ID)
		return err
	})
	b.costs("one's own order", bill{2, 2}, func() error {
		_, err := b.market.Trade.Order(ctx, b.Ann, order.ID)
		return err
	})
	b.costs("one's own orders", bill{2, 1}, func() error {
		_, err := b.market.Match.OwnOrders(ctx, b.Ann, match.OrderQuery{})
		return err
	})
	b.costs("the offers on an order", bill{2, 2}, func() error {
		_, _, err := b.market.Trade.Offers(ctx, b.Ann, order.ID)
		return err
	})
	recording := market.New(store, market.Options{Now: b.Clock.Now, Features: core.Features{Records: true}})
	b.costs("the offers on an order, best first", bill{3, 3}, func() error {
		_, _, err := recording.Trade.ChoicesOn(ctx, b.Ann, order.ID)
		return err
	})
	b.costs("all received offers, best first", bill{2, 2}, func() error {
		_, err := recording.Trade.Choices(ctx, b.Ann, trade.ReceivedPlace{}, 60)
		return err
	})
	b.costs("one's own offers", bill{1, 1}, func() error {
		_, err := b.market.Trade.SentOffers(ctx, b.Bob, 0, 60)
		return err
	})
	fresh := b.Ann
	fresh.SignedInAt = b.Clock.Now()
	_, secret, err := b.market.MakeToken(ctx, fresh, token.Draft{Name: "Bot", Scopes: token.Scopes, Days: 30})
	must(t, err)
	_, _, err = b.market.ByToken(ctx, secret) // stores the use
	must(t, err)
	b.costs("a token's check", bill{1, 1}, func() error {
		_, _, err := b.market.ByToken(ctx, secret)
		return err
	})
	b.costs("the inbox", bill{2, 2}, func() error {
		_, err := b.market.Notify.Notices(ctx, b.Ann, 0, 60)
		return err
	})
}

func TestAPageIsPlannedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	store := w.Another(postgres.Options{MaxConns: 1})
	market := market.New(store, market.Options{Now: w.Clock.Now})
	for _, sort := range match.Sorts {
		for name, f := range map[string]match.OrderFilter{
			"everything": {}, "a category": {Categories: []game.Category{"Chef"}}, "a common word": {Text: "common"}, "two of them": {Text: "common words"},
			"importance and level": {Importance: []game.Importance{game.High, game.Low}, Level: 300},
			"a wide price range":   {MinPrice: 1000, MaxPrice: 900_000},
		} {
			for _, deep := range []bool{false, true} {
				must(t, store.Pool().QueryRow(t.Context(), "select pg_backend_pid()").Scan(new(int)))
				before := plansMade(t, store)
				for i := range 8 {
					w.Clock.Forward(time.Millisecond)
					q := match.OrderQuery{OrderFilter: f, Sort: sort}
					if deep {
						after := match.CursorAt(sort, trade.Order{
							ID: core.OrderID(9_000 + 200*i), OrderDraft: trade.OrderDraft{MaxPrice: core.Copper(500_000 + 1000*i), Quantity: 300},
							CreatedAt: w.Clock.Now().Add(-time.Duration(8_000+100*i) * time.Minute),
							ExpiresAt: w.Clock.Now().Add(trade.OrderLifetime/4 + time.Duration(i)*time.Hour),
						})
						q.After = &after
					}
					_, err := market.Match.BrowseOrders(t.Context(), q)
					must(t, err)
				}
				if made := plansMade(t, store) - before; made > 0 {
					t.Errorf("%s by %s, deep %v: 8 pages were planned %d times for their values", name, sort, deep, made)
				}
			}
		}
	}
}

// plansMade is how many plans of pages the store's one connection has made for particular values.
func plansMade(t *testing.T, store *postgres.Store) (n int) {
	t.Helper()
	must(t, store.Pool().QueryRow(t.Context(),
		fmt.Sprintf("select coalesce(sum(custom_plans), 0) from pg_prepared_statements where statement like '%%limit %d'", core.PageSize+1)).Scan(&n))
	return n
}
