package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// market is the state of one order in the model: what the rules of core say about it, without the rest of
// the market.
type market struct {
	posted   bool
	version  int
	quantity int
	sold     int
	closed   bool
	offers   []standing // by id
}

// standing is an offer that can be accepted.
type standing struct {
	id     int64
	seller string // username; empty for a visitor
	left   int
}

func (m market) find(offer int64) int {
	return slices.IndexFunc(m.offers, func(o standing) bool { return o.id == offer })
}

// without returns the state without an offer.
func (m market) without(i int) market {
	m.offers = slices.Delete(slices.Clone(m.offers), i, i+1)
	return m
}

// changed counts a change of the order and closes it when everything is sold.
func (m market) changed() market {
	m.version++
	if m.sold > 0 && m.sold >= m.quantity {
		m.closed, m.offers = true, nil
	}
	return m
}

// apply returns the state after a write, or the kind of its error.
func (m market) apply(w Write) (after market, rejected string) {
	if !m.posted && w.Operation != Post {
		return m, "not_found"
	}
	switch w.Operation {
	case Post:
		return market{posted: true, version: 1, quantity: w.Quantity}, ""
	case Offer:
		return m.offer(w)
	case Remove:
		i := m.find(w.Offer)
		if i < 0 {
			return m, "not_found"
		}
		return m.without(i), ""
	case Accept:
		return m.accept(w)
	}
	if m.closed && w.Operation != Delete {
		return m, "conflict"
	}
	switch w.Operation {
	case Sell:
		if w.Quantity < 1 || w.Quantity > m.quantity-m.sold {
			return m, "invalid"
		}
		m.sold += w.Quantity
	case Edit:
		if w.Version != 0 && w.Version != m.version {
			return m, "conflict"
		}
		quantity := cmp.Or(w.Quantity, m.quantity)
		if quantity < m.sold {
			return m, "invalid"
		}
		m.quantity = quantity
	case Renew:
	case Delete:
		return market{}, ""
	case Close:
		m.closed, m.offers, m.version = true, nil, m.version+1
		return m, ""
	}
	return m.changed(), ""
}

func (m market) offer(w Write) (market, string) {
	if m.closed {
		return m, "conflict"
	}
	offers := slices.Clone(m.offers)
	if w.Actor != "" { // a signed-in seller has one offer on an order
		offers = slices.DeleteFunc(offers, func(o standing) bool { return o.seller == w.Actor })
	}
	offers = append(offers, standing{w.Outcome.Answer.Offer, w.Actor, w.Quantity})
	slices.SortFunc(offers, func(a, b standing) int { return cmp.Compare(a.id, b.id) })
	m.offers = offers
	return m, ""
}

func (m market) accept(w Write) (market, string) {
	i := m.find(w.Offer)
	switch {
	case i < 0:
		return m, "not_found"
	case m.closed:
		return m, "conflict"
	case w.Quantity < 1 || w.Quantity > min(m.quantity-m.sold, m.offers[i].left):
		return m, "invalid"
	}
	m.sold += w.Quantity
	if m.offers[i].left == w.Quantity {
		m = m.without(i)
	} else {
		m.offers = slices.Clone(m.offers)
		m.offers[i].left -= w.Quantity
	}
	return m.changed(), ""
}

// steps returns the states that a write with this outcome may lead to; none where the outcome contradicts
// the state.
func (m market) steps(w Write) []any {
	after, rejected := m.apply(w)
	switch w.Outcome.Status {
	case Unknown:
		if rejected != "" {
			return []any{m}
		}
		return []any{m, after}
	case Refused:
		if rejected == "" || w.Outcome.Kind != "" && rejected != w.Outcome.Kind {
			return nil
		}
		return []any{m}
	}
	if rejected != "" || !after.shows(w.Outcome.Answer.State) {
		return nil
	}
	return []any{after}
}

// shows reports whether an answer with this state was right.
func (m market) shows(s State) bool {
	return s.Version == 0 || s == State{m.version, m.quantity, m.sold, m.closed}
}

func (m market) equal(other market) bool {
	return m.posted == other.posted && m.version == other.version && m.quantity == other.quantity &&
		m.sold == other.sold &&
		m.closed == other.closed && slices.Equal(m.offers, other.offers)
}

var model = (&porcupine.NondeterministicModel{
	Init:  func() []any { return []any{market{}} },
	Step:  func(state, input, _ any) []any { return state.(market).steps(input.(Write)) },
	Equal: func(a, b any) bool { return a.(market).equal(b.(market)) },
	DescribeOperation: func(input, _ any) string {
		w := input.(Write)
		return fmt.Sprintf("%s %d of offer %d: %s %s", w.Operation, w.Quantity, w.Offer, w.Outcome.Status,
			w.Outcome.Kind)
	},
}).ToModel()

// Verdict is what the linearizability check found out.
type Verdict string

// The verdicts. TooLong means that the check ran out of time, which says nothing.
const (
	Linearizable Verdict = "linearizable"
	Contradicted Verdict = "not linearizable"
	TooLong      Verdict = "not decided in time"
)

// Linearize checks that the writes about one order could have happened one after another, each between its
// call and its return, with the answers that were given. The write that posted the order must be among
// them. It looks for such an order of events first and has porcupine check it. Where it finds none,
// porcupine looks at the history itself and decides.
func Linearize(writes []Write, order int64, most time.Duration) Verdict {
	writes = about(writes, order)
	if ordered, found := witness(writes, most/2); found {
		return decide(sequential(ordered), most)
	}
	var operations []porcupine.Operation
	for i, w := range writes {
		returned := int64(w.Returned)
		if w.Outcome.Status == Unknown {
			returned = math.MaxInt64 // it may still happen
		}
		operations = append(operations, porcupine.Operation{ClientId: i, Input: w, Call: int64(w.Called),
			Return: returned})
	}
	return decide(operations, most/2)
}

// modelled are the operations that the model knows.
var modelled = []Operation{Post, Edit, Renew, Close, Delete, Offer, Remove, Accept, Sell}

// about returns the writes about an order, with the order that an offer is on filled in.
func about(writes []Write, order int64) (some []Write) {
	for _, w := range resolve(writes, Stored{}) {
		if cmp.Or(w.Order, w.Outcome.Answer.Order) == order && slices.Contains(modelled, w.Operation) {
			some = append(some, w)
		}
	}
	return some
}

func decide(operations []porcupine.Operation, most time.Duration) Verdict {
	switch porcupine.CheckOperationsTimeout(model, operations, most) {
	case porcupine.Ok:
		return Linearizable
	case porcupine.Illegal:
		return Contradicted
	default:
		return TooLong
	}
}
