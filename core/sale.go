package core

import (
	"fmt"
	"time"
)

// SaleID numbers a sale.
type SaleID int64

// Sale records that some of an order was bought.
type Sale struct {
	ID        SaleID
	OrderID   OrderID
	Quantity  int
	Notes     string // empty for none
	UnitPrice Copper // what was paid for one, as far as the market knows
	UpdatedBy UserID // who recorded it
	Seller    UserID // the user whose offer it came from; zero for a visitor's or none
	CreatedAt time.Time
}

// SaleDraft is what a buyer says about a sale.
type SaleDraft struct {
	Quantity int
	Notes    string
}

// Sell decides what logging a sale does to the order. It refuses with Conflict when the order takes no sales and with
// Invalid when the quantity is out of reach.
func (o Order) Sell(draft SaleDraft, by UserID, forms TextForms, now time.Time) (Order, Sale, error) {
	if err := o.mustBeOpen(now); err != nil {
		return Order{}, Sale{}, err
	}
	draft.Notes = forms.prose(draft.Notes)
	var c Checks
	c.That(draft.Quantity > 0, "quantitySold", "Quantity sold must be greater than 0")
	c.That(draft.Quantity <= o.Remaining(), "quantitySold",
		fmt.Sprintf("Cannot sell more than remaining quantity (%d)", o.Remaining()))
	c.That(within(draft.Notes, MaxNotes), "notes", tooLong("Notes", MaxNotes))
	if err := c.Err(); err != nil {
		return Order{}, Sale{}, showing(err, o)
	}
	sale := Sale{
		OrderID: o.ID, Quantity: draft.Quantity, Notes: draft.Notes, UnitPrice: o.MaxPrice, UpdatedBy: by, CreatedAt: now,
	}
	return o.sell(draft.Quantity, now), sale, nil
}
