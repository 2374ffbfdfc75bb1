package history

import (
	"fmt"
	"slices"
)

// acceptedOf is how much of an offer was accepted: by acknowledged accepts, and at most.
func (c *checker) acceptedOf(offer int64) (surely, most int) {
	for _, w := range c.accepted[offer] {
		undos := c.undos[w.Outcome.Answer.Sale]
		if w.Outcome.Answer.Sale == 0 {
			undos = nil
		}
		undone := slices.ContainsFunc(undos, Write.acknowledged)
		if !undone {
			most += w.Quantity
		}
		if w.acknowledged() && len(undos) == 0 {
			surely += w.Quantity
		}
	}
	return surely, most
}

// ended returns why an offer may be gone although not all of it was accepted; empty for no reason.
func (c *checker) ended(w Write, id int64) string {
	order, there := c.rows[w.Order]
	switch {
	case slices.ContainsFunc(last(c.removed[id]), func(w Write) bool { return w.Operation == Remove }):
		return "removed"
	case slices.ContainsFunc(last(c.taken[id]), func(w Write) bool { return w.Operation == RemoveOffer }):
		return "removed by a moderator"
	case c.lapsedWithRemoval(w):
		return "lapsed with its removed request"
	case c.stored.Lapsing && slices.ContainsFunc(c.stored.Notices,
		func(n NoticeRow) bool { return n.Kind == offerTimedOut && n.Offer == id }):
		return "its time was over by a clock that was wrong"
	case c.lapsedWithBlock(w):
		return "lapsed with the block of its seller"
	case !there || order.Closed || order.Expired:
		return "lapsed"
	case w.Actor != "" && c.replaced(w):
		return "replaced"
	}
	return ""
}

// surelyReplaced reports whether the seller of an offer has sent another one on the same order after it.
func (c *checker) surelyReplaced(w Write) bool {
	return slices.ContainsFunc(c.writes, func(other Write) bool {
		return other.Operation == Offer && other.acknowledged() && other.Actor == w.Actor &&
			other.Order == w.Order && other.Called > w.Returned
	})
}

// replaced reports whether the seller of an offer may have sent a later one on the same order.
func (c *checker) replaced(w Write) bool {
	return slices.ContainsFunc(c.writes, func(other Write) bool {
		return other.Operation == Offer && other.mayHaveHappened() && other.Actor == w.Actor &&
			other.Order == w.Order &&
			other.Number != w.Number && other.Returned > w.Called
	})
}

// offers compares the offers with the writes that sent, took and removed them.
func (c *checker) offers() {
	rows := map[int64]OfferRow{}
	for _, row := range c.stored.Offers {
		rows[row.ID] = row
		if _, sent := c.sent[row.ID]; !sent {
			c.notExplained(Offer, fmt.Sprintf("offer %d", row.ID), row.Mark)
		}
	}
	for id, w := range c.sent {
		row, there := rows[id]
		if there {
			c.offer(row, w)
			continue
		}
		if surely, most := c.acceptedOf(id); most < w.Quantity && c.ended(w, id) == "" {
			rule := ruleStored
			if c.anyUndone(w, id) {
				rule = ruleUndo
			}
			c.find(rule, w.String(), "offer %d is gone, %d of %d accepted", id, surely, w.Quantity)
		}
	}
}

func (c *checker) offer(row OfferRow, w Write) {
	subject := fmt.Sprintf("offer %d", row.ID)
	surely, most := c.acceptedOf(row.ID)
	if left := w.Quantity - row.Quantity; left < surely || left > most || row.Quantity < 1 {
		c.find(ruleValues, subject, "%d left of %d, accepted were %d", row.Quantity, w.Quantity, surely)
	}
	if row.Order != w.Order || row.Mark != w.Mark || row.Seller != w.Actor {
		c.find(ruleValues, subject, "it is %q of %q on order %d, sent was %q by %q on %d",
			row.Mark, row.Seller, row.Order, w.Mark, w.Actor, w.Order)
	}
	if price := w.Outcome.Answer.Price; price != 0 && row.Price != price {
		c.find(ruleValues, subject, "its price is %d, acknowledged was %d", row.Price, price)
	}
	if end, surely := surelyLast(c.removed[row.ID]); surely && end.Operation == Remove {
		c.find(ruleStored, subject, "it is open, though it was removed")
	}
	if end, surely := surelyLast(c.taken[row.ID]); surely && end.Operation == RemoveOffer {
		c.find(ruleRemoval, subject, "it is open, though a moderator removed it")
	}
}

// sales compares each sale with the accept or the logged sale that made it. A sale makes up for one write
// only.
func (c *checker) sales() {
	made := map[int]SaleRow{} // by the number of the write
	named := map[int64]Write{}
	others := map[int64][]Write{} // whose answers name no sale, by order
	for _, w := range c.writes {
		switch {
		case w.Operation != Accept && w.Operation != Sell || !w.mayHaveHappened():
		case w.Outcome.Answer.Sale != 0:
			named[w.Outcome.Answer.Sale] = w
		default:
			others[w.Order] = append(others[w.Order], w)
		}
	}
	for _, row := range c.stored.Sales {
		if w, found := named[row.ID]; found {
			made[w.Number] = row
			continue
		}
		if !c.claim(row, others[row.Order], Acknowledged, made) &&
			!c.claim(row, others[row.Order], Unknown, made) {
			c.notExplainedSale(row)
		}
	}
	for _, w := range c.writes {
		if w.Operation != Accept && w.Operation != Sell || !w.mayHaveHappened() || c.gone(w.Order) {
			continue
		}
		row, there := made[w.Number]
		switch {
		case !there && w.acknowledged():
			c.find(ruleStored, w.String(), "there is no sale of %d on order %d", w.Quantity, w.Order)
		case there && !c.makes(w, row):
			c.find(ruleValues, fmt.Sprintf("sale %d", row.ID), "it is %+v, acknowledged was %d at %d by %s",
				row, w.Quantity, w.Outcome.Answer.Price, w)
		}
	}
}

// claim finds a write of a status that made a sale and made no other.
func (c *checker) claim(row SaleRow, writes []Write, status Status, made map[int]SaleRow) bool {
	for _, w := range writes {
		if _, taken := made[w.Number]; !taken && w.Outcome.Status == status && c.makes(w, row) {
			made[w.Number] = row
			return true
		}
	}
	return false
}

// makes reports whether a write makes a sale with these values.
func (c *checker) makes(w Write, row SaleRow) bool {
	if row.Order != w.Order || row.Quantity != w.Quantity {
		return false
	}
	if price := w.Outcome.Answer.Price; price != 0 && price != row.Price {
		return false
	}
	switch w.Operation {
	case Sell:
		return row.Mark == w.Mark
	case Accept:
		sent := c.sent[w.Offer]
		return row.Mark == sent.Mark && row.Seller == sent.Actor
	}
	return false
}

func (c *checker) notExplainedSale(row SaleRow) {
	if row.Order == 0 || c.gone(row.Order) {
		return // the sale was kept without the texts by which it could be compared
	}
	subject := fmt.Sprintf("sale %d", row.ID)
	for _, w := range c.writes {
		if !w.mayHaveHappened() && c.makes(w, row) {
			c.find(ruleRefused, subject, "%s was refused (%s)", w, w.Outcome.Kind)
			return
		}
	}
	c.find(ruleUnexplained, subject, "no write made it: %+v", row)
}
