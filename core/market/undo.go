package market

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// Undo undoes an act of a kind by its number: each has an inverse of its own. It returns the order that the
// act was about, and the zero order for other acts. It fails with NotFound for an unknown kind, and as the
// inverse does.
func (m *Market) Undo(
	ctx context.Context, actor core.Actor, kind core.UndoKind, id int64,
) (order trade.Order, err error) {
	switch kind {
	case core.UndoSale:
		return m.Trade.UndoSale(ctx, actor, core.SaleID(id))
	case core.UndoClose:
		return m.Trade.UndoClose(ctx, actor, core.OrderID(id))
	case core.UndoOffer:
		return order, m.Trade.UndoOffer(ctx, actor, core.OfferID(id))
	case core.UndoWord:
		_, err = m.Trade.TakeBackWords(ctx, actor, []core.SaleID{core.SaleID(id)})
		return order, err
	case core.UndoStock:
		return order, m.Match.RestoreStock(ctx, actor, core.StockID(id))
	case core.UndoRemoval:
		return order, m.UndoRemoval(ctx, actor, core.AuditID(id))
	}
	return order, core.NewError(core.NotFound, core.NewText("undo_closing_gone"))
}

// undoItemDecision undoes a decision on a provisional item.
func (m *Market) undoItemDecision(
	ctx context.Context, tx Tx, entry core.AuditEntry, now time.Time,
) ([]notify.Notice, error) {
	if !m.Features.Items {
		return nil, items.NotFound()
	}
	items, _, err := tx.LockItems(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock the items: %w", err)
	}
	decided, err := tx.TakeDecidedItem(ctx, entry.ID)
	if err != nil {
		return nil, moderation.NotKept(err)
	}
	item, changed, err := decided.Undo(items)
	if err != nil {
		return nil, err
	}
	if err := tx.SaveItems(ctx, changed, now); err != nil {
		return nil, fmt.Errorf("save item %d: %w", item.ID, err)
	}
	return nil, nil
}

// UndoRemoval restores the order, offer or listing that a moderator removed, under its number, and notifies
// its owner. An order returns with its sales; its offers stay lapsed. A decision on a provisional item is
// undone as well: the item waits for a moderator again. So is a ruling: the dispute does. It returns
// Unauthenticated, Forbidden unless the actor is a moderator and not the subject of the removal, NotFound,
// and Conflict when the removal was undone, is older than RemovalRetention, or has nothing to return to.
func (m *Market) UndoRemoval(ctx context.Context, actor core.Actor, id core.AuditID) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	marked := false // a name again
	_, err := core.Write(ctx, m.run, actor, "undo removal", id, func(tx Tx, now time.Time) (struct{}, error) {
		removal, err := tx.AuditEntry(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("audit entry %d: %w", id, err)
		}
		undo, err := moderation.UndoEntry(removal, actor, now)
		if err != nil {
			return struct{}{}, err
		}
		restore := m.undoItemDecision
		switch removal.Action {
		case core.AuditOrderRemoved:
			restore = m.restoreOrder
		case core.AuditOfferRemoved:
			restore = m.restoreOffer
		case core.AuditListingRemoved:
			restore = m.restoreListing
		case core.AuditDisputeMet, core.AuditDisputeNotMet:
			restore = func(
				ctx context.Context, tx Tx, ruling core.AuditEntry, now time.Time,
			) ([]notify.Notice, error) {
				return m.Trade.ReopenDispute(ctx, tx, actor, ruling.ID, now)
			}
		case core.AuditNameAllowed:
			restore, marked = markNamesAgain, true
		}
		notices, err := restore(ctx, tx, removal, now)
		if err != nil {
			return struct{}{}, fmt.Errorf("undo removal %d: %w", id, err)
		}
		if err := tx.AddAuditEntry(ctx, undo); err != nil {
			return struct{}{}, fmt.Errorf("add audit entry: %w", err)
		}
		return struct{}{}, notify.AddNotices(ctx, tx, notices)
	})
	if marked {
		m.Moderation.NamesAllowed(ctx)
	}
	return err
}

func markNamesAgain(
	ctx context.Context, tx Tx, allowed core.AuditEntry, _ time.Time,
) ([]notify.Notice, error) {
	if err := tx.MarkNamesAgain(ctx, allowed); err != nil {
		return nil, moderation.NotKept(err)
	}
	return nil, nil
}

func (m *Market) restoreOrder(
	ctx context.Context, tx Tx, removal core.AuditEntry, now time.Time,
) ([]notify.Notice, error) {
	// A block at the same time hides the order or waits.
	if _, err := tx.LockUser(ctx, removal.Subject); err != nil {
		return nil, moderation.NotKept(err)
	}
	if err := tx.LockRemoval(ctx, removal.ID); err != nil {
		return nil, moderation.NotKept(err)
	}
	if err := tx.RestoreOrder(ctx, removal); err != nil {
		return nil, err
	}
	order, err := tx.LockOrder(ctx, removal.OrderID)
	if err != nil {
		return nil, err
	}
	n := trade.NoticeAbout(order, order.Owner, notify.NoticeOrderRestored, now)
	n.Quantity = order.Quantity
	return []notify.Notice{n}, nil
}

func (m *Market) restoreOffer(
	ctx context.Context, tx Tx, removal core.AuditEntry, now time.Time,
) ([]notify.Notice, error) {
	order, err := tx.LockOrder(ctx, removal.OrderID)
	if core.KindOf(err) == core.NotFound || err == nil && !order.Open(now) {
		return nil, core.NewError(core.Conflict, core.NewText("undo_request_not_open"))
	}
	if err != nil {
		return nil, err
	}
	var seller trade.Seller
	if removal.Subject != 0 {
		seller, err = tx.LockSeller(ctx, order, removal.Subject, m.Quotas, now)
	} else {
		seller.Visitors, err = tx.CountVisitorOffers(ctx, order.ID)
	}
	if err != nil {
		return nil, moderation.NotKept(err)
	}
	if err := tx.LockRemoval(ctx, removal.ID); err != nil {
		return nil, moderation.NotKept(err)
	}
	if err := seller.MayReturn(); err != nil {
		return nil, err
	}
	if err := tx.RestoreOffer(ctx, removal, now); err != nil {
		return nil, err
	}
	if removal.Subject == 0 {
		return nil, nil // a visitor has no inbox
	}
	_, offer, err := tx.LockOffer(ctx, removal.OfferID)
	if err != nil {
		return nil, err
	}
	n := trade.NoticeAbout(order, offer.Seller, notify.NoticeOfferRestored, now)
	n.OfferID, n.Quantity, n.Price = offer.ID, offer.Quantity, offer.Price
	return []notify.Notice{n}, nil
}

// restoreListing shows stock for sale again. Orders that it could trade with unasked are not looked for:
// those that are posted from now on meet it.
func (m *Market) restoreListing(
	ctx context.Context, tx Tx, removal core.AuditEntry, now time.Time,
) ([]notify.Notice, error) {
	if !m.Features.Listings {
		return nil, match.ListingGone()
	}
	if err := tx.LockPlanned(ctx, 0, []core.StockID{removal.ListingID}); err != nil {
		return nil, fmt.Errorf("lock listing %d: %w", removal.ListingID, err)
	}
	if err := tx.LockRemoval(ctx, removal.ID); err != nil {
		return nil, moderation.NotKept(err)
	}
	listing, err := tx.LockListing(ctx, removal.ListingID, 0, now)
	if err != nil {
		return nil, moderation.NotKept(err)
	}
	removed, err := tx.TakeRemovedListing(ctx, removal.ID)
	if err != nil {
		return nil, err
	}
	shown, notice, err := moderation.RestoreListing(listing.Stock, removed, now)
	if err != nil {
		return nil, err
	}
	if err := tx.ShowListing(ctx, shown); err != nil {
		return nil, fmt.Errorf("show listing %d: %w", shown.ID, err)
	}
	return []notify.Notice{notice}, nil
}
