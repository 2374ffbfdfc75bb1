package moderation

import (
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// AllowNames returns the log entry of a moderator allowing the marked names of an order, or of an offer on
// it when that has a number. It fails with Unauthenticated, Forbidden unless the actor is a moderator and no
// side, and with Conflict when no name is marked.
func AllowNames(
	o trade.Order, of trade.Offer, marked []trust.AllowedName, by core.Actor, now time.Time,
) (core.AuditEntry, error) {
	if err := by.MustModerate(); err != nil {
		return core.AuditEntry{}, err
	}
	if err := core.NotASide(by, o.Owner, of.Seller); err != nil {
		return core.AuditEntry{}, err
	}
	if len(marked) == 0 {
		return core.AuditEntry{}, nameNotMarked()
	}
	entry := trade.AuditEntry(by, core.AuditNameAllowed, o, "", now)
	entry.OfferID, entry.Subject = of.ID, o.Owner
	if of.ID != 0 {
		entry.Subject = of.Seller
	}
	return entry, nil
}

func nameNotMarked() error {
	return core.NewError(core.Conflict, core.NewText("name_not_marked"))
}
