package moderation

import (
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// Removal is the result of a moderator removing an order or offer.
type Removal struct {
	Entry   core.AuditEntry
	Notices []notify.Notice // to the owner
}

// RemoveOrder returns the result of a moderator removing the order. It fails with Unauthenticated, Forbidden
// and Invalid.
func RemoveOrder(
	o trade.Order, by core.Actor, reason string, forms core.TextForms, now time.Time,
) (Removal, error) {
	reason, err := mayRemove(by, reason, forms, o.Owner)
	if err != nil {
		return Removal{}, err
	}
	entry := trade.AuditEntry(by, core.AuditOrderRemoved, o, reason, now)
	entry.Subject = o.Owner
	n := trade.NoticeAbout(o, o.Owner, notify.NoticeOrderRemoved, now)
	n.OrderID = 0 // it is gone when the notice is read
	n.Quantity, n.Message = o.Quantity, reason
	return Removal{Entry: entry, Notices: []notify.Notice{n}}, nil
}

// RemoveOffer returns the result of a moderator removing the offer on an order. It fails with
// Unauthenticated, Forbidden and Invalid.
func RemoveOffer(
	of trade.Offer, o trade.Order, by core.Actor, reason string, forms core.TextForms, now time.Time,
) (Removal, error) {
	reason, err := mayRemove(by, reason, forms, of.Seller, o.Owner)
	if err != nil {
		return Removal{}, err
	}
	entry := trade.AuditEntry(by, core.AuditOfferRemoved, o, reason, now)
	entry.OfferID, entry.Subject = of.ID, of.Seller
	notices := trade.ToSeller(o, of, notify.NoticeOfferRemoved, of.Quantity, reason, now)
	for i := range notices {
		notices[i].Name, notices[i].Contact = "", "" // it is no business of the buyer's
	}
	return Removal{Entry: entry, Notices: notices}, nil
}

func mayRemove(by core.Actor, reason string, forms core.TextForms, sides ...core.UserID) (string, error) {
	if err := by.MustModerate(); err != nil {
		return "", err
	}
	if err := core.NotASide(by, sides...); err != nil {
		return "", err
	}
	return forms.Reason(reason)
}
