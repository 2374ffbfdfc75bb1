package market

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// reactions apply the consequences of trade events, in order, in the same transaction. They only add. A
// reaction is skipped when its feature is off.
type reactions struct {
	*Market
	tx Tx
}

// Posted asks the seller of stock first, then has watchers alerted, notes names of items and warns traders
// of names like theirs.
func (r reactions) Posted(ctx context.Context, p trade.Posting, now time.Time) error {
	for _, o := range p.Orders {
		if err := r.Match.AskFirst(ctx, r.tx, o, p.Asked, p.Items, now); err != nil {
			return err
		}
		if err := r.Match.AlertLater(ctx, r.tx, o, nil, now); err != nil {
			return err
		}
	}
	for _, o := range p.Orders {
		if err := r.Items.NoteName(ctx, r.tx, p.Items, o.ItemName, now); err != nil {
			return err
		}
	}
	// The orders of a list have the same names: one notice is enough.
	return r.orderLookAlikes(ctx, r.tx, trade.Order{}, p.Orders[0], now)
}

// Edited has watchers alerted to the order's changes, and warns traders of names like theirs.
func (r reactions) Edited(ctx context.Context, before, after trade.Order, now time.Time) error {
	if !after.OrderDraft.Equal(before.OrderDraft) {
		if err := r.Match.AlertLater(ctx, r.tx, after, &before.OrderDraft, now); err != nil {
			return err
		}
	}
	return r.orderLookAlikes(ctx, r.tx, before, after, now)
}

// Renewed has watchers alerted again.
func (r reactions) Renewed(ctx context.Context, o trade.Order, now time.Time) error {
	return r.Match.AlertLater(ctx, r.tx, o, nil, now)
}

// OfferSent warns traders of names like theirs, and notifies the buyer.
func (r reactions) OfferSent(ctx context.Context, o trade.Order, offer trade.Offer, now time.Time) error {
	if err := r.offerLookAlikes(ctx, r.tx, o, offer, now); err != nil {
		return err
	}
	return notify.AddNotices(ctx, r.tx, []notify.Notice{trade.OfferReceived(o, offer, now)})
}

// Accepted plans the thread of the trade, notifies the seller, and the buyer of an order that is filled,
// and lowers the seller's stock.
func (r reactions) Accepted(
	ctx context.Context, a trade.Acceptance, items *items.ItemIndex, now time.Time,
) error {
	filledBy := core.SaleID(0)
	if r.Features.Threads && a.Offer.Verified() {
		// Before the notices: a user without direct messages gets them in a thread where possible.
		if err := r.tx.PlanTradeThread(ctx, a.Sale.ID, a.Order.ID, now); err != nil {
			return fmt.Errorf("plan the thread of sale %d: %w", a.Sale.ID, err)
		}
		filledBy = a.Sale.ID
	}
	notices := trade.ToSeller(a.Order, a.Offer, notify.NoticeOfferAccepted, a.Sale.Quantity, "", now)
	if r.Features.Handover {
		for i := range notices {
			notices[i].Sale = a.Sale.ID
		}
	}
	if err := notify.AddNotices(ctx, r.tx,
		append(notices, trade.OrderFilled(a.Order, filledBy, now)...)); err != nil {
		return err
	}
	return r.Match.TakeStock(ctx, r.tx, a.Sale, items.Same(a.Order.ItemName))
}

// Closed notifies the buyer of an order that was filled.
func (r reactions) Closed(ctx context.Context, o trade.Order, now time.Time) error {
	return notify.AddNotices(ctx, r.tx, trade.OrderFilled(o, 0, now))
}
