package moderation

import (
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// RemovalRetention is how long the removed data is stored beside its log entry. Until then the removal can
// be undone.
const RemovalRetention = 30 * 24 * time.Hour

// Removed is an order, an offer or a listing that a moderator removed, as it is kept for RemovalRetention.
type Removed struct {
	At       time.Time
	ItemName string
	Reason   string
	Order    *trade.Order // nil for the others
	Notes    []string     // of the order's sales, oldest first
	Offer    *trade.Offer // nil for the others
	Listing  *match.Stock // as it was for sale; nil for the others
}

// Undo returns the undo of an entry of the log. Any moderator may use it, except the subject of the entry.
// Only removals, and decisions on disputes and on the names of items and users, have one.
func Undo(e core.AuditEntry) core.Undo {
	u := core.Undo{
		Kind: core.UndoRemoval, ID: int64(e.ID), Until: e.At.Add(RemovalRetention), Gone: goneText,
		By: func(by core.Actor) error {
			if err := by.MustModerate(); err != nil {
				return err
			}
			return core.NotASide(by, e.Subject)
		},
	}
	if undoOf[e.Action] == "" {
		u.Until, u.Acted = time.Time{}, core.NewError(core.Conflict, core.NewText("undo_not_a_removal"))
	}
	return u
}

// UndoEntry returns the log entry of undoing a removal. It returns the errors of Undo.
func UndoEntry(e core.AuditEntry, by core.Actor, now time.Time) (core.AuditEntry, error) {
	if err := Undo(e).May(by, now); err != nil {
		return core.AuditEntry{}, err
	}
	return core.AuditEntry{
		At: now, Moderator: by.UserID, Action: undoOf[e.Action], OrderID: e.OrderID, OfferID: e.OfferID,
		ListingID: e.ListingID, Subject: e.Subject, ItemName: e.ItemName,
	}, nil
}

var undoOf = map[core.AuditAction]core.AuditAction{
	core.AuditOrderRemoved: core.AuditOrderRestored, core.AuditOfferRemoved: core.AuditOfferRestored,
	core.AuditItemConfirmed: core.AuditItemReopened, core.AuditItemMerged: core.AuditItemReopened,
	core.AuditListingRemoved: core.AuditListingRestored,
	core.AuditDisputeMet:     core.AuditDisputeReopened, core.AuditDisputeNotMet: core.AuditDisputeReopened,
	core.AuditItemIgnored: core.AuditItemReopened, core.AuditNameAllowed: core.AuditNameMarkedAgain,
}

// NotKept turns the absence of a row into the answer for a removal that cannot be undone. Other errors stay
// as they are.
func NotKept(err error) error {
	if err != nil && core.KindOf(err) != core.NotFound {
		return err
	}
	return core.NewError(core.Conflict, goneText)
}

var goneText = core.NewText("undo_gone")
