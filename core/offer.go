package core

import (
	"fmt"
	"time"
)

// OfferID numbers an offer.
type OfferID int64

// Offer is a seller's word to fill part of an order. Its quantity is above 0 as long as it lives.
type Offer struct {
	ID            OfferID
	OrderID       OrderID
	Seller        UserID // zero for a visitor
	SellerName    string
	SellerContact string // a Discord username: typed by a visitor, the account's own for a user
	Message       string
	Price         Copper // for one: the order's price when the offer was made
	Quantity      int    // what is left of it
	CreatedAt     time.Time
}

// Verified tells whether the seller is known by a Discord account, and the contact with it.
func (o Offer) Verified() bool { return o.Seller != 0 }

// OfferDraft is what a seller says.
type OfferDraft struct {
	SellerName    string
	SellerContact string // of no account for a signed-in seller: theirs is taken
	Message       string
	Quantity      int
}

// Clean returns the draft with its texts cleaned.
func (d OfferDraft) Clean(forms TextForms) OfferDraft {
	d.SellerName = forms.name(d.SellerName)
	d.SellerContact = forms.name(d.SellerContact)
	d.Message = forms.prose(d.Message)
	return d
}

// Validate refuses a clean draft for an order of that total quantity with Invalid, naming every broken field.
func (d OfferDraft) Validate(total int) error {
	var c Checks
	c.That(d.SellerName != "", "sellerName", "Your name is required")
	c.That(within(d.SellerName, MaxSellerName), "sellerName", tooLong("Your name", MaxSellerName))
	c.That(d.SellerContact != "", "sellerContact", "Discord username is required")
	c.That(within(d.SellerContact, MaxContact), "sellerContact", tooLong("Discord username", MaxContact))
	c.That(d.Message != "", "message", "Message is required")
	c.That(within(d.Message, MaxOfferMessage), "message", tooLong("Message", MaxOfferMessage))
	c.That(1 <= d.Quantity && d.Quantity <= total, "quantityOffered", fmt.Sprintf("Choose a quantity from 1 to %d", total))
	return c.Err()
}

// Seller is what stands between a user and an order that they offer on.
type Seller struct {
	Offer          OfferID // their live offer on it; zero for none
	Blocked        bool    // by a moderator
	BlockedByBuyer bool
	Visitors       int // for a visitor: how many offers of visitors stand on it already
}

// MaxVisitorOffers is how many offers of visitors one order holds. Those of users are one each.
const MaxVisitorOffers = 100

// NewOffer decides whether the actor may make this offer on the order. It refuses with Conflict when the order takes
// none, Unauthenticated when it takes none of visitors, Forbidden when it is the actor's own or
// the actor is blocked, TooMany when visitors have made enough offers on it, and Invalid.
func (o Order) NewOffer(draft OfferDraft, by Actor, seller Seller, forms TextForms, now time.Time) (Offer, error) {
	if err := o.mustBeOpen(now); err != nil {
		return Offer{}, err
	}
	switch {
	case !by.SignedIn():
		if err := o.mayTakeVisitors(seller.Visitors); err != nil {
			return Offer{}, err
		}
	case by.UserID == o.Owner:
		return Offer{}, &Error{Kind: Forbidden, Message: "You cannot offer on your own request"}
	case seller.BlockedByBuyer:
		return Offer{}, &Error{Kind: Forbidden, Message: "This buyer takes no offers from you"}
	default:
		by.Blocked = by.Blocked || seller.Blocked
		if err := by.mayTrade(); err != nil {
			return Offer{}, err
		}
		draft.SellerContact = by.Username
	}
	draft = draft.Clean(forms)
	if err := draft.Validate(o.Quantity); err != nil {
		return Offer{}, err
	}
	return Offer{
		OrderID: o.ID, Seller: by.UserID,
		SellerName: draft.SellerName, SellerContact: draft.SellerContact, Message: draft.Message,
		Price: o.MaxPrice, Quantity: draft.Quantity, CreatedAt: now,
	}, nil
}

// mayTakeVisitors refuses where a visitor's offer is one too many, or is not wanted.
func (o Order) mayTakeVisitors(standing int) error {
	switch {
	case o.SignedInOnly:
		return &Error{Kind: Unauthenticated, Message: "Only signed-in sellers can offer on this request"}
	case standing >= MaxVisitorOffers:
		return &Error{Kind: TooMany, Message: "This request has many offers of visitors already. Sign in with Discord to offer.", RetryAfter: time.Hour}
	}
	return nil
}

// Acceptance is what accepting part of an offer makes of everything it touches.
type Acceptance struct {
	Order Order
	Offer Offer // its quantity is 0 when all of it was taken: it is then deleted
	Sale  Sale
}

// Accept decides what taking qty of offer does to o. The caller saves the result.
// It refuses with Conflict when the order takes no sales and Invalid when qty is out of reach.
func (o Order) Accept(offer Offer, qty int, by UserID, now time.Time) (Acceptance, error) {
	if err := o.mustBeOpen(now); err != nil {
		return Acceptance{}, err
	}
	limit := min(o.Remaining(), offer.Quantity)
	if qty < 1 || qty > limit {
		return Acceptance{}, showing(invalid("quantity", fmt.Sprintf("Choose a quantity from 1 to %d", limit)), o)
	}
	offer.Quantity -= qty
	sale := Sale{
		OrderID: o.ID, Quantity: qty, UpdatedBy: by, CreatedAt: now,
		UnitPrice: offer.Price, Seller: offer.Seller,
		Notes: fmt.Sprintf("Accepted offer from %s (%s)", offer.SellerName, offer.SellerContact),
	}
	return Acceptance{Order: o.sell(qty, now), Offer: offer, Sale: sale}, nil
}

// OfferState says what became of an offer.
type OfferState string

// The states of a sent offer. Only an open one still stands on its order.
const (
	OfferOpen      OfferState = "open"
	OfferAccepted  OfferState = "accepted" // all of it
	OfferDeclined  OfferState = "declined"
	OfferWithdrawn OfferState = "withdrawn"
	OfferLapsed    OfferState = "lapsed"   // its order closed, expired or was deleted
	OfferReplaced  OfferState = "replaced" // by a later one of the same seller
	OfferRemoved   OfferState = "removed"  // by a moderator
)

// SentOffer is a seller's own record of an offer. It outlives the offer and its order.
type SentOffer struct {
	ID           OfferID
	Seller       UserID
	OrderID      OrderID // zero once the order is deleted
	ItemName     string
	Price        Copper // for one
	Quantity     int    // as offered
	Accepted     int    // of it, so far
	State        OfferState
	BuyerContact string // shown to the seller once something was accepted
	CreatedAt    time.Time
	UpdatedAt    time.Time
}
