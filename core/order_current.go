package core

import (
	"errors"
	"fmt"
	"time"
)

// Current is the present state of an order, as the detail of an error.
type Current struct{ Order Order }

func (c Current) Error() string { return fmt.Sprintf("order %d is now %s", c.Order.ID, c.Order.Status) }

// ForReader hides the contacts of the order from everybody but its buyer, and all of one that has expired.
func (c Current) ForReader(by Actor, now time.Time) error {
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

func conflict(text Text, current Order) *Error {
	err := NewError(Conflict, text)
	err.Detail = Current{current}
	return err
}

// withCurrent adds the present order to an Error.
func withCurrent(err error, current Order) error {
	var coreErr *Error
	if !errors.As(err, &coreErr) {
		return err
	}
	shown := *coreErr
	shown.Detail = Current{current}
	return &shown
}
