package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
)

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

// UndoClose undoes the closing of an order of the actor's within UndoWindow: it is open again, with the
// offers that lapsed. It returns Conflict when it cannot be undone any more or the buyer has an equal
// request open, TooMany when they have as many open as their quota allows, Forbidden and NotFound.
func (m *offerActs) UndoClose(ctx context.Context, actor core.Actor, id core.OrderID) (Order, error) {
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	index := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	return core.Write(ctx, m.trades, actor, "undo close", id, func(tx Scope, now time.Time) (Order, error) {
		if err := m.lockForOrder(ctx, tx, id, ToCross{}, index, now); err != nil {
			return Order{}, err
		}
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
		if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now); err != nil {
			return Order{}, err
		}
		crossed, err := tx.Stands(ctx, actor, order, index, now)
		return crossed.Order, err
	})
}

// reopen restores the offers that lapsed with the closing of a locked order. The caller saves the order.
func (m *offerActs) reopen(
	ctx context.Context, tx Tx, actor core.Actor, closed, order Order, now time.Time,
) error {
	closing, err := tx.LockClosing(ctx, closed)
	if core.KindOf(err) == core.NotFound {
		return conflict(core.NewText("undo_closing_gone"), closed)
	}
	if err != nil {
		return fmt.Errorf("closing of order %d: %w", order.ID, err)
	}
	buyer, err := m.lockBuyer(ctx, tx, actor, order, now)
	if err == nil {
		err = mayOpen(m.quotas, buyer)
	}
	// An ask is no request that others see: none equals it, and none is in its way.
	kind := core.KindOf(err)
	inTheWay := order.Listing == 0 || kind != core.Conflict && kind != core.TooMany
	if err != nil && inTheWay {
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
	if err := tx.Reopen(ctx, closed, closing, back, now); err != nil {
		return fmt.Errorf("reopen order %d: %w", order.ID, err)
	}
	return notify.AddNotices(ctx, tx, notices)
}

// UndoSale undoes an accept or a logged sale of the actor's, or a crossed sale of one of its sides, within
// UndoWindow. The accepted quantity is
// offered again, and its seller is notified. An order that was filled is open again, with the offers that
// lapsed. It returns Conflict when it cannot be undone any more, Forbidden and NotFound, and for an order
// that was filled the errors of UndoClose.
func (m *offerActs) UndoSale(ctx context.Context, actor core.Actor, id core.SaleID) (Order, error) {
	if err := actor.MayTrade(); err != nil {
		return Order{}, err
	}
	index := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	return core.Write(ctx, m.trades, actor, "undo sale", id, func(tx Scope, now time.Time) (Order, error) {
		listing, err := m.lockForUndo(ctx, tx, id, index, now)
		if err != nil {
			return Order{}, err
		}
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
		if err := reverse(ctx, tx, sale, actor.UserID, now); err != nil {
			return Order{}, err
		}
		if sale.Offer != 0 {
			if err := m.offerAgain(ctx, tx, order, sale, now); err != nil {
				return Order{}, err
			}
		}
		if sale.Crossed != 0 {
			if err := tx.ReturnToStanding(ctx, sale); err != nil {
				return Order{}, fmt.Errorf("return sale %d to the standing acceptance: %w", id, err)
			}
			if err := tellOfUndo(ctx, tx, order, sale, actor.UserID, now); err != nil {
				return Order{}, err
			}
			if order.Listing != 0 { // an ask ends with its trade: neither side waits for the other any more
				if order, err = order.Close(now); err != nil {
					return Order{}, err
				}
			}
		}
		changed := []core.OfferID{sale.Offer}
		if before.Status == Fulfilled {
			changed = nil // all are open again
		}
		if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, changed...); err != nil {
			return Order{}, err
		}
		if err := m.saveOrder(ctx, tx, order, now); err != nil {
			return Order{}, err
		}
		crossed, err := tx.Stands(ctx, actor, order, index, now)
		if err == nil && listing != 0 {
			err = tx.ListingStands(ctx, actor, listing, order.ItemName, index, now)
		}
		return crossed.Order, err
	})
}

// lockForUndo locks what a sale's request, and its seller's listing, may trade with once it is undone. It
// returns the listing; zero for none.
func (m *offerActs) lockForUndo(
	ctx context.Context, tx Tx, id core.SaleID, index *items.Index, now time.Time,
) (core.StockID, error) {
	if !m.features.Crossing {
		return 0, nil
	}
	listing, err := tx.LockForUndo(ctx, id, index.Same, now, MostToCross)
	if err != nil {
		return 0, fmt.Errorf("what sale %d may give back to: %w", id, err)
	}
	return listing, nil
}

// tellOfUndo tells the other side that a crossed sale was undone: by the notice of the sale, unless they have
// read that.
func tellOfUndo(ctx context.Context, tx Scope, o Order, s Sale, by core.UserID, now time.Time) error {
	retold, err := tx.RetellCrossing(ctx, s.ID, by, now)
	if err != nil {
		return fmt.Errorf("notices of sale %d: %w", s.ID, err)
	}
	if retold {
		return nil
	}
	return notify.AddNotices(ctx, tx, []notify.Notice{crossingUndone(o, s, by, now)})
}

// reverse stores that a sale was undone. The caller saves its order.
func reverse(ctx context.Context, tx Scope, sale Sale, by core.UserID, now time.Time) error {
	if err := tx.AddReversal(ctx, sale, by, now); err != nil {
		return fmt.Errorf("reverse sale %d: %w", sale.ID, err)
	}
	return tx.Reversed(ctx, sale.ID)
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
	if unsent, err := tx.ExpireAccepted(ctx, offer, sale, now); err != nil || unsent {
		return err // the seller never heard of it
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
			err = core.NewError(core.NotFound, core.NewText("offer_gone"))
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
			err = conflict(core.NewText("undo_done"), order)
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
