package core

import "time"

// Removal is what comes of a moderator taking something off the market.
type Removal struct {
	Entry   AuditEntry
	Notices []Notice // to whoever it belonged to
}

// Remove decides what a moderator's removal of the order means. It refuses with Unauthenticated, Forbidden and Invalid.
func (o Order) Remove(by Actor, reason string, forms TextForms, now time.Time) (Removal, error) {
	reason, err := mayRemove(by, reason, forms)
	if err != nil {
		return Removal{}, err
	}
	entry := auditEntry(by, RemovedOrder, o, reason, now)
	entry.Subject = o.Owner
	n := noticeAbout(o, o.Owner, OrderRemoved, now)
	n.OrderID = 0 // it is gone when the notice is read
	n.Quantity, n.Message = o.Quantity, reason
	return Removal{Entry: entry, Notices: []Notice{n}}, nil
}

// Remove decides what a moderator's removal of the offer on an order means. It refuses with Unauthenticated, Forbidden and
// Invalid.
func (of Offer) Remove(o Order, by Actor, reason string, forms TextForms, now time.Time) (Removal, error) {
	reason, err := mayRemove(by, reason, forms)
	if err != nil {
		return Removal{}, err
	}
	entry := auditEntry(by, RemovedOffer, o, reason, now)
	entry.OfferID, entry.Subject = of.ID, of.Seller
	notices := toSeller(o, of, OfferTakenOff, of.Quantity, reason, now)
	for i := range notices {
		notices[i].Name, notices[i].Contact = "", "" // it is no business of the buyer's
	}
	return Removal{Entry: entry, Notices: notices}, nil
}

func mayRemove(by Actor, reason string, forms TextForms) (string, error) {
	if err := by.Moderates(); err != nil {
		return "", err
	}
	return forms.reason(reason)
}
