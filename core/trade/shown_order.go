package trade

import (
	"errors"
	"fmt"
	"time"

	"tradepost/core"
)

// ListedOrder is an order in a list.
type ListedOrder struct {
	Order
	Offers int       // counted only when the query asked for it
	Group  ItemGroup // zero unless the query asked for groups

	// Purchases sums up the sales of a fulfilled order for its owner; nil for others, and when nothing was
	// sold.
	Purchases *Purchases
}

// Undo returns the undo of the act that closed the order: a closing by its buyer, or the sale that filled it.
func (o ListedOrder) Undo(now time.Time) core.Undo {
	if b := o.Purchases; o.CloseReason == Filled && b != nil && b.Last.Equal(o.ClosedAt) {
		return o.SaleUndo(Sale{ID: b.LastSale, CreatedAt: b.Last}, now)
	}
	return o.CloseUndo(now)
}

// ItemGroup sums up the orders of one item that match a query.
type ItemGroup struct {
	Orders int
	Wanted int         // how many are left of all of them
	Best   core.Copper // the highest price for one
}

// Purchases sums up the sales of an order that were not undone.
type Purchases struct {
	First, Last time.Time   // when the first and the last of it was bought
	LastSale    core.SaleID // the last of them
	Paid        core.Copper // in all
	Sellers     []string    // names from accepted offers, by their first sale, MaxPurchaseSellers at most
	SellerCount int         // how many of them there are
}

// MaxPurchaseSellers is how many sellers Purchases names.
const MaxPurchaseSellers = 3

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
