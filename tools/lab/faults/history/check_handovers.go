package history

import (
	"fmt"
	"slices"
)

// Kinds of notices about handovers, as they are stored.
const (
	handoverPrompt    = "handover_prompt"
	handoverCancelled = "handover_cancelled"
	handoverDisputed  = "handover_disputed"
	handoverSettled   = "handover_settled"
)

// What a side says of a handover.
const (
	saidMet    = "met"
	saidNotMet = "not_met"
)

// maxHandoverMessages is how many messages about one handover a side gets: a prompt and a reminder.
const maxHandoverMessages = 2

// handovers compares the words of handovers with the writes that said them, and counts the messages to each
// side.
func (c *checker) handovers() {
	type side struct {
		sale int64
		user string
	}
	said := map[side][]Write{}
	for _, w := range c.writes {
		if (w.Operation == Say || w.Operation == TakeBack) && w.mayHaveHappened() {
			said[side{w.Sale, w.Actor}] = append(said[side{w.Sale, w.Actor}], w)
		}
	}
	notices, messages := map[side]int{}, map[side][]string{}
	for _, n := range c.stored.Notices {
		if !aboutHandover(n.Kind) || n.Reason == "inbox" {
			continue
		}
		s := side{n.Sale, n.Reader}
		notices[s]++
		if n.MessageID != "" && !slices.Contains(messages[s], n.MessageID) {
			messages[s] = append(messages[s], n.MessageID)
		}
	}
	there := map[int64]bool{}
	for _, h := range c.stored.Handovers {
		there[h.Sale] = true
		c.handoverState(h)
		for _, party := range []struct {
			user, word string
			counted    int
		}{{h.Buyer, h.BuyerWord, h.BuyerMessages}, {h.Seller, h.SellerWord, h.SellerMessages}} {
			s := side{h.Sale, party.user}
			subject := fmt.Sprintf("handover of sale %d, %s", h.Sale, party.user)
			c.word(subject, party.word, said[s])
			if n := len(messages[s]); n > maxHandoverMessages || party.counted > maxHandoverMessages {
				c.find(ruleTwoMessages, subject, "%d messages, %d are counted", n, party.counted)
			}
			if notices[s] != party.counted {
				c.find(ruleNotice, subject, "%d notices, %d are counted", notices[s], party.counted)
			}
		}
	}
	for s, words := range said {
		if !there[s.sale] && slices.ContainsFunc(words, Write.acknowledged) {
			c.find(ruleStored, fmt.Sprintf("handover of sale %d", s.sale),
				"it is not there, though %s spoke of it", s.user)
		}
	}
}

func aboutHandover(kind string) bool {
	return slices.Contains([]string{handoverPrompt, handoverCancelled, handoverDisputed,
		handoverSettled}, kind)
}

// word compares what a side of a handover has said with the writes that said it. A side may change its
// word, and take it back.
func (c *checker) word(subject, word string, said []Write) {
	surely := slices.ContainsFunc(said, func(w Write) bool { return w.acknowledged() && w.Operation == Say })
	known := slices.ContainsFunc(said, func(w Write) bool { return w.Operation == Say && w.Word == word })
	takenBack := slices.ContainsFunc(last(said), func(w Write) bool { return w.Operation == TakeBack })
	end, certain := surelyLast(said)
	switch {
	case word == "" && surely && !takenBack:
		c.find(ruleStored, subject, "its word is not there")
	case word != "" && certain && end.Operation == TakeBack:
		c.find(ruleDispute, subject, "it says %q, though its word was taken back", word)
	case word != "" && !known:
		c.find(ruleUnexplained, subject, "no write said %q", word)
	}
}

// ofSale returns the writes of an operation about a sale that may have happened.
func (c *checker) ofSale(op Operation, sale int64) (some []Write) {
	for _, w := range c.writes {
		if w.Operation == op && w.Sale == sale && w.mayHaveHappened() {
			some = append(some, w)
		}
	}
	return some
}

// dispute compares the acts of moderators on a handover with its stored row, and returns the states that a
// ruling may have given it.
func (c *checker) dispute(h HandoverRow, subject string) (ruled []string, surely bool) {
	looks := c.ofSale(Look, h.Sale)
	if h.Looked && len(looks) == 0 || !h.Looked && surelyHappened(looks) {
		c.find(ruleDispute, subject, "a moderator looks at it: %t, writes that did: %d", h.Looked, len(looks))
	}
	rulings := c.ofSale(Settle, h.Sale)
	for _, w := range rulings {
		ruled = append(ruled, w.Word)
	}
	return ruled, surelyHappened(rulings)
}

// handoverState compares the state of a handover with its words. Silence may have decided where a side has
// none.
func (c *checker) handoverState(h HandoverRow) {
	of := map[string]string{saidMet: "met", saidNotMet: "cancelled"}
	may := []string{"agreed", "unconfirmed"}
	switch a, b := h.BuyerWord, h.SellerWord; {
	case a != "" && b != "" && a != b:
		may = []string{"disputed"}
	case a != "" && b != "":
		may = []string{of[a]}
	case a+b != "":
		may = []string{"agreed", of[a+b]}
	}
	subject := fmt.Sprintf("handover of sale %d", h.Sale)
	rule := ruleHandover
	if ruled, surely := c.dispute(h, subject); surely {
		rule, may = ruleDispute, ruled
	} else {
		may = append(may, ruled...)
	}
	if !slices.Contains(may, h.State) {
		c.find(rule, subject, "it is %s, the words are %q and %q", h.State, h.BuyerWord, h.SellerWord)
	}
	if h.Reversed != (h.State == "cancelled") {
		c.find(ruleHandover, subject, "it is %s, its sale reversed: %v", h.State, h.Reversed)
	}
}
