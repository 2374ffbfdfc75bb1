package core

import (
	"time"
)

// SaleID numbers a sale.
type SaleID int64

// Sale records that some of an order was bought. It outlives the order, without the notes.
type Sale struct {
	ID        SaleID
	OrderID   OrderID // zero once the order is deleted
	ItemName  string
	Quantity  int
	Notes     string  // empty for none
	UnitPrice Copper  // what was paid for one, as far as the market knows
	UpdatedBy UserID  // who recorded it
	Buyer     UserID  // zero once they have left
	Seller    UserID  // the user whose offer it came from; zero for a visitor's or none, and once they have left
	Offer     OfferID // the offer it came from, which may be gone; zero for none
	// The seller's name and contact as in the offer that it came from; empty for none, and as the notes once the order is gone.
	SellerName, SellerContact string

	CreatedAt time.Time
	Reversed  bool // it was undone
}

// SaleDraft is what a buyer says about a sale.
type SaleDraft struct {
	Quantity int
	Notes    string
}

// Sell decides what logging a sale does to the order. It fails with Conflict when the order takes no sales and with
// Invalid when the quantity is out of reach.
func (o Order) Sell(draft SaleDraft, by UserID, forms TextForms, now time.Time) (Order, Sale, error) {
	if err := o.mustBeOpen(now); err != nil {
		return Order{}, Sale{}, err
	}
	draft.Notes = forms.prose(draft.Notes)
	var c Checks
	c.That(draft.Quantity > 0, "quantitySold", NewText("quantity_sold_not_positive", "Quantity sold must be greater than 0"))
	c.That(draft.Quantity <= o.Remaining(), "quantitySold",
		NewText("quantity_sold_over", "Cannot sell more than remaining quantity (%v)", o.Remaining()))
	c.That(within(draft.Notes, MaxNotes), "notes", tooLong("notes_too_long", "Notes", MaxNotes))
	c.Add(forms.refuseSuspicious(suspiciousMessage, suspiciousField{name: "notes", after: draft.Notes}))
	if err := c.Err(); err != nil {
		return Order{}, Sale{}, withCurrent(err, o)
	}
	sale := Sale{
		OrderID: o.ID, ItemName: o.ItemName, Buyer: o.Owner, Quantity: draft.Quantity, Notes: draft.Notes, UnitPrice: o.MaxPrice, UpdatedBy: by, CreatedAt: now,
	}
	return o.sell(draft.Quantity, now), sale, nil
}
