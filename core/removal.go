package core

import "time"

// Removal is what comes of a moderator taking something off the market.
type Removal struct {
	Entry   AuditEntry
	Notices []Notice // to the owner
}

// RemoveOrder decides what a moderator's removal of the order means. It fails with Unauthenticated, Forbidden and Invalid.
func RemoveOrder(o Order, by Actor, reason string, forms TextForms, now time.Time) (Removal, error) {
	reason, err := mayRemove(by, reason, forms, o.Owner)
	if err != nil {
		return Removal{}, err
	}
	entry := auditEntry(by, AuditOrderRemoved, o, reason, now)
	entry.Subject = o.Owner
	n := noticeAbout(o, o.Owner, NoticeOrderRemoved, now)
	n.OrderID = 0 // it is gone when the notice is read
	n.Quantity, n.Message = o.Quantity, reason
	return Removal{Entry: entry, Notices: []Notice{n}}, nil
}

// RemoveOffer decides what a moderator's removal of the offer on an order means. It fails with Unauthenticated, Forbidden and
// Invalid.
func RemoveOffer(of Offer, o Order, by Actor, reason string, forms TextForms, now time.Time) (Removal, error) {
	reason, err := mayRemove(by, reason, forms, of.Seller, o.Owner)
	if err != nil {
		return Removal{}, err
	}
	entry := auditEntry(by, AuditOfferRemoved, o, reason, now)
	entry.OfferID, entry.Subject = of.ID, of.Seller
	notices := toSeller(o, of, NoticeOfferRemoved, of.Quantity, reason, now)
	for i := range notices {
		notices[i].Name, notices[i].Contact = "", "" // it is no business of the buyer's
	}
	return Removal{Entry: entry, Notices: notices}, nil
}

func mayRemove(by Actor, reason string, forms TextForms, sides ...UserID) (string, error) {
	if err := by.MustModerate(); err != nil {
		return "", err
	}
	if err := notASide(by, sides...); err != nil {
		return "", err
	}
	return forms.reason(reason)
}
