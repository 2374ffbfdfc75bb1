package postgres_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// trips counts the round trips to the server, as the statements or batches that are sent.
type trips struct{ n atomic.Int64 }

func (r *trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	r.n.Add(1)
	return ctx
}
func (r *trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (r *trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

func (r *trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if !strings.Contains(data.SQL, "pg_notify") { // notifications go beside the writes
		r.n.Add(1)
	}
	return ctx
}
func (r *trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func TestWritesMakeFewRoundTrips(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	counted := &trips{}
	m := market.New(w.Another(postgres.Options{Tracer: counted, MaxConns: 1}), market.Options{Now: w.Clock.Now})
	ctx := t.Context()
	var order trade.Order
	var first, second, third trade.Offer
	offer := func(by core.Actor) (trade.Offer, error) {
		sent, err := m.Trade.SendOffer(ctx, by, order.ID, trade.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: 3})
		return sent.Offer, err
	}
	draft := trade.OrderDraft{ItemName: "Iron", Quantity: 10, MaxPrice: 5, BuyerContact: "ann"}
	other := draft
	other.Quantity = 11
	// Statements are prepared and River gets to know the server.
	warm := w.Post(w.Ann)
	_, err := m.Trade.SendOffer(ctx, w.Bob, warm.ID, trade.OfferDraft{SellerName: "s", Message: "m", Quantity: 3})
	must(t, err)
	if _, err := m.Trade.AcceptOffer(ctx, storetest.Keyed(w.Ann, "warm"), 1, 1); err != nil {
		must(t, err)
	}

	for _, tt := range []struct {
		name string
		most int64
		do   func() error
	}{
		{"post", 2, func() (err error) { order, err = m.Trade.PostOrder(ctx, w.Ann, draft); return err }},
		{"post, with a key", 2, func() error { _, err := m.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), other); return err }},
		{"the same again", 3, func() error { _, err := m.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), other); return err }},
		{"a visitor's offer", 3, func() (err error) { first, err = offer(core.Actor{Address: "::1"}); return err }},
		{"a user's offer", 3, func() (err error) { second, err = offer(w.Bob); return err }},
		{"another user's, with a key", 3, func() (err error) { third, err = offer(storetest.Keyed(w.Cat, "offer")); return err }},
		{"accept", 2, func() error { _, err := m.Trade.AcceptOffer(ctx, w.Ann, second.ID, 1); return err }},
		{"accept, with a key", 2, func() error { _, err := m.Trade.AcceptOffer(ctx, storetest.Keyed(w.Ann, "a"), third.ID, 1); return err }},
		{"accept a visitor's", 2, func() error { _, err := m.Trade.AcceptOffer(ctx, w.Ann, first.ID, 1); return err }},
		{"log a sale", 2, func() error {
			_, err := m.Trade.LogSale(ctx, w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
			return err
		}},
		{"edit", 3, func() error {
			more := 20
			_, err := m.Trade.EditOrder(ctx, w.Ann, order.ID, trade.OrderEdit{Version: 5, Quantity: &more})
			return err
		}},
		{"a failed accept", 2, func() error { // the second is the rollback
			if _, err := m.Trade.AcceptOffer(ctx, w.Ann, second.ID, 100); core.KindOf(err) != core.Invalid {
				return err
			}
			return nil
		}},
		{"sign in again", 1, func() error {
			_, err := m.People.SignIn(ctx, people.Profile{DiscordID: "1ann", Username: "ann", DisplayName: "ANN"})
			return err
		}},
		{"read an order as its buyer", 2, func() error { _, err := m.Trade.Order(ctx, w.Ann, order.ID); return err }},
		{"my requests", 1, func() error { _, err := m.Match.OwnOrders(ctx, w.Ann, match.OrderQuery{}); return err }},
	} {
		before := counted.n.Load()
		must(t, tt.do())
		if n := counted.n.Load() - before; n != tt.most {
			t.Errorf("%s took %d round trips, want %d", tt.name, n, tt.most)
		}
	}
	w.CheckInvariants()
}
