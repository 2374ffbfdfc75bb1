package history

import (
	"strings"
	"testing"
	"time"
)

// then returns a history with more writes, one after another. All of them are acknowledged.
func then(w []Write, more ...Write) []Write {
	for _, next := range more {
		at := w[len(w)-1].Returned + time.Millisecond
		next.Number, next.Called, next.Returned, next.Outcome.Status = len(w)+1, at, at+time.Millisecond, Acknowledged
		w = append(w, next)
	}
	return w
}

// Histories of the rules beside trading: each is right.

func undoneSale(w []Write, s *Stored) []Write {
	s.Sales[0].Reversed, s.Orders[0].Sold, s.Orders[0].Sales = true, 3, 3
	return then(w, Write{Operation: UndoSale, Actor: "maple", Order: 1, Sale: 20})
}

func undoneEnd(w []Write, s *Stored) []Write {
	s.Offers = append(s.Offers, OfferRow{ID: 7, Order: 1, Seller: "rowan", Mark: "Q1Q", Quantity: 1, Price: 5})
	s.Notices[3].Kind = "offer_reopened"
	return then(w, Write{Operation: UndoOffer, Actor: "maple", Order: 1, Offer: 7})
}

// undoneEndThenClosed has an offer lapse with its request after its end was undone.
func undoneEndThenClosed(w []Write, s *Stored) []Write {
	w = undoneEnd(w, s)
	s.Orders[0].Closed, s.Offers = true, nil
	s.Notices = append(s.Notices, NoticeRow{ID: 50, Order: 1, Offer: 7, Reader: "rowan", Kind: offerLapsed, State: "refused", Reason: "closed"})
	return then(w, Write{Operation: Close, Actor: "maple", Order: 1})
}

// doubtThenClosed has an offer lapse with its request though its seller may have sent another one in its place.
func doubtThenClosed(w []Write, s *Stored) []Write {
	s.Orders[0].Closed = true
	s.Notices = append(s.Notices,
		NoticeRow{ID: 50, Order: 1, Offer: 10, Reader: "maple", Kind: offerReceived, State: "refused", Reason: "closed", Mark: "Q4Q"},
		NoticeRow{ID: 51, Order: 1, Offer: 10, Reader: "fern", Kind: offerLapsed, State: "refused", Reason: "closed"})
	s.Offers = nil
	w = then(w, Write{Operation: Offer, Actor: "fern", Order: 1, Quantity: 2, Mark: "Q4Q", Outcome: Outcome{Answer: Answer{Offer: 10, Price: 5}}},
		Write{Operation: Offer, Actor: "fern", Order: 1, Quantity: 1, Mark: "Q5Q"},
		Write{Operation: Close, Actor: "maple", Order: 1})
	w[len(w)-2].Outcome.Status = Unknown
	return w
}

func undoneClose(w []Write, _ *Stored) []Write {
	return then(w, Write{Operation: Close, Actor: "maple", Order: 1}, Write{Operation: UndoClose, Actor: "maple", Order: 1})
}

func timedOut(w []Write, s *Stored) []Write {
	s.Lapsing, s.Offers = true, nil
	s.Notices = append(s.Notices, NoticeRow{ID: 50, Order: 1, Offer: 8, Reader: "maple", Kind: offerTimedOut, State: "refused", Reason: "closed"})
	return w
}

func stocked(w []Write, s *Stored) []Write {
	s.Stock = []StockRow{{Owner: "rowan", Item: "Iron", Quantity: 39, Price: 3}}
	w = then(w, Write{Operation: PutStock, Actor: "rowan", Subject: "Iron", Quantity: 50, Price: 3},
		Write{Operation: PutStock, Actor: "rowan", Subject: "Iron", Quantity: 40, Price: 3})
	return accepted(w, s)
}

// accepted has one of a new offer of rowan's accepted, and what is left of it withdrawn.
func accepted(w []Write, s *Stored) []Write {
	s.Sales = append(s.Sales, SaleRow{ID: 24, Order: 1, Seller: "rowan", Mark: "Q4Q", Quantity: 1, Price: 5})
	s.Orders[0].Sold, s.Orders[0].Sales = s.Orders[0].Sold+1, s.Orders[0].Sales+1
	s.Notices = append(s.Notices,
		NoticeRow{ID: 50, Order: 1, Offer: 10, Reader: "maple", Kind: offerReceived, State: "refused", Reason: "closed", Mark: "Q4Q"},
		NoticeRow{ID: 51, Order: 1, Offer: 10, Reader: "rowan", Kind: offerAccepted, State: "refused", Reason: "closed"},
		NoticeRow{ID: 52, Order: 1, Offer: 10, Reader: "maple", Kind: offerWithdrawn, State: "refused", Reason: "closed"})
	return then(w, Write{Operation: Offer, Actor: "rowan", Order: 1, Quantity: 2, Mark: "Q4Q", Outcome: Outcome{Answer: Answer{Offer: 10, Price: 5}}},
		Write{Operation: Accept, Actor: "maple", Order: 1, Offer: 10, Quantity: 1, Outcome: Outcome{Answer: Answer{Sale: 24, Price: 5}}},
		Write{Operation: Remove, Actor: "rowan", Order: 1, Offer: 10})
}

func acceptedAutomatically(w []Write, s *Stored) []Write {
	s.Standing = []StandingRow{{Order: 1, Limit: 3, Taken: 2}}
	s.Sales = append(s.Sales, SaleRow{ID: 24, Order: 1, Seller: "fern", Mark: "Q4Q", Quantity: 2, Price: 5})
	s.Orders[0].Sold, s.Orders[0].Sales = 8, 8
	s.Notices = append(s.Notices,
		NoticeRow{ID: 50, Order: 1, Offer: 10, Reader: "maple", Kind: offerReceived, State: "refused", Reason: "closed", Mark: "Q4Q"},
		NoticeRow{ID: 51, Order: 1, Offer: 10, Reader: "fern", Kind: offerAccepted, State: "refused", Reason: "closed"})
	return then(w, Write{Operation: SetStanding, Actor: "maple", Order: 1, Quantity: 2}, Write{Operation: SetStanding, Actor: "maple", Order: 1, Quantity: 3},
		Write{Operation: Offer, Actor: "fern", Order: 1, Quantity: 2, Mark: "Q4Q", Outcome: Outcome{Answer: Answer{Offer: 10, Price: 5, Accepted: 2}}})
}

func listed(w []Write, s *Stored) []Write {
	lines := []Line{{Item: "Ash", Quantity: 8, Price: 12, Order: 2}, {Item: "Birch", Quantity: 9, Price: 13, Order: 3}}
	s.Lists = []ListRow{{ID: 5, Owner: "maple", Name: "Hall", Lines: 2}}
	s.Orders = append(s.Orders, OrderRow{ID: 2, Owner: "maple", Item: "Ash", Quantity: 8, Price: 12}, OrderRow{ID: 3, Owner: "maple", Item: "Birch", Quantity: 9, Price: 13})
	s.Offers = append(s.Offers, OfferRow{ID: 11, Order: 2, Seller: "rowan", Mark: "Q5Q", Quantity: 4, Price: 12})
	s.Notices = append(s.Notices, NoticeRow{ID: 50, Order: 2, Offer: 11, Reader: "maple", Kind: offerReceived, State: "refused", Reason: "closed", Mark: "Q5Q"})
	return then(w, Write{Operation: PostList, Actor: "maple", Mark: "Hall", Lines: lines, Outcome: Outcome{Answer: Answer{List: 5, Lines: lines}}},
		Write{Operation: OfferOnList, Actor: "rowan", Mark: "Q5Q", Outcome: Outcome{Answer: Answer{Lines: []Line{{Order: 2, Offer: 11, Quantity: 4, Price: 12}}}}})
}

func blockedSeller(w []Write, s *Stored) []Write {
	s.Blocks = []BlockRow{{By: "maple", User: "fern"}}
	s.Notices = append(s.Notices,
		NoticeRow{ID: 50, Order: 1, Offer: 10, Reader: "maple", Kind: offerReceived, State: "refused", Reason: "closed", Mark: "Q4Q"},
		NoticeRow{ID: 51, Order: 1, Offer: 10, Reader: "fern", Kind: offerDeclined, State: "refused", Reason: "closed"})
	return then(w, Write{Operation: Offer, Actor: "fern", Order: 1, Quantity: 2, Mark: "Q4Q", Outcome: Outcome{Answer: Answer{Offer: 10, Price: 5}}},
		Write{Operation: BlockSeller, Actor: "maple", Order: 1, Offer: 10, Subject: "fern"})
}

func blockedUser(w []Write, s *Stored) []Write {
	s.Blocks = []BlockRow{{User: "fern"}}
	s.Log = []LogRow{{Action: "user_blocked", User: "fern"}}
	s.Notices = append(s.Notices,
		NoticeRow{ID: 50, Order: 1, Offer: 10, Reader: "maple", Kind: offerReceived, State: "refused", Reason: "closed", Mark: "Q4Q"},
		NoticeRow{ID: 51, Order: 1, Offer: 10, Reader: "fern", Kind: offerLapsed, State: "refused", Reason: "closed"})
	return then(w, Write{Operation: Offer, Actor: "fern", Order: 1, Quantity: 2, Mark: "Q4Q", Outcome: Outcome{Answer: Answer{Offer: 10, Price: 5}}},
		Write{Operation: BlockUser, Actor: "sage", Subject: "fern"})
}

// removedOrder has the moderator remove an offer, restore it, remove its request and restore that.
func removedOrder(w []Write, s *Stored) []Write {
	s.Offers = nil // it lapsed with its request
	for i := range s.Sales {
		s.Sales[i].Order = 1
	}
	s.Log = []LogRow{
		{Action: "offer_removed", Order: 1, Offer: 8}, {Action: "offer_restored", Order: 1, Offer: 8},
		{Action: "order_removed", Order: 1}, {Action: "order_restored", Order: 1},
	}
	return then(w, Write{Operation: RemoveOffer, Actor: "sage", Order: 1, Offer: 8}, Write{Operation: UndoRemoval, Actor: "sage", Order: 1, Offer: 8},
		Write{Operation: RemoveOrder, Actor: "sage", Order: 1}, Write{Operation: UndoRemoval, Actor: "sage", Order: 1})
}

func merged(w []Write, s *Stored) []Write {
	s.Items = []ItemRow{{Name: "Irn", State: "merged", Into: "Iron"}, {Name: "Iron", State: "listed"}}
	s.Log = []LogRow{{Action: "item_merged", Item: "Irn"}}
	return then(w, Write{Operation: MergeItem, Actor: "sage", Subject: "Irn", Word: "Iron"})
}

// disputed has the sides contradict each other, a moderator look at that and settle it.
func disputed(w []Write, s *Stored) []Write {
	w = met(w, s)
	w[len(w)-1].Word = saidNotMet
	s.Handovers[0].SellerWord, s.Handovers[0].Looked = saidNotMet, true
	s.Log = []LogRow{{Action: "dispute_looked_at", Order: 1}, {Action: "dispute_met", Order: 1}}
	return then(w, Write{Operation: Look, Actor: "sage", Order: 1, Sale: 20}, Write{Operation: Settle, Actor: "sage", Order: 1, Sale: 20, Word: "met"})
}

func takenBack(w []Write, s *Stored) []Write {
	w = met(w, s)
	s.Handovers[0].SellerWord, s.Handovers[0].State = "", "agreed"
	return then(w, Write{Operation: TakeBack, Actor: "rowan", Sale: 20})
}

// TestCheckFindsEachDifferenceOfRules changes one thing at a time in histories of undo, stock, standing acceptances, lists, blocks,
// removals, merges and disputes in which everything is right.
func TestCheckFindsEachDifferenceOfRules(t *testing.T) {
	t.Parallel()
	type history func(w []Write, s *Stored) []Write
	without := func(h history) history { // its last write
		return func(w []Write, s *Stored) []Write { w = h(w, s); return w[:len(w)-1] }
	}
	with := func(h history, change func(s *Stored)) history {
		return func(w []Write, s *Stored) []Write { w = h(w, s); change(s); return w }
	}
	for _, test := range []struct {
		name string
		history
		rule, want string // the rule and a part of the only finding; empty for none
	}{
		{"a sale is undone", undoneSale, "", ""},
		{"an undone sale stands", with(undoneSale, func(s *Stored) { s.Sales[0].Reversed, s.Orders[0].Sold, s.Orders[0].Sales = false, 6, 6 }), ruleUndo, "it stands"},
		{"a sale is reversed without a write", without(undoneSale), ruleUndo, "no write undid it"},
		{"the end of an offer is undone", undoneEnd, "", ""},
		{"an offer lapses after its end was undone", undoneEndThenClosed, "", ""},
		{"an offer lapses that was perhaps replaced", doubtThenClosed, "", ""},
		{"an offer does not return", with(undoneEnd, func(s *Stored) { s.Offers = s.Offers[:1] }), ruleUndo, "offer 7 is gone"},
		{"a removed offer returns without a write", with(without(undoneEnd), func(s *Stored) { s.Notices[3].Kind = offerDeclined }), ruleStored, "though it was removed"},
		{"a close is undone", undoneClose, "", ""},
		{"an undone close stands", with(undoneClose, func(s *Stored) { s.Orders[0].Closed = true; s.Waiting = []WaitingRow{{8}} }), ruleUndo, "it is closed"},
		{"the offers of an undone close do not return", with(undoneClose, func(s *Stored) { s.Offers = nil }), ruleUndo, "offer 8 is gone"},

		{"an offer lapsed by a wrong clock", timedOut, "", ""},
		{"its buyer was not told", with(timedOut, func(s *Stored) { s.Notices = s.Notices[:4] }), ruleStored, "offer 8 is gone"},
		{"an offer lapsed though the clock was right", with(timedOut, func(s *Stored) { s.Lapsing = false }), ruleStored, "offer 8 is gone"},

		{"stock is put and sold", stocked, "", ""},
		{"stock is lost", with(stocked, func(s *Stored) { s.Stock = nil }), ruleStock, "after"},
		{"stock without a write", with(stocked, func(s *Stored) { s.Stock = append(s.Stock, StockRow{Owner: "fern", Item: "Iron"}) }), ruleStock, "no write put it"},
		{"stock is what was said before", with(stocked, func(s *Stored) { s.Stock[0].Quantity = 49 }), ruleStock, "Quantity:49"},
		{"a sale took nothing from stock", with(stocked, func(s *Stored) { s.Stock[0].Quantity = 40 }), ruleStock, "Quantity:40"},

		{"an offer is accepted automatically", acceptedAutomatically, "", ""},
		{"an earlier standing acceptance stands", with(acceptedAutomatically, func(s *Stored) { s.Standing[0].Limit = 2 }), ruleStanding, `it is "2"`},
		{"a standing acceptance does not count", with(acceptedAutomatically, func(s *Stored) { s.Standing[0].Taken = 0 }), ruleStanding, "it has taken 0"},
		{"a standing acceptance without a write", func(w []Write, s *Stored) []Write { s.Standing = []StandingRow{{Order: 1, Limit: 3}}; return w }, ruleStanding, "no write"},
		{"an offer that fits waits", func(w []Write, s *Stored) []Write {
			w = acceptedAutomatically(w, s)
			w[len(w)-1].Outcome.Answer.Accepted = 0
			s.Standing[0].Taken, s.Sales, s.Notices = 0, s.Sales[:3], s.Notices[:len(s.Notices)-1]
			s.Orders[0].Sold, s.Orders[0].Sales = 6, 6
			s.Offers = append(s.Offers, OfferRow{ID: 10, Order: 1, Seller: "fern", Mark: "Q4Q", Quantity: 2, Price: 5})
			return w
		}, ruleStanding, "0 of it were accepted"},
		{"what was accepted automatically is no sale", with(acceptedAutomatically, func(s *Stored) {
			s.Sales, s.Orders[0].Sold, s.Orders[0].Sales = s.Sales[:3], 6, 6
		}), ruleStored, "there is no sale of 2"},

		{"a list is posted", listed, "", ""},
		{"a list is lost", with(listed, func(s *Stored) { s.Lists = nil }), ruleList, "list 5 is not there"},
		{"a list is doubled", with(listed, func(s *Stored) { s.Lists = append(s.Lists, ListRow{ID: 6, Owner: "maple", Name: "Hall"}) }), ruleList, "no write posted"},
		{"a line of a list is not on it", with(listed, func(s *Stored) { s.Lists[0].Lines = 1 }), ruleList, "with 2 lines"},
		{"a line of a list is lost", with(listed, func(s *Stored) { s.Orders = s.Orders[:2] }), ruleStored, "order 3 is not there"},
		{"an offer on a list is lost", with(listed, func(s *Stored) { s.Offers = s.Offers[:1] }), ruleStored, "offer 11 is gone"},

		{"a buyer blocks a seller", blockedSeller, "", ""},
		{"a block is lost", with(blockedSeller, func(s *Stored) { s.Blocks = nil }), ruleBlock, `it is "none"`},
		{"a block without a write", with(blockedSeller, func(s *Stored) { s.Blocks = append(s.Blocks, BlockRow{User: "rowan"}) }), ruleBlock, "no write made it"},
		{"a blocked seller offers", func(w []Write, s *Stored) []Write {
			w = blockedSeller(w, s)
			s.Offers = append(s.Offers, OfferRow{ID: 12, Order: 1, Seller: "fern", Mark: "Q6Q", Quantity: 1, Price: 5})
			s.Notices = append(s.Notices, NoticeRow{ID: 60, Order: 1, Offer: 12, Reader: "maple", Kind: offerReceived, State: "refused", Reason: "closed", Mark: "Q6Q"})
			return then(w, Write{Operation: Offer, Actor: "fern", Order: 1, Quantity: 1, Mark: "Q6Q", Outcome: Outcome{Answer: Answer{Offer: 12, Price: 5}}})
		}, ruleBlock, "was acknowledged"},
		{"a moderator blocks a user", blockedUser, "", ""},
		{"an offer of a blocked user is open", with(blockedUser, func(s *Stored) {
			s.Offers = append(s.Offers, OfferRow{ID: 10, Order: 1, Seller: "fern", Mark: "Q4Q", Quantity: 2, Price: 5})
		}), ruleBlock, "is open"},
		{"a block is not in the log", with(blockedUser, func(s *Stored) { s.Log = nil }), ruleLog, "0 entries, owed are 1"},
		{"a block is in the log twice", with(blockedUser, func(s *Stored) { s.Log = append(s.Log, s.Log[0]) }), ruleLog, "2 entries, owed are 1"},
		{"a log entry without a write", with(blockedUser, func(s *Stored) { s.Log = append(s.Log, LogRow{Action: "order_removed", Order: 1}) }), ruleLog, "owed are none"},

		{"a request is removed and restored", removedOrder, "", ""},
		{"a removed request is there", with(without(removedOrder), func(s *Stored) { s.Log = s.Log[:3] }), ruleRemoval, "though it was removed"},
		{"a restored request is not there", with(removedOrder, func(s *Stored) { s.Orders = nil }), ruleRemoval, "order 1 is not there"},
		{"a removed offer is open", func(w []Write, s *Stored) []Write {
			s.Log = []LogRow{{Action: "offer_removed", Order: 1, Offer: 8}}
			return then(w, Write{Operation: RemoveOffer, Actor: "sage", Order: 1, Offer: 8})
		}, ruleRemoval, "though a moderator removed it"},

		{"an item is merged", merged, "", ""},
		{"a merge is lost", with(merged, func(s *Stored) { s.Items[0] = ItemRow{Name: "Irn", State: "provisional"} }), ruleItem, `it is ""`},
		{"an item is merged without a write", with(merged, func(s *Stored) { s.Items[1] = ItemRow{Name: "Iron", State: "merged", Into: "Irn"} }), ruleItem, `it is "Irn"`},
		{"an undone merge stands", func(w []Write, s *Stored) []Write {
			w = merged(w, s)
			s.Log = append(s.Log, LogRow{Action: "item_reopened", Item: "Irn"})
			return then(w, Write{Operation: UndoRemoval, Actor: "sage", Subject: "Irn"})
		}, ruleItem, `it is "Iron"`},

		{"a dispute is settled", disputed, "", ""},
		{"a ruling is lost", with(disputed, func(s *Stored) { s.Handovers[0].State = "disputed" }), ruleDispute, "it is disputed"},
		{"a look at a dispute is lost", with(disputed, func(s *Stored) { s.Handovers[0].Looked = false }), ruleDispute, "a moderator looks at it: false"},
		{"a word is taken back", takenBack, "", ""},
		{"a word that was taken back is there", with(takenBack, func(s *Stored) { s.Handovers[0].SellerWord, s.Handovers[0].State = saidMet, "met" }), ruleDispute, "taken back"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			writes, stored := trade()
			writes = test.history(writes, &stored)
			findings := Check(writes, stored)
			switch {
			case test.want == "" && len(findings) > 0:
				t.Errorf("findings = %v, want none", findings)
			case test.want != "" && (len(findings) != 1 || findings[0].Rule != test.rule || !strings.Contains(findings[0].String(), test.want)):
				t.Errorf("findings = %v, want one of %q that says %q", findings, test.rule, test.want)
			}
		})
	}
}
