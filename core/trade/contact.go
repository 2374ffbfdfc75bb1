package trade

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tradepost/core"
)

// ContactsShown reports whether a reader who has no part in the order sees how to reach its buyer: while it
// is open.
func (o Order) ContactsShown(now time.Time) bool { return o.Open(now) }

// ForEverybody returns the order as a reader who has no part in it sees it: once it is over, without the
// buyer's personal fields, such as the contact.
func (o Order) ForEverybody(now time.Time) Order {
	if !o.ContactsShown(now) {
		for _, f := range Fields {
			if f.Personal {
				*f.Draft(&o.OrderDraft) = ""
			}
		}
		o.LookAlike = core.LookAlike{}
	}
	return o
}

// forReader returns the order as the actor sees it. Contacts of an order that is over are for its buyer,
// the sellers of accepts that stand, and moderators. They are left out when it cannot be found out whether
// the actor is such a seller.
func (m *orderActs) forReader(ctx context.Context, actor core.Actor, o Order) Order {
	if o.ContactsShown(m.now()) || actor.MustBe(o.Owner) == nil || actor.MustModerate() == nil {
		return o
	}
	if actor.SignedIn() {
		receipts, err := m.store.Receipts(ctx, actor.UserID,
			ReceiptQuery{Orders: []core.OrderID{o.ID}, Limit: 1})
		if err == nil && len(receipts) > 0 {
			return o
		}
	}
	return o.ForEverybody(m.now())
}

// Current is the present state of an order, as the detail of an error.
type Current struct{ Order Order }

func (c Current) Error() string { return fmt.Sprintf("order %d is now %s", c.Order.ID, c.Order.Status) }

// ForReader hides the contacts of the order from all but its buyer, and an expired order entirely.
func (c Current) ForReader(by core.Actor, now time.Time) error {
	switch {
	case by.MustBe(c.Order.Owner) == nil:
		return c
	case !c.Order.VisibleTo(by, now):
		return nil
	}
	return Current{c.Order.ForEverybody(now)}
}

// CurrentOrder returns the present state of the order that an error carries, if it does.
func CurrentOrder(err error) (Order, bool) {
	var c Current
	found := errors.As(err, &c)
	return c.Order, found
}

func conflict(text core.Text, current Order) *core.Error {
	err := core.NewError(core.Conflict, text)
	err.Detail = Current{current}
	return err
}

// withCurrent adds the present order to an Error.
func withCurrent(err error, current Order) error {
	var coreErr *core.Error
	if !errors.As(err, &coreErr) {
		return err
	}
	shown := *coreErr
	shown.Detail = Current{current}
	return &shown
}
