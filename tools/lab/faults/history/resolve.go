package history

import (
	"cmp"
	"math"
	"slices"
)

// resolve returns the writes with what their adapter did not say and the rows do: the id of an order that
// was posted or of an offer that was sent through Discord, found by its mark, and the order that an offer
// is on. A write of unknown outcome whose row is there has happened: it counts as acknowledged.
func resolve(writes []Write, stored Stored) []Write {
	orders, offers := map[string]int64{}, map[string]int64{}
	for _, o := range stored.Orders {
		orders[o.Item] = o.ID
	}
	for _, n := range stored.Notices {
		if n.Kind == offerReceived {
			offers[n.Mark] = n.Offer
		}
	}
	for _, o := range stored.Offers {
		offers[o.Mark] = o.ID
	}
	on := map[int64]int64{} // the order of an offer
	writes = slices.Clone(writes)
	for i := range writes {
		w := &writes[i]
		if !w.mayHaveHappened() {
			continue
		}
		if w.Operation == Post && orders[w.Mark] != 0 || w.Operation == Offer && offers[w.Mark] != 0 {
			w.Outcome.Status = Acknowledged
		}
		if !w.acknowledged() {
			continue
		}
		answer := &w.Outcome.Answer
		switch w.Operation {
		case Post:
			answer.Order = cmp.Or(answer.Order, orders[w.Mark])
		case Offer:
			answer.Offer = cmp.Or(answer.Offer, offers[w.Mark])
			on[answer.Offer] = w.Order
		}
	}
	for i := range writes {
		w := &writes[i]
		if w.Offer != 0 {
			w.Order = cmp.Or(w.Order, on[w.Offer])
		}
	}
	return writes
}

// Decide returns the writes with the outcome of accepts and logged sales decided by the rows,
// where no client learned it: one that has a sale was done, one that has none is left out. Where
// only some of several that look the same have one, they stay unknown.
func Decide(writes []Write, stored Stored) []Write {
	c := newChecker(writes, stored)
	left := map[*SaleRow]bool{}
	for i := range stored.Sales {
		left[&stored.Sales[i]] = true
	}
	matching := func(w Write) (rows []*SaleRow) {
		for i := range stored.Sales {
			row := &stored.Sales[i]
			if left[row] && (w.Outcome.Answer.Sale == row.ID || w.Outcome.Answer.Sale == 0 &&
				c.makes(w, *row)) {
				rows = append(rows, row)
			}
		}
		return rows
	}
	sells := func(w Write) bool { return w.Operation == Accept || w.Operation == Sell }
	for _, named := range []bool{true, false} { // those whose answer names the sale take their sale first
		for _, w := range c.writes {
			if w.acknowledged() && sells(w) && (w.Outcome.Answer.Sale != 0) == named {
				if rows := matching(w); len(rows) > 0 {
					delete(left, rows[0])
				}
			}
		}
	}
	var decided []Write
	for _, w := range c.writes {
		if w.Outcome.Status != Unknown || !sells(w) {
			decided = append(decided, w)
			continue
		}
		similar := 0
		for _, other := range c.writes {
			if other.Outcome.Status == Unknown && other.Operation == w.Operation && other.Offer == w.Offer &&
				other.Quantity == w.Quantity && other.Mark == w.Mark {
				similar++
			}
		}
		switch rows := len(matching(w)); {
		case rows == 0:
		case rows >= similar:
			w.Outcome.Status, w.Returned = Acknowledged, math.MaxInt64
			decided = append(decided, w)
		default:
			decided = append(decided, w)
		}
	}
	return decided
}
