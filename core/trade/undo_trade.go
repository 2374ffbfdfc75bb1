package trade

import (
	"context"
	"fmt"
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

// UndoSale undoes an accept or a logged sale of the actor's within UndoWindow. The accepted quantity is
// offered again, and its seller is notified. An order that was filled is open again, with the offers that
// lapsed. It returns Conflict when it cannot be undone any more, Forbidden and NotFound, and for an order
// that was filled the errors of UndoClose.
func (m *offerActs) UndoSale(ctx context.Context, actor core.Actor, id core.SaleID) (Order, error) {
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	return core.Write(ctx, m.run, actor, "undo sale", id, func(tx Tx, now time.Time) (Order, error) {
		before, sale, err := tx.LockSale(ctx, id)
		if err != nil {
			return Order{}, fmt.Errorf("undo sale %d: %w", id, err)
		}
		order, err := before.UndoSale(sale, actor, now)
		if err != nil {
			return Order{}, err
		}
		if err := m.nobodyHasSaid(ctx, tx, id); err != nil {
			return Order{}, err
		}
		if before.Status == Fulfilled {
			if err := m.reopen(ctx, tx, actor, before, order, now); err != nil {
				return Order{}, err
			}
		}
		if err := tx.AddReversal(ctx, sale, actor.UserID, now); err != nil {
			return Order{}, fmt.Errorf("reverse sale %d: %w", id, err)
		}
		if sale.Offer != 0 {
			if err := m.offerAgain(ctx, tx, order, sale, now); err != nil {
				return Order{}, err
			}
		}
		changed := []core.OfferID{sale.Offer}
		if before.Status == Fulfilled {
			changed = nil // all are open again
		}
		if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, changed...); err != nil {
			return Order{}, err
		}
		return order, m.saveOrder(ctx, tx, order, now)
	})
}

// offerAgain gives the accepted quantity back to an offer.
func (m *offerActs) offerAgain(ctx context.Context, tx Tx, order Order, sale Sale, now time.Time) error {
	_, offer, err := tx.LockOffer(ctx, sale.Offer)
	switch {
	case err == nil:
		offer.Quantity += sale.Quantity
		err = tx.SaveOffer(ctx, offer)
	case core.KindOf(err) == core.NotFound:
		var ended EndedOffer
		if ended, err = tx.EndedOffer(ctx, sale.Offer); core.KindOf(err) == core.NotFound || err == nil &&
			ended.State != OfferAccepted {
			return otherSideActed()
		}
		if err != nil {
			return err
		}
		var seller Seller
		if seller, err = m.sellerOf(ctx, tx, order, ended.Offer); err != nil {
			return err
		}
		if err := seller.MayReturn(); err != nil {
			return err
		}
		offer = ended.Offer
		offer.Quantity = sale.Quantity
		err = tx.ReopenOffer(ctx, ended, offer.Quantity, now)
	}
	if err != nil {
		return fmt.Errorf("offer %d again: %w", sale.Offer, err)
	}
	if offer.Verified() {
		if err := tx.TakeBackAccepted(ctx, offer.ID, sale.Quantity, now); err != nil {
			return fmt.Errorf("take back from offer %d: %w", offer.ID, err)
		}
	}
	return notify.AddNotices(ctx, tx, ToSeller(order, offer, notify.NoticeOfferReopened, sale.Quantity,
		"", now))
}

// UndoOffer undoes that the actor declined or withdrew an offer, within UndoWindow: it is open
// again under its number, and the other side is notified. It returns Conflict when it cannot be
// undone any more, Forbidden and NotFound.
func (m *offerActs) UndoOffer(ctx context.Context, actor core.Actor, id core.OfferID) error {
	if err := actor.MayTrade(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "undo offer", id, func(tx Tx, now time.Time) (struct{}, error) {
		known, err := tx.EndedOffer(ctx, id)
		if err == nil && known.State == OfferAccepted {
			err = core.NewError(core.NotFound, core.NewText("offer_gone", "That offer is no longer here"))
		}
		if err != nil {
			return struct{}{}, fmt.Errorf("undo end of offer %d: %w", id, err)
		}
		order, err := tx.LockOrder(ctx, known.Offer.OrderID)
		if err != nil {
			return struct{}{}, fmt.Errorf("undo end of offer %d: %w", id, err)
		}
		ended, err := tx.EndedOffer(ctx, id)
		if core.KindOf(err) == core.NotFound { // undone while the order was locked by another
			err = conflict(core.NewText("undo_done", "This was undone already"), order)
		}
		if err != nil {
			return struct{}{}, err
		}
		seller, err := m.sellerOf(ctx, tx, order, ended.Offer)
		if err != nil {
			return struct{}{}, err
		}
		notices, err := order.Reopen(ended, seller, actor, now)
		if err != nil {
			return struct{}{}, err
		}
		// Before ReopenOffer, which parts the notices of the end from the offer.
		retold := false
		if ended.State == OfferDeclined {
			if retold, err = tx.RetellDeclined(ctx, ended.Offer); err != nil {
				return struct{}{}, fmt.Errorf("notice of declined offer %d: %w", id, err)
			}
		}
		if err := tx.ReopenOffer(ctx, ended, ended.Offer.Quantity, now); err != nil {
			return struct{}{}, fmt.Errorf("reopen offer %d: %w", id, err)
		}
		if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, id); err != nil {
			return struct{}{}, err
		}
		if retold {
			return struct{}{}, nil // the seller hears of it in one message
		}
		return struct{}{}, notify.AddNotices(ctx, tx, notices)
	})
	return err
}

// sellerOf returns the facts that decide whether an ended offer may be reopened on a locked order.
func (m *offerActs) sellerOf(
	ctx context.Context, tx Tx, order Order, offer Offer,
) (seller Seller, err error) {
	if offer.Verified() {
		seller, err = tx.LockSeller(ctx, order, offer.Seller, m.quotas)
	} else {
		seller.Visitors, err = tx.CountVisitorOffers(ctx, order.ID)
	}
	if err != nil {
		return Seller{}, fmt.Errorf("seller of offer %d: %w", offer.ID, err)
	}
	return seller, nil
}
