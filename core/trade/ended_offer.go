package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// MayReturn decides whether a removed offer of the seller may be restored.
func (s Seller) MayReturn() error {
	var text core.Text
	switch {
	case s.Blocked:
		text = core.NewText("undo_seller_blocked")
	case s.BlockedByBuyer:
		text = core.NewText("undo_seller_not_accepted")
	case s.Offer != 0:
		text = core.NewText("undo_seller_offered_again")
	case s.Visitors >= core.LimitVisitorsHere.Limit:
		text = core.NewText("request_guest_offers_limit")
	default:
		return nil
	}
	return core.NewError(core.Conflict, text)
}

// EndedOffer is an offer as it was when it ended, as long as that can be undone.
type EndedOffer struct {
	Offer Offer
	State OfferState  // OfferAccepted, OfferDeclined or OfferWithdrawn
	By    core.UserID // who ended it
	At    time.Time
}

// AnsweredOffers describes the offers on an order before the present open ones.
type AnsweredOffers struct {
	Declined []EndedOffer // by the owner, latest first, as long as that can be undone
	Any      bool         // whether the order has received an offer; unknown once its notice is removed
}

// SaleUndo is the undo of one of the order's sales, by its buyer, and by its seller where it was made without
// asking either. An order that it filled is open again; one
// that was closed early stays closed.
func (o Order) SaleUndo(sale Sale, now time.Time) core.Undo {
	return core.Undo{
		Kind: core.UndoSale, ID: int64(sale.ID), By: undoesSale(o.Owner, sale.Seller, sale.Crossed),
		Until: sale.CreatedAt.Add(core.UndoWindow), Done: sale.Reversed, Acted: o.unfilled().mustBeOpen(now),
	}
}

// undoesSale returns the rule of the side that may undo a sale: the buyer, and the seller of a listing that
// sold without asking.
func undoesSale(buyer, seller core.UserID, crossed core.StockID) func(core.Actor) error {
	return func(by core.Actor) error {
		if crossed != 0 && by.MustBe(seller) == nil {
			return nil
		}
		return by.MustBe(buyer)
	}
}

// UndoSale returns the order after undoing a sale: the sold quantity is left to buy again. The sale stays,
// beside a row that reverses it. It returns the errors of SaleUndo.
func (o Order) UndoSale(sale Sale, by core.Actor, now time.Time) (Order, error) {
	if err := o.mayUndo(o.SaleUndo(sale, now), by, now); err != nil {
		return Order{}, err
	}
	return o.unfilled().sell(-sale.Quantity, now), nil
}

// unfilled is the order before a sale filled it; another order is as it is.
func (o Order) unfilled() Order {
	if o.CloseReason == Filled {
		return o.reopened()
	}
	return o
}

// mayUndo returns the error of an undo that concerns the order. A conflict shows the order as it is.
func (o Order) mayUndo(u core.Undo, by core.Actor, now time.Time) error {
	err := u.May(by, now)
	if core.KindOf(err) == core.Conflict {
		return withCurrent(err, o)
	}
	return err
}

// Undo is the undo of the offer's end, by the user who ended it.
func (e EndedOffer) Undo() core.Undo {
	return core.Undo{
		Kind: core.UndoOffer, ID: int64(e.Offer.ID), Until: e.At.Add(core.UndoWindow),
		By: func(by core.Actor) error {
			err := by.MustBeUser()
			if err == nil && e.By != by.UserID {
				err = core.NewError(core.Forbidden, core.NewText("undo_not_yours"))
			}
			return err
		},
	}
}

// Undo is the undo of withdrawing the offer, by its seller.
func (o SentOffer) Undo() core.Undo {
	u := EndedOffer{Offer: Offer{ID: o.ID}, By: o.Seller, At: o.UpdatedAt}.Undo()
	if o.State != OfferWithdrawn || o.OrderID == 0 {
		u.Acted = otherSideActed()
	}
	return u
}

// Reopen decides whether an ended offer may be open again, and who is notified. It returns the errors of its
// undo, and Conflict when the order takes no offers any more, or the seller has made another offer or may
// make none.
func (o Order) Reopen(
	ended EndedOffer, seller Seller, by core.Actor, now time.Time,
) ([]notify.Notice, error) {
	u := ended.Undo()
	if u.Acted = o.mustBeOpen(now); u.Acted == nil {
		u.Acted = seller.MayReturn()
	}
	if err := u.May(by, now); err != nil {
		return nil, err
	}
	return o.offerReopened(ended.Offer, by, now), nil
}

// offerReopened returns the notice for the other side that an offer is open again.
func (o Order) offerReopened(offer Offer, by core.Actor, now time.Time) []notify.Notice {
	if by.MustBe(o.Owner) == nil {
		return ToSeller(o, offer, notify.NoticeOfferReopened, offer.Quantity, "", now)
	}
	n := OfferReceived(o, offer, now)
	n.Kind = notify.NoticeOfferReopened
	return []notify.Notice{n}
}

// otherSideActed is why an accept cannot be undone: its offer did not stay as the accept left it.
func otherSideActed() error {
	return core.NewError(core.Conflict, core.NewText("undo_other_acted"))
}
