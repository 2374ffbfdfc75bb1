package trade

import (
	"time"

	"tradepost/core"
)

// OfferState is the state of a sent offer.
type OfferState string

// The states of a sent offer. Only an open one can still be accepted.
const (
	OfferOpen      OfferState = "open"
	OfferAccepted  OfferState = "accepted" // all of it
	OfferDeclined  OfferState = "declined"
	OfferWithdrawn OfferState = "withdrawn"
	OfferLapsed    OfferState = "lapsed"   // its order closed, expired or was deleted
	OfferReplaced  OfferState = "replaced" // by a later one of the same seller
	OfferRemoved   OfferState = "removed"  // by a moderator
)

// OfferStates lists every state.
var OfferStates = []OfferState{
	OfferOpen, OfferAccepted, OfferDeclined, OfferWithdrawn, OfferLapsed, OfferReplaced, OfferRemoved,
}

// SentOffer is a seller's own record of an offer. It outlives the offer and its order.
type SentOffer struct {
	ID           core.OfferID
	Seller       core.UserID
	OrderID      core.OrderID // zero once the order is deleted
	ItemName     string
	SellerName   string      // empty where it was not stored yet
	Message      string      // the seller's own words; empty where they were not stored yet
	Price        core.Copper // for one
	Quantity     int         // as offered
	Accepted     int         // of it, so far
	State        OfferState
	GoodUntil    time.Time // as the seller chose; zero for none
	BuyerContact string    // shown to the seller once something was accepted, as long as the order is there
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Left is how much of the offer may still be accepted.
func (o SentOffer) Left() int {
	if o.State != OfferOpen {
		return 0
	}
	return o.Quantity - o.Accepted
}

// UndoUntil is until when withdrawing the offer counts as undoing it; zero when some of it was accepted or it
// is over.
func (o SentOffer) UndoUntil() time.Time {
	if o.State != OfferOpen || o.Accepted > 0 {
		return time.Time{}
	}
	return o.CreatedAt.Add(core.UndoWindow)
}

// SentPart is a part of a seller's sent offers. Each offer is in one.
type SentPart string

// The parts of sent offers.
const (
	SentOpen     SentPart = "open"     // some of it may be accepted yet
	SentAccepted SentPart = "accepted" // over, and some of it was accepted
	SentPast     SentPart = "past"     // over, and nothing was
)

// SentParts lists every part.
var SentParts = []SentPart{SentOpen, SentAccepted, SentPast}

// SentCounts is how many offers are in each part.
type SentCounts struct{ Open, Accepted, Past int }
