package trust

import (
	"time"

	"tradepost/core"
)

// Side is one of the two who agreed on a sale.
type Side string

// The sides.
const (
	BuyerSide  Side = "buyer"
	SellerSide Side = "seller"
)

// Sides lists both.
var Sides = []Side{BuyerSide, SellerSide}

// Other returns the other side.
func (s Side) Other() Side {
	if s == BuyerSide {
		return SellerSide
	}
	return BuyerSide
}

// HandoverState is how far a handover has come.
type HandoverState string

// The states. A dispute ends as met or cancelled once a moderator has settled it.
const (
	HandoverAgreed      HandoverState = "agreed"      // not known yet
	HandoverMet         HandoverState = "met"         // both say so, or one does and the other did not answer
	HandoverCancelled   HandoverState = "cancelled"   // it did not happen: the quantity is free again
	HandoverDisputed    HandoverState = "disputed"    // the sides contradict each other
	HandoverUnconfirmed HandoverState = "unconfirmed" // neither has said anything
)

// HandoverStates lists every state.
var HandoverStates = []HandoverState{HandoverAgreed, HandoverMet, HandoverCancelled, HandoverDisputed,
	HandoverUnconfirmed}

// Over reports whether nothing changes the state any more.
func (s HandoverState) Over() bool { return s != HandoverAgreed && s != HandoverDisputed }

// SettledHandover is the result of one trader's handover with a partner, for records.
type SettledHandover struct {
	Trader core.UserID
	// Partner is zero for one who has left. Then FormerPartner is a number that all handovers with them have.
	Partner, FormerPartner core.UserID
	// PartnerEstablished reports whether the partner is, or was when they left, an established trader.
	PartnerEstablished bool
	PartnerCircle      core.UserID // who the partner mostly trades with have the same; zero for unknown
	Trusted            bool        // the trader is an established trader now
	Sale               core.SaleID
	State              HandoverState // met, cancelled or unconfirmed
	Against            bool          // a moderator settled it against the trader
	AcceptedAt         time.Time
	SettledAt          time.Time
	Quantity           int
}
