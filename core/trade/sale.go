package trade

import (
	"fmt"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/cross"
)

// Sale records that some of an order was bought. It outlives the order, without the notes.
type Sale struct {
	ID        core.SaleID
	OrderID   core.OrderID // zero once the order is deleted
	ItemName  string
	Quantity  int
	Notes     string       // empty for none
	UnitPrice core.Copper  // the price paid for one, as far as the market knows
	UpdatedBy core.UserID  // who recorded it
	Buyer     core.UserID  // zero once they have left
	Seller    core.UserID  // the user who sent the offer; zero for a visitor or none, and once they left
	Offer     core.OfferID // the offer it came from, which may be gone; zero for none
	// The seller's name and contact as in the offer that it came from; empty for none, and as the notes
	// once the order is gone.
	SellerName, SellerContact string

	CreatedAt time.Time
	Reversed  bool // it was undone

	// Crossed is the listing that sold without asking; zero for a sale that one of the two agreed to.
	Crossed core.StockID `json:",omitzero"`
}

// SaleDraft contains the fields of a sale that a buyer fills in.
type SaleDraft struct {
	Quantity int
	Notes    string
}

// Sell returns the order after logging a sale, and the sale. It fails with Conflict when the order takes no
// sales and with Invalid when the quantity is out of reach.
func (o Order) Sell(
	draft SaleDraft, by core.UserID, forms core.TextForms, now time.Time,
) (Order, Sale, error) {
	if err := o.mustBeOpen(now); err != nil {
		return Order{}, Sale{}, err
	}
	draft.Notes = forms.Prose(draft.Notes)
	var c core.Checks
	c.That(draft.Quantity > 0, "quantitySold", core.NewText("quantity_sold_not_positive"))
	c.That(draft.Quantity <= o.Remaining(), "quantitySold",
		core.NewText("quantity_sold_over", "left", o.Remaining()))
	c.That(core.Within(draft.Notes, core.MaxNotes), "notes", core.TooLong("notes_too_long", core.MaxNotes))
	c.Add(forms.RefuseSuspicious(core.SuspiciousMessage,
		core.SuspiciousField{Name: "notes", After: draft.Notes}))
	if err := c.Err(); err != nil {
		return Order{}, Sale{}, withCurrent(err, o)
	}
	sale := Sale{
		OrderID: o.ID, ItemName: o.ItemName, Buyer: o.Owner, Quantity: draft.Quantity, Notes: draft.Notes,
		UnitPrice: o.MaxPrice, UpdatedBy: by, CreatedAt: now,
	}
	return o.sell(draft.Quantity, now), sale, nil
}

// Acceptance is the result of accepting part of an offer.
type Acceptance struct {
	Order Order
	Offer Offer // its quantity is 0 when all of it was taken: it is then deleted
	Sale  Sale

	// Asked is set where the seller has said yes to an order that asks for their listing.
	Asked bool `json:",omitzero"`
}

// Accept returns the result of taking qty of offer for o. The caller saves it. It fails with Conflict when
// the order takes no sales and Invalid when qty is out of reach.
func (o Order) Accept(offer Offer, qty int, by core.UserID, now time.Time) (Acceptance, error) {
	if err := o.mustBeOpen(now); err != nil {
		return Acceptance{}, err
	}
	limit := min(o.Remaining(), offer.Quantity)
	if qty < 1 || qty > limit {
		return Acceptance{}, withCurrent(core.NewFieldError("quantity",
			core.NewText("quantity_range", "most", limit)), o)
	}
	offer.Quantity -= qty
	sale := Sale{
		OrderID: o.ID, ItemName: o.ItemName, Quantity: qty, UpdatedBy: by, CreatedAt: now,
		UnitPrice: offer.Price, Buyer: o.Owner, Seller: offer.Seller, Offer: offer.ID,
		SellerName: offer.SellerName, SellerContact: offer.SellerContact,
		Notes: fmt.Sprintf("%s%s (%s)", acceptedNote, offer.SellerName, offer.SellerContact),
	}
	return Acceptance{Order: o.sell(qty, now), Offer: offer, Sale: sale}, nil
}

// acceptedNote begins the note of an accepted offer. It is stored in English, and translated when it is
// shown.
const acceptedNote = "Accepted offer from "

// SellerInNote returns the seller as the note of an accepted offer names them, or false for any other note.
func (s Sale) SellerInNote() (seller string, ok bool) {
	return strings.CutPrefix(s.Notes, acceptedNote)
}

// Crossing is a trade of a request that takes offers as they come and a listing that sells without asking.
type Crossing struct {
	cross.Trade
	Standing StandingAcceptance // of the request, after it has taken the quantity; zero for an ask
}

// cross returns the result of a crossing. There is no offer: one has the order's price, and the crossing may
// have a lower one.
func (o Order) cross(c Crossing, now time.Time) (Acceptance, error) {
	offer := Offer{OrderID: o.ID, Seller: c.Seller, SellerName: c.Name, SellerContact: c.Contact,
		Price: c.Unit, Quantity: c.Quantity, CreatedAt: now}
	done, err := o.Accept(offer, c.Quantity, o.Owner, now)
	done.Sale.Crossed = c.Listing
	return done, err
}

// changed are the offers that an accept changed; none for all on an order that it filled.
func (a Acceptance) changed() []core.OfferID {
	if a.Order.Status == Fulfilled {
		return nil
	}
	return []core.OfferID{a.Offer.ID}
}
