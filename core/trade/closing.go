package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// Closing is an order that was closed, as long as that can be undone. The sellers of the offers that lapsed
// with it are notified when it ends: UndoWindow later, or when the order is deleted or removed.
type Closing struct {
	ID     core.ClosingID
	Order  Order // as it is now; without more than its name once it is deleted
	Reason CloseReason
	At     time.Time
	Offers []Offer // that lapsed with it, in the order of their numbers
}

// notices returns the notices for the sellers of lapsed offers.
func (c Closing) notices(now time.Time) (notices []notify.Notice) {
	why := lapsedClosed
	if c.Reason == Filled {
		why = lapsedFilled
	}
	for _, offer := range c.Offers {
		notices = append(notices, ToSeller(c.Order, offer, notify.NoticeOfferLapsed, offer.Quantity,
			why.English, now)...)
	}
	return notices
}

// reopen decides which of the offers return with the order. Offers of a seller who may not offer on it any
// more stay lapsed, and the seller is notified. A seller who has deleted their account is not among sellers:
// their offer is gone.
func (c Closing) reopen(
	sellers map[core.UserID]Seller, now time.Time,
) (back []Offer, notices []notify.Notice) {
	for _, offer := range c.Offers {
		if !offer.Verified() {
			back = append(back, offer)
			continue
		}
		seller, known := sellers[offer.Seller]
		switch {
		case !known:
		case seller.MayReturn() == nil:
			back = append(back, offer)
		case seller.Blocked:
			notices = append(notices, ToSeller(c.Order, offer, notify.NoticeOfferLapsed, offer.Quantity,
				LapsedBlocked.English, now)...)
		default:
			notices = append(notices, ToSeller(c.Order, offer, notify.NoticeOfferLapsed, offer.Quantity,
				lapsedClosed.English, now)...)
		}
	}
	return back, notices
}

// NotifyClosings ends closings that can no longer be undone, and notifies the sellers of lapsed offers. One
// replica runs it periodically; it returns how many it processed, fewer than limit when nothing is left to
// do or another replica does it.
func (m *offerActs) NotifyClosings(ctx context.Context, limit int) (ended int, err error) {
	err = m.run.Atomically(ctx, func(tx Tx) error {
		now := m.now()
		closings, err := tx.TakeClosings(ctx, now.Add(-core.UndoWindow), limit)
		if err != nil {
			return fmt.Errorf("take closings: %w", err)
		}
		ended = len(closings)
		var notices []notify.Notice
		for _, c := range closings {
			notices = append(notices, c.notices(now)...)
		}
		return notify.AddNotices(ctx, tx, notices)
	})
	return ended, err
}

// endClosing ends the closing of a locked order that is about to go, and returns the notices that it owes.
func endClosing(ctx context.Context, tx Tx, order Order, now time.Time) ([]notify.Notice, error) {
	if order.Status != Fulfilled {
		return nil, nil
	}
	closing, err := tx.TakeClosing(ctx, order)
	if core.KindOf(err) == core.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("take closing of order %d: %w", order.ID, err)
	}
	return closing.notices(now), nil
}

// UndoClose returns the order after undoing the buyer's closing. It returns Forbidden unless the actor is
// the buyer, and Conflict when it is too late, the order is open or was filled, or its time is over.
func (o Order) UndoClose(by core.Actor, now time.Time) (Order, error) {
	if err := by.MustBe(o.Owner); err != nil {
		return Order{}, err
	}
	switch {
	case o.Status == Active:
		return Order{}, conflict(core.NewText("undo_done", "This was undone already"), o)
	case o.CloseReason == Filled:
		return Order{}, conflict(core.NewText("undo_filled",
			"This request was filled. Undo the sale that filled it."), o)
	}
	if err := mayUndo(o.ClosedAt, now); err != nil {
		return Order{}, err
	}
	o = o.reopened()
	if err := o.mustBeOpen(now); err != nil {
		return Order{}, err
	}
	return o.changed(now), nil
}

// reopened is the order before it was closed.
func (o Order) reopened() Order {
	o.Status, o.CloseReason, o.ClosedAt = Active, NotClosed, time.Time{}
	return o
}

// UndoClose undoes the closing of an order of the actor's within UndoWindow: it is open again, with the
// offers that lapsed. It returns Conflict when it cannot be undone any more or the buyer has an equal
// request open, TooMany when they have as many open as their quota allows, Forbidden and NotFound.
func (m *offerActs) UndoClose(ctx context.Context, actor core.Actor, id core.OrderID) (Order, error) {
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	return core.Write(ctx, m.run, actor, "undo close", id, func(tx Tx, now time.Time) (Order, error) {
		closed, err := tx.LockOrder(ctx, id)
		if err != nil {
			return Order{}, fmt.Errorf("undo close of order %d: %w", id, err)
		}
		order, err := closed.UndoClose(actor, now)
		if err != nil {
			return Order{}, err
		}
		if err := m.reopen(ctx, tx, actor, closed, order, now); err != nil {
			return Order{}, err
		}
		if err := m.saveOrder(ctx, tx, order, now); err != nil {
			return Order{}, err
		}
		return order, m.notify.RedrawOffers(ctx, tx, actor, order.ID, now)
	})
}

// reopen restores the offers that lapsed with the closing of a locked order. The caller saves the order.
func (m *offerActs) reopen(
	ctx context.Context, tx Tx, actor core.Actor, closed, order Order, now time.Time,
) error {
	closing, err := tx.LockClosing(ctx, closed)
	if core.KindOf(err) == core.NotFound {
		return conflict(core.NewText("undo_closing_gone", "This can't be undone any more"), closed)
	}
	if err != nil {
		return fmt.Errorf("closing of order %d: %w", order.ID, err)
	}
	buyer, err := m.lockBuyer(ctx, tx, actor, order, now)
	if err != nil {
		return err
	}
	if err := mayOpen(m.quotas, buyer); err != nil {
		return err
	}
	var ids []core.UserID
	for _, offer := range closing.Offers {
		if offer.Verified() {
			ids = append(ids, offer.Seller)
		}
	}
	sellers, err := tx.LockSellers(ctx, order, ids)
	if err != nil {
		return fmt.Errorf("sellers on order %d: %w", order.ID, err)
	}
	closing.Order = order
	back, notices := closing.reopen(sellers, now)
	if err := tx.Reopen(ctx, closing, back, now); err != nil {
		return fmt.Errorf("reopen order %d: %w", order.ID, err)
	}
	return notify.AddNotices(ctx, tx, notices)
}
