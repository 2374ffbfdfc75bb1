package trade

import (
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
			why.String(), now)...)
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
				LapsedBlocked.String(), now)...)
		default:
			notices = append(notices, ToSeller(c.Order, offer, notify.NoticeOfferLapsed, offer.Quantity,
				lapsedClosed.String(), now)...)
		}
	}
	return back, notices
}

// CloseUndo is the undo of the buyer's closing. What filled an order is undone instead.
func (o Order) CloseUndo(now time.Time) core.Undo {
	u := core.Undo{
		Kind: core.UndoClose, ID: int64(o.ID), By: func(by core.Actor) error { return by.MustBe(o.Owner) },
		Until: o.ClosedAt.Add(core.UndoWindow), Done: o.Status == Active,
		Acted: o.reopened().mustBeOpen(now),
	}
	if o.CloseReason == Filled {
		u.Until, u.Acted = time.Time{}, core.NewError(core.Conflict, core.NewText("undo_filled"))
	}
	return u
}

// UndoClose returns the order after undoing the buyer's closing. It returns the errors of CloseUndo.
func (o Order) UndoClose(by core.Actor, now time.Time) (Order, error) {
	if err := o.mayUndo(o.CloseUndo(now), by, now); err != nil {
		return Order{}, err
	}
	return o.reopened().changed(now), nil
}

// reopened is the order before it was closed.
func (o Order) reopened() Order {
	o.Status, o.CloseReason, o.ClosedAt = Active, NotClosed, time.Time{}
	return o
}
