package history

import (
	"strings"
	"testing"
	"time"
)

// trade is a small history in which everything is right: an order of ten, an offer of a user and one of a visitor, two
// accepts, a logged sale, a refused accept, a removal.
func trade() ([]Write, Stored) {
	at := time.Duration(0)
	ms := func(w Write) Write {
		w.Called, w.Returned = at, at+time.Millisecond
		at += 2 * time.Millisecond
		return w
	}
	acked := func(a Answer) Outcome { return Outcome{Status: Acknowledged, Answer: a} }
	writes := []Write{
		{Operation: Post, Actor: "maple", Mark: "Iron", Quantity: 10, Price: 5,
			Outcome: acked(Answer{Order: 1, State: State{1, 10, 0, false}})},
		{Operation: Offer, Actor: "rowan", Order: 1, Quantity: 4, Mark: "Q1Q", Outcome: acked(Answer{Offer: 7, Price: 5})},
		{Operation: Offer, Order: 1, Quantity: 3, Mark: "Q2Q", Outcome: acked(Answer{Offer: 8, Price: 5})},
		{Operation: Accept, Actor: "maple", Order: 1, Offer: 7, Quantity: 3,
			Outcome: acked(Answer{Sale: 20, Price: 5, State: State{2, 10, 3, false}})},
		{Operation: Accept, Adapter: Bot, Actor: "maple", Order: 1, Offer: 8, Quantity: 1, Outcome: acked(Answer{})},
		{Operation: Sell, Actor: "maple", Order: 1, Quantity: 2, Mark: "S1S",
			Outcome: acked(Answer{Sale: 22, Price: 5, State: State{4, 10, 6, false}})},
		{Operation: Accept, Actor: "maple", Order: 1, Offer: 7, Quantity: 2, Outcome: Outcome{Status: Refused, Kind: "invalid"}},
		{Operation: Offer, Order: 1, Quantity: 1, Mark: "Q3Q", Outcome: Outcome{Status: Refused, Kind: "too_many"}},
		{Operation: Remove, Actor: "maple", Order: 1, Offer: 7, Outcome: acked(Answer{})},
	}
	for i := range writes {
		writes[i] = ms(writes[i])
		writes[i].Number = i + 1
	}
	return writes, Stored{
		Orders: []OrderRow{{ID: 1, Owner: "maple", Item: "Iron", Quantity: 10, Price: 5, Sold: 6, Sales: 6}},
		Offers: []OfferRow{{ID: 8, Order: 1, Mark: "Q2Q", Quantity: 2, Price: 5}},
		Sales: []SaleRow{
			{ID: 20, Order: 1, Seller: "rowan", Mark: "Q1Q", Quantity: 3, Price: 5},
			{ID: 21, Order: 1, Mark: "Q2Q", Quantity: 1, Price: 5},
			{ID: 22, Order: 1, Mark: "S1S", Quantity: 2, Price: 5},
		},
		Notices: []NoticeRow{
			{ID: 30, Order: 1, Offer: 7, Reader: "maple", Kind: offerReceived, State: "delivered", Mark: "Q1Q", MessageID: "m1"},
			{ID: 31, Order: 1, Offer: 8, Reader: "maple", Kind: offerReceived, State: "delivered", Mark: "Q2Q", MessageID: "m1"},
			{ID: 32, Order: 1, Offer: 7, Reader: "rowan", Kind: offerAccepted, State: "delivered", MessageID: "m2"},
			{ID: 33, Order: 1, Offer: 7, Reader: "rowan", Kind: offerDeclined, State: "refused", Reason: "closed", MessageID: ""},
		},
		Messages: []Message{
			{ID: "m1", Reader: "maple", Text: "Q1Q offers 4. Q2Q offers 3.", Known: true},
			{ID: "m2", Reader: "rowan", Text: "accepted", Known: true},
		},
	}
}

// met is the history of trade with the handover of sale 20: both sides were asked and said that they met.
func met(w []Write, s *Stored) []Write {
	for _, actor := range []string{"maple", "rowan"} {
		w = append(w, Write{Number: len(w) + 1, Operation: Say, Actor: actor, Sale: 20, Word: saidMet, Outcome: Outcome{Status: Acknowledged}})
		s.Notices = append(s.Notices, NoticeRow{ID: int64(40 + len(w)), Sale: 20, Reader: actor, Kind: handoverPrompt, State: "delivered", MessageID: "p" + actor})
		s.Messages = append(s.Messages, Message{ID: "p" + actor, Reader: actor, Text: "Did you meet?", Known: true})
	}
	s.Handovers = []HandoverRow{{Sale: 20, Buyer: "maple", Seller: "rowan", State: "met", BuyerWord: saidMet, SellerWord: saidMet, BuyerMessages: 1, SellerMessages: 1}}
	return w
}

// TestCheckFindsEachDifference changes one thing at a time in a history in which everything is right.
func TestCheckFindsEachDifference(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(w []Write, s *Stored) []Write
		want   string // a part of the only finding; empty for none
	}{
		{"nothing is wrong", func(w []Write, _ *Stored) []Write { return w }, ""},
		{"both sides met", met, ""},
		{"a word is lost", func(w []Write, s *Stored) []Write {
			w = met(w, s)
			s.Handovers[0].SellerWord, s.Handovers[0].State = "", "agreed"
			return w
		}, "its word is not there"},
		{"nobody said a word", func(w []Write, s *Stored) []Write {
			w = met(w, s)
			s.Handovers[0].BuyerWord, s.Handovers[0].SellerWord, s.Handovers[0].State = saidMet, saidMet, "met"
			return w[:len(w)-1]
		}, `no write said "met"`},
		{"a handover has another state than its words", func(w []Write, s *Stored) []Write {
			w = met(w, s)
			s.Handovers[0].State = "unconfirmed"
			return w
		}, "it is unconfirmed"},
		{"a cancelled sale stands", func(w []Write, s *Stored) []Write {
			w = met(w, s)
			for i := len(w) - 2; i < len(w); i++ {
				w[i].Word = saidNotMet
			}
			s.Handovers[0].BuyerWord, s.Handovers[0].SellerWord, s.Handovers[0].State = saidNotMet, saidNotMet, "cancelled"
			return w
		}, "its sale reversed: false"},
		{"a side is asked three times", func(w []Write, s *Stored) []Write {
			w = met(w, s)
			for _, id := range []string{"again", "once more"} {
				s.Notices = append(s.Notices, NoticeRow{ID: int64(60 + len(id)), Sale: 20, Reader: "maple", Kind: handoverPrompt, State: "delivered", MessageID: id})
				s.Messages = append(s.Messages, Message{ID: id, Reader: "maple", Text: "Did you meet?", Known: true})
			}
			s.Handovers[0].BuyerMessages = 3
			return w
		}, "3 messages, 3 are counted"},
		{"a message is not counted", func(w []Write, s *Stored) []Write {
			w = met(w, s)
			s.Handovers[0].SellerMessages = 0
			return w
		}, "1 notices, 0 are counted"},
		{"a handover is lost", func(w []Write, s *Stored) []Write {
			w = met(w, s)
			s.Handovers = nil
			return w[:len(w)-1]
		}, "it is not there"},
		{"an order is lost", func(w []Write, s *Stored) []Write {
			w = append(w, Write{Operation: Post, Actor: "maple", Mark: "Tin", Outcome: Outcome{Status: Acknowledged, Answer: Answer{Order: 2}}})
			return w
		}, "order 2 is not there"},
		{"an order is doubled", func(w []Write, s *Stored) []Write {
			s.Orders = append(s.Orders, OrderRow{ID: 2, Owner: "maple", Item: "Iron", Quantity: 10})
			return w
		}, "no post made it"},
		{"an order has another price", func(w []Write, s *Stored) []Write { s.Orders[0].Price = 6; return w }, "posted were 10 at 5"},
		{"an order has sold more than its sales", func(w []Write, s *Stored) []Write { s.Orders[0].Sold = 7; return w }, "its sales are 6"},
		{"an order is closed without a write", func(w []Write, s *Stored) []Write {
			s.Orders[0].Closed, s.Offers = true, nil
			return w
		}, "no write closed or filled it"},
		{"an offer is lost", func(w []Write, s *Stored) []Write { s.Offers = nil; return w }, "offer 8 is gone"},
		{"an offer is doubled", func(w []Write, s *Stored) []Write {
			s.Offers = append(s.Offers, OfferRow{ID: 9, Order: 1, Mark: "Q2Q", Quantity: 3, Price: 5})
			return w
		}, "no offer made it"},
		{"a refused offer is stored", func(w []Write, s *Stored) []Write {
			s.Offers = append(s.Offers, OfferRow{ID: 9, Order: 1, Mark: "Q3Q", Quantity: 1, Price: 5})
			return w
		}, "was refused (too_many)"},
		{"an offer has too much left", func(w []Write, s *Stored) []Write { s.Offers[0].Quantity = 3; return w }, "3 left of 3"},
		{"a removed offer is open", func(w []Write, s *Stored) []Write {
			s.Offers = append(s.Offers, OfferRow{ID: 7, Order: 1, Seller: "rowan", Mark: "Q1Q", Quantity: 1, Price: 5})
			return w
		}, "though it was removed"},
		{"a sale is lost", func(w []Write, s *Stored) []Write {
			s.Sales, s.Orders[0].Sold, s.Orders[0].Sales = s.Sales[:2], 4, 4
			return w
		}, "there is no sale of 2"},
		{"a sale is doubled", func(w []Write, s *Stored) []Write {
			s.Sales, s.Orders[0].Sold, s.Orders[0].Sales = append(s.Sales, SaleRow{ID: 23, Order: 1, Mark: "Q2Q", Quantity: 1, Price: 5}), 7, 7
			return w
		}, "sale 23: no write made it"},
		{"a refused accept is stored", func(w []Write, s *Stored) []Write {
			s.Sales, s.Orders[0].Sold, s.Orders[0].Sales = append(s.Sales, SaleRow{ID: 23, Order: 1, Seller: "rowan", Mark: "Q1Q", Quantity: 2, Price: 5}), 8, 8
			return w
		}, "was refused (invalid)"},
		{"a sale has another price", func(w []Write, s *Stored) []Write { s.Sales[0].Price = 6; return w }, "acknowledged was 3 at 5"},
		{"an offer through Discord is lost", func(w []Write, s *Stored) []Write {
			return append(w, Write{Number: 10, Operation: Offer, Adapter: Bot, Actor: "fern", Order: 1, Quantity: 1, Mark: "Q9Q",
				Outcome: Outcome{Status: Acknowledged}})
		}, "there is no \"Q9Q\""},
		{"a deleted order is there", func(w []Write, s *Stored) []Write {
			return append(w, Write{Number: 10, Operation: Delete, Actor: "maple", Order: 1, Outcome: Outcome{Status: Acknowledged}})
		}, "though it was deleted"},
		{"an order is deleted", func(w []Write, s *Stored) []Write {
			s.Orders, s.Offers, s.Sales = nil, nil, nil
			for i := range s.Notices {
				s.Notices[i].Order = 0
			}
			return append(w, Write{Number: 10, Operation: Delete, Actor: "maple", Order: 1, Outcome: Outcome{Status: Acknowledged}})
		}, ""},
		{"a write of unknown outcome happened", func(w []Write, s *Stored) []Write {
			s.Sales, s.Orders[0].Sold, s.Orders[0].Sales = append(s.Sales, SaleRow{ID: 23, Order: 1, Mark: "S2S", Quantity: 1, Price: 5}), 7, 7
			return append(w, Write{Number: 10, Operation: Sell, Order: 1, Quantity: 1, Mark: "S2S"})
		}, ""},
		{"a write of unknown outcome did not happen", func(w []Write, s *Stored) []Write {
			return append(w, Write{Number: 10, Operation: Sell, Order: 1, Quantity: 1, Mark: "S2S"})
		}, ""},
		{"a notice is missing", func(w []Write, s *Stored) []Write {
			s.Notices = append(s.Notices[:2], s.Notices[3])
			return w
		}, "0 notices, owed are 1"},
		{"a notice is doubled", func(w []Write, s *Stored) []Write {
			n := s.Notices[2]
			n.ID, n.State, n.Reason = 34, "refused", "closed"
			s.Notices = append(s.Notices, n)
			return w
		}, "2 notices, owed are 1"},
		{"a notice is about nothing", func(w []Write, s *Stored) []Write {
			s.Notices = append(s.Notices, NoticeRow{ID: 34, Order: 1, Offer: 8, Reader: "rowan", Kind: offerAccepted, State: "refused", Reason: "x"})
			return w
		}, "notice 34: offer_accepted"},
		{"a notice is pending", func(w []Write, s *Stored) []Write { s.Notices[0].State = "pending"; return w }, "still pending"},
		{"a message is missing", func(w []Write, s *Stored) []Write { s.Messages = s.Messages[:1]; return w }, "no message \"m2\""},
		{"a message is doubled", func(w []Write, s *Stored) []Write {
			s.Messages = append(s.Messages, Message{ID: "m3", Reader: "rowan", Text: "accepted"})
			return w
		}, "it is doubled"},
		{"an offer is in two messages", func(w []Write, s *Stored) []Write {
			s.Messages = append(s.Messages, Message{ID: "m3", Reader: "maple", Text: "Q1Q offers 4", Known: true})
			return w
		}, "2 messages name \"Q1Q\""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			writes, stored := trade()
			writes = test.change(writes, &stored)
			findings := Check(writes, stored)
			switch {
			case test.want == "" && len(findings) > 0:
				t.Errorf("findings = %v, want none", findings)
			case test.want != "" && (len(findings) != 1 || !strings.Contains(findings[0].String(), test.want)):
				t.Errorf("findings = %v, want one that says %q", findings, test.want)
			}
		})
	}
}

// TestLinearizeNamesAContradiction checks histories that could and could not have happened.
func TestLinearizeNamesAContradiction(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func([]Write) []Write
		want   Verdict
	}{
		{"in order", func(w []Write) []Write { return w }, Linearizable},
		{"two accepts saw the same state", func(w []Write) []Write {
			w[5].Outcome.Answer.State = State{2, 10, 2, false}
			return w
		}, Contradicted},
		{"an error though there was enough", func(w []Write) []Write {
			w[6].Quantity = 1
			return w
		}, Contradicted},
		{"more accepted than offered", func(w []Write) []Write {
			w[6].Outcome = Outcome{Status: Acknowledged}
			return w
		}, Contradicted},
		{"an answer from before its call", func(w []Write) []Write {
			w[8].Called, w[8].Returned = w[2].Called, w[2].Returned // removed before it was accepted
			return w
		}, Contradicted},
		{"overlapping calls may change places", func(w []Write) []Write {
			w[8].Called = w[2].Called
			return w
		}, Linearizable},
		{"an unknown write may have happened", func(w []Write) []Write {
			w[5].Outcome = Outcome{}
			return w
		}, Linearizable},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			writes, _ := trade()
			writes = append(writes[:7:7], writes[8]) // the limit of visitors' offers is no part of the model
			writes = append(writes[:7], Write{}, writes[7])
			writes = test.change(writes)
			if got := Linearize(writes, 1, 10*time.Second); got != test.want {
				t.Errorf("verdict = %s, want %s", got, test.want)
			}
		})
	}
}

// TestLinearizeDecidesManyCallsAtOnce has 64 accepts overlap, half of them refused for lack of items, in time.
func TestLinearizeDecidesManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	writes := []Write{
		{Operation: Post, Quantity: 32, Outcome: Outcome{Status: Acknowledged, Answer: Answer{Order: 1}}},
		{Operation: Offer, Order: 1, Quantity: 20, Called: 2, Returned: 3, Outcome: Outcome{Status: Acknowledged, Answer: Answer{Offer: 7}}},
		{Operation: Offer, Order: 1, Quantity: 20, Called: 4, Returned: 5, Outcome: Outcome{Status: Acknowledged, Answer: Answer{Offer: 8}}},
	}
	for i := range 64 {
		w := Write{
			Operation: Accept, Order: 1, Offer: int64(7 + i%2), Quantity: 1,
			Called: time.Duration(10 + i), Returned: time.Duration(1000 - i), Outcome: Outcome{Status: Refused},
		}
		if i%4 < 2 {
			w.Outcome = Outcome{Status: Acknowledged}
		}
		writes = append(writes, w)
	}
	if got := Linearize(writes, 1, time.Minute); got != Linearizable {
		t.Errorf("verdict = %s", got)
	}
	writes[3].Outcome = Outcome{Status: Refused} // now 31 of 32 were sold, and nothing was left for it
	if _, found := witness(writes, time.Minute); found {
		t.Error("an order of events explains an error though there was enough")
	}
}

// TestDecideLooksForTheSale decides writes of unknown outcome by the sales.
func TestDecideLooksForTheSale(t *testing.T) {
	t.Parallel()
	for _, sold := range []bool{true, false} {
		writes, stored := trade()
		writes = append(writes, Write{Number: 10, Operation: Sell, Order: 1, Quantity: 1, Mark: "S2S"})
		if sold {
			stored.Sales = append(stored.Sales, SaleRow{ID: 23, Order: 1, Mark: "S2S", Quantity: 1, Price: 5})
		}
		decided := Decide(writes, stored)
		last := decided[len(decided)-1]
		if sold != (last.Number == 10 && last.Outcome.Status == Acknowledged) || !sold && len(decided) != len(writes)-1 {
			t.Errorf("sold %v: last of %d writes is %+v", sold, len(decided), last)
		}
	}
}
