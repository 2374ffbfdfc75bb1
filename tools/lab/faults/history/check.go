package history

import (
	"cmp"
	"fmt"
	"slices"
)

// Finding is one difference between the answers and what is stored.
type Finding struct {
	Rule    string // such as "acknowledged is stored"
	Subject string // such as "sale 12"
	Detail  string
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Rule, f.Subject, f.Detail) }

// The rules.
const (
	ruleStored      = "what is acknowledged is stored once"
	ruleValues      = "what is stored has the acknowledged values"
	ruleRefused     = "what is refused is not stored"
	ruleUnexplained = "what is stored is explained by a write"
	ruleNotice      = "an event that owes a notice has one"
	ruleMessage     = "a delivered notice has one message"
	ruleHandover    = "a handover is what both sides have said"
	ruleTwoMessages = "at most two messages per handover and person"
	ruleUndo        = "what is undone is as it was before"
	ruleStock       = "stock is what its seller last said, without what was sold since"
	ruleStanding    = "a standing acceptance is the last one, and takes what fits"
	ruleList        = "a list is posted as a whole, once"
	ruleBlock       = "a block lasts until it is ended, and keeps out"
	ruleRemoval     = "what a moderator removed is gone until that is undone"
	ruleItem        = "an item means what a moderator last decided"
	ruleLog         = "every decision of a moderator has one entry in the log"
	ruleDispute     = "a dispute is what was said and decided last"
)

// Check compares writes with what is stored and returns every difference, in a stable order. It must be
// called when no write is running and no notice is pending.
func Check(writes []Write, stored Stored) []Finding {
	c := newChecker(writes, stored)
	c.orders()
	c.offers()
	c.sales()
	c.notices()
	c.messages()
	c.handovers()
	c.undone()
	c.stock()
	c.standing()
	c.lists()
	c.blocks()
	c.items()
	c.log()
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Subject, b.Subject))
	})
	return c.findings
}

// checker has the writes and the rows by what they are about.
type checker struct {
	writes   []Write
	stored   Stored
	findings []Finding

	posts    map[int64]Write   // acknowledged posts by order
	sent     map[int64]Write   // acknowledged offers by id
	undos    map[int64][]Write // undos that may have happened, by sale
	accepted map[int64][]Write // accepts that may have happened, by offer
	// ends of offers by their buyer or seller, and their undo, that may have happened, by offer
	removed map[int64][]Write
	taken   map[int64][]Write // removals by a moderator, and their undo, that may have happened, by offer
	logged  map[int64][]Write // logged sales that may have happened, by order
	closes  map[int64][]Write // closes, and their undo, that may have happened, by order
	edits   map[int64][]Write // edits that may have happened, by order
	deletes map[int64][]Write // deletes, removals and their undo that may have happened, by order
	rows    map[int64]OrderRow
	words   map[string]map[string]int // how many messages to a reader have a word
}

func newChecker(writes []Write, stored Stored) *checker {
	c := &checker{
		writes: resolve(expand(writes), stored), stored: stored,
		undos: map[int64][]Write{}, taken: map[int64][]Write{},
		posts: map[int64]Write{}, sent: map[int64]Write{}, accepted: map[int64][]Write{},
		removed: map[int64][]Write{},
		logged:  map[int64][]Write{}, closes: map[int64][]Write{}, edits: map[int64][]Write{},
		deletes: map[int64][]Write{}, rows: map[int64]OrderRow{}, words: wordsOf(stored.Messages),
	}
	for _, o := range stored.Orders {
		c.rows[o.ID] = o
	}
	for _, w := range c.writes {
		if !w.mayHaveHappened() {
			continue
		}
		switch w.Operation {
		case Post:
			c.keepOnce(c.posts, w.Outcome.Answer.Order, w)
		case Offer:
			c.keepOnce(c.sent, w.Outcome.Answer.Offer, w)
		case Accept:
			c.accepted[w.Offer] = append(c.accepted[w.Offer], w)
		case Remove, UndoOffer:
			c.removed[w.Offer] = append(c.removed[w.Offer], w)
		case RemoveOffer:
			c.taken[w.Offer] = append(c.taken[w.Offer], w)
		case UndoRemoval:
			if w.Offer != 0 {
				c.taken[w.Offer] = append(c.taken[w.Offer], w)
			} else if w.Order != 0 {
				c.deletes[w.Order] = append(c.deletes[w.Order], w)
			}
		case UndoSale:
			c.undos[w.Sale] = append(c.undos[w.Sale], w)
		case Sell:
			c.logged[w.Order] = append(c.logged[w.Order], w)
		case Close, UndoClose:
			c.closes[w.Order] = append(c.closes[w.Order], w)
		case Edit:
			c.edits[w.Order] = append(c.edits[w.Order], w)
		case Delete, RemoveOrder:
			c.deletes[w.Order] = append(c.deletes[w.Order], w)
		}
	}
	return c
}

// keepOnce keeps an acknowledged write by the id it was answered with. Two writes with one id are a finding.
func (c *checker) keepOnce(by map[int64]Write, id int64, w Write) {
	if !w.acknowledged() {
		return
	}
	if id == 0 {
		c.find(ruleStored, w.String(), "there is no %q", w.Mark)
		return
	}
	if other, taken := by[id]; taken {
		c.find(ruleStored, w.String(), "write %d was answered with the same id %d", other.Number, id)
	}
	by[id] = w
}

func (c *checker) find(rule, subject, format string, args ...any) {
	c.findings = append(c.findings, Finding{rule, subject, fmt.Sprintf(format, args...)})
}

func (w Write) String() string {
	return fmt.Sprintf("write %d (%s by %q through %s, key %s)", w.Number, w.Operation,
		cmp.Or(w.Actor, w.Mark), w.Adapter, w.Key)
}

// refused returns the refused write with a mark, for the operation. Marks are unique.
func (c *checker) refused(op Operation, mark string) (Write, bool) {
	if mark == "" {
		return Write{}, false
	}
	i := slices.IndexFunc(c.writes, func(w Write) bool {
		return w.Operation == op && w.Mark == mark &&
			!w.mayHaveHappened()
	})
	if i < 0 {
		return Write{}, false
	}
	return c.writes[i], true
}

// undecided reports whether a write with a mark is of unknown outcome.
func (c *checker) undecided(op Operation, mark string) bool {
	return slices.ContainsFunc(c.writes, func(w Write) bool {
		return w.Operation == op && w.Mark == mark && w.Outcome.Status == Unknown
	})
}

// notExplained notes a row that no acknowledged write made.
func (c *checker) notExplained(op Operation, subject, mark string) {
	if w, found := c.refused(op, mark); found {
		c.find(ruleRefused, subject, "%s was refused (%s)", w, w.Outcome.Kind)
		return
	}
	if !c.undecided(op, mark) {
		c.find(ruleUnexplained, subject, "no %s made it", op)
	}
}

// gone reports whether an order may have been deleted or removed, and not restored since.
func (c *checker) gone(order int64) bool {
	return slices.ContainsFunc(last(c.deletes[order]),
		func(w Write) bool { return w.Operation != UndoRemoval })
}

// orders compares the orders with the posts, edits, closes and deletes.
func (c *checker) orders() {
	for id, w := range c.posts {
		if _, there := c.rows[id]; !there && !c.gone(id) {
			rule := ruleStored
			if len(c.deletes[id]) > 0 {
				rule = ruleRemoval
			}
			c.find(rule, w.String(), "order %d is not there", id)
		}
	}
	for _, o := range c.stored.Orders {
		subject := fmt.Sprintf("order %d", o.ID)
		post, posted := c.posts[o.ID]
		if !posted {
			c.notExplained(Post, subject, o.Item)
			continue
		}
		if o.Owner != post.Actor || o.Item != post.Mark {
			c.find(ruleValues, subject, "it is %q of %q, posted was %q by %q", o.Item, o.Owner, post.Mark,
				post.Actor)
		}
		if w, surely := surelyLast(c.deletes[o.ID]); surely && w.Operation == Delete {
			c.find(ruleStored, subject, "it is there, though it was deleted")
		} else if surely && w.Operation == RemoveOrder {
			c.find(ruleRemoval, subject, "it is there, though it was removed")
		}
		c.orderState(o, post, subject)
	}
}

// orderState compares what an order says now with what the last answers said.
func (c *checker) orderState(o OrderRow, post Write, subject string) {
	if o.Sold != o.Sales {
		c.find(ruleValues, subject, "sold is %d, its sales are %d", o.Sold, o.Sales)
	}
	if o.Sold < 0 || o.Sold > o.Quantity {
		c.find(ruleValues, subject, "sold %d of %d", o.Sold, o.Quantity)
	}
	if !c.asksFor(o, post) {
		c.find(ruleValues, subject, "it asks for %d at %d, posted were %d at %d, then edited %d times",
			o.Quantity, o.Price, post.Quantity, post.Price, len(c.edits[o.ID]))
	}
	close, surely := surelyLast(c.closes[o.ID])
	closed := surely && close.Operation == Close
	switch {
	case o.Closed && surely && close.Operation == UndoClose && o.Sold < o.Quantity:
		c.find(ruleUndo, subject, "it is closed, though closing it was undone")
	case o.Closed && len(c.closes[o.ID]) == 0 && o.Sold < o.Quantity:
		c.find(ruleUnexplained, subject, "it is closed, and no write closed or filled it")
	case !o.Closed && (closed || o.Sold == o.Quantity):
		c.find(ruleStored, subject, "it is open, though it was closed or filled")
	}
}

// asksFor reports whether quantity and price are those of the last edit. Where the answers do not say which
// was the last, they may be those of any.
func (c *checker) asksFor(o OrderRow, post Write) bool {
	edits, sure := c.edits[o.ID], true
	for _, e := range edits {
		sure = sure && e.acknowledged() && e.Outcome.Answer.State.Version > 0
	}
	slices.SortStableFunc(edits, func(a, b Write) int {
		return cmp.Compare(a.Outcome.Answer.State.Version, b.Outcome.Answer.State.Version)
	})
	quantities, prices := []int{post.Quantity}, []int64{post.Price}
	for _, e := range edits {
		quantities, prices = append(quantities, cmp.Or(e.Quantity, quantities[len(quantities)-1])),
			append(prices, cmp.Or(e.Price, prices[len(prices)-1]))
	}
	if sure {
		quantities, prices = quantities[len(quantities)-1:], prices[len(prices)-1:]
	}
	return slices.Contains(quantities, o.Quantity) && slices.Contains(prices, o.Price)
}
