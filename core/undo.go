package core

import (
	"context"
	"fmt"
	"time"
)

// RemovalRetention is how long what a moderator removed is kept beside its log entry. Until then the removal can be undone.
const RemovalRetention = 30 * 24 * time.Hour

// Removed is an order or an offer that a moderator removed, as it is kept for RemovalRetention.
type Removed struct {
	At       time.Time
	ItemName string
	Reason   string
	Order    *Order   // nil for an offer
	Notes    []string // of the order's sales, oldest first
	Offer    *Offer   // nil for an order
}

// UndoRemoval restores the order or offer that a moderator removed, under its number, and notifies
// its owner. An order returns with its sales; its offers stay lapsed. A decision on a provisional item
// is undone as well: the item waits for a moderator again. It returns Unauthenticated,
// Forbidden unless the actor is a moderator of whom the removal is not about, NotFound, and
// Conflict when the removal was undone, is older than RemovalRetention, or has nothing to return
// to.
func (m *Market) UndoRemoval(ctx context.Context, actor Actor, id AuditID) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := Write(ctx, m.run, actor, "undo removal", id, func(tx Tx, now time.Time) (struct{}, error) {
		removal, err := tx.AuditEntry(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("audit entry %d: %w", id, err)
		}
		undo, err := undoEntry(removal, actor, now)
		if err != nil {
			return struct{}{}, err
		}
		restore := m.undoItemDecision
		switch removal.Action {
		case AuditOrderRemoved:
			restore = m.restoreOrder
		case AuditOfferRemoved:
			restore = m.restoreOffer
		}
		notices, err := restore(ctx, tx, removal, now)
		if err != nil {
			return struct{}{}, fmt.Errorf("undo removal %d: %w", id, err)
		}
		if err := tx.AddAuditEntry(ctx, undo); err != nil {
			return struct{}{}, fmt.Errorf("add audit entry: %w", err)
		}
		return struct{}{}, addNotices(ctx, tx, notices)
	})
	return err
}

func (m *Market) restoreOrder(ctx context.Context, tx Tx, removal AuditEntry, now time.Time) ([]Notice, error) {
	// A block at the same time hides the order or waits.
	if _, err := tx.LockUser(ctx, removal.Subject); err != nil {
		return nil, notKept(err)
	}
	if err := tx.LockRemoval(ctx, removal.ID); err != nil {
		return nil, notKept(err)
	}
	if err := tx.RestoreOrder(ctx, removal); err != nil {
		return nil, err
	}
	order, err := tx.LockOrder(ctx, removal.OrderID)
	if err != nil {
		return nil, err
	}
	n := noticeAbout(order, order.Owner, NoticeOrderRestored, now)
	n.Quantity = order.Quantity
	return []Notice{n}, nil
}

func (m *Market) restoreOffer(ctx context.Context, tx Tx, removal AuditEntry, now time.Time) ([]Notice, error) {
	order, err := tx.LockOrder(ctx, removal.OrderID)
	if KindOf(err) == NotFound || err == nil && !order.Open(now) {
		return nil, NewError(Conflict, NewText("undo_request_not_open", "The request of this offer is not open any more"))
	}
	if err != nil {
		return nil, err
	}
	var seller Seller
	if removal.Subject != 0 {
		seller, err = tx.LockSeller(ctx, order, removal.Subject, m.quotas)
	} else {
		seller.Visitors, err = tx.CountVisitorOffers(ctx, order.ID)
	}
	if err != nil {
		return nil, notKept(err)
	}
	if err := tx.LockRemoval(ctx, removal.ID); err != nil {
		return nil, notKept(err)
	}
	if err := seller.mayReturn(); err != nil {
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
	n := noticeAbout(order, offer.Seller, NoticeOfferRestored, now)
	n.OfferID, n.Quantity, n.Price = offer.ID, offer.Quantity, offer.Price
	return []Notice{n}, nil
}

// mayReturn decides whether a removed offer of the seller may be restored.
func (s Seller) mayReturn() error {
	var text Text
	switch {
	case s.Blocked:
		text = NewText("undo_seller_blocked", "The seller is blocked. Unblock them first.")
	case s.BlockedByBuyer:
		text = NewText("undo_seller_not_accepted", "The buyer does not accept offers from this seller")
	case s.Offer != 0:
		text = NewText("undo_seller_offered_again", "The seller has made another offer on this request since")
	case s.Visitors >= MaxVisitorOffers:
		text = NewText("request_guest_offers_limit", "This request has as many offers of visitors as it can have")
	default:
		return nil
	}
	return NewError(Conflict, text)
}

// undoEntry decides what the undo of the removal means, and returns its entry in the log. It returns Unauthenticated, Forbidden, and
// Conflict when the entry is no removal or too old.
func undoEntry(e AuditEntry, by Actor, now time.Time) (AuditEntry, error) {
	if err := by.MustModerate(); err != nil {
		return AuditEntry{}, err
	}
	if err := notASide(by, e.Subject); err != nil {
		return AuditEntry{}, err
	}
	action, removal := undoOf[e.Action]
	if !removal {
		return AuditEntry{}, NewError(Conflict, NewText("undo_not_a_removal", "Only a removal or a decision on a name can be undone"))
	}
	if !now.Before(e.At.Add(RemovalRetention)) {
		return AuditEntry{}, notKept(nil)
	}
	return AuditEntry{
		At: now, Moderator: by.UserID, Action: action, OrderID: e.OrderID, OfferID: e.OfferID, Subject: e.Subject, ItemName: e.ItemName,
	}, nil
}

var undoOf = map[AuditAction]AuditAction{
	AuditOrderRemoved: AuditOrderRestored, AuditOfferRemoved: AuditOfferRestored,
	AuditItemConfirmed: AuditItemReopened, AuditItemMerged: AuditItemReopened, AuditItemIgnored: AuditItemReopened,
}

// notKept turns the absence of a row into the answer for a removal that cannot be undone. Other errors stay as they are.
func notKept(err error) error {
	if err != nil && KindOf(err) != NotFound {
		return err
	}
	return NewError(Conflict, NewText("undo_gone", "This was undone already, or is too old to be undone"))
}
