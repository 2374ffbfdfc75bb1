package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// request is the state of one request in the model that make histories checks: everything that its buyer, its
// sellers and moderators do about it. Each slice is replaced and never changed, since states share them.
type request struct {
	buyer   string
	posted  bool
	removed bool // by a moderator, which can be undone

	version, quantity, sold int

	closed, filled bool
	offers         []standing // by id
	lapsed         []standing // with the closing, which can be undone
	ended          []endedOffer
	sales          []madeSale
	blocked        []string // sellers that the buyer has blocked

	least  int  // the most that a seller may offer; zero for any
	stands bool // offers are accepted automatically
	takes  int  // how many more are
	unsure bool // whether offers are accepted automatically is not known exactly
}

// endedOffer is an offer that its end can be undone.
type endedOffer struct {
	standing
	end string // by which operation
	by  string // who ended it
}

// madeSale is a sale with the handover that belongs to it.
type madeSale struct {
	id, offer    int64 // zero where no answer said which
	seller       string
	quantity     int
	reversed     bool
	over, looked bool   // the handover is settled, or a moderator looks at it
	buyer, other string // the answers of the sides
	tookBack     string // the sides that have taken a word back
}

const (
	endAccepted  = "accepted"
	endDeclined  = "declined"
	endWithdrawn = "withdrawn"
	endRemoved   = "removed"
	endBlocked   = "blocked" // which can't be undone
)

func (r request) equal(other request) bool {
	return r.buyer == other.buyer && r.posted == other.posted && r.removed == other.removed &&
		r.version == other.version && r.quantity == other.quantity && r.sold == other.sold &&
		r.closed == other.closed && r.filled == other.filled && r.least == other.least &&
		r.takes == other.takes && r.stands == other.stands && r.unsure == other.unsure &&
		slices.Equal(r.offers, other.offers) && slices.Equal(r.lapsed, other.lapsed) &&
		slices.Equal(r.ended, other.ended) && slices.Equal(r.sales, other.sales) &&
		slices.Equal(r.blocked, other.blocked)
}

func without[T any](some []T, at int) []T { return slices.Delete(slices.Clone(some), at, at+1) }

func with[T any](some []T, one T) []T { return append(slices.Clip(some), one) }

func (r request) offer(id int64) int {
	return slices.IndexFunc(r.offers, func(o standing) bool { return o.id == id })
}

func (r request) endOf(id int64) int {
	return slices.IndexFunc(r.ended, func(o endedOffer) bool { return o.id == id })
}

func (r request) sale(id int64) int {
	return slices.IndexFunc(r.sales, func(s madeSale) bool { return s.id == id })
}

// offeredBy reports whether a signed-in seller has an open offer.
func (r request) offeredBy(seller string) bool {
	return seller != "" && slices.ContainsFunc(r.offers, func(o standing) bool { return o.seller == seller })
}

// mayReturn reports whether an ended offer of a seller may be open again.
func (r request) mayReturn(seller string) bool {
	return !r.offeredBy(seller) && !slices.Contains(r.blocked, seller)
}

// open returns the request with one more open offer.
func (r request) open(o standing) request {
	r.offers = with(r.offers, o)
	slices.SortFunc(r.offers, func(a, b standing) int { return cmp.Compare(a.id, b.id) })
	return r
}

// end returns the request without an open offer.
func (r request) end(at int, how, by string) request {
	r.ended = with(r.ended, endedOffer{r.offers[at], how, by})
	r.offers = without(r.offers, at)
	return r
}

// changed counts a change, and closes the request when everything is sold.
func (r request) changed() request {
	r.version++
	if !r.closed && r.sold > 0 && r.sold >= r.quantity {
		r = r.shut()
		r.filled = true
	}
	return r
}

// shut is the request once it is closed: its offers have lapsed.
func (r request) shut() request {
	r.closed, r.lapsed, r.offers, r.unsure = true, r.offers, nil, true
	return r
}

// reopened is the request once its closing is undone.
func (r request) reopened() request {
	r.closed, r.filled = false, false
	for _, o := range r.lapsed {
		if r.mayReturn(o.seller) {
			r = r.open(o)
		}
	}
	r.lapsed = nil
	return r
}

// refusals are the kinds of errors with which a write can be refused.
type refusals []string

var (
	missing  = refusals{"not_found"}
	conflict = refusals{"conflict"}
	wrong    = refusals{"invalid"}
	// ended is about a thing that was there before
	ended = refusals{"not_found", "conflict"}
)

// apply returns the states to which a write may lead, and the errors that it may get instead.
func (r request) apply(w Write) (after []request, refused refusals) {
	switch w.Operation {
	case Post:
		return []request{{buyer: w.Actor, posted: true, version: 1, quantity: w.Quantity,
			blocked: r.blocked}}, nil
	case UnblockSeller:
		r.blocked = slices.DeleteFunc(slices.Clone(r.blocked), func(s string) bool { return s == w.Subject })
		return []request{r}, missing
	case Say, TakeBack, Look, Settle, AgreeTime:
		return r.handover(w)
	case UndoRemoval:
		return r.restore(w)
	}
	if !r.posted {
		return nil, missing
	}
	switch w.Operation {
	case Offer:
		return r.send(w)
	case Accept:
		return r.accept(w)
	case Remove, RemoveOffer, BlockSeller:
		return r.endOffer(w)
	case UndoOffer:
		return r.undoOffer(w)
	case UndoSale:
		return r.undoSale(w)
	case UndoClose:
		if !r.closed || r.filled {
			return nil, conflict
		}
		return []request{r.reopened().changed()}, nil
	case Delete:
		return []request{{buyer: r.buyer, sales: r.sales, blocked: r.blocked}}, nil
	case RemoveOrder:
		r.posted, r.removed, r.offers, r.lapsed, r.ended = false, true, nil, nil, nil
		return []request{r}, nil
	case EndStanding:
		if !r.stands && !r.unsure {
			return nil, missing
		}
		if r.unsure {
			refused = missing
		}
		r.takes, r.stands, r.unsure = 0, false, false
		return []request{r}, refused
	case EndLeast:
		r.least = 0
		return []request{r}, nil
	case Report:
		return []request{r}, conflict // once by each user
	}
	if r.closed {
		return nil, conflict
	}
	return r.change(w)
}

// change models the buyer's changes to an open request.
func (r request) change(w Write) (after []request, refused refusals) {
	switch w.Operation {
	case Sell:
		if w.Quantity < 1 || w.Quantity > r.quantity-r.sold {
			return nil, wrong
		}
		r.sold += w.Quantity
		r.sales = with(r.sales, madeSale{id: w.Outcome.Answer.Sale, quantity: w.Quantity, over: true})
		return []request{r.changed()}, nil
	case Edit:
		if w.Version != 0 && w.Version != r.version {
			return nil, conflict
		}
		if w.Adapter == Bot {
			refused = conflict // the bot reads the version before it writes
		}
		quantity := cmp.Or(w.Quantity, r.quantity)
		if quantity < r.sold {
			return nil, append(refused, wrong...)
		}
		r.quantity = quantity
		return []request{r.changed()}, refused
	case Renew:
		return []request{r.changed()}, nil
	case Close:
		r.version++
		return []request{r.shut()}, nil
	case SetStanding:
		if w.Quantity > r.quantity-r.sold {
			return nil, wrong
		}
		r.takes, r.stands, r.unsure = w.Quantity, true, false
		return []request{r}, nil
	case SetLeast:
		if w.Quantity > r.quantity {
			return nil, wrong
		}
		r.least = w.Quantity
		return []request{r}, nil
	}
	panic("the model does not know the operation " + string(w.Operation))
}

// send is an offer, which may be accepted at once.
func (r request) send(w Write) (after []request, refused refusals) {
	switch {
	case r.closed:
		return nil, conflict
	case w.Actor != "" && slices.Contains(r.blocked, w.Actor):
		return nil, refusals{"forbidden"}
	case w.Quantity > r.quantity, r.least > 0 && w.Quantity > r.least:
		return nil, wrong
	}
	if w.Adapter == Bot && r.offeredBy(w.Actor) {
		refused = conflict // the bot asks first whether the seller means to replace their offer
	}
	if w.Actor != "" { // a signed-in seller has one offer on a request
		r.offers = slices.DeleteFunc(slices.Clone(r.offers),
			func(o standing) bool { return o.seller == w.Actor })
	}
	waits := r.open(standing{w.Outcome.Answer.Offer, w.Actor, w.Quantity})
	fits := w.Actor != "" && w.Quantity <= r.quantity-r.sold && (r.unsure || w.Quantity <= r.takes)
	taken := func() request {
		r := waits
		r.takes = max(0, r.takes-w.Quantity)
		return r.take(r.offer(w.Outcome.Answer.Offer), w.Quantity, 0)
	}
	said := w.Outcome.Status == Acknowledged && w.Adapter == Web
	switch {
	case said && w.Outcome.Answer.Accepted > 0 && fits:
		return []request{taken()}, refused
	case said && w.Outcome.Answer.Accepted > 0:
		return nil, refused
	case !fits, said && r.unsure:
		return []request{waits}, refused
	case said:
		return nil, refused // it was not accepted, and had to be
	case r.unsure:
		return []request{waits, taken()}, refused
	}
	return []request{taken()}, refused
}

// take accepts some of an offer.
func (r request) take(at, quantity int, sale int64) request {
	o := r.offers[at]
	r.sold += quantity
	r.sales = with(r.sales, madeSale{id: sale, offer: o.id, seller: o.seller, quantity: quantity,
		over: o.seller == ""})
	if o.left == quantity {
		r = r.end(at, endAccepted, r.buyer)
	} else {
		r.offers = slices.Clone(r.offers)
		r.offers[at].left -= quantity
	}
	return r.changed()
}

func (r request) accept(w Write) (after []request, refused refusals) {
	at := r.offer(w.Offer)
	switch {
	case at < 0:
		return nil, missing
	case r.closed:
		return nil, conflict
	case w.Quantity < 1 || w.Quantity > min(r.quantity-r.sold, r.offers[at].left):
		return nil, wrong
	}
	return []request{r.take(at, w.Quantity, w.Outcome.Answer.Sale)},
		refusals{"too_many"} // accepted and undone too often
}

// endOffer is a decline, a withdrawal, a removal or a block.
func (r request) endOffer(w Write) (after []request, refused refusals) {
	at := r.offer(w.Offer)
	if at < 0 && w.Operation == Remove && w.Actor == "" {
		return nil, ended // who has a link to it is told that it was there
	}
	if at < 0 {
		return nil, missing
	}
	seller := r.offers[at].seller
	switch {
	case w.Operation == RemoveOffer:
		return []request{r.end(at, endRemoved, w.Actor)}, nil
	case w.Operation == BlockSeller && seller == "":
		return nil, wrong
	case w.Operation == BlockSeller:
		r.blocked = with(r.blocked, seller)
		slices.Sort(r.blocked)
		r.blocked = slices.Compact(r.blocked)
		return []request{r.end(at, endBlocked, "")}, nil
	case w.Actor == r.buyer:
		return []request{r.end(at, endDeclined, r.buyer)}, nil
	}
	return []request{r.end(at, endWithdrawn, w.Actor)}, nil
}

func (r request) undoOffer(w Write) (after []request, refused refusals) {
	at := r.endOf(w.Offer)
	switch {
	case at < 0, r.ended[at].end != endDeclined && r.ended[at].end != endWithdrawn, r.ended[at].by == "":
		return nil, ended
	case r.ended[at].by != w.Actor:
		return nil, refusals{"forbidden"}
	case r.closed, !r.mayReturn(r.ended[at].seller):
		return nil, ended
	}
	back := r.ended[at].standing
	r.ended = without(r.ended, at)
	return []request{r.open(back)}, nil
}

func (r request) undoSale(w Write) (after []request, refused refusals) {
	at := r.sale(w.Sale)
	if at < 0 {
		return nil, missing
	}
	s := r.sales[at]
	if s.reversed || r.closed && !r.filled || s.buyer != "" || s.other != "" {
		return nil, conflict
	}
	r.unsure = true // how many are accepted automatically
	if r.filled {
		r = r.reopened()
	}
	r.sales = slices.Clone(r.sales)
	r.sales[at].reversed, r.sales[at].over = true, true
	r.sold -= s.quantity
	if s.offer == 0 {
		return []request{r.changed()}, nil
	}
	if open := r.offer(s.offer); open >= 0 {
		r.offers = slices.Clone(r.offers)
		r.offers[open].left += s.quantity
		return []request{r.changed()}, nil
	}
	end := r.endOf(s.offer)
	if end < 0 || r.ended[end].end != endAccepted || !r.mayReturn(s.seller) {
		return nil, conflict
	}
	r.ended = without(r.ended, end)
	return []request{r.open(standing{s.offer, s.seller, s.quantity}).changed()}, nil
}

// restore models the undo of a removal. It does not model which offers a request has then.
func (r request) restore(w Write) (after []request, refused refusals) {
	if w.Offer == 0 {
		if !r.removed {
			return nil, ended
		}
		r.posted, r.removed = true, false
		return []request{r}, conflict
	}
	at := r.endOf(w.Offer)
	if at < 0 || r.ended[at].end != endRemoved || r.closed || !r.posted || !r.mayReturn(r.ended[at].seller) {
		return nil, ended
	}
	back := r.ended[at].standing
	r.ended = without(r.ended, at)
	return []request{r.open(back)}, nil
}

// handover models the answers of the sides and of a moderator about a sale.
func (r request) handover(w Write) (after []request, refused refusals) {
	at := r.sale(w.Sale)
	if at < 0 || r.sales[at].seller == "" {
		return nil, missing
	}
	s := r.sales[at]
	if s.reversed && s.buyer == "" && s.other == "" {
		return nil, ended // with the sale, which was undone
	}
	own, other := &s.buyer, &s.other
	if w.Actor == s.seller {
		own, other = other, own
	}
	disputed := !s.over && s.buyer != "" && s.other != "" && s.buyer != s.other
	switch w.Operation {
	case AgreeTime:
		if s.over || s.buyer != "" || s.other != "" {
			return nil, conflict
		}
		return []request{r}, nil
	case Say:
		if *own == w.Word {
			return []request{r}, nil
		}
		if s.over || s.looked {
			return nil, conflict
		}
		*own = w.Word
		s.over = s.buyer == s.other || w.Word == saidNotMet && *other == ""
		return []request{r.said(at, s)}, nil
	case TakeBack:
		if !disputed || s.looked {
			if *own == "" && slices.Contains([]string{w.Actor, "both"}, s.tookBack) && !s.over {
				return []request{r}, nil
			}
			return nil, conflict
		}
		*own = ""
		if s.tookBack != "" && s.tookBack != w.Actor {
			s.tookBack = "both"
		} else {
			s.tookBack = w.Actor
		}
		s.over = *other == saidNotMet
		return []request{r.said(at, s)}, nil
	case Look:
		if !disputed || s.looked {
			return nil, conflict
		}
		s.looked = true
		return []request{r.said(at, s)}, nil
	}
	if !disputed {
		return nil, conflict
	}
	s.buyer, s.other, s.over = w.Word, w.Word, true
	if w.Word != saidMet {
		s.buyer, s.other = saidNotMet, saidNotMet
	}
	ruled := r.said(at, s)
	ruled.sales[at].buyer, ruled.sales[at].other = r.sales[at].buyer, r.sales[at].other
	return []request{ruled}, nil
}

// said keeps a sale whose sides have spoken. One that did not take place is given back.
func (r request) said(at int, s madeSale) request {
	r.sales = slices.Clone(r.sales)
	if s.over && !s.reversed && (s.buyer == saidNotMet || s.other == saidNotMet) {
		s.reversed = true
		if r.posted {
			r.sold -= s.quantity
			r.version++
		}
	}
	r.sales[at] = s
	return r
}

// shows reports whether an answer about the request was right.
func (r request) shows(w Write) bool {
	answer := w.Outcome.Answer
	switch w.Operation {
	case Read:
		if w.Outcome.Status == Refused {
			return !r.posted
		}
	case ReadList:
		if answer.State.Version == 0 {
			return !r.posted || r.closed
		}
	case ReadOffers:
		return r.posted && slices.EqualFunc(r.offers, answer.Lines, func(o standing, l Line) bool {
			return o.id == l.Offer && o.left == l.Quantity
		})
	}
	return answer.State.Version == 0 || r.posted && answer.State == State{r.version, r.quantity, r.sold,
		r.closed}
}

// steps returns the states to which a write with its outcome may lead; none where the outcome contradicts
// the state.
func (r request) steps(w Write) (states []any) {
	switch w.Operation {
	case Read, ReadList, ReadOffers:
		if r.shows(w) {
			return []any{r}
		}
		return nil
	}
	after, refused := r.apply(w)
	switch w.Outcome.Status {
	case Refused:
		if len(refused) > 0 && (w.Outcome.Kind == "" || slices.Contains(refused, w.Outcome.Kind)) {
			return []any{r}
		}
		return nil
	case Unknown:
		states = append(states, r)
	}
	for _, a := range after {
		if w.Outcome.Status == Unknown || a.shows(w) {
			states = append(states, a)
		}
	}
	return states
}

// CheckRequest checks with Porcupine that the operations about one request could have happened one after
// another, each between its call and its return, with the answers that were given. One of unknown outcome may
// have happened at any time after its call, or never.
func CheckRequest(writes []Write, most time.Duration) Verdict {
	model := porcupine.NondeterministicModel{
		Init:  func() []any { return []any{request{}} },
		Step:  func(state, input, _ any) []any { return state.(request).steps(input.(Write)) },
		Equal: func(a, b any) bool { return a.(request).equal(b.(request)) },
	}
	return verdictOf(model.ToModel(), operationsOf(writes), most)
}

func operationsOf(writes []Write) (operations []porcupine.Operation) {
	for i, w := range writes {
		returned := int64(w.Returned)
		if w.Outcome.Status == Unknown {
			returned = math.MaxInt64 // it may still happen
		}
		operations = append(operations,
			porcupine.Operation{ClientId: i, Input: w, Call: int64(w.Called), Return: returned})
	}
	return operations
}

func verdictOf(model porcupine.Model, operations []porcupine.Operation, most time.Duration) Verdict {
	switch porcupine.CheckOperationsTimeout(model, operations, most) {
	case porcupine.Ok:
		return Linearizable
	case porcupine.Illegal:
		return Contradicted
	default:
		return TooLong
	}
}

// CheckValue checks with Porcupine that a value was read as it was last written: Word is the value of each
// write and of each read. The first operation must be a write, or a read of the state before it.
func CheckValue(writes []Write, most time.Duration) Verdict {
	const unknown = "\x00not read yet"
	model := porcupine.NondeterministicModel{
		Init: func() []any { return []any{unknown} },
		Step: func(state, input, _ any) []any {
			w := input.(Write)
			switch {
			case w.Operation == Read && (state == unknown || state == w.Word):
				return []any{w.Word}
			case w.Operation == Read:
				return nil
			case w.Outcome.Status == Acknowledged:
				return []any{w.Word}
			case w.Outcome.Status == Unknown:
				return []any{state, w.Word}
			}
			return []any{state}
		},
		Equal: func(a, b any) bool { return a == b },
	}
	return verdictOf(model.ToModel(), operationsOf(writes), most)
}

// Describe writes a history in the order of its calls, a line for each operation.
func Describe(writes []Write) (lines []string) {
	writes = slices.Clone(writes)
	slices.SortStableFunc(writes, func(a, b Write) int { return cmp.Compare(a.Called, b.Called) })
	for _, w := range writes {
		a := w.Outcome.Answer
		lines = append(lines,
			fmt.Sprintf("%s..%s %s by %q (%s): order %d offer %d sale %d quantity %d version %d %s %s %s: %s %s, %+v %.200s",
				w.Called.Round(time.Millisecond), w.Returned.Round(time.Millisecond), w.Operation, w.Actor,
				w.Adapter,
				w.Order, w.Offer, w.Sale, w.Quantity, w.Version, w.Word, w.Subject, w.Mark, w.Outcome.Status,
				w.Outcome.Kind, a, w.Outcome.Detail))
	}
	return lines
}

// Contradicts returns the operation whose answer first contradicts those before it, of a history that no
// order
// of events explains.
func Contradicts(writes []Write, by func([]Write, time.Duration) Verdict, most time.Duration) Write {
	writes = slices.Clone(writes)
	slices.SortStableFunc(writes, func(a, b Write) int {
		return cmp.Or(cmp.Compare(returned(a), returned(b)), cmp.Compare(a.Called, b.Called))
	})
	at, _ := slices.BinarySearchFunc(writes, true, func(w Write, _ bool) int {
		var known []Write
		for _, other := range writes {
			switch {
			case returned(other) <= returned(w):
				known = append(known, other)
			case other.Called <= returned(w) && !other.reads():
				other.Outcome = Outcome{Answer: Answer{Order: other.Outcome.Answer.Order,
					Offer: other.Outcome.Answer.Offer,
					Sale:  other.Outcome.Answer.Sale}}
				known = append(known, other)
			}
		}
		if by(known, most) == Contradicted {
			return 0
		}
		return -1
	})
	return writes[min(at, len(writes)-1)]
}

func (w Write) reads() bool {
	return w.Operation == Read || w.Operation == ReadList || w.Operation == ReadOffers
}

func returned(w Write) time.Duration {
	if w.Outcome.Status == Unknown {
		return math.MaxInt64
	}
	return w.Returned
}
