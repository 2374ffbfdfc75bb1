package history

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Kinds of notices, as they are stored.
const (
	offerReceived  = "offer_received"
	offerAccepted  = "offer_accepted"
	offerDeclined  = "offer_declined"
	offerWithdrawn = "offer_withdrawn"
	offerLapsed    = "offer_lapsed"
	offerTimedOut  = "offer_timed_out"
	orderFilled    = "order_filled"
	orderExpiring  = "order_expiring"
	requestWatched = "request_watched"
	reportReceived = "report_received"
)

// event is a write that must send a notice.
type event struct {
	kind, reader string
	order, offer int64 // one of them is zero: the other says what it is about
}

// owed is how many notices an event must have, and how many it may have.
type owed struct{ least, most int }

// notices compares the notices with the events that require one.
func (c *checker) notices() {
	expected := c.expected()
	got := map[event]int{}
	for _, n := range c.stored.Notices {
		e := event{n.Kind, n.Reader, n.Order, n.Offer}
		if !counted(n.Kind) || n.Kind == orderFilled && n.Order == 0 || c.ofUndoneEnd(n) {
			continue
		}
		if n.Kind == orderFilled {
			e.offer = 0
		} else {
			e.order = 0 // it may be deleted
		}
		if _, known := expected[e]; !known {
			c.find(ruleUnexplained, fmt.Sprintf("notice %d", n.ID), "%s to %q about offer %d on order %d",
				n.Kind, n.Reader, n.Offer, n.Order)
			continue
		}
		got[e]++
	}
	for e, want := range expected {
		if n := got[e]; n < want.least || n > want.most {
			c.find(ruleNotice, fmt.Sprintf("%s to %q about offer %d on order %d", e.kind, e.reader, e.offer,
				e.order),
				"%d notices, owed are %d", n, want.least)
		}
	}
}

func counted(kind string) bool {
	return slices.Contains([]string{offerReceived, offerAccepted, offerDeclined, offerWithdrawn, offerLapsed,
		orderFilled}, kind)
}

// expected lists the notices that the writes require. Those of a write of unknown outcome are
// optional.
func (c *checker) expected() map[event]owed {
	all := map[event]owed{}
	add := func(e event, least, most int) {
		o := all[e]
		all[e] = owed{o.least + least, o.most + most}
	}
	for id, w := range c.sent {
		owner := c.posts[w.Order].Actor
		add(event{offerReceived, owner, 0, id}, 1, 1)
		if w.Actor == "" {
			continue // a visitor has no mailbox
		}
		for _, a := range c.accepted[id] {
			add(event{offerAccepted, w.Actor, 0, id}, surely(a), 1)
		}
		for _, r := range c.removed[id] {
			if r.Operation == UndoOffer {
				continue
			}
			least := surely(r)
			if c.endUndone(id, r) {
				least = 0 // its notice tells of the undo since
			}
			if r.Actor == w.Actor {
				add(event{offerWithdrawn, owner, 0, id}, least, 1)
			} else {
				add(event{offerDeclined, w.Actor, 0, id}, least, 1)
			}
		}
		c.expectLapse(w, id, add)
	}
	for id, o := range c.rows {
		if _, posted := c.posts[id]; posted && o.Closed && o.Sold == o.Quantity {
			add(event{orderFilled, o.Owner, id, 0}, c.filled(id), 1)
		}
	}
	for _, undos := range c.undos { // of sales that may have filled their order
		for _, u := range undos {
			add(event{orderFilled, u.Actor, u.Order, 0}, 0, 1)
		}
	}
	return all
}

// endUndone reports whether the end of an offer may have been undone since.
func (c *checker) endUndone(offer int64, end Write) bool {
	return slices.ContainsFunc(c.removed[offer],
		func(w Write) bool { return w.Operation == UndoOffer && w.Returned > end.Called })
}

// ofUndoneEnd reports whether a notice told of the end of an offer to a user before that was undone. It
// names the offer no more.
func (c *checker) ofUndoneEnd(n NoticeRow) bool {
	if n.Offer != 0 || n.Kind != offerDeclined && n.Kind != offerWithdrawn {
		return false
	}
	for id, w := range c.sent {
		reader := c.posts[w.Order].Actor
		if n.Kind == offerDeclined {
			reader = w.Actor
		}
		if reader == n.Reader && slices.ContainsFunc(c.removed[id],
			func(w Write) bool { return w.Operation == UndoOffer }) {
			return true
		}
	}
	return false
}

// filled is 1 when the order was surely filled, and not closed early by a write that may have come before.
func (c *checker) filled(order int64) int {
	if len(c.closes[order]) > 0 {
		return 0
	}
	return 1
}

// surelyRemoved reports whether an offer was declined or withdrawn, and not brought back by an undo since.
func (c *checker) surelyRemoved(offer int64) bool {
	ends := last(c.removed[offer])
	return slices.ContainsFunc(ends, Write.acknowledged) &&
		!slices.ContainsFunc(ends, func(w Write) bool { return w.Operation == UndoOffer })
}

// expectLapse expects a notice for an offer that stood when its order ended.
func (c *checker) expectLapse(w Write, id int64, add func(event, int, int)) {
	order, there := c.rows[w.Order]
	if c.lapsedWithRemoval(w) || c.lapsedWithBlock(w) {
		c.expectLapseByModerator(w, id, add)
		return
	}
	if there && !order.Closed && !order.Expired && !c.gone(w.Order) {
		return
	}
	accepted, most := c.acceptedOf(id)
	e := event{offerLapsed, w.Actor, 0, id}
	switch {
	case accepted >= w.Quantity || c.surelyRemoved(id):
	case c.surelyReplaced(w):
	case slices.Contains(c.stored.Waiting, WaitingRow{id}):
	case c.replaced(w) || len(c.removed[id]) > 0 || most >= w.Quantity || there && c.gone(w.Order):
		add(e, 0, 1)
	default:
		add(e, 1, 1)
	}
}

// expectLapseByModerator expects a notice for an offer that stood when a moderator removed its order or
// blocked its seller.
func (c *checker) expectLapseByModerator(w Write, id int64, add func(event, int, int)) {
	least := 0
	if _, most := c.acceptedOf(id); most < w.Quantity && len(c.removed[id])+len(c.taken[id]) == 0 &&
		!c.replaced(w) {
		for _, by := range c.writes {
			if by.acknowledged() && by.Called > w.Returned &&
				(by.Operation == RemoveOrder && by.Order == w.Order || by.Operation == BlockUser &&
					by.Subject == w.Actor) {
				least = 1
			}
		}
	}
	add(event{offerLapsed, w.Actor, 0, id}, least, 1)
}

func surely(w Write) int {
	if w.acknowledged() {
		return 1
	}
	return 0
}

// messages compares the delivered notices with what the stand-in received.
func (c *checker) messages() {
	byID := map[string]Message{}
	for _, m := range c.stored.Messages {
		byID[m.ID] = m
		if !m.Known {
			c.find(ruleMessage, "message "+m.ID, "no delivery names it; it is doubled")
		}
	}
	single := map[string]int64{} // messages of kinds that are never gathered
	about := map[[2]string]int{} // how many notices to a reader name a seller
	for _, n := range c.stored.Notices {
		about[[2]string{n.Reader, n.Mark}]++
	}
	for _, n := range c.stored.Notices {
		subject := fmt.Sprintf("notice %d", n.ID)
		switch n.State {
		case "pending":
			c.find(ruleMessage, subject, "it is still pending")
			continue
		case "refused", "expired":
			if n.Reason == "" {
				c.find(ruleMessage, subject, "it is %s for no reason", n.State)
			}
			continue
		}
		if n.Reason == "inbox" || n.Reason == "reach" {
			continue
		}
		m, there := byID[n.MessageID]
		switch {
		case !there || m.Reader != n.Reader:
			c.find(ruleMessage, subject, "the stand-in has no message %q to %q", n.MessageID, n.Reader)
		case n.Digest || n.Kind == offerLapsed || n.Kind == orderExpiring || n.Kind == handoverPrompt ||
			n.Kind == requestWatched || n.Kind == reportReceived: // one message covers many
		case n.Kind == offerReceived:
			if in, most := c.words[n.Reader][n.Mark], about[[2]string{n.Reader, n.Mark}]; in > most {
				c.find(ruleMessage, subject, "%d messages name %q", in, n.Mark)
			}
		default:
			if other, taken := single[n.MessageID]; taken {
				c.find(ruleMessage, subject, "%s message %s is that of notice %d", n.Kind, n.MessageID, other)
			}
			single[n.MessageID] = n.ID
		}
	}
}

// wordsOf counts in how many messages to each reader a word is.
func wordsOf(messages []Message) map[string]map[string]int {
	all := map[string]map[string]int{}
	for _, m := range messages {
		if all[m.Reader] == nil {
			all[m.Reader] = map[string]int{}
		}
		words := strings.FieldsFunc(m.Text,
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			all[m.Reader][word]++
		}
	}
	return all
}
