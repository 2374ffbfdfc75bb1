package core_test

import (
	"fmt"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
)

// said is what one side did, with times counted from the accept. The agreed time is 72 hours after it.
type said struct {
	word  core.Word
	at    time.Duration
	later time.Duration // zero for not
	took  time.Duration // when they took a word back; zero for not
}

func (s said) side(user core.UserID) core.HandoverSide {
	side := core.HandoverSide{User: user, Word: s.word}
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

func handover(buyer, seller said) core.Handover {
	return core.Handover{
		AcceptedAt: coretest.Noon, AgreedBy: coretest.Noon.Add(core.AgreedWithin), State: core.HandoverAgreed,
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
	const answer, confirm, later = core.AnswerWithin, core.ConfirmWithin, core.LaterFor
	nothing := said{}
	met := func(at time.Duration) said { return said{word: core.SaidMet, at: at} }
	not := func(at time.Duration) said { return said{word: core.SaidNotMet, at: at} }
	postponed := func(s said, at time.Duration) said { s.later = at; return s }
	took := func(s said, at time.Duration) said { s.took = at; return s }
	for _, c := range []struct {
		one, other said
		state      core.HandoverState
		since      time.Duration
	}{
		{nothing, nothing, core.HandoverUnconfirmed, agreed + confirm},
		{postponed(nothing, late), nothing, core.HandoverUnconfirmed, late + later + confirm},
		{postponed(nothing, late), postponed(nothing, late+1), core.HandoverUnconfirmed, late + 1 + later + confirm},

		{met(early), nothing, core.HandoverMet, agreed + answer},
		{met(agreed), nothing, core.HandoverMet, agreed + answer},
		{met(late), nothing, core.HandoverMet, late + answer},
		{met(late), postponed(nothing, late), core.HandoverMet, late + later + answer},
		{met(early), postponed(nothing, late), core.HandoverMet, late + later + answer},
		{postponed(met(late+later), late), nothing, core.HandoverMet, late + later + answer},

		{not(early), nothing, core.HandoverCancelled, early},
		{not(agreed - 1), nothing, core.HandoverCancelled, agreed - 1},
		{not(agreed), nothing, core.HandoverCancelled, agreed + answer},
		{not(late), nothing, core.HandoverCancelled, late + answer},
		{not(late), postponed(nothing, late), core.HandoverCancelled, late + later + answer},

		{met(early), met(early), core.HandoverMet, early},
		{met(early), met(late), core.HandoverMet, late},
		{met(late), met(agreed), core.HandoverMet, late},
		{met(late), postponed(met(late+later), late), core.HandoverMet, late + later},
		{not(late), not(late + 5), core.HandoverCancelled, late + 5},
		{not(agreed), postponed(not(late+later), late), core.HandoverCancelled, late + later},

		{took(nothing, late), nothing, core.HandoverUnconfirmed, late + confirm},
		{took(nothing, late), took(nothing, late+1), core.HandoverUnconfirmed, late + 1 + confirm},
		{took(nothing, early), met(early), core.HandoverMet, agreed + answer},
		{took(nothing, late+5), met(late), core.HandoverMet, late + 5 + answer},
		{took(nothing, late+5), not(late), core.HandoverCancelled, late + 5 + answer},
		{took(nothing, late), not(early), core.HandoverCancelled, late},
		{took(postponed(nothing, late), late+later+5), met(late), core.HandoverMet, late + later + 5 + answer},
		{took(met(late+5), late), not(late), core.HandoverDisputed, late + 5},
		{took(not(late+5), late), not(late), core.HandoverCancelled, late + 5},

		{met(early), not(early), core.HandoverDisputed, early},
		{met(early), not(early + 1), core.HandoverDisputed, early + 1},
		{met(early), not(late), core.HandoverDisputed, late},
		{met(late), not(late + 1), core.HandoverDisputed, late + 1},
		{met(late + 1), not(agreed), core.HandoverDisputed, late + 1},
		{postponed(met(late+later), late), not(late), core.HandoverDisputed, late + later},
	} {
		for _, h := range []core.Handover{handover(c.one, c.other), handover(c.other, c.one)} {
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
				if state, _ := h.Outcome(since.Add(-1)); state != core.HandoverAgreed {
					t.Errorf("%s: %s before the time", name, state)
				}
			}
		}
	}
}

func TestASettledOrDisputedHandoverStaysWhatItIs(t *testing.T) {
	t.Parallel()
	for _, state := range core.HandoverStates {
		h := handover(said{word: core.SaidMet, at: late}, said{word: core.SaidMet, at: late})
		h.State, h.SettledAt = state, coretest.Noon.Add(early)
		got, _ := h.Outcome(coretest.Noon.Add(never))
		want := state
		if state == core.HandoverAgreed {
			want = core.HandoverMet
		}
		if got != want {
			t.Errorf("%s became %s", state, got)
		}
		if state != core.HandoverAgreed && !h.DueAt().IsZero() {
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
	if p := h.Prompts(at(agreed)); len(p) != 1 || p[0] != core.SellerSide {
		t.Errorf("prompts = %v", p)
	}
	h.Seller.Word, h.Seller.SaidAt = core.SaidMet, at(late)
	if p := h.Prompts(at(agreed + core.RemindAfter - 1)); p != nil {
		t.Errorf("reminded too early: %v", p)
	}
	if p := h.Prompts(at(agreed + core.RemindAfter)); len(p) != 1 || p[0] != core.BuyerSide {
		t.Errorf("reminders = %v", p)
	}
	postponed := h
	postponed.Buyer.LaterAt = at(late)
	if p := postponed.Prompts(at(late + core.LaterFor - 1)); p != nil {
		t.Errorf("reminded before the later time: %v", p)
	}
	if p := postponed.Prompts(at(late + core.LaterFor)); len(p) != 1 {
		t.Errorf("not reminded at the later time: %v", p)
	}
	h.Buyer.Messages = core.MaxHandoverMessages
	if p := h.Prompts(at(never)); p != nil {
		t.Errorf("a third time: %v", p)
	}
	if !h.DueAt().Equal(at(late + core.AnswerWithin)) {
		t.Errorf("due at %s", h.DueAt())
	}
	h.Seller.User, h.Seller.Word, h.Buyer.Messages, h.Buyer.Word = 0, "", 0, core.SaidMet
	if p := h.Prompts(at(never)); p != nil {
		t.Errorf("one who has left is asked: %v", p)
	}
}

func TestAHandoverNeedsTwoAccountsAndATimeWithinReach(t *testing.T) {
	t.Parallel()
	now := coretest.Noon
	sale := core.Sale{Buyer: 1, Seller: 2, Offer: 3, Quantity: 5, UnitPrice: 7}
	h, err := core.NewHandover(sale, time.Time{}, now)
	if err != nil || h == nil || !h.AgreedBy.Equal(now.Add(core.AgreedWithin)) || h.Total() != 35 {
		t.Fatalf("%+v, %v", h, err)
	}
	if h.SideOf(1) != core.BuyerSide || h.SideOf(2) != core.SellerSide || h.SideOf(3) != "" || h.SideOf(0) != "" {
		t.Error("the sides are not told apart")
	}
	for _, by := range []time.Time{now.Add(-time.Minute), now.Add(core.MaxAgreedWithin + 1)} {
		if _, err := core.NewHandover(sale, by, now); core.KindOf(err) != core.Invalid {
			t.Errorf("by %s: %v", by, err)
		}
	}
	sale.Seller = 0
	if h, err := core.NewHandover(sale, time.Time{}, now); h != nil || err != nil {
		t.Errorf("a visitor has a handover: %+v, %v", h, err)
	}
}

// TestADisputeIsTakenBackOrAgreedUntilAModeratorLooks checks each move in a dispute, before and after a moderator looks at it.
func TestADisputeIsTakenBackOrAgreedUntilAModeratorLooks(t *testing.T) {
	t.Parallel()
	now, moderator := coretest.Noon.Add(late+1), core.Actor{UserID: 3, Moderator: true}
	waiting := handover(said{word: core.SaidMet, at: late}, said{})
	if !waiting.Contradicts(2, core.SaidNotMet) || waiting.Contradicts(2, core.SaidMet) || waiting.Contradicts(1, core.SaidNotMet) {
		t.Error("the seller is not asked before they contradict the buyer, or somebody else is")
	}
	disputed := handover(said{word: core.SaidMet, at: late}, said{word: core.SaidNotMet, at: late}).Processed(now)
	if disputed.State != core.HandoverDisputed || disputed.Contradicts(2, core.SaidNotMet) {
		t.Fatalf("%+v", disputed)
	}
	move := map[string]func(core.Handover) (core.Handover, error){
		"the buyer takes it back":  func(h core.Handover) (core.Handover, error) { return h.TakeBack(1, now) },
		"the seller takes it back": func(h core.Handover) (core.Handover, error) { return h.TakeBack(2, now) },
		"the buyer agrees":         func(h core.Handover) (core.Handover, error) { return h.Say(1, core.SaidNotMet, now) },
		"the seller agrees":        func(h core.Handover) (core.Handover, error) { return h.Say(2, core.SaidMet, now) },
	}
	for name, want := range map[string]core.HandoverState{
		"the buyer takes it back": core.HandoverAgreed, "the seller takes it back": core.HandoverAgreed,
		"the buyer agrees": core.HandoverCancelled, "the seller agrees": core.HandoverMet,
	} {
		h, err := move[name](disputed)
		if h = h.Processed(now); err != nil || h.State != want {
			t.Errorf("%s: %s, %v, want %s", name, h.State, err, want)
		}
		if h.State == core.HandoverAgreed && (h.DueAt().IsZero() || h.DueAt().Before(now.Add(core.RemindAfter))) {
			t.Errorf("%s: due at %s", name, h.DueAt())
		}
	}
	looked, entry, err := disputed.Look(moderator, now)
	if err != nil || !looked.LookedAt.Equal(now) || looked.State != core.HandoverDisputed ||
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
	if _, _, err := looked.Rule(core.DisputeRuling{Met: true, Reason: "The log"}, moderator, coretest.Forms, now); err != nil {
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
