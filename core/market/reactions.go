package market

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// reactions apply the consequences of trade events, in order, in the same transaction. They only add. One
// may depend on the rows of those before it.
type reactions struct {
	*Market
	tx Tx
}

// reaction is one consequence of an event. It is passed over where its feature is off.
type reaction struct {
	feature bool // always, or a field of core.Features
	react   func() error
}

// always is the feature of a reaction that no market can turn off.
const always = true

func inOrder(all ...reaction) error {
	for _, r := range all {
		if !r.feature {
			continue
		}
		if err := r.react(); err != nil {
			return err
		}
	}
	return nil
}

func each(orders []trade.Order, react func(trade.Order) error) func() error {
	return func() error {
		for _, o := range orders {
			if err := react(o); err != nil {
				return err
			}
		}
		return nil
	}
}

// Posted asks the seller of stock first, then has watchers alerted, notes names of items and warns traders
// of names like theirs.
func (r reactions) Posted(ctx context.Context, p trade.Posting, now time.Time) error {
	return inOrder(
		reaction{r.Features.Stock, each(p.Orders, func(o trade.Order) error {
			return r.Match.AskFirst(ctx, r.tx, o, p.Asked, p.Items, now)
		})},
		reaction{r.Features.Alerts(), each(p.Orders, func(o trade.Order) error {
			return r.Match.AlertLater(ctx, r.tx, o, nil, now)
		})},
		reaction{r.Features.Items, each(p.Orders, func(o trade.Order) error {
			return r.Items.NoteName(ctx, r.tx, p.Items, o.ItemName, now)
		})},
		// The orders of a list have the same names: one notice is enough.
		reaction{always, func() error {
			return r.orderLookAlikes(ctx, r.tx, trade.Order{}, p.Orders[0], now)
		}},
	)
}

// Edited has watchers alerted to the order's changes, and warns traders of names like theirs.
func (r reactions) Edited(
	ctx context.Context, before, after trade.Order, alerts bool, now time.Time,
) error {
	return inOrder(
		reaction{r.Features.Alerts() && alerts, func() error {
			return r.Match.AlertLater(ctx, r.tx, after, &before.OrderDraft, now)
		}},
		reaction{always, func() error { return r.orderLookAlikes(ctx, r.tx, before, after, now) }},
	)
}

// Renewed has watchers alerted again.
func (r reactions) Renewed(ctx context.Context, o trade.Order, now time.Time) error {
	return inOrder(reaction{r.Features.Alerts(), func() error {
		return r.Match.AlertLater(ctx, r.tx, o, nil, now)
	}})
}

// OfferSent warns traders of names like theirs, and notifies the buyer. Beyond the seller's reach the buyer
// finds the offer, and gets no message of its own about it.
func (r reactions) OfferSent(
	ctx context.Context, o trade.Order, offer trade.Offer, seller trust.Reach, now time.Time,
) error {
	return inOrder(
		reaction{always, func() error { return r.offerLookAlikes(ctx, r.tx, o, offer, now) }},
		reaction{always, func() error {
			n := trade.OfferReceived(o, offer, now)
			if offer.Verified() && !seller.Covers(o.Owner, r.Quotas.Reach, now) {
				n = n.ForInbox(notify.BeyondReach)
			}
			return notify.AddNotices(ctx, r.tx, []notify.Notice{n})
		}},
	)
}

// Accepted plans the thread of the trade, notifies the seller, and the buyer of an order that is filled,
// and lowers the seller's stock. The thread is planned before the notices: a user without direct messages
// gets them there where possible.
func (r reactions) Accepted(
	ctx context.Context, a trade.Acceptance, items *items.Index, now time.Time,
) error {
	threads := r.Features.Threads && a.Offer.Verified()
	return inOrder(
		reaction{threads, func() error { return r.planThread(ctx, a, now) }},
		reaction{always, func() error { return r.notifyOfAccept(ctx, a, threads, now) }},
		reaction{r.Features.Stock, func() error {
			return r.Match.TakeStock(ctx, r.tx, a.Sale, items.Same(a.Order.ItemName))
		}},
	)
}

// Stands has an order that is open trade with listings that sell without asking.
func (r reactions) Stands(
	ctx context.Context, actor core.Actor, o trade.Order, items *items.Index, now time.Time,
) (trade.Crossed, error) {
	if !r.Features.Crossing || !o.Open(now) {
		return trade.Crossed{Order: o}, nil
	}
	return r.Match.CrossOrder(ctx, match.AskTx{Tx: r.tx, Happened: r}, actor, o, items, now)
}

// ListingStands has a listing trade with orders that take offers as they come.
func (r reactions) ListingStands(
	ctx context.Context, actor core.Actor, listing core.StockID, itemName string, items *items.Index,
	now time.Time,
) error {
	return inOrder(reaction{r.Features.Crossing, func() error {
		tx := match.AskTx{Tx: r.tx, Happened: r}
		_, err := r.Match.CrossListing(ctx, tx, actor, listing, itemName, items, now)
		return err
	}})
}

// Closed notifies the buyer of an order that was filled.
func (r reactions) Closed(ctx context.Context, o trade.Order, now time.Time) error {
	return inOrder(reaction{always, func() error {
		return notify.AddNotices(ctx, r.tx, trade.OrderFilled(o, 0, now))
	}})
}

// Reversed returns the sale's quantity to the seller's stock, also where stock was turned off since.
func (r reactions) Reversed(ctx context.Context, sale core.SaleID) error {
	return inOrder(reaction{always, func() error { return r.Match.ReturnStock(ctx, r.tx, sale) }})
}

func (r reactions) planThread(ctx context.Context, a trade.Acceptance, now time.Time) error {
	if err := r.tx.PlanTradeThread(ctx, a.Sale.ID, a.Order.ID, now); err != nil {
		return fmt.Errorf("plan the thread of sale %d: %w", a.Sale.ID, err)
	}
	return nil
}

// notifyOfAccept notifies the seller, and the buyer of a filled order. The buyer's notice names the sale when
// the thread shows it.
func (r reactions) notifyOfAccept(
	ctx context.Context, a trade.Acceptance, inThread bool, now time.Time,
) error {
	notices := trade.ToSeller(a.Order, a.Offer, notify.NoticeOfferAccepted, a.Sale.Quantity, "", now)
	if r.Features.Handover {
		for i := range notices {
			notices[i].Sale = a.Sale.ID
		}
	}
	filledBy := core.SaleID(0)
	if inThread {
		filledBy = a.Sale.ID
	}
	if a.Sale.Crossed != 0 {
		notices = trade.CrossingNotices(a, now)
	}
	if a.Order.Listing != 0 && a.Sale.Crossed != 0 { // its buyer has just bought all that it asks for
		return notify.AddNotices(ctx, r.tx, notices)
	}
	if a.Asked {
		return notify.AddNotices(ctx, r.tx, append(notices, trade.AskAccepted(a, now)))
	}
	return notify.AddNotices(ctx, r.tx, append(notices, trade.OrderFilled(a.Order, filledBy, now)...))
}
