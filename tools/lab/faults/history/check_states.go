package history

import (
	"fmt"
	"slices"
)

// of returns the writes of some operations that may have happened, grouped by the row that they change.
func of[K comparable](c *checker, about func(Write) K, ops ...Operation) map[K][]Write {
	all := map[K][]Write{}
	for _, w := range c.writes {
		if w.mayHaveHappened() && slices.Contains(ops, w.Operation) {
			all[about(w)] = append(all[about(w)], w)
		}
	}
	return all
}

// state compares a state with the last write about it. Without any it is the first state.
func (c *checker) state(
	rule, subject string, writes []Write, stored, first string, after func(Write) string,
) {
	possible := last(writes)
	if !surelyHappened(writes) && stored == first {
		return
	}
	if !slices.ContainsFunc(possible, func(w Write) bool { return after(w) == stored }) {
		c.find(rule, subject, "it is %q, after %v", stored, possible)
	}
}

type stockOf struct{ owner, item string }

// stock compares each seller's stored stock with the last stock that they sent, minus later sales.
func (c *checker) stock() {
	puts := of(c, func(w Write) stockOf { return stockOf{w.Actor, w.Subject} }, PutStock, DeleteStock)
	rows := map[stockOf]StockRow{}
	for _, row := range c.stored.Stock {
		s := stockOf{row.Owner, row.Item}
		if rows[s] = row; len(puts[s]) == 0 {
			c.find(ruleStock, fmt.Sprintf("stock of %q of %q", row.Item, row.Owner), "no write put it")
		}
	}
	for s, writes := range puts {
		row, there := rows[s]
		fits := slices.ContainsFunc(last(writes), func(w Write) bool {
			if w.Operation == DeleteStock {
				return !there
			}
			surely, most := c.soldSince(s, w)
			return there && row.Price == w.Price && row.Quantity <= max(w.Quantity-surely, 0) &&
				row.Quantity >= max(w.Quantity-most, 0)
		})
		if !fits && (there || surelyHappened(writes)) {
			c.find(ruleStock, fmt.Sprintf("stock of %q of %q", s.item, s.owner), "it is %+v, after %v", row,
				last(writes))
		}
	}
}

// soldSince returns how much of an item was accepted of a seller since they put it into their stock, and
// not undone: surely, and at most.
func (c *checker) soldSince(s stockOf, put Write) (surely, most int) {
	for offer, sent := range c.sent {
		if sent.Actor != s.owner || c.posts[sent.Order].Mark != s.item {
			continue
		}
		for _, a := range c.accepted[offer] {
			undos := c.undos[a.Outcome.Answer.Sale]
			if a.Outcome.Answer.Sale == 0 {
				undos = nil
			}
			if a.Returned > put.Called && !surelyHappened(undos) {
				most += a.Quantity
			}
			if a.Called > put.Returned && a.acknowledged() && len(undos) == 0 {
				surely += a.Quantity
			}
		}
	}
	return surely, most
}

// standing compares the standing acceptances with the writes that set and ended them, and with the offers
// that they accepted.
func (c *checker) standing() {
	sets := of(c, func(w Write) int64 { return w.Order }, SetStanding, EndStanding)
	rows := map[int64]StandingRow{}
	for _, row := range c.stored.Standing {
		if rows[row.Order] = row; len(sets[row.Order]) == 0 {
			c.find(ruleStanding, fmt.Sprintf("order %d", row.Order),
				"no write had offers accepted automatically")
		}
	}
	for order, writes := range sets {
		if _, there := c.rows[order]; !there {
			continue
		}
		subject, limit := fmt.Sprintf("order %d", order), ""
		row, there := rows[order]
		if there {
			limit = fmt.Sprint(row.Limit)
		}
		c.state(ruleStanding, subject, writes, limit, "", func(w Write) string {
			if w.Operation == EndStanding {
				return ""
			}
			return fmt.Sprint(w.Quantity)
		})
		if set, surely := surelyLast(writes); surely && set.Operation == SetStanding {
			c.takes(subject, set, row)
		}
	}
}

// takes compares what a standing acceptance took with the offers since.
func (c *checker) takes(subject string, set Write, row StandingRow) {
	taken := 0
	for _, w := range c.writes {
		if w.Operation != Offer || !w.acknowledged() || w.Order != set.Order || w.Called < set.Returned ||
			w.Actor == "" {
			continue
		}
		accepted := w.Outcome.Answer.Accepted
		if taken+w.Quantity <= set.Quantity && accepted != w.Quantity && c.leaves(set.Order, w.Quantity) {
			c.find(ruleStanding, subject, "%s fits, and %d of it were accepted", w, accepted)
		}
		taken += accepted
	}
	if taken != row.Taken+row.FromPartners {
		c.find(ruleStanding, subject, "it has taken %d, accepted were %d", row.Taken+row.FromPartners, taken)
	}
}

// leaves reports whether an order surely has room for so many at any time.
func (c *checker) leaves(order int64, quantity int) bool {
	sold := quantity
	for _, w := range c.writes {
		if (w.Operation == Accept || w.Operation == Sell) && w.Order == order && w.mayHaveHappened() {
			sold += w.Quantity
		}
	}
	return sold <= c.posts[order].Quantity && len(c.edits[order]) == 0
}

// lists compares the posted lists with the writes that posted them. Their requests are compared as other
// requests are.
func (c *checker) lists() {
	posted := map[int64]Write{}
	for _, w := range c.writes {
		if w.Operation == PostList {
			c.keepOnce(posted, w.Outcome.Answer.List, w)
		}
	}
	there := map[int64]bool{}
	for _, row := range c.stored.Lists {
		there[row.ID] = true
		subject := fmt.Sprintf("list %d", row.ID)
		w, found := posted[row.ID]
		switch {
		case !found && c.undecided(PostList, row.Name):
		case !found:
			c.find(ruleList, subject, "no write posted %q of %q", row.Name, row.Owner)
		case row.Owner != w.Actor || row.Name != w.Mark || row.Lines != len(w.Lines):
			c.find(ruleList, subject, "it is %+v, posted was %q by %q with %d lines", row, w.Mark, w.Actor,
				len(w.Lines))
		}
	}
	for id, w := range posted {
		if !there[id] {
			c.find(ruleList, w.String(), "list %d is not there", id)
		}
	}
}

// blocks compares the blocks with the writes that set and ended them, and finds what a blocked user did.
func (c *checker) blocks() {
	about := func(w Write) BlockRow {
		if w.Operation == BlockUser || w.Operation == UnblockUser {
			return BlockRow{"", w.Subject}
		}
		return BlockRow{w.Actor, w.Subject}
	}
	writes := of(c, about, BlockSeller, UnblockSeller, BlockUser, UnblockUser)
	rows := map[BlockRow]bool{}
	for _, row := range c.stored.Blocks {
		if rows[row] = true; len(writes[row]) == 0 {
			c.find(ruleBlock, fmt.Sprintf("block of %q by %q", row.User, row.By), "no write made it")
		}
	}
	for row, writes := range writes {
		subject, stored := fmt.Sprintf("block of %q by %q", row.User, row.By), "none"
		if rows[row] {
			stored = "blocked"
		}
		c.state(ruleBlock, subject, writes, stored, "none", func(w Write) string {
			if w.Operation == BlockSeller || w.Operation == BlockUser {
				return "blocked"
			}
			return "none"
		})
		c.keptOut(row, subject, writes)
	}
}

// keptOut finds offers of a user that were acknowledged while they were blocked, or that are open since
// before.
func (c *checker) keptOut(row BlockRow, subject string, writes []Write) {
	open := map[int64]bool{}
	for _, o := range c.stored.Offers {
		open[o.ID] = true
	}
	for id, w := range c.sent {
		if w.Actor != row.User || row.By != "" && c.posts[w.Order].Actor != row.By {
			continue
		}
		before := slices.DeleteFunc(slices.Clone(writes), func(b Write) bool { return b.Called > w.Returned })
		if b, surely := surelyLast(before); surely && b.Returned < w.Called &&
			(b.Operation == BlockSeller || b.Operation == BlockUser) {
			c.find(ruleBlock, subject, "%s was acknowledged", w)
		}
		if open[id] && slices.ContainsFunc(writes, func(b Write) bool {
			return b.acknowledged() && b.Called > w.Returned &&
				(b.Operation == BlockSeller || b.Operation == BlockUser)
		}) {
			c.find(ruleBlock, subject, "offer %d is open, though it was sent before", id)
		}
	}
}

// items compares the merged items with the writes that merged them.
func (c *checker) items() {
	writes := of(c, func(w Write) string { return w.Subject }, MergeItem, UndoRemoval)
	for _, row := range c.stored.Items {
		c.state(ruleItem, fmt.Sprintf("item %q", row.Name), writes[row.Name], row.Into, "",
			func(w Write) string {
				if w.Operation == UndoRemoval {
					return ""
				}
				return w.Word
			})
	}
}

// log counts the entries that the writes of moderators owe.
func (c *checker) log() {
	owes := map[LogRow]owed{}
	for _, w := range c.writes {
		if row, logged := c.entry(w); logged && w.mayHaveHappened() {
			o := owes[row]
			owes[row] = owed{o.least + surely(w), o.most + 1}
		}
	}
	got := map[LogRow]int{}
	for _, row := range c.stored.Log {
		got[row]++
	}
	for row, n := range got {
		if _, known := owes[row]; !known {
			c.find(ruleLog, fmt.Sprintf("%+v", row), "%d entries, owed are none", n)
		}
	}
	for row, want := range owes {
		if n := got[row]; n < want.least || n > want.most {
			c.find(ruleLog, fmt.Sprintf("%+v", row), "%d entries, owed are %d", n, want.least)
		}
	}
}

// entry is the entry in the log that a write owes; false for none.
func (c *checker) entry(w Write) (LogRow, bool) {
	switch w.Operation {
	case RemoveOrder:
		return LogRow{Action: "order_removed", Order: w.Order}, true
	case RemoveOffer:
		return LogRow{Action: "offer_removed", Order: w.Order, Offer: w.Offer}, true
	case BlockUser:
		return LogRow{Action: "user_blocked", User: w.Subject}, true
	case UnblockUser:
		return LogRow{Action: "user_unblocked", User: w.Subject}, true
	case Vouch:
		return LogRow{Action: "user_vouched", User: w.Subject}, true
	case MergeItem:
		return LogRow{Action: "item_merged", Item: w.Subject}, true
	case Look:
		return LogRow{Action: "dispute_looked_at", Order: w.Order}, true
	case Settle:
		return LogRow{Action: map[string]string{"met": "dispute_met"}[w.Word] + map[string]string{"cancelled": "dispute_not_met"}[w.Word], Order: w.Order}, true
	case UndoRemoval:
		switch {
		case w.Offer != 0:
			return LogRow{Action: "offer_restored", Order: w.Order, Offer: w.Offer}, true
		case w.Order != 0:
			return LogRow{Action: "order_restored", Order: w.Order}, true
		}
		return LogRow{Action: "item_reopened", Item: w.Subject}, true
	}
	return LogRow{}, false
}
