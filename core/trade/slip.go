package trade

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trust"
)

const (
	// MaxSlipLines is how many handovers a trade slip has at most: as many as one word can be about.
	MaxSlipLines = MaxHandoversAtOnce
)

const (
	// MaxSlipPartners is how many partners are listed at most.
	MaxSlipPartners = 25
)

// Slip is the trade slip: everything that is open between a trader and one partner, as the trader sees it.
type Slip struct {
	Own, Partner SlipParty
	Lines        []SlipLine // by the agreed time, the earliest first
	More         bool       // there are more than MaxSlipLines
	Place        MeetingPlace
	CanSayPlace  bool // neither has blocked the other
}

// SlipParty is one of the two on a slip.
type SlipParty struct {
	User    core.UserID
	Account people.Account
	// InGameNames are their names in the game: the account's name first, then the names on their requests on
	// the slip.
	InGameNames []string
	LookAlike   bool // one of them looks like the name of another, established trader
}

// SlipLine is an open handover with the texts of both sides.
type SlipLine struct {
	Trade       Trade
	Description string // of the request; empty once it is deleted
	Message     string // of the offer
}

// SlipRows holds the stored data of the trade slip of two traders.
type SlipRows struct {
	Own, Partner SlipParty
	Lines        []SlipLine // newest first
	Place        MeetingPlace
	Blocked      bool // one has blocked the other
}

// Details is everything about one trade, as one of its sides reads it: the trade with what both wrote about
// it, and the slip of all that is open between the two.
type Details struct {
	SlipLine
	UndoneAt time.Time // when the accept was undone; zero for not
	Slip     Slip      // without lines when nothing is open, without a partner for a visitor
}

// DetailsRows holds the stored data of one trade and of its slip.
type DetailsRows struct {
	SlipLine
	ReversedAt time.Time // when its sale was reversed; zero for not
	Slip       SlipRows  // empty for a visitor and for a partner who has left
}

// nameSides adds the name in the game that the buyer gave with this trade's request, which may not be open.
func (d *Details) nameSides(reader core.UserID) {
	if d.Slip.Own.User == 0 {
		own := d.Trade.On(d.Trade.SideOf(reader))
		d.Slip.Own = SlipParty{User: reader, Account: own.Account()}
	}
	buyer, name := &d.Slip.Own, d.Trade.Buyer.Typed.InGameName
	if !d.Trade.BoughtBy(reader) {
		buyer = &d.Slip.Partner
	}
	if name != "" && !slices.Contains(buyer.InGameNames, name) {
		buyer.InGameNames = append(buyer.InGameNames, name)
	}
}

// EventKind says what happened to a trade.
type EventKind string

// What can have happened to a trade.
const (
	EventAccepted   EventKind = "accepted"
	EventPlaced     EventKind = "placed"    // a side said where they meet
	EventPostponed  EventKind = "postponed" // a side put its answer off
	EventSaidMet    EventKind = "met"       // a side said that they met
	EventSaidNotMet EventKind = "not_met"   // a side said that it did not happen
	EventTookBack   EventKind = "took_back" // a side withdrew its answer
	EventLookedAt   EventKind = "looked_at" // a moderator began to look at the dispute
	EventDecided    EventKind = "decided"   // a moderator settled it
	EventReopened   EventKind = "reopened"  // a moderator undid a decision
	EventSilence    EventKind = "silence"   // silence settled it
	EventUndone     EventKind = "undone"    // the buyer undid the accept
)

// EventKinds lists every kind of event.
var EventKinds = []EventKind{EventAccepted, EventPlaced, EventPostponed, EventSaidMet, EventSaidNotMet,
	EventTookBack, EventLookedAt, EventDecided, EventReopened, EventSilence, EventUndone}

// Event is one thing that happened to a trade.
type Event struct {
	Kind EventKind
	By   trust.Side // empty for a moderator, and when time did it
	At   time.Time
}

// History returns what has happened to the trade, the earliest first.
func (d Details) History(now time.Time) (events []Event) {
	add := func(kind EventKind, by trust.Side, at time.Time) {
		if !at.IsZero() {
			events = append(events, Event{kind, by, at})
		}
	}
	t := d.Trade
	add(EventAccepted, trust.BuyerSide, t.AcceptedAt)
	state, since := t.Outcome(now)
	if p := d.Slip.Place; p.Text != "" && p.SaidAt.After(t.AcceptedAt) &&
		(!state.Over() || p.SaidAt.Before(since)) {
		add(EventPlaced, t.SideOf(p.SaidBy), p.SaidAt)
	}
	for _, side := range trust.Sides {
		s := t.On(side)
		add(EventPostponed, side, s.LaterAt)
		add(EventTookBack, side, s.TookBackAt)
		switch s.Word {
		case SaidMet:
			add(EventSaidMet, side, s.SaidAt)
		case SaidNotMet:
			add(EventSaidNotMet, side, s.SaidAt)
		}
	}
	add(EventLookedAt, "", t.LookedAt)
	add(EventReopened, "", t.RulingUndoneAt)
	switch {
	case t.State == "" || !state.Over():
	case t.Ruled(now):
		add(EventDecided, "", since)
	case t.Buyer.Word == "" || t.Seller.Word == "":
		if since.After(latest(t.Buyer.SaidAt, t.Seller.SaidAt)) {
			add(EventSilence, "", since)
		}
	}
	add(EventUndone, trust.BuyerSide, d.UndoneAt)
	slices.SortStableFunc(events, func(a, b Event) int { return a.At.Compare(b.At) })
	return events
}

// Next returns the state that time alone leads to, and when; empty when time changes nothing.
func (t Trade) Next(now time.Time) (trust.HandoverState, time.Time) {
	if state, _ := t.Outcome(now); t.State != trust.HandoverAgreed || state != trust.HandoverAgreed {
		return "", time.Time{}
	}
	return t.Outcome(farFuture)
}

// MeetingPlace is where two traders meet, as either of them said it last. The text is empty when neither
// has.
type MeetingPlace struct {
	Text   string
	SaidBy core.UserID
	SaidAt time.Time
}

// ExportedPlace is a meeting place with the partner of the user who is given it.
type ExportedPlace struct {
	MeetingPlace
	Partner core.UserID
}

// SlipPartner is a trader with open handovers with the reader.
type SlipPartner struct {
	User core.UserID
	people.Account
	Open int // handovers
}

// open reports whether the handover is still to be settled. A handover that silence has settled by now is
// not open, even before the periodic job has stored it.
func (t Trade) open(now time.Time) bool {
	state, _ := t.Outcome(now)
	return !state.Over()
}

// newSlip returns the slip of the lines, without handovers that are settled by now.
func newSlip(own, partner SlipParty, lines []SlipLine, now time.Time) Slip {
	lines = slices.DeleteFunc(lines, func(l SlipLine) bool { return !l.Trade.open(now) })
	slices.SortStableFunc(lines, func(a, b SlipLine) int {
		return a.Trade.AgreedBy.Compare(b.Trade.AgreedBy)
	})
	s := Slip{Own: own, Partner: partner, Lines: lines}
	if s.More = len(lines) > MaxSlipLines; s.More {
		s.Lines = lines[:MaxSlipLines]
	}
	for _, line := range s.Lines {
		buyer, name := &s.Own, line.Trade.Buyer.Typed.InGameName
		if !line.Trade.BoughtBy(own.User) {
			buyer = &s.Partner
		}
		if name != "" && !slices.Contains(buyer.InGameNames, name) {
			buyer.InGameNames = append(buyer.InGameNames, name)
		}
	}
	return s
}

// Waiting returns the handovers that wait for the trader's word.
func (s Slip) Waiting(now time.Time) (waiting []Trade) {
	for _, line := range s.Lines {
		if h := line.Trade; h.MaySay(s.Own.User, now) == nil && h.On(h.SideOf(s.Own.User)).Word == "" {
			waiting = append(waiting, h)
		}
	}
	return waiting
}

// ItemSum is how many of an item a trader brings.
type ItemSum struct {
	ItemName string
	Quantity int
}

// SlipTotals sums up the items and money that both bring when they meet for some handovers. Sums of money
// are exact: they can exceed the range of Copper.
type SlipTotals struct {
	Bring, Get []ItemSum // the items that the trader and the partner bring, in the order of the slip
	Pay, Earn  *big.Int  // in copper
}

// Totals sums up the handovers that wait for the trader's word.
func (s Slip) Totals(now time.Time) SlipTotals {
	t := SlipTotals{Pay: new(big.Int), Earn: new(big.Int)}
	for _, h := range s.Waiting(now) {
		items, sum := &t.Bring, t.Earn
		if h.BoughtBy(s.Own.User) {
			items, sum = &t.Get, t.Pay
		}
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(h.UnitPrice)), big.NewInt(int64(h.Quantity))))
		i := slices.IndexFunc(*items, func(i ItemSum) bool {
			return strings.EqualFold(i.ItemName,
				h.ItemName)
		})
		if i < 0 {
			*items = append(*items, ItemSum{h.ItemName, h.Quantity})
		} else {
			(*items)[i].Quantity += h.Quantity
		}
	}
	return t
}

// Net returns the balance that the trader pays; it is negative when they are paid.
func (t SlipTotals) Net() *big.Int { return new(big.Int).Sub(t.Pay, t.Earn) }
