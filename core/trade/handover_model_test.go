package trade_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// handoverModel says in hours and plain words what becomes of a handover. It shares nothing with the state function.
type handoverModel struct {
	agreed int
	word   [2]trade.Word // of the buyer and the seller
	said   [2]int
	later  [2]int // -1 for not
	took   [2]int // when they took their word back last; -1 for not
	looked bool   // a moderator looks at the dispute
	state  trust.HandoverState
}

// at brings the model to an hour.
func (m *handoverModel) at(hour int) {
	if m.state != trust.HandoverAgreed {
		return
	}
	due := [2]int{}
	for i := range due {
		due[i] = max(m.agreed, m.took[i])
		if m.later[i] >= 0 && m.later[i]+24 > due[i] {
			due[i] = m.later[i] + 24
		}
	}
	word := map[trade.Word]trust.HandoverState{trade.SaidMet: trust.HandoverMet, trade.SaidNotMet: trust.HandoverCancelled}
	a, b := m.word[0], m.word[1]
	switch {
	case a == "" && b == "":
		if hour >= max(due[0], due[1])+7*24 {
			m.state = trust.HandoverUnconfirmed
		}
	case a != "" && b != "":
		if m.state = word[a]; a != b {
			m.state = trust.HandoverDisputed
		}
	default:
		one := 0
		if a == "" {
			one = 1
		}
		early := m.word[one] == trade.SaidNotMet && m.said[one] < m.agreed
		if early || hour >= max(m.said[one], due[1-one])+72 {
			m.state = word[m.word[one]]
		}
	}
}

// say reports whether a side may say a word, and notes it.
func (m *handoverModel) say(side int, word trade.Word, hour int) bool {
	if m.word[side] == word {
		return true
	}
	if m.at(hour); m.state != trust.HandoverAgreed && (m.state != trust.HandoverDisputed || m.looked) {
		return false
	}
	m.state, m.word[side], m.said[side] = trust.HandoverAgreed, word, hour
	m.at(hour)
	return true
}

// takeBack reports whether a side may take its word back, and notes it.
func (m *handoverModel) takeBack(side, hour int) bool {
	if m.at(hour); m.state == trust.HandoverAgreed && m.word[side] == "" && m.took[side] >= 0 {
		return true
	}
	if m.state != trust.HandoverDisputed || m.looked {
		return false
	}
	m.state, m.word[side], m.took[side] = trust.HandoverAgreed, "", hour
	m.at(hour)
	return true
}

func (m *handoverModel) look(hour int) bool {
	if m.at(hour); m.state != trust.HandoverDisputed || m.looked {
		return false
	}
	m.looked = true
	return true
}

func (m *handoverModel) postpone(side, hour int) bool {
	if m.at(hour); m.state != trust.HandoverAgreed || m.word[side] != "" || m.later[side] >= 0 || hour < m.agreed {
		return false
	}
	m.later[side] = hour
	return true
}

// TestRandomHistoriesOfHandoversAgreeWithTheModel runs 100,000 histories: words, words taken back, moderators and postponements at random hours, with the periodic job
// at every time that DueAt names and at no other.
func TestRandomHistoriesOfHandoversAgreeWithTheModel(t *testing.T) {
	t.Parallel()
	at := func(hour int) time.Time { return coretest.Noon.Add(time.Duration(hour) * time.Hour) }
	states := map[trust.HandoverState]int{}
	for seed := range uint64(100_000) {
		random := rand.New(rand.NewPCG(seed, 22))
		agreed := random.IntN(200)
		h := trade.Trade{
			AcceptedAt: at(0), AgreedBy: at(agreed), State: trust.HandoverAgreed, Buyer: trade.Party{User: 1}, Seller: trade.Party{User: 2},
		}
		m := handoverModel{agreed: agreed, later: [2]int{-1, -1}, took: [2]int{-1, -1}, state: trust.HandoverAgreed}
		for hour, events := 0, random.IntN(9); ; events-- {
			next := hour + random.IntN(100)
			if events <= 0 {
				next = 100_000
			}
			// What is due before the next word.
			for due := h.DueAt(); !due.IsZero() && !due.After(at(next)); due = h.DueAt() {
				before := h
				h = h.Processed(due)
				if h == before {
					t.Fatalf("history %d: due at %s, and nothing to do: %+v", seed, due, h)
				}
			}
			if events <= 0 {
				break
			}
			hour = next
			side, user := random.IntN(2), core.UserID(1)
			if side == 1 {
				user = 2
			}
			var after trade.Trade
			var err error
			var may bool
			switch random.IntN(6) {
			case 0:
				after, err = h.Say(user, trade.SaidMet, at(hour))
				may = m.say(side, trade.SaidMet, hour)
			case 1:
				after, err = h.Say(user, trade.SaidNotMet, at(hour))
				may = m.say(side, trade.SaidNotMet, hour)
			case 2, 3:
				after, err = h.TakeBack(user, at(hour))
				may = m.takeBack(side, hour)
			case 4:
				after, _, err = h.Look(core.Actor{UserID: 3, Moderator: true}, at(hour))
				may = m.look(hour)
			default:
				after, err = h.Postpone(user, at(hour))
				may = m.postpone(side, hour)
			}
			if may != (err == nil) {
				t.Fatalf("history %d, hour %d: the model allows it: %v, but %v: %+v", seed, hour, may, err, h)
			}
			if err == nil {
				h = after.Processed(at(hour))
			}
			if m.at(hour); m.state != h.State {
				t.Fatalf("history %d, hour %d: %s, the model says %s: %+v", seed, hour, h.State, m.state, h)
			}
		}
		m.at(100_000)
		if m.state != h.State || h.Buyer.Messages > core.LimitTradeMessages.Limit || h.Seller.Messages > core.LimitTradeMessages.Limit {
			t.Fatalf("history %d: ends %s, the model says %s: %+v", seed, h.State, m.state, h)
		}
		states[h.State]++
	}
	for _, state := range trust.HandoverStates {
		if enough := states[state] >= 500; enough == (state == trust.HandoverAgreed) {
			t.Errorf("%d histories end %s: %v", states[state], state, states)
		}
	}
}
