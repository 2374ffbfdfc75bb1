package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/trust"
)

// Handover is the meeting that follows one accept between two accounts: the sides agree on a time, meet in
// the game, and each says whether it happened. A sale has one at most; an accept of a visitor's offer has
// none.
type Handover struct {
	Sale          core.SaleID
	AcceptedAt    time.Time
	AgreedBy      time.Time // the two want to have met by then
	Buyer, Seller HandoverSide
	State         trust.HandoverState // as stored; Outcome returns the present one
	SettledAt     time.Time           // when State became an end; zero before
	// the moderator who settled a dispute; zero for none, and once they have left
	SettledBy core.UserID
	Against   trust.Side // the side they settled it against; empty for neither

	// when a moderator began to look at the dispute; zero for not yet: the sides may change their words
	// until then
	LookedAt time.Time

	PostedAgain core.OrderID // the order that asks again for the returned quantity; zero for none

	// Of the sale.
	Order     core.OrderID // zero once it is deleted
	Offer     core.OfferID
	ItemName  string
	Quantity  int
	UnitPrice core.Copper

	OrderFulfilled bool // its order is, and stays so
}

// HandoverSide holds the facts about one side of a handover.
type HandoverSide struct {
	User       core.UserID // zero once they have left
	Name       string      // of their account; empty once they have left, as is Contact
	Contact    string
	Word       Word // their statement; empty for none yet
	SaidAt     time.Time
	LaterAt    time.Time // when they asked to be asked LaterFor later; zero when they did not
	TookBackAt time.Time // when they took their word back in a dispute, the last time; zero when they did not
	Messages   int       // how many direct messages about it were caused to them: MaxHandoverMessages at most
	PromptedAt time.Time // when the latest that asks for their word was; zero for none
}

// Word is a side's statement on whether the handover happened.
type Word string

// The words. A side that has said nothing has none.
const (
	SaidMet    Word = "met"     // we met
	SaidNotMet Word = "not_met" // it did not happen
)

// Words lists every word.
var Words = []Word{SaidMet, SaidNotMet}

const (
	// AgreedWithin is by when the sides meet when the buyer says nothing.
	AgreedWithin = 72 * time.Hour
	// MaxAgreedWithin is the latest time that a buyer can name.
	MaxAgreedWithin = 30 * core.Day
	// AnswerWithin is how long a side can be silent after the other's word, once it was asked: then that
	// word settles the handover.
	AnswerWithin = 72 * time.Hour
	// ConfirmWithin is how long both can be silent after the agreed time.
	ConfirmWithin = 7 * core.Day
	// LaterFor is how long a side can put off its answer, once.
	LaterFor = 24 * time.Hour
	// RemindAfter is between the prompt for a side's word and the reminder of it.
	RemindAfter = 48 * time.Hour
	// MaxHandoverMessages is how many direct messages a side gets about one handover. Further ones are in
	// the inbox only.
	MaxHandoverMessages = 2
)

// MaxHandoversAtOnce is how many handovers one word can be about.
const MaxHandoversAtOnce = 200

// OpenHandovers and PastHandovers are the states before and after a handover is over.
var (
	OpenHandovers = []trust.HandoverState{trust.HandoverAgreed, trust.HandoverDisputed}
	PastHandovers = []trust.HandoverState{trust.HandoverMet, trust.HandoverCancelled,
		trust.HandoverUnconfirmed}
)

// SideOf returns the side of a user, empty for one who is no party.
func (h Handover) SideOf(user core.UserID) trust.Side {
	switch {
	case user == 0:
		return ""
	case user == h.Buyer.User:
		return trust.BuyerSide
	case user == h.Seller.User:
		return trust.SellerSide
	}
	return ""
}

// On returns one side.
func (h Handover) On(side trust.Side) HandoverSide {
	if side == trust.BuyerSide {
		return h.Buyer
	}
	return h.Seller
}

func (h *Handover) on(side trust.Side) *HandoverSide {
	if side == trust.BuyerSide {
		return &h.Buyer
	}
	return &h.Seller
}

// Total is the exact sum that the buyer pays.
func (h Handover) Total() core.Copper { return h.UnitPrice * core.Copper(h.Quantity) }

// asked is when a side is first expected to answer.
func (h Handover) asked(s HandoverSide) time.Time {
	asked := latest(h.AgreedBy, s.TookBackAt)
	if !s.LaterAt.IsZero() {
		return latest(asked, s.LaterAt.Add(LaterFor))
	}
	return asked
}

// Outcome returns the state of the handover that follows from the sides' words, their silences and the time,
// and since when. Ended handovers and disputes keep their state.
//
// One word and AnswerWithin of silence are as good as two: silence agrees with the other side's word. It did
// not happen without any silence when a side says so before the agreed time, unless the other has said that
// they met.
func (h Handover) Outcome(now time.Time) (trust.HandoverState, time.Time) {
	if h.State != trust.HandoverAgreed && h.State != "" {
		return h.State, h.SettledAt
	}
	buyer, seller := h.Buyer, h.Seller
	switch {
	case buyer.Word != "" && seller.Word != "":
		since := latest(buyer.SaidAt, seller.SaidAt)
		if buyer.Word != seller.Word {
			return trust.HandoverDisputed, since
		}
		return buyer.Word.makes(), since
	case buyer.Word == "" && seller.Word == "":
		return h.when(trust.HandoverUnconfirmed,
			latest(h.asked(buyer), h.asked(seller)).Add(ConfirmWithin), now)
	case buyer.Word == "":
		return h.alone(seller, buyer, now)
	}
	return h.alone(buyer, seller, now)
}

// alone returns the state that follows from the word of one side.
func (h Handover) alone(said, silent HandoverSide, now time.Time) (trust.HandoverState, time.Time) {
	if said.Word == SaidNotMet && said.SaidAt.Before(h.AgreedBy) {
		return trust.HandoverCancelled, latest(said.SaidAt, silent.TookBackAt)
	}
	return h.when(said.Word.makes(), latest(said.SaidAt, h.asked(silent)).Add(AnswerWithin), now)
}

// when is a state from a time on, and agreed before it.
func (h Handover) when(state trust.HandoverState, from, now time.Time) (trust.HandoverState, time.Time) {
	if now.Before(from) {
		return trust.HandoverAgreed, time.Time{}
	}
	return state, from
}

// makes returns the state that a word leads to when nothing contradicts it.
func (w Word) makes() trust.HandoverState {
	if w == SaidMet {
		return trust.HandoverMet
	}
	return trust.HandoverCancelled
}

// Prompts returns the sides that are asked for their word now: once after the agreed time, and once more as
// a reminder.
func (h Handover) Prompts(now time.Time) (sides []trust.Side) {
	for _, side := range trust.Sides {
		if at := h.promptAt(side); !at.IsZero() && !now.Before(at) {
			sides = append(sides, side)
		}
	}
	return sides
}

// promptAt is when a side is asked next; zero for not again.
func (h Handover) promptAt(side trust.Side) time.Time {
	s := h.On(side)
	switch {
	case h.State != trust.HandoverAgreed || s.User == 0 || s.Word != "" || s.Messages >= MaxHandoverMessages:
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
	if h.State != trust.HandoverAgreed {
		return time.Time{}
	}
	_, due := h.Outcome(farFuture)
	for _, side := range trust.Sides {
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

// MaySay returns Forbidden when a user is no party of the handover, and Conflict when it has been settled by
// now, or a moderator looks at the dispute.
func (h Handover) MaySay(user core.UserID, now time.Time) error {
	if h.SideOf(user) == "" {
		return core.NewError(core.Forbidden,
			core.NewText("handover_not_yours", "Only the buyer and the seller can say what happened"))
	}
	switch state, _ := h.Outcome(now); {
	case state == trust.HandoverDisputed && !h.LookedAt.IsZero():
		return core.NewError(core.Conflict,
			core.NewText("handover_looked_at",
				"A moderator is looking at it. Both of you read the decision."))
	case state.Over():
		return core.NewError(core.Conflict,
			core.NewText("handover_over", "This was settled already. Reload to see how."))
	}
	return nil
}

// MayTakeBack returns MaySay's errors, and Conflict unless the handover is disputed.
func (h Handover) MayTakeBack(user core.UserID, now time.Time) error {
	if err := h.MaySay(user, now); err != nil {
		return err
	}
	if state, _ := h.Outcome(now); state != trust.HandoverDisputed {
		return core.NewError(core.Conflict,
			core.NewText("handover_not_disputed",
				"You can take your word back while the two of you contradict each other"))
	}
	return nil
}

// Contradicts reports whether a user's word would contradict the other side's word that they met: a slip of
// the finger would make a case for moderators, so the adapters ask first.
func (h Handover) Contradicts(user core.UserID, word Word) bool {
	side := h.SideOf(user)
	return word == SaidNotMet && side != "" && h.State == trust.HandoverAgreed &&
		h.On(side).Word != SaidNotMet && h.On(side.Other()).Word == SaidMet
}

// MayPostpone returns MaySay's errors, and Conflict for a side that has said something, was not asked yet,
// or has put it off before.
func (h Handover) MayPostpone(user core.UserID, now time.Time) error {
	if err := h.MaySay(user, now); err != nil {
		return err
	}
	switch s := h.On(h.SideOf(user)); {
	case s.Word != "":
		return core.NewError(core.Conflict,
			core.NewText("handover_said", "You have said what happened already"))
	case !s.LaterAt.IsZero():
		return core.NewError(core.Conflict,
			core.NewText("handover_later_once", "You can put this off once only"))
	case now.Before(h.AgreedBy):
		return core.NewError(core.Conflict,
			core.NewText("handover_not_asked", "Nobody has asked you yet: the agreed time is still to come"))
	}
	return nil
}

// NewHandover returns the handover of an accept, nil for an accept without one: it takes two accounts. It
// fails with Invalid when the time by which they meet is out of reach; a zero time means AgreedWithin.
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
		AcceptedAt: now, AgreedBy: by.UTC().Truncate(time.Microsecond), State: trust.HandoverAgreed,
		Buyer: HandoverSide{User: sale.Buyer}, Seller: HandoverSide{User: sale.Seller},
		Order: sale.OrderID, Offer: sale.Offer, ItemName: sale.ItemName, Quantity: sale.Quantity,
		UnitPrice: sale.UnitPrice,
	}, nil
}

// HandoverQuery selects handovers. An empty list of sales selects every one.
type HandoverQuery struct {
	Sales  []core.SaleID
	Orders []core.OrderID        // of sales of these; empty for of every order
	States []trust.HandoverState // in these as stored; empty for in any
	Before core.SaleID           // only older ones; zero for the newest
	Limit  int
}
