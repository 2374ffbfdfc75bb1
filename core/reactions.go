package core

import (
	"context"
	"fmt"
	"time"
)

// reactions follow what happened, in order, in the same transaction. They only add. One whose feature is off is passed over.
type reactions struct {
	*Market
	tx Tx
}

// Posted asks the seller of stock first, then has watchers alerted, notes names of items and warns traders of names like theirs.
func (r reactions) Posted(ctx context.Context, p Posting, now time.Time) error {
	for _, o := range p.Orders {
		if err := r.askFirst(ctx, r.tx, o, p.Asked, p.Items, now); err != nil {
			return err
		}
		if err := r.alertLater(ctx, r.tx, o, nil, now); err != nil {
			return err
		}
	}
	for _, o := range p.Orders {
		if err := r.noteName(ctx, r.tx, p.Items, o.ItemName, now); err != nil {
			return err
		}
	}
	// The orders of a list have the same names: one notice is enough.
	return r.orderLookAlikes(ctx, r.tx, Order{}, p.Orders[0], now)
}

// Edited has watchers alerted to what is new in the order, and warns traders of names like theirs.
func (r reactions) Edited(ctx context.Context, before, after Order, now time.Time) error {
	if !after.OrderDraft.Equal(before.OrderDraft) {
		if err := r.alertLater(ctx, r.tx, after, &before.OrderDraft, now); err != nil {
			return err
		}
	}
	return r.orderLookAlikes(ctx, r.tx, before, after, now)
}

// Renewed has watchers alerted again.
func (r reactions) Renewed(ctx context.Context, o Order, now time.Time) error {
	return r.alertLater(ctx, r.tx, o, nil, now)
}

// OfferSent warns traders of names like theirs, and notifies the buyer.
func (r reactions) OfferSent(ctx context.Context, o Order, offer Offer, now time.Time) error {
	if err := r.offerLookAlikes(ctx, r.tx, o, offer, now); err != nil {
		return err
	}
	return addNotices(ctx, r.tx, []Notice{offerReceived(o, offer, now)})
}

// Accepted plans the thread of the trade, notifies the seller, and the buyer of an order that is filled, and lowers the seller's stock.
func (r reactions) Accepted(ctx context.Context, a Acceptance, items *ItemIndex, now time.Time) error {
	filledBy := SaleID(0)
	if r.features.Threads && a.Offer.Verified() {
		// Before the notices: a user whom no direct message reaches gets those that a thread can tell.
		if err := r.tx.PlanTradeThread(ctx, a.Sale.ID, a.Order.ID, now); err != nil {
			return fmt.Errorf("plan the thread of sale %d: %w", a.Sale.ID, err)
		}
		filledBy = a.Sale.ID
	}
	notices := toSeller(a.Order, a.Offer, NoticeOfferAccepted, a.Sale.Quantity, "", now)
	if r.features.Handover {
		for i := range notices {
			notices[i].Sale = a.Sale.ID
		}
	}
	if err := addNotices(ctx, r.tx, append(notices, orderFilled(a.Order, filledBy, now)...)); err != nil {
		return err
	}
	return r.takeStock(ctx, r.tx, a.Sale, items.Same(a.Order.ItemName))
}

// Filled notifies the buyer.
func (r reactions) Filled(ctx context.Context, o Order, now time.Time) error {
	return addNotices(ctx, r.tx, orderFilled(o, 0, now))
}
