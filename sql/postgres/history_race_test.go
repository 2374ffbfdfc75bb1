package postgres_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/invariants"
)

// deed is something that one of many people does at the same time.
type deed struct {
	what  string
	who   core.Actor
	on    core.OrderID
	offer core.OfferID
	n     int
	from  int // the version an edit is made from
}

// outcome is what came of a deed.
type outcome struct {
	deed
	order trade.Order // as answered, for deeds that change it
	err   error
}

// Concurrent writes have no predictable order. But every change to an order counts its version up,
// so afterwards there is one: replayed by version, each answer has to be the model's.
func TestRandomHistoriesAtOnceHappenedOneAfterAnother(t *testing.T) {
	inLanes(t, 20, func(rt *rapid.T, w *world) {
		h := newHistory(rt, w)
		for range 2 {
			h.postOne(rt)
		}
		for range 4 {
			h.offerOne(rt)
		}
		deeds := rapid.SliceOfN(rapid.Custom(h.deed), 4, 12).Draw(rt, "deeds")
		outcomes := make([]outcome, len(deeds))
		atOnce(len(deeds), func(i int) error {
			outcomes[i] = h.do(deeds[i])
			return nil
		})
		h.replay(rt, outcomes)
		violations, err := invariants.Check(context.Background(), w.Store.Pool())
		if err != nil || len(violations) > 0 {
			rt.Fatalf("violated invariants: %v, %v", violations, err)
		}
		h.leave(rt)
	})
}

func (h *history) postOne(rt *rapid.T) {
	n := rapid.IntRange(1, 8).Draw(rt, "quantity")
	draft := trade.OrderDraft{ItemName: "Thing", Quantity: n, MaxPrice: 5, BuyerContact: "b", Description: storetest.Lot()}
	o, err := h.w.Trade.PostOrder(context.Background(), h.people[0], draft)
	agree(rt, "post", err, 0)
	h.m.post(o.ID, o.Owner, n, 5)
	h.orders = append(h.orders, o.ID)
}

func (h *history) offerOne(rt *rapid.T) {
	by := h.people[rapid.IntRange(1, 3).Draw(rt, "seller")]
	on := rapid.SampledFrom(h.orders).Draw(rt, "on")
	n := rapid.IntRange(1, h.m.orders[on].quantity).Draw(rt, "offered")
	answer, err := h.w.Trade.SendOffer(context.Background(), by, on, trade.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: n})
	agree(rt, "offer", err, 0)
	h.m.offered(answer.Offer.ID, on, by.UserID, n)
	h.offers = append(h.offers, answer.Offer.ID)
}

func (h *history) deed(rt *rapid.T) deed {
	d := deed{
		what: rapid.SampledFrom([]string{
			"accept", "accept", "accept", "accept", "sell", "sell", "edit", "offer", "remove", "close", "renew", "delete",
		}).Draw(rt, "what"),
		who: h.people[0], on: rapid.SampledFrom(h.orders).Draw(rt, "order"), offer: rapid.SampledFrom(h.offers).Draw(rt, "offer"),
		n: rapid.IntRange(1, 4).Draw(rt, "n"), from: rapid.IntRange(1, 3).Draw(rt, "from"),
	}
	if d.what == "offer" {
		d.who = h.people[rapid.IntRange(1, 3).Draw(rt, "seller")]
	}
	if rapid.Bool().Draw(rt, "keyed") {
		d.who.Key = fmt.Sprintf("%d %s %d %d %d %d", h.people[0].UserID, d.what, d.on, d.offer, d.n, d.from)
	}
	return d
}

func (h *history) do(d deed) outcome {
	ctx, o := context.Background(), outcome{deed: d}
	switch d.what {
	case "accept":
		var done trade.Acceptance
		done, o.err = h.w.Trade.AcceptOffer(ctx, d.who, d.offer, d.n)
		o.order = done.Order
	case "sell":
		var logged trade.LogSaleResult
		logged, o.err = h.w.Trade.LogSale(ctx, d.who, d.on, trade.SaleDraft{Quantity: d.n})
		o.order = logged.Order
	case "edit":
		o.order, o.err = h.w.Trade.EditOrder(ctx, d.who, d.on, trade.OrderEdit{Version: d.from, Quantity: &d.n})
	case "close":
		o.order, o.err = h.w.Trade.CloseOrder(ctx, d.who, d.on)
	case "renew":
		o.order, o.err = h.w.Trade.RenewOrder(ctx, d.who, d.on)
	case "delete":
		o.err = h.w.Trade.DeleteOrder(ctx, d.who, d.on)
	case "remove":
		o.err = h.w.Trade.DeleteOffer(ctx, d.who, d.offer)
	case "offer":
		_, o.err = h.w.Trade.SendOffer(ctx, d.who, d.on, trade.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: d.n})
	}
	return o
}

// replay does to the model, by version, what changed an order, and compares each answer and the end.
func (h *history) replay(rt *rapid.T, outcomes []outcome) {
	slices.SortFunc(outcomes, func(a, b outcome) int { return cmp.Compare(a.order.Version, b.order.Version) })
	done := map[string]bool{}
	deleted := map[core.OrderID]bool{}
	for _, o := range outcomes {
		switch kind := core.KindOf(o.err); {
		case o.err != nil && kind == 0, kind == core.Unavailable, kind == core.Unauthenticated:
			rt.Fatalf("%s failed: %v", o.what, o.err)
		case o.err != nil, o.what == "remove", o.what == "offer":
			continue
		case o.what == "delete":
			deleted[o.on] = true
			continue
		}
		if key := o.who.Key; key != "" {
			if done[key] {
				continue // the same deed twice under one key: it has the effect of one
			}
			done[key] = true
		}
		h.redo(rt, o)
	}
	for _, id := range h.orders {
		stored, err := h.w.Store.Order(context.Background(), id)
		if deleted[id] {
			agree(rt, "read a deleted order", err, core.NotFound)
			continue
		}
		agree(rt, "read an order", err, 0)
		h.same(rt, "in the end", stored)
	}
}

func (h *history) redo(rt *rapid.T, o outcome) {
	id, by := o.order.ID, h.people[0].UserID
	var refused core.ErrorKind
	switch o.what {
	case "accept":
		refused = h.m.accept(o.offer, by, o.n)
	case "sell":
		refused = h.m.sell(id, by, o.n)
	case "edit":
		refused = h.m.edit(id, by, o.from, o.n, h.m.orders[id].price)
	case "close":
		refused = h.m.close(id, by)
	case "renew":
		refused = h.m.renew(id, by)
	}
	if refused != 0 {
		rt.Fatalf("%s made version %d of order %d; the model refuses it as %s", o.what, o.order.Version, id, refused)
	}
	h.same(rt, o.what, o.order)
}

func (h *history) same(rt *rapid.T, when string, o trade.Order) {
	m := h.m.orders[o.ID]
	want := fmt.Sprint(m.version, m.quantity, m.sold, m.status, m.reason)
	if got := fmt.Sprint(o.Version, o.Quantity, o.Sold, o.Status, o.CloseReason); got != want {
		rt.Fatalf("order %d, %s: %s, the model says %s", o.ID, when, got, want)
	}
}
