package history

import (
	"fmt"
	"slices"
)

// undone compares the sales with the writes that undid them.
func (c *checker) undone() {
	cancelled := map[int64]bool{}
	for _, h := range c.stored.Handovers {
		cancelled[h.Sale] = h.State == "cancelled"
	}
	for _, row := range c.stored.Sales {
		undos := c.undos[row.ID]
		subject := fmt.Sprintf("sale %d", row.ID)
		switch {
		case row.Reversed && len(undos) == 0 && !cancelled[row.ID]:
			c.find(ruleUndo, subject, "it is reversed, and no write undid it")
		case !row.Reversed && surelyHappened(undos):
			c.find(ruleUndo, subject, "it stands, though it was undone")
		}
	}
}

// anyUndone reports whether an end of an offer, an accept of it or the closing of its order was undone.
func (c *checker) anyUndone(w Write, offer int64) bool {
	undo := func(w Write) bool {
		return w.Operation == UndoOffer || w.Operation == UndoClose || w.Operation == UndoRemoval
	}
	return slices.ContainsFunc(c.removed[offer], undo) || slices.ContainsFunc(c.taken[offer], undo) ||
		slices.ContainsFunc(c.closes[w.Order], undo) ||
		slices.ContainsFunc(c.accepted[offer],
			func(a Write) bool {
				return a.Outcome.Answer.Sale != 0 &&
					len(c.undos[a.Outcome.Answer.Sale]) > 0
			})
}

// lapsedWithRemoval reports whether an offer may have lapsed because a moderator removed its order, which
// may be there again.
func (c *checker) lapsedWithRemoval(w Write) bool {
	return slices.ContainsFunc(c.deletes[w.Order],
		func(r Write) bool { return r.Operation == RemoveOrder && r.Returned > w.Called })
}

// lapsedWithBlock reports whether an offer may have lapsed because a moderator blocked its seller.
func (c *checker) lapsedWithBlock(w Write) bool {
	return w.Actor != "" && slices.ContainsFunc(c.writes, func(b Write) bool {
		return b.Operation == BlockUser && b.mayHaveHappened() && b.Subject == w.Actor &&
			b.Returned > w.Called
	})
}
