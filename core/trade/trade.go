package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/people"
	"tradepost/core/trust"
)

// Trade is an accept that was not undone: what the two agreed on, how they reach each other and, between two
// accounts, their handover: they agree on a time, meet in the game, and each says whether it happened. Its
// receipt is for the two alone: only there do they learn how to reach each other's Discord account.
type Trade struct {
	Sale          core.SaleID
	AcceptedAt    time.Time
	AgreedBy      time.Time // the two want to have met by then; zero without a handover
	Buyer, Seller Party
	// of the handover as stored; Outcome returns the present one. Empty for none: a visitor sold, or
	// handovers were off.
	State     trust.HandoverState
	SettledAt time.Time // when State became an end; zero before
	// the moderator who settled a dispute; zero for none, and once they have left
	SettledBy core.UserID
	Against   trust.Side // the side they settled it against; empty for neither

	RulingReason   string    `json:",omitzero"` // that moderator's; empty for none, and once a side has left
	RulingUndoneAt time.Time `json:",omitzero"` // when a ruling was undone last; zero for never

	// when a moderator began to look at the dispute; zero for not yet: the sides may change their words
	// until then
	LookedAt time.Time

	PostedAgain core.OrderID // the order that asks again for the returned quantity; zero for none

	Order     core.OrderID // zero once it is deleted
	Offer     core.OfferID // zero when not known; the offer may be gone
	ItemName  string
	Quantity  int
	UnitPrice core.Copper

	OrderFulfilled bool // its order is, and stays so

	Crossed core.StockID `json:",omitzero"` // as the sale's

	Meets hours.Meeting `json:",omitzero"` // the time that is proposed to both
}

// Party is one side of a trade.
type Party struct {
	User       core.UserID // zero for a visitor, and once they have left
	Name       string      // of their account; empty for a visitor and once they have left, as is Contact
	Contact    string      // the username of their account
	Word       Word        // their statement; empty for none yet
	SaidAt     time.Time
	LaterAt    time.Time // when they asked to be asked LaterFor later; zero when they did not
	TookBackAt time.Time // when they took their word back in a dispute, the last time; zero when they did not
	Messages   int       // how many direct messages about it were caused to them, within LimitTradeMessages
	PromptedAt time.Time // when the latest that asks for their word was; zero for none

	// Of the receipt. The stored answer of a write leaves them out.
	DiscordID string `json:"-"` // of their account; empty as Name
	Typed     Typed  `json:"-"`
	// of the typed contact, and of the seller's name or the buyer's in-game name
	LookAlike core.LookAlike `json:"-"`
}

// Typed is how a party said that they are called and reached: the buyer in the order, the seller in the
// offer. It is kept for the other side a while after they have left.
type Typed struct {
	Name       string // the seller's; the buyer's of their account
	Contact    string // a Discord username; empty once the order is deleted
	InGameName string // the buyer's; empty for none
}

// Account returns the Discord account of a party.
func (p Party) Account() people.Account {
	return people.Account{DiscordID: p.DiscordID, Username: p.Contact, DisplayName: p.Name}
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
func (t Trade) SideOf(user core.UserID) trust.Side {
	switch {
	case user == 0:
		return ""
	case user == t.Buyer.User:
		return trust.BuyerSide
	case user == t.Seller.User:
		return trust.SellerSide
	}
	return ""
}

// On returns one side.
func (t Trade) On(side trust.Side) Party {
	if side == trust.BuyerSide {
		return t.Buyer
	}
	return t.Seller
}

func (t *Trade) on(side trust.Side) *Party {
	if side == trust.BuyerSide {
		return &t.Buyer
	}
	return &t.Seller
}

// BoughtBy reports whether the reader is the buyer. Otherwise they are the seller.
func (t Trade) BoughtBy(reader core.UserID) bool { return t.SideOf(reader) == trust.BuyerSide }

// Other returns the side that is not the reader.
func (t Trade) Other(reader core.UserID) Party { return t.On(t.SideOf(reader).Other()) }

// ContactVerified reports whether the other side's contact belongs to their account: a seller's does by
// rule, and a buyer types theirs.
func (t Trade) ContactVerified(reader core.UserID) bool {
	if t.BoughtBy(reader) {
		return t.Seller.DiscordID != "" && t.Seller.Typed.Contact != ""
	}
	return t.Buyer.Account().Owns(t.Buyer.Typed.Contact)
}

// Total is the exact sum that the buyer pays.
func (t Trade) Total() core.Copper { return t.UnitPrice * core.Copper(t.Quantity) }

// asked is when a side is first expected to answer.
func (t Trade) asked(s Party) time.Time {
	asked := latest(t.AgreedBy, s.TookBackAt)
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
func (t Trade) Outcome(now time.Time) (trust.HandoverState, time.Time) {
	if t.State != trust.HandoverAgreed && t.State != "" {
		return t.State, t.SettledAt
	}
	buyer, seller := t.Buyer, t.Seller
	switch {
	case buyer.Word != "" && seller.Word != "":
		since := latest(buyer.SaidAt, seller.SaidAt)
		if buyer.Word != seller.Word {
			return trust.HandoverDisputed, since
		}
		return buyer.Word.makes(), since
	case buyer.Word == "" && seller.Word == "":
		return t.when(trust.HandoverUnconfirmed,
			latest(t.asked(buyer), t.asked(seller)).Add(ConfirmWithin), now)
	case buyer.Word == "":
		return t.alone(seller, buyer, now)
	}
	return t.alone(buyer, seller, now)
}

// alone returns the state that follows from the word of one side.
func (t Trade) alone(said, silent Party, now time.Time) (trust.HandoverState, time.Time) {
	if said.Word == SaidNotMet && said.SaidAt.Before(t.AgreedBy) {
		return trust.HandoverCancelled, latest(said.SaidAt, silent.TookBackAt)
	}
	return t.when(said.Word.makes(), latest(said.SaidAt, t.asked(silent)).Add(AnswerWithin), now)
}

// when is a state from a time on, and agreed before it.
func (t Trade) when(state trust.HandoverState, from, now time.Time) (trust.HandoverState, time.Time) {
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
func (t Trade) Prompts(now time.Time) (sides []trust.Side) {
	for _, side := range trust.Sides {
		if at := t.promptAt(side); !at.IsZero() && !now.Before(at) {
			sides = append(sides, side)
		}
	}
	return sides
}

// promptAt is when a side is asked next; zero for not again.
func (t Trade) promptAt(side trust.Side) time.Time {
	s := t.On(side)
	switch {
	case t.State != trust.HandoverAgreed || s.User == 0 || s.Word != "" ||
		s.Messages >= core.LimitTradeMessages.Limit:
		return time.Time{}
	case !s.TookBackAt.IsZero(): // they know of it: a reminder
		return latest(t.asked(s).Add(RemindAfter), s.PromptedAt.Add(RemindAfter))
	case !s.LaterAt.IsZero():
		return t.asked(s)
	case s.PromptedAt.IsZero():
		return t.AgreedBy
	}
	return s.PromptedAt.Add(RemindAfter)
}

// DueAt returns when there is something to do about the handover next; zero for never.
func (t Trade) DueAt() time.Time {
	if t.State != trust.HandoverAgreed {
		return time.Time{}
	}
	_, due := t.Outcome(farFuture)
	for _, side := range trust.Sides {
		if at := t.promptAt(side); !at.IsZero() && at.Before(due) {
			due = at
		}
	}
	if at := t.Meets.RemindAt(); !at.IsZero() && at.Before(due) {
		due = at
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
func (t Trade) MaySay(user core.UserID, now time.Time) error {
	if err := t.mustBeSide(core.Actor{UserID: user}); err != nil {
		return err
	}
	return t.mustBeOpen(now)
}

func (t Trade) mustBeSide(by core.Actor) error {
	if t.SideOf(by.UserID) == "" {
		return core.NewError(core.Forbidden, core.NewText("handover_not_yours"))
	}
	return nil
}

func (t Trade) mustBeOpen(now time.Time) error {
	switch state, _ := t.Outcome(now); {
	case state == trust.HandoverDisputed && !t.LookedAt.IsZero():
		return core.NewError(core.Conflict, core.NewText("handover_looked_at"))
	case state.Over():
		return core.NewError(core.Conflict, core.NewText("handover_over"))
	}
	return nil
}

// WordUndo is the undo of a side's word: while the two contradict each other, until a moderator looks at it.
func (t Trade) WordUndo(now time.Time) core.Undo {
	u := core.Undo{Kind: core.UndoWord, ID: int64(t.Sale), By: t.mustBeSide, Acted: t.mustBeOpen(now)}
	if state, _ := t.Outcome(now); u.Acted == nil && state != trust.HandoverDisputed {
		u.Acted = core.NewError(core.Conflict, core.NewText("handover_not_disputed"))
	}
	return u
}

// Contradicts reports whether a user's word would contradict the other side's word that they met: a slip of
// the finger would make a case for moderators, so the adapters ask first.
func (t Trade) Contradicts(user core.UserID, word Word) bool {
	side := t.SideOf(user)
	return word == SaidNotMet && side != "" && t.State == trust.HandoverAgreed &&
		t.On(side).Word != SaidNotMet && t.On(side.Other()).Word == SaidMet
}

// SurelyAfter is how soon after an accept, where the sides have agreed on no time, a side that says that it
// did not happen is asked first.
const SurelyAfter = time.Hour

// EarlyUntil returns until when the word of a user that it did not happen ends the trade before the two can
// have met, so that the adapters ask first: the time that they have agreed on, or SurelyAfter after the
// accept. named reports whether it is the agreed time. It returns zero when they are not asked.
func (t Trade) EarlyUntil(user core.UserID, now time.Time) (until time.Time, named bool) {
	side := t.SideOf(user)
	if side == "" || t.MaySay(user, now) != nil || t.On(side).Word == SaidNotMet ||
		t.On(side.Other()).Word != "" {
		return time.Time{}, false
	}
	switch {
	case t.Meets.Agreed():
		until, named = t.Meets.At, true
	case !t.AgreedBy.Equal(t.AcceptedAt.Add(AgreedWithin)):
		until, named = t.AgreedBy, true
	default:
		until = t.AcceptedAt.Add(SurelyAfter)
	}
	if !now.Before(until) {
		return time.Time{}, false
	}
	return until, named
}

// MayPostpone returns MaySay's errors, and Conflict for a side that has said something, was not asked yet,
// or has put it off before.
func (t Trade) MayPostpone(user core.UserID, now time.Time) error {
	if err := t.MaySay(user, now); err != nil {
		return err
	}
	switch s := t.On(t.SideOf(user)); {
	case s.Word != "":
		return core.NewError(core.Conflict, core.NewText("handover_said"))
	case !s.LaterAt.IsZero():
		return core.NewError(core.Conflict, core.NewText("handover_later_once"))
	case now.Before(t.AgreedBy):
		return core.NewError(core.Conflict, core.NewText("handover_not_asked"))
	}
	return nil
}

// Undo is the undo of the accept, by a side that SaleUndo names, while the order is not closed otherwise and
// neither side has given its word.
func (t Trade) Undo() core.Undo {
	u := core.Undo{
		Kind: core.UndoSale, ID: int64(t.Sale), Until: t.AcceptedAt.Add(core.UndoWindow),
		By: undoesSale(t.Buyer.User, t.Seller.User, t.Crossed),
	}
	if t.Buyer.Word != "" || t.Seller.Word != "" {
		u.Acted = otherSideActed()
	}
	return u
}

// NewHandover returns the handover of an accept, nil for an accept without one: it takes two accounts. It
// fails with Invalid when the time by which they meet is out of reach; a zero time means AgreedWithin.
func NewHandover(sale Sale, by, now time.Time) (*Trade, error) {
	if sale.Buyer == 0 || sale.Seller == 0 {
		return nil, nil
	}
	if by.IsZero() {
		by = now.Add(AgreedWithin)
	}
	if err := mayAgreeBy(by, now); err != nil {
		return nil, err
	}
	return &Trade{
		AcceptedAt: now, AgreedBy: by.UTC().Truncate(time.Microsecond), State: trust.HandoverAgreed,
		Buyer: Party{User: sale.Buyer}, Seller: Party{User: sale.Seller},
		Order: sale.OrderID, Offer: sale.Offer, ItemName: sale.ItemName, Quantity: sale.Quantity,
		UnitPrice: sale.UnitPrice,
	}, nil
}

// Query selects trades. Empty lists select every one.
type Query struct {
	Sales  []core.SaleID
	Orders []core.OrderID
	Offers []core.OfferID
	States []trust.HandoverState // of handovers, as stored
	Before core.SaleID           // only older ones; zero for the newest
	Limit  int
}
