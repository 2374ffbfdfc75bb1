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
		text = core.NewText("undo_seller_blocked", "The seller is blocked. Unblock them first.")
	case s.BlockedByBuyer:
		text = core.NewText("undo_seller_not_accepted", "The buyer does not accept offers from this seller")
	case s.Offer != 0:
		text = core.NewText("undo_seller_offered_again",
			"The seller has made another offer on this request since")
	case s.Visitors >= MaxVisitorOffers:
		text = core.NewText("request_guest_offers_limit",
			"This request has as many offers of visitors as it can have")
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

// UndoSale returns the order after undoing a sale: the sold quantity is left to buy again, and an order that
// was filled is open again. The sale stays, beside a row that reverses it. It returns Forbidden unless the
// actor is the buyer, and Conflict when it is too late, the sale was undone already, the order was closed
// early, or its time is over.
func (o Order) UndoSale(sale Sale, by core.Actor, now time.Time) (Order, error) {
	if err := by.MustBe(o.Owner); err != nil {
		return Order{}, err
	}
	if sale.Reversed {
		return Order{}, conflict(core.NewText("undo_done", "This was undone already"), o)
	}
	if err := mayUndo(sale.CreatedAt, now); err != nil {
		return Order{}, err
	}
	if o.CloseReason == Filled {
		o = o.reopened()
	}
	if err := o.mustBeOpen(now); err != nil {
		return Order{}, err
	}
	return o.sell(-sale.Quantity, now), nil
}

// Reopen decides whether an ended offer may be open again, and who is notified. It returns
// Forbidden unless the actor ended it, and Conflict when it is too late, the order takes no offers
// any more, or the seller has made another offer or may make none.
func (o Order) Reopen(
	ended EndedOffer, seller Seller, by core.Actor, now time.Time,
) ([]notify.Notice, error) {
	if err := by.MustBeUser(); err != nil {
		return nil, err
	}
	if ended.By != by.UserID {
		return nil, core.NewError(core.Forbidden,
			core.NewText("undo_not_yours", "Only the user who did this can undo it"))
	}
	if err := mayUndo(ended.At, now); err != nil {
		return nil, err
	}
	if err := o.mustBeOpen(now); err != nil {
		return nil, err
	}
	if err := seller.MayReturn(); err != nil {
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

func mayUndo(at, now time.Time) error {
	if now.Before(at.Add(core.UndoWindow)) {
		return nil
	}
	return core.NewError(core.Conflict, core.NewText("undo_too_late",
		"This can only be undone within %d minutes", int(core.UndoWindow/time.Minute)))
}

// otherSideActed is why an accept cannot be undone: its offer did not stay as the accept left it.
func otherSideActed() error {
	return core.NewError(core.Conflict, core.NewText("undo_other_acted",
		"The offer has changed since. This can't be undone any more."))
}
