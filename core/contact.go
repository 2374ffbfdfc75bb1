package core

import (
	"context"
	"time"
)

// ContactsShown reports whether a reader who has no part in the order sees how to reach its buyer: while it is open.
func (o Order) ContactsShown(now time.Time) bool { return o.Open(now) }

// ForEverybody returns the order as a reader who has no part in it sees it: once it is over, without the buyer's contact and
// in-game name.
func (o Order) ForEverybody(now time.Time) Order {
	if !o.ContactsShown(now) {
		o.BuyerContact, o.InGameName, o.LookAlike = "", "", LookAlike{}
	}
	return o
}

// forReader returns the order as the actor sees it. Contacts of an order that is over are for its buyer, the sellers of accepts
// that stand, and moderators. They are left out when it cannot be found out whether the actor is such a seller.
func (m *Market) forReader(ctx context.Context, actor Actor, o Order) Order {
	if o.ContactsShown(m.now()) || actor.MustBe(o.Owner) == nil || actor.MustModerate() == nil {
		return o
	}
	if actor.SignedIn() {
		receipts, err := m.store.Receipts(ctx, actor.UserID, ReceiptQuery{Orders: []OrderID{o.ID}, Limit: 1})
		if err == nil && len(receipts) > 0 {
			return o
		}
	}
	return o.ForEverybody(m.now())
}
