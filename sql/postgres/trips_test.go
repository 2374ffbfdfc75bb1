package postgres_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
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
	m := core.New(w.Another(postgres.Options{Tracer: counted, MaxConns: 1}), core.Options{Now: w.Clock.Now})
	ctx := t.Context()
	var order core.Order
	var first, second, third core.Offer
	offer := func(by core.Actor) (core.Offer, error) {
		sent, err := m.SendOffer(ctx, by, order.ID, core.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: 3})
		return sent.Offer, err
	}
	draft := core.OrderDraft{ItemName: "Iron", Quantity: 10, MaxPrice: 5, BuyerContact: "ann"}
	other := draft
	other.Quantity = 11
	// Statements are prepared and River gets to know the server.
	warm := w.Post(w.Ann)
	_, err := m.SendOffer(ctx, w.Bob, warm.ID, core.OfferDraft{SellerName: "s", Message: "m", Quantity: 3})
	must(t, err)
	if _, err := m.AcceptOffer(ctx, storetest.Keyed(w.Ann, "warm"), 1, 1); err != nil {
		must(t, err)
	}

	for _, tt := range []struct {
		name string
		most int64
		do   func() error
	}{
		{"post", 2, func() (err error) { order, err = m.PostOrder(ctx, w.Ann, draft); return err }},
		{"post, with a key", 2, func() error { _, err := m.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), other); return err }},
		{"the same again", 3, func() error { _, err := m.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), other); return err }},
		{"a visitor's offer", 3, func() (err error) { first, err = offer(core.Actor{Address: "::1"}); return err }},
		{"a user's offer", 3, func() (err error) { second, err = offer(w.Bob); return err }},
		{"another user's, with a key", 3, func() (err error) { third, err = offer(storetest.Keyed(w.Cat, "offer")); return err }},
		{"accept", 2, func() error { _, err := m.AcceptOffer(ctx, w.Ann, second.ID, 1); return err }},
		{"accept, with a key", 2, func() error { _, err := m.AcceptOffer(ctx, storetest.Keyed(w.Ann, "a"), third.ID, 1); return err }},
		{"accept a visitor's", 2, func() error { _, err := m.AcceptOffer(ctx, w.Ann, first.ID, 1); return err }},
		{"log a sale", 2, func() error { _, err := m.LogSale(ctx, w.Ann, order.ID, core.SaleDraft{Quantity: 1}); return err }},
		{"edit", 3, func() error {
			more := 20
			_, err := m.EditOrder(ctx, w.Ann, order.ID, core.OrderEdit{Version: 5, Quantity: &more})
			return err
		}},
		{"a failed accept", 2, func() error { // the second is the rollback
			if _, err := m.AcceptOffer(ctx, w.Ann, second.ID, 100); core.KindOf(err) != core.Invalid {
				return err
			}
			return nil
		}},
		{"sign in again", 1, func() error {
			_, err := m.SignIn(ctx, core.Profile{DiscordID: "1ann", Username: "ann", DisplayName: "ANN"})
			return err
		}},
		{"read an order as its buyer", 2, func() error { _, err := m.Order(ctx, w.Ann, order.ID); return err }},
		{"my requests", 1, func() error { _, err := m.OwnOrders(ctx, w.Ann, core.OrderQuery{}); return err }},
	} {
		before := counted.n.Load()
		must(t, tt.do())
		if n := counted.n.Load() - before; n != tt.most {
			t.Errorf("%s took %d round trips, want %d", tt.name, n, tt.most)
		}
	}
	w.CheckInvariants()
}
