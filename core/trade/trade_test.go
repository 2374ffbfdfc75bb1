package trade_test

import (
	"fmt"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// said is what one side did, with times counted from the accept. The agreed time is 72 hours after it.
type said struct {
	word  trade.Word
	at    time.Duration
	later time.Duration // zero for not
	took  time.Duration // when they took a word back; zero for not
}

func (s said) side(user core.UserID) trade.Party {
	side := trade.Party{User: user, Word: s.word}
	if s.word != "" {
		side.SaidAt = coretest.Noon.Add(s.at)
	}
	if s.later != 0 {
		side.LaterAt = coretest.Noon.Add(s.later)
	}
	if s.took != 0 {
		side.TookBackAt = coretest.Noon.Add(s.took)
	}
	return side
}

func handover(buyer, seller said) trade.Trade {
	return trade.Trade{
		AcceptedAt: coretest.Noon, AgreedBy: coretest.Noon.Add(trade.AgreedWithin), State: trust.HandoverAgreed,
		Buyer: buyer.side(1), Seller: seller.side(2),
	}
}

// hours that matter: before the agreed time, at it, and after it.
const (
	early, agreed, late = 10 * time.Hour, 72 * time.Hour, 80 * time.Hour
	never               = 10000 * time.Hour // longer than anything is waited for
)

// TestEveryCombinationOfWordsSilencesAndTimesHasItsState lists what both sides say and when, and the state it leads to, and since when
// (never answered: the time after which silence speaks). Each combination is checked with the sides exchanged too.
func TestEveryCombinationOfWordsSilencesAndTimesHasItsState(t *testing.T) {
	t.Parallel()
	const answer, confirm, later = trade.AnswerWithin, trade.ConfirmWithin, trade.LaterFor
	nothing := said{}
	met := func(at time.Duration) said { return said{word: trade.SaidMet, at: at} }
	not := func(at time.Duration) said { return said{word: trade.SaidNotMet, at: at} }
	postponed := func(s said, at time.Duration) said { s.later = at; return s }
	took := func(s said, at time.Duration) said { s.took = at; return s }
	for _, c := range []struct {
		one, other said
		state      trust.HandoverState
		since      time.Duration
	}{
		{nothing, nothing, trust.HandoverUnconfirmed, agreed + confirm},
		{postponed(nothing, late), nothing, trust.HandoverUnconfirmed, late + later + confirm},
		{postponed(nothing, late), postponed(nothing, late+1), trust.HandoverUnconfirmed, late + 1 + later + confirm},

		{met(early), nothing, trust.HandoverMet, agreed + answer},
		{met(agreed), nothing, trust.HandoverMet, agreed + answer},
		{met(late), nothing, trust.HandoverMet, late + answer},
		{met(late), postponed(nothing, late), trust.HandoverMet, late + later + answer},
		{met(early), postponed(nothing, late), trust.HandoverMet, late + later + answer},
		{postponed(met(late+later), late), nothing, trust.HandoverMet, late + later + answer},

		{not(early), nothing, trust.HandoverCancelled, early},
		{not(agreed - 1), nothing, trust.HandoverCancelled, agreed - 1},
		{not(agreed), nothing, trust.HandoverCancelled, agreed + answer},
		{not(late), nothing, trust.HandoverCancelled, late + answer},
		{not(late), postponed(nothing, late), trust.HandoverCancelled, late + later + answer},

		{met(early), met(early), trust.HandoverMet, early},
		{met(early), met(late), trust.HandoverMet, late},
		{met(late), met(agreed), trust.HandoverMet, late},
		{met(late), postponed(met(late+later), late), trust.HandoverMet, late + later},
		{not(late), not(late + 5), trust.HandoverCancelled, late + 5},
		{not(agreed), postponed(not(late+later), late), trust.HandoverCancelled, late + later},

		{took(nothing, late), nothing, trust.HandoverUnconfirmed, late + confirm},
		{took(nothing, late), took(nothing, late+1), trust.HandoverUnconfirmed, late + 1 + confirm},
		{took(nothing, early), met(early), trust.HandoverMet, agreed + answer},
		{took(nothing, late+5), met(late), trust.HandoverMet, late + 5 + answer},
		{took(nothing, late+5), not(late), trust.HandoverCancelled, late + 5 + answer},
		{took(nothing, late), not(early), trust.HandoverCancelled, late},
		{took(postponed(nothing, late), late+later+5), met(late), trust.HandoverMet, late + later + 5 + answer},
		{took(met(late+5), late), not(late), trust.HandoverDisputed, late + 5},
		{took(not(late+5), late), not(late), trust.HandoverCancelled, late + 5},

		{met(early), not(early), trust.HandoverDisputed, early},
		{met(early), not(early + 1), trust.HandoverDisputed, early + 1},
		{met(early), not(late), trust.HandoverDisputed, late},
		{met(late), not(late + 1), trust.HandoverDisputed, late + 1},
		{met(late + 1), not(agreed), trust.HandoverDisputed, late + 1},
		{postponed(met(late+later), late), not(late), trust.HandoverDisputed, late + later},
	} {
		for _, h := range []trade.Trade{handover(c.one, c.other), handover(c.other, c.one)} {
			name := fmt.Sprintf("%+v and %+v", h.Buyer, h.Seller)
			since := coretest.Noon.Add(c.since)
			if state, at := h.Outcome(coretest.Noon.Add(never)); state != c.state || !at.Equal(since) {
				t.Errorf("%s: %s since %s, want %s since %s", name, state, at, c.state, since)
			}
			if state, _ := h.Outcome(since); state != c.state {
				t.Errorf("%s: %s at the time itself", name, state)
			}
			// Before silence has spoken, it is still agreed. What words settle was settled when the last was said.
			if c.one.word == "" && c.other.word == "" || c.since > max(c.one.at, c.other.at, c.one.took, c.other.took) {
				if state, _ := h.Outcome(since.Add(-1)); state != trust.HandoverAgreed {
					t.Errorf("%s: %s before the time", name, state)
				}
			}
		}
	}
}

func TestASettledOrDisputedHandoverStaysWhatItIs(t *testing.T) {
	t.Parallel()
	for _, state := range trust.HandoverStates {
		h := handover(said{word: trade.SaidMet, at: late}, said{word: trade.SaidMet, at: late})
		h.State, h.SettledAt = state, coretest.Noon.Add(early)
		got, _ := h.Outcome(coretest.Noon.Add(never))
		want := state
		if state == trust.HandoverAgreed {
			want = trust.HandoverMet
		}
		if got != want {
			t.Errorf("%s became %s", state, got)
		}
		if state != trust.HandoverAgreed && !h.DueAt().IsZero() {
			t.Errorf("%s is due at %s", state, h.DueAt())
		}
	}
}

func TestASideIsPromptedAfterTheAgreedTimeAndRemindedOnce(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) time.Time { return coretest.Noon.Add(d) }
	h := handover(said{}, said{})
	if h.Prompts(at(agreed-1)) != nil || len(h.Prompts(at(agreed))) != 2 || !h.DueAt().Equal(at(agreed)) {
		t.Errorf("prompts before the agreed time %v, at it %v, due at %s", h.Prompts(at(agreed-1)), h.Prompts(at(agreed)), h.DueAt())
	}
	h.Buyer.Messages, h.Buyer.PromptedAt = 1, at(agreed)
	if p := h.Prompts(at(agreed)); len(p) != 1 || p[0] != trust.SellerSide {
		t.Errorf("prompts = %v", p)
	}
	h.Seller.Word, h.Seller.SaidAt = trade.SaidMet, at(late)
	if p := h.Prompts(at(agreed + trade.RemindAfter - 1)); p != nil {
		t.Errorf("reminded too early: %v", p)
	}
	if p := h.Prompts(at(agreed + trade.RemindAfter)); len(p) != 1 || p[0] != trust.BuyerSide {
		t.Errorf("reminders = %v", p)
	}
	postponed := h
	postponed.Buyer.LaterAt = at(late)
	if p := postponed.Prompts(at(late + trade.LaterFor - 1)); p != nil {
		t.Errorf("reminded before the later time: %v", p)
	}
	if p := postponed.Prompts(at(late + trade.LaterFor)); len(p) != 1 {
		t.Errorf("not reminded at the later time: %v", p)
	}
	h.Buyer.Messages = core.LimitTradeMessages.Limit
	if p := h.Prompts(at(never)); p != nil {
		t.Errorf("a third time: %v", p)
	}
	if !h.DueAt().Equal(at(late + trade.AnswerWithin)) {
		t.Errorf("due at %s", h.DueAt())
	}
	h.Seller.User, h.Seller.Word, h.Buyer.Messages, h.Buyer.Word = 0, "", 0, trade.SaidMet
	if p := h.Prompts(at(never)); p != nil {
		t.Errorf("one who has left is asked: %v", p)
	}
}

func TestAHandoverNeedsTwoAccountsAndATimeWithinReach(t *testing.T) {
	t.Parallel()
	now := coretest.Noon
	sale := trade.Sale{Buyer: 1, Seller: 2, Offer: 3, Quantity: 5, UnitPrice: 7}
	h, err := trade.NewHandover(sale, time.Time{}, now)
	if err != nil || h == nil || !h.AgreedBy.Equal(now.Add(trade.AgreedWithin)) || h.Total() != 35 {
		t.Fatalf("%+v, %v", h, err)
	}
	if h.SideOf(1) != trust.BuyerSide || h.SideOf(2) != trust.SellerSide || h.SideOf(3) != "" || h.SideOf(0) != "" {
		t.Error("the sides are not told apart")
	}
	for _, by := range []time.Time{now.Add(-time.Minute), now.Add(trade.MaxAgreedWithin + 1)} {
		if _, err := trade.NewHandover(sale, by, now); core.KindOf(err) != core.Invalid {
			t.Errorf("by %s: %v", by, err)
		}
	}
	sale.Seller = 0
	if h, err := trade.NewHandover(sale, time.Time{}, now); h != nil || err != nil {
		t.Errorf("a visitor has a handover: %+v, %v", h, err)
	}
}

// TestADisputeIsTakenBackOrAgreedUntilAModeratorLooks checks each move in a dispute, before and after a moderator looks at it.
func TestADisputeIsTakenBackOrAgreedUntilAModeratorLooks(t *testing.T) {
	t.Parallel()
	now, moderator := coretest.Noon.Add(late+1), core.Actor{UserID: 3, Moderator: true}
	waiting := handover(said{word: trade.SaidMet, at: late}, said{})
	if !waiting.Contradicts(2, trade.SaidNotMet) || waiting.Contradicts(2, trade.SaidMet) || waiting.Contradicts(1, trade.SaidNotMet) {
		t.Error("the seller is not asked before they contradict the buyer, or somebody else is")
	}
	disputed := handover(said{word: trade.SaidMet, at: late}, said{word: trade.SaidNotMet, at: late}).Processed(now)
	if disputed.State != trust.HandoverDisputed || disputed.Contradicts(2, trade.SaidNotMet) {
		t.Fatalf("%+v", disputed)
	}
	move := map[string]func(trade.Trade) (trade.Trade, error){
		"the buyer takes it back":  func(h trade.Trade) (trade.Trade, error) { return h.TakeBack(1, now) },
		"the seller takes it back": func(h trade.Trade) (trade.Trade, error) { return h.TakeBack(2, now) },
		"the buyer agrees":         func(h trade.Trade) (trade.Trade, error) { return h.Say(1, trade.SaidNotMet, now) },
		"the seller agrees":        func(h trade.Trade) (trade.Trade, error) { return h.Say(2, trade.SaidMet, now) },
	}
	for name, want := range map[string]trust.HandoverState{
		"the buyer takes it back": trust.HandoverAgreed, "the seller takes it back": trust.HandoverAgreed,
		"the buyer agrees": trust.HandoverCancelled, "the seller agrees": trust.HandoverMet,
	} {
		h, err := move[name](disputed)
		if h = h.Processed(now); err != nil || h.State != want {
			t.Errorf("%s: %s, %v, want %s", name, h.State, err, want)
		}
		if h.State == trust.HandoverAgreed && (h.DueAt().IsZero() || h.DueAt().Before(now.Add(trade.RemindAfter))) {
			t.Errorf("%s: due at %s", name, h.DueAt())
		}
	}
	looked, entry, err := disputed.Look(moderator, now)
	if err != nil || !looked.LookedAt.Equal(now) || looked.State != trust.HandoverDisputed ||
		entry.Action != core.AuditDisputeLookedAt || entry.Moderator != 3 {
		t.Fatalf("%+v, %+v, %v", looked, entry, err)
	}
	for name, do := range move {
		if h, err := do(looked); core.KindOf(err) != core.Conflict {
			t.Errorf("%s while a moderator looks: %+v, %v", name, h, err)
		}
	}
	if _, _, err := looked.Look(moderator, now); core.KindOf(err) != core.Conflict {
		t.Errorf("a second moderator looks: %v", err)
	}
	if _, _, err := looked.Rule(trade.DisputeRuling{Met: true, Reason: "The log"}, moderator, coretest.Forms, now); err != nil {
		t.Errorf("it can't be settled: %v", err)
	}
	for kind, by := range map[core.ErrorKind]core.Actor{
		core.Forbidden: {UserID: 4}, core.Unauthenticated: {},
	} {
		if _, _, err := disputed.Look(by, now); core.KindOf(err) != kind {
			t.Errorf("%+v looks: %v", by, err)
		}
	}
	if _, _, err := disputed.Look(core.Actor{UserID: 1, Moderator: true}, now); core.KindOf(err) == 0 {
		t.Error("a side looks at it as a moderator")
	}
	if _, err := disputed.TakeBack(4, now); core.KindOf(err) != core.Forbidden {
		t.Errorf("somebody else takes it back: %v", err)
	}
}
