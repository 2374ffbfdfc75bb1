package core

import "time"

// Handover is what becomes of one accept between two accounts: the sides agree on a time, meet in the game, and each says whether it
// happened. A sale has one at most; an accept of a visitor's offer has none.
type Handover struct {
	Sale          SaleID
	AcceptedAt    time.Time
	AgreedBy      time.Time // the two want to have met by then
	Buyer, Seller HandoverSide
	State         HandoverState // as stored; Outcome says what it is by now
	SettledAt     time.Time     // when State became an end; zero before
	SettledBy     UserID        // the moderator who settled a dispute; zero for none, and once they have left
	Against       Side          // against whom they settled it; empty for nobody

	LookedAt time.Time // when a moderator began to look at the dispute; zero for not yet: the sides may change their words until then

	PostedAgain OrderID // the order that asks again for what was given back; zero for none

	// Of the sale.
	Order     OrderID // zero once it is deleted
	Offer     OfferID
	ItemName  string
	Quantity  int
	UnitPrice Copper

	OrderFulfilled bool // its order is, and stays so
}

// HandoverSide is what is known of one side of a handover.
type HandoverSide struct {
	User       UserID // zero once they have left
	Name       string // of their account; empty once they have left, as is Contact
	Contact    string
	Word       Word // what they said happened; empty for nothing yet
	SaidAt     time.Time
	LaterAt    time.Time // when they asked to be asked LaterFor later; zero when they did not
	TookBackAt time.Time // when they took their word back in a dispute, the last time; zero when they did not
	Messages   int       // how many direct messages about it were caused to them: MaxHandoverMessages at most
	PromptedAt time.Time // when the latest that asks for their word was; zero for none
}

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

// Word is what a side says happened in a handover.
type Word string

// The words. A side that has said nothing has none.
const (
	SaidMet    Word = "met"     // we met
	SaidNotMet Word = "not_met" // it did not happen
)

// Words lists every word.
var Words = []Word{SaidMet, SaidNotMet}

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
var HandoverStates = []HandoverState{HandoverAgreed, HandoverMet, HandoverCancelled, HandoverDisputed, HandoverUnconfirmed}

const (
	// AgreedWithin is by when the sides meet when the buyer says nothing.
	AgreedWithin = 72 * time.Hour
	// MaxAgreedWithin is the latest time that a buyer can name.
	MaxAgreedWithin = 30 * day
	// AnswerWithin is how long a side can be silent after the other's word, once it was asked: then that word is what happened.
	AnswerWithin = 72 * time.Hour
	// ConfirmWithin is how long both can be silent after the agreed time.
	ConfirmWithin = 7 * day
	// LaterFor is how long a side can put off its answer, once.
	LaterFor = 24 * time.Hour
	// RemindAfter is between the prompt for a side's word and the reminder of it.
	RemindAfter = 48 * time.Hour
	// MaxHandoverMessages is how many direct messages a side gets about one handover. Further ones are in the inbox only.
	MaxHandoverMessages = 2
)

// OpenHandovers and PastHandovers are the states before and after a handover is over.
var (
	OpenHandovers = []HandoverState{HandoverAgreed, HandoverDisputed}
	PastHandovers = []HandoverState{HandoverMet, HandoverCancelled, HandoverUnconfirmed}
)

// Over reports whether nothing changes the state any more.
func (s HandoverState) Over() bool { return s != HandoverAgreed && s != HandoverDisputed }

// SideOf returns the side of a user, empty for one who is no party.
func (h Handover) SideOf(user UserID) Side {
	switch {
	case user == 0:
		return ""
	case user == h.Buyer.User:
		return BuyerSide
	case user == h.Seller.User:
		return SellerSide
	}
	return ""
}

// On returns one side.
func (h Handover) On(side Side) HandoverSide {
	if side == BuyerSide {
		return h.Buyer
	}
	return h.Seller
}

func (h *Handover) on(side Side) *HandoverSide {
	if side == BuyerSide {
		return &h.Buyer
	}
	return &h.Seller
}

// Total is the exact sum that the buyer pays.
func (h Handover) Total() Copper { return h.UnitPrice * Copper(h.Quantity) }

// asked is when a side is first expected to answer.
func (h Handover) asked(s HandoverSide) time.Time {
	asked := latest(h.AgreedBy, s.TookBackAt)
	if !s.LaterAt.IsZero() {
		return latest(asked, s.LaterAt.Add(LaterFor))
	}
	return asked
}

// Outcome returns what the words of the sides, their silences and the time make of the handover, and since when. What has ended, and
// a dispute, stays.
//
// One word and AnswerWithin of silence are as good as two: silence agrees with whatever the other said. It did not happen without
// any silence when a side says so before the agreed time, unless the other has said that they met.
func (h Handover) Outcome(now time.Time) (HandoverState, time.Time) {
	if h.State != HandoverAgreed && h.State != "" {
		return h.State, h.SettledAt
	}
	buyer, seller := h.Buyer, h.Seller
	switch {
	case buyer.Word != "" && seller.Word != "":
		since := latest(buyer.SaidAt, seller.SaidAt)
		if buyer.Word != seller.Word {
			return HandoverDisputed, since
		}
		return buyer.Word.makes(), since
	case buyer.Word == "" && seller.Word == "":
		return h.when(HandoverUnconfirmed, latest(h.asked(buyer), h.asked(seller)).Add(ConfirmWithin), now)
	case buyer.Word == "":
		return h.alone(seller, buyer, now)
	}
	return h.alone(buyer, seller, now)
}

// alone decides what comes of the word of one side.
func (h Handover) alone(said, silent HandoverSide, now time.Time) (HandoverState, time.Time) {
	if said.Word == SaidNotMet && said.SaidAt.Before(h.AgreedBy) {
		return HandoverCancelled, latest(said.SaidAt, silent.TookBackAt)
	}
	return h.when(said.Word.makes(), latest(said.SaidAt, h.asked(silent)).Add(AnswerWithin), now)
}

// when is a state from a time on, and agreed before it.
func (h Handover) when(state HandoverState, from, now time.Time) (HandoverState, time.Time) {
	if now.Before(from) {
		return HandoverAgreed, time.Time{}
	}
	return state, from
}

// makes is what a word makes of a handover when nothing contradicts it.
func (w Word) makes() HandoverState {
	if w == SaidMet {
		return HandoverMet
	}
	return HandoverCancelled
}

// Prompts returns the sides that are asked for their word now: once after the agreed time, and once more as a reminder.
func (h Handover) Prompts(now time.Time) (sides []Side) {
	for _, side := range Sides {
		if at := h.promptAt(side); !at.IsZero() && !now.Before(at) {
			sides = append(sides, side)
		}
	}
	return sides
}

// promptAt is when a side is asked next; zero for not again.
func (h Handover) promptAt(side Side) time.Time {
	s := h.On(side)
	switch {
	case h.State != HandoverAgreed || s.User == 0 || s.Word != "" || s.Messages >= MaxHandoverMessages:
		return time.Time{}
	case !s.TookBackAt.IsZero(): // they know of it: a reminder
		return latest(h.asked(s).Add(RemindAfter), s.PromptedAt.Add(RemindAfter))
	case !s.LaterAt.IsZero():
		return h.asked(s)
	case s.PromptedAt.IsZero():
		return h.AgreedBy
	}
	return s.PromptedAt.Add(RemindAfter)
}

// DueAt returns when there is something to do about the handover next; zero for never.
func (h Handover) DueAt() time.Time {
	if h.State != HandoverAgreed {
		return time.Time{}
	}
	_, due := h.Outcome(farFuture)
	for _, side := range Sides {
		if at := h.promptAt(side); !at.IsZero() && at.Before(due) {
			due = at
		}
	}
	return due
}

// farFuture is later than anything that a handover waits for.
var farFuture = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// MaySay returns Forbidden when a user is no party of the handover, and Conflict when it has been settled by now, or a moderator looks
// at what the sides contradict each other about.
func (h Handover) MaySay(user UserID, now time.Time) error {
	if h.SideOf(user) == "" {
		return NewError(Forbidden, NewText("handover_not_yours", "Only the buyer and the seller can say what happened"))
	}
	switch state, _ := h.Outcome(now); {
	case state == HandoverDisputed && !h.LookedAt.IsZero():
		return NewError(Conflict, NewText("handover_looked_at", "A moderator is looking at it. Both of you read the decision."))
	case state.Over():
		return NewError(Conflict, NewText("handover_over", "This was settled already. Reload to see how."))
	}
	return nil
}

// MayTakeBack returns MaySay's errors, and Conflict for a side that has said nothing or whose word the other does not contradict.
func (h Handover) MayTakeBack(user UserID, now time.Time) error {
	if err := h.MaySay(user, now); err != nil {
		return err
	}
	if state, _ := h.Outcome(now); state != HandoverDisputed {
		return NewError(Conflict, NewText("handover_not_disputed", "You can take your word back while the two of you contradict each other"))
	}
	return nil
}

// Contradicts reports whether a word would contradict what the other side of a user has said that they met: a slip of the finger would make
// a case for moderators, so the adapters ask first.
func (h Handover) Contradicts(user UserID, word Word) bool {
	side := h.SideOf(user)
	return word == SaidNotMet && side != "" && h.State == HandoverAgreed && h.On(side).Word != SaidNotMet && h.On(side.Other()).Word == SaidMet
}

// MayPostpone returns MaySay's errors, and Conflict for a side that has said something, was not asked yet, or has put it off before.
func (h Handover) MayPostpone(user UserID, now time.Time) error {
	if err := h.MaySay(user, now); err != nil {
		return err
	}
	switch s := h.On(h.SideOf(user)); {
	case s.Word != "":
		return NewError(Conflict, NewText("handover_said", "You have said what happened already"))
	case !s.LaterAt.IsZero():
		return NewError(Conflict, NewText("handover_later_once", "You can put this off once only"))
	case now.Before(h.AgreedBy):
		return NewError(Conflict, NewText("handover_not_asked", "Nobody has asked you yet: the agreed time is still to come"))
	}
	return nil
}

// NewHandover returns the handover of an accept, nil for one that has none: it takes two accounts. It fails with Invalid when the time
// by which they meet is out of reach; a zero one is AgreedWithin.
func NewHandover(sale Sale, by, now time.Time) (*Handover, error) {
	if sale.Buyer == 0 || sale.Seller == 0 {
		return nil, nil
	}
	if by.IsZero() {
		by = now.Add(AgreedWithin)
	}
	if err := mayAgreeBy(by, now); err != nil {
		return nil, err
	}
	return &Handover{
		AcceptedAt: now, AgreedBy: by.UTC().Truncate(time.Microsecond), State: HandoverAgreed,
		Buyer: HandoverSide{User: sale.Buyer}, Seller: HandoverSide{User: sale.Seller},
		Order: sale.OrderID, Offer: sale.Offer, ItemName: sale.ItemName, Quantity: sale.Quantity, UnitPrice: sale.UnitPrice,
	}, nil
}

// HandoverQuery selects handovers. An empty list of sales selects every one.
type HandoverQuery struct {
	Sales  []SaleID
	Orders []OrderID       // of sales of these; empty for of every order
	States []HandoverState // in these as stored; empty for in any
	Before SaleID          // only older ones; zero for the newest
	Limit  int
}

// SettledHandover is what one trader's handover with a partner came to, for records.
type SettledHandover struct {
	Trader UserID
	// Partner is zero for one who has left. Then FormerPartner is a number that all handovers with them have.
	Partner, FormerPartner UserID
	// PartnerEstablished reports whether the partner is, or was when they left, an established trader.
	PartnerEstablished bool
	Sale               SaleID
	State              HandoverState // met, cancelled or unconfirmed
	Against            bool          // a moderator settled it against the trader
	AcceptedAt         time.Time
	SettledAt          time.Time
	Quantity           int
}
