//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path"
	"slices"
	"sync"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/tools/lab/faults/history"
)

// Ops that only make histories asks for.
const (
	opUndoEither  op = "undo by kind"
	opAnswer      op = "answer offers"
	opLinked      op = "withdraw by link"
	opSetLeast    op = "ask for small offers"
	opEndLeast    op = "ask for any offer"
	opAgree       op = "agree on a time"
	opReportOffer op = "report offer"
	opRead        op = "read request"
	opReadList    op = "read list"
	opReadCached  op = "read list that may be cached"
	opReadOffers  op = "read offers"
)

// staleFor is how old a list may be that is read without no-cache, and what another replica has written
// (docs/freshness.md).
const staleFor = 400 * time.Millisecond

// tableOf has three people who trade one request after another.
type tableOf struct {
	*chapter
	buyer   *person
	sellers []*person
	random  *rand.Rand
}

// tradedRequest is one request with its known state. Its history is checked once it has ended.
type tradedRequest struct {
	*tableOf
	item  string
	order int64
	list  int64 // that it was posted with
	other int64 // the other request of the list

	mu      sync.Mutex
	writes  []history.Write
	version int
	closed  bool
	offers  []tradedOffer
	over    []tradedOffer // declined or withdrawn
	sales   []tradedSale
	wrote   time.Time // when the buyer last did
}

type tradedOffer struct {
	id       int64
	name     string
	quantity int
	seller   *person // nil for a visitor
	link     string
	by       *person // who ended it
}

type tradedSale struct {
	id     int64
	seller *person // nil without a handover
}

func (t *tableOf) play() {
	for t.more() {
		(&tradedRequest{tableOf: t}).play()
	}
}

// play plays one request from its post to its end.
func (g *tradedRequest) play() {
	if !g.post(g.random) {
		return
	}
	lanes := []func(*rand.Rand){g.buys, g.sells, g.either}
	var playing sync.WaitGroup
	failed := make(chan error, len(lanes))
	for i, step := range lanes {
		r := rand.New(rand.NewPCG(g.random.Uint64(), uint64(i)))
		playing.Go(func() {
			failed <- g.try(func() {
				for range 10 + r.IntN(6) {
					if r.IntN(100) < 25 {
						g.reads(r)
					} else {
						step(r)
					}
				}
			})
		})
	}
	playing.Wait()
	for range lanes {
		g.must(<-failed)
	}
	g.finish(g.random)
}

// record keeps an operation. The change fills in what its request does not say.
func (g *tradedRequest) record(operation history.Operation, w write, o outcome, called, returned time.Time,
	change func(*history.Write)) {
	h := kept(operation, w, o, called, returned)
	if h.Order == 0 {
		h.Order = g.order
	}
	if change != nil {
		change(&h)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writes = append(g.writes, h)
	if v := h.Outcome.Answer.State; v.Version > g.version {
		g.version, g.closed = v.Version, v.Closed
	}
	if w.actor == g.buyer {
		g.wrote = time.Now()
	}
}

// do asks for a write and keeps it. It returns false when nothing was sent.
func (g *tradedRequest) do(r *rand.Rand, operation history.Operation, w write,
	change func(*history.Write)) (outcome, bool) {
	if w.adapter == "" {
		w.adapter = overHTTP
	}
	w.once = true // sometimes, see sendOverHTTP
	o, sent, called, returned := g.send(r, w)
	if sent {
		g.record(operation, w, o, called, returned, change)
	}
	if o.certainty == acknowledged && w.actor == g.buyer && r.IntN(4) == 0 {
		g.readsList(r) // at once, and half of the time at the other replica
	}
	return o, sent
}

// through is one of the adapters.
func through(r *rand.Rand) adapter {
	if r.IntN(3) == 0 {
		return overDiscord
	}
	return overHTTP
}

// post posts the request, by itself or as the first of a list.
func (g *tradedRequest) post(r *rand.Rand) bool {
	g.item = newName(visitors.Add(1))
	w := write{op: opPost, actor: g.buyer, adapter: through(r), name: g.item, quantity: 20 + r.IntN(20),
		price: 90}
	change := func(h *history.Write) {
		if h.Outcome.Answer.Order == 0 {
			h.Outcome.Answer.Order = g.number("select coalesce(max(id), 0) from orders where item_name = $1",
				g.item)
		}
		g.order = h.Outcome.Answer.Order
		h.Order = g.order
		if g.order != 0 {
			h.Outcome.Status = history.Acknowledged
		}
	}
	if r.IntN(8) == 0 {
		w.op, w.adapter = opPostList, overHTTP
		w.lines = []history.Line{{Item: g.item, Quantity: w.quantity, Price: 90}, {Item: "Oak " + g.item,
			Quantity: 10, Price: 90}}
		change = func(h *history.Write) {
			if h.Outcome.Status == history.Acknowledged && len(h.Outcome.Answer.Lines) == 2 {
				g.list = h.Outcome.Answer.List
				for _, line := range h.Outcome.Answer.Lines {
					if line.Item == g.item {
						g.order = line.Order
					} else {
						g.other = line.Order
					}
				}
			}
			h.Order = g.order
			h.Outcome.Answer = history.Answer{Order: g.order}
		}
	}
	w.key = fmt.Sprintf("histories-%020d-%020d", r.Uint64(), r.Uint64())
	o, sent, called, returned := g.send(r, w)
	if !sent || o.certainty == refused {
		if sent {
			g.Errorf("a post was refused: %s", o)
		}
		return false
	}
	g.record(history.Post, w, o, called, returned, change)
	g.version = max(g.version, 1)
	return g.order != 0
}

func pick[T any](r *rand.Rand, some []T) (one T, found bool) {
	if len(some) == 0 {
		return one, false
	}
	return some[r.IntN(len(some))], true
}

// known returns the state as it is known now.
func (g *tradedRequest) known() (offers, over []tradedOffer, sales []tradedSale, version int, closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.offers), slices.Clone(g.over), slices.Clone(g.sales), g.version, g.closed
}

// buys is one write of the buyer's.
func (g *tradedRequest) buys(r *rand.Rand) {
	offers, over, sales, version, closed := g.known()
	w := write{actor: g.buyer, order: g.order, adapter: through(r), button: r.IntN(2) == 0, sure: true}
	if closed && r.IntN(2) == 0 {
		g.undoes(r, history.UndoClose, opUndoClose, g.buyer, "close", g.order, 0)
		return
	}
	switch n := r.IntN(100); {
	case n < 8:
		w.op, w.quantity, w.price, w.version = opEdit, 20+r.IntN(25), 80+r.Int64N(20), version
		if w.adapter == overDiscord {
			w.version = 0
		}
		g.do(r, history.Edit, w, nil)
	case n < 12:
		w.op = opRenew
		g.do(r, history.Renew, w, nil)
	case n < 20:
		w.op, w.quantity, w.name = opSell, 1+r.IntN(3), newName(visitors.Add(1))
		o, _ := g.do(r, history.Sell, w, nil)
		g.sold(w, o, nil)
	case n < 50:
		g.accepts(r, w, offers)
	case n < 56:
		if offer, found := pick(r, offers); found {
			w.op, w.offer, w.name = opDecline, offer.id, offer.name
			g.ends(r, history.Remove, w, offer)
		}
	case n < 60:
		if offer, found := pick(r, over); found {
			g.undoes(r, history.UndoOffer, opUndoOffer, g.buyer, "offer", offer.id, offer.id)
		}
	case n < 70:
		if sale, found := pick(r, sales); found {
			g.undoes(r, history.UndoSale, opUndoSale, g.buyer, "sale", sale.id, 0)
		}
	case n < 76:
		g.terms(r, w)
	case n < 79:
		if offer, found := pick(r, offers); found && offer.seller != nil {
			w.op, w.offer, w.subject, w.adapter = opBlockSeller, offer.id, offer.seller.Username(), overHTTP
			g.do(r, history.BlockSeller, w, nil)
		}
	case n < 83:
		g.unblocks(r)
	case n < 95:
		g.speaks(r, g.buyer, sales)
	case n < 97:
		w.op = opClose
		g.do(r, history.Close, w, nil)
	default:
		if offer, found := pick(r, offers); found {
			w.op, w.offer, w.adapter = opReportOffer, offer.id, overHTTP
			w.method, w.path, w.body = http.MethodPost, fmt.Sprintf("/api/offers/%d/report", offer.id),
				map[string]any{"reason": "The scene asks for it"}
			g.send(r, w) // it changes nothing of the request
		}
	}
}

// accepts accepts some of an offer, or answers several.
func (g *tradedRequest) accepts(r *rand.Rand, w write, offers []tradedOffer) {
	offer, found := pick(r, offers)
	if !found {
		return
	}
	if r.IntN(5) == 0 {
		g.answers(r, offers)
		return
	}
	w.op, w.offer, w.quantity, w.name = opAccept, offer.id, 1+r.IntN(offer.quantity+1), offer.name
	w.button = false // two presses on one message, with the same content, are one write
	o, _ := g.do(r, history.Accept, w, nil)
	g.sold(w, o, offer.seller)
}

// sold notes a sale that an answer names.
func (g *tradedRequest) sold(w write, o outcome, seller *person) {
	if id := o.known(w.adapter).Answer.Sale; o.certainty == acknowledged && id != 0 {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.sales = append(g.sales, tradedSale{id, seller})
	}
}

// answers accepts one offer and declines another in one request. Each is a write of its own.
func (g *tradedRequest) answers(r *rand.Rand, offers []tradedOffer) {
	type answer struct {
		ID     int64 `json:"id"`
		Accept int   `json:"accept"`
	}
	var all []answer
	for i, offer := range offers {
		if len(all) < 2 {
			all = append(all, answer{offer.id, map[bool]int{true: 1 + r.IntN(offer.quantity),
				false: 0}[i == 0]})
		}
	}
	w := write{op: opAnswer, actor: g.buyer, adapter: overHTTP, order: g.order, once: true,
		method: http.MethodPost, path: "/api/offers/answer", body: map[string]any{"answers": all}}
	o, _, called, returned := g.send(r, w)
	var body struct {
		Outcomes []struct {
			ID       int64
			Accepted json.RawMessage
			Problem  *struct{ Status int }
		}
	}
	if o.certainty == acknowledged {
		g.must(json.Unmarshal(o.answer, &body))
	}
	for i, a := range all {
		operation := history.Remove
		if a.Accept > 0 {
			operation = history.Accept
		}
		g.record(operation, w, outcome{key: o.key, attempts: o.attempts}, called, returned,
			func(h *history.Write) {
				h.Offer, h.Quantity = a.ID, a.Accept
				switch {
				case o.certainty == refused:
					h.Outcome.Status, h.Outcome.Kind = history.Refused, errorKinds[o.status]
				case i >= len(body.Outcomes):
				case body.Outcomes[i].Problem == nil:
					h.Outcome.Status = history.Acknowledged
					h.Outcome.Answer = answerIn(body.Outcomes[i].Accepted)
				case certaintyOf(body.Outcomes[i].Problem.Status, nil) == refused ||
					body.Outcomes[i].Problem.Status == http.StatusTooManyRequests:
					h.Outcome.Status, h.Outcome.Kind = history.Refused,
						errorKinds[body.Outcomes[i].Problem.Status]
				}
			})
	}
}

// ends ends an offer.
func (g *tradedRequest) ends(r *rand.Rand, operation history.Operation, w write, offer tradedOffer) {
	g.do(r, operation, w, nil)
	offer.by = w.actor
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = append(g.over, offer)
	if r.IntN(2) == 0 { // else it is tried again
		g.offers = slices.DeleteFunc(g.offers, func(o tradedOffer) bool { return o.id == offer.id })
	}
}

// undoes undoes an act, at its own address or at the one for all kinds.
func (g *tradedRequest) undoes(r *rand.Rand, operation history.Operation, op op, by *person, kind string, id,
	offer int64) {
	w := write{op: op, actor: by, order: g.order, number: id, offer: offer}
	if r.IntN(2) == 0 {
		w.op, w.method, w.path = opUndoEither, http.MethodPost, fmt.Sprintf("/api/undo/%s/%d", kind, id)
	}
	g.do(r, operation, w, func(h *history.Write) {
		if operation == history.UndoSale {
			h.Sale = id
		}
	})
}

// terms sets the limits of automatic acceptance, or how much a seller may offer.
func (g *tradedRequest) terms(r *rand.Rand, w write) {
	request := discordtest.Str("request", fmt.Sprint(g.order))
	w.quantity = 2 + r.IntN(5)
	least := fmt.Sprintf("/api/orders/%d/least-record", g.order)
	switch r.IntN(5) {
	case 0, 1:
		w.op = opSetStanding
		if w.adapter == overDiscord {
			w.command, w.options = "offer standing", []discordtest.Option{request,
				discordtest.Str("sellers", "anybody"), discordtest.Int("take", int64(w.quantity))}
		}
		g.do(r, history.SetStanding, w, nil)
	case 2:
		w.op = opEndStanding
		if w.adapter == overDiscord {
			w.command, w.options = "offer standing", []discordtest.Option{request}
		}
		g.do(r, history.EndStanding, w, nil)
	case 3:
		w.op = opSetLeast
		w.method, w.path, w.body = http.MethodPut, least, map[string]any{"sellers": "anybody",
			"newUpTo": w.quantity}
		w.command, w.options = "offer least-record", []discordtest.Option{request,
			discordtest.Str("sellers", "anybody"), discordtest.Int("new-up-to", int64(w.quantity))}
		g.do(r, history.SetLeast, w, nil)
	default:
		w.op = opEndLeast
		w.method, w.path = http.MethodDelete, least
		w.command, w.options = "offer least-record", []discordtest.Option{request}
		g.do(r, history.EndLeast, w, nil)
	}
}

func (g *tradedRequest) unblocks(r *rand.Rand) {
	seller := g.sellers[r.IntN(len(g.sellers))]
	g.do(r, history.UnblockSeller, write{op: opUnblockSeller, actor: g.buyer, number: g.user(seller),
		subject: seller.Username()}, nil)
}

// speaks answers for a side or the moderator about a handover.
func (g *tradedRequest) speaks(r *rand.Rand, who *person, sales []tradedSale) {
	sales = slices.DeleteFunc(sales, func(s tradedSale) bool { return s.seller == nil })
	sale, found := pick(r, sales)
	if !found {
		return
	}
	if r.IntN(3) > 0 {
		sale = sales[len(sales)-1] // so that several speak of the same
	}
	if who != g.buyer {
		who = sale.seller
	}
	one := []int64{sale.id}
	about := func(h *history.Write) { h.Sale = sale.id }
	switch n := r.IntN(12); {
	case n < 6:
		word := []string{"met", "met", "not_met"}[r.IntN(3)]
		g.do(r, history.Say, write{op: opSay, actor: who, sales: one, word: word}, about)
	case n < 8:
		g.do(r, history.TakeBack, write{op: opTakeBack, actor: who, sales: one}, about)
	case n < 10 && who == g.buyer:
		by := time.Now().Add(30 * time.Hour).UTC().Truncate(time.Second).Format(time.RFC3339)
		g.do(r, history.AgreeTime, write{op: opAgree, actor: who, method: http.MethodPost,
			path: fmt.Sprintf("/api/handovers/%d/agree", sale.id), body: map[string]any{"agreedBy": by}},
			about)
	case n < 11:
		g.do(r, history.Look, write{op: opLook, actor: g.moderator, number: sale.id}, about)
	default:
		g.do(r, history.Settle, write{op: opSettle, actor: g.moderator, number: sale.id,
			word: []string{"met", "cancelled"}[r.IntN(2)]}, about)
	}
}

// sells is one write of a seller's or a visitor's.
func (g *tradedRequest) sells(r *rand.Rand) {
	offers, over, sales, _, _ := g.known()
	seller := g.sellers[r.IntN(len(g.sellers))]
	switch n := r.IntN(100); {
	case n < 60:
		g.offersSome(r, seller)
	case n < 72:
		if offer, found := pick(r, offers); found && offer.seller != nil {
			g.ends(r, history.Remove, write{op: opWithdraw, actor: offer.seller, adapter: through(r),
				order: g.order,
				offer: offer.id, name: offer.name}, offer)
		} else if found {
			g.ends(r, history.Remove, write{op: opLinked, offer: offer.id, order: g.order,
				address: from(visitors.Add(1)),
				method:  http.MethodDelete, path: "/api/offer-links/" + offer.link}, offer)
		}
	case n < 80:
		if offer, found := pick(r, over); found && offer.by != nil {
			g.undoes(r, history.UndoOffer, opUndoOffer, offer.by, "offer", offer.id, offer.id)
		}
	case n < 94:
		g.speaks(r, seller, sales)
	default:
		g.do(r, history.Report, write{op: opReport, actor: seller, order: g.order, adapter: through(r)}, nil)
	}
}

// offersSome sends an offer of a seller or a visitor, on the request or on its list.
func (g *tradedRequest) offersSome(r *rand.Rand, seller *person) {
	n := visitors.Add(1)
	w := write{op: opOffer, actor: seller, adapter: through(r), order: g.order, name: newName(n),
		quantity: 1 + r.IntN(6)}
	if r.IntN(3) == 0 {
		w.actor, w.adapter, w.address = nil, overHTTP, from(n)
	}
	if g.list != 0 && w.actor != nil && r.IntN(2) == 0 {
		w.op, w.adapter, w.number = opOfferOnList, overHTTP, g.list
		w.lines = []history.Line{{Order: g.order, Quantity: w.quantity}, {Order: g.other, Quantity: 1}}
	}
	change := func(h *history.Write) {
		for _, line := range h.Outcome.Answer.Lines {
			if line.Order == g.order {
				h.Outcome.Answer = history.Answer{Offer: line.Offer}
			}
		}
		if w.op == opOfferOnList {
			h.Adapter = history.Bot // it does not report an automatic acceptance
		}
	}
	if w.op == opOfferOnList {
		w.once = true
		o, _, called, returned := g.send(r, w)
		if o.certainty == refused {
			return // because of either request
		}
		g.record(history.Offer, w, o, called, returned, change)
		g.noteOffer(w, o)
		return
	}
	if o, sent := g.do(r, history.Offer, w, change); sent && o.certainty != refused {
		g.noteOffer(w, o)
	}
}

// noteOffer finds the number of an offer, which only the page says.
func (g *tradedRequest) noteOffer(w write, o outcome) {
	var body struct {
		Offer  struct{ ID int64 }
		Link   string
		Offers []struct{ ID, OrderID int64 }
	}
	if w.adapter == overHTTP && o.certainty == acknowledged {
		g.must(json.Unmarshal(o.answer, &body))
	}
	id := body.Offer.ID
	for _, offer := range body.Offers {
		if offer.OrderID == g.order {
			id = offer.ID
		}
	}
	if id == 0 {
		id = g.number("select coalesce(max(id), 0) from offers where order_id = $1 and seller_name = $2",
			g.order, w.name)
	}
	if id == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.offers = append(g.offers, tradedOffer{id: id, name: w.name, quantity: w.quantity, seller: w.actor,
		link: path.Base(body.Link)})
	if len(g.offers) > 6 {
		g.offers = g.offers[1:]
	}
}

// either is one write of the buyer's, a seller's or the moderator's.
func (g *tradedRequest) either(r *rand.Rand) {
	offers, _, _, _, _ := g.known()
	switch n := r.IntN(10); {
	case n < 4:
		g.buys(r)
	case n < 8:
		g.sells(r)
	default:
		offer, found := pick(r, offers)
		if !found {
			return
		}
		o, _ := g.do(r, history.RemoveOffer, write{op: opRemoveOffer, actor: g.moderator, order: g.order,
			offer: offer.id}, nil)
		if o.certainty == acknowledged && r.IntN(2) == 0 {
			g.restores(r, "offer_removed", offer.id)
		}
	}
}

// restores has the moderator undo a removal.
func (g *tradedRequest) restores(r *rand.Rand, action string, offer int64) {
	entry := g.number(`select coalesce(max(id), 0) from audit_entries where action = $1 and order_id = $2
		and ($3 = 0 or offer_id = $3)`, action, g.order, offer)
	g.do(r, history.UndoRemoval, write{op: opUndoRemoval, actor: g.moderator, order: g.order, offer: offer,
		number: entry}, nil)
}

// reads reads the request, its offers or the list as the buyer does who has just written: at any replica.
func (g *tradedRequest) reads(r *rand.Rand) {
	switch r.IntN(4) {
	case 0:
		g.readsRequest(r)
	case 1:
		g.readsOffers(r)
	default:
		g.readsList(r)
	}
}

// get reads an address at one replica after another until it is answered, as a person. It returns when the
// answer was asked for.
func (c *chapter) get(r *rand.Rand, who *person, kind op, path string, fresh bool) (status int, body []byte,
	called, returned time.Time) {
	c.left.Add(-1)
	for turn := r.IntN(2); ; turn++ {
		called = time.Now()
		status, body = c.getOnce(who, "http://"+c.page(turn).address+path, fresh)
		if returned = time.Now(); status == http.StatusOK || status == http.StatusNotFound {
			c.h.count(overHTTP, kind, acknowledged)
			return status, body, called, returned
		}
		c.rest(20 * time.Millisecond)
	}
}

func (c *chapter) getOnce(who *person, url string, fresh bool) (status int, body []byte) {
	ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	c.must(err)
	if fresh {
		req.Header.Set("Cache-Control", "no-cache")
	}
	resp, err := who.browser.Do(req)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	if body, err = io.ReadAll(resp.Body); err != nil {
		return 0, nil
	}
	return resp.StatusCode, body
}

func (g *tradedRequest) read(operation history.Operation, status int, called, returned time.Time,
	answer history.Answer) {
	h := history.Write{Operation: operation, Adapter: history.Web, Actor: g.buyer.Username(), Order: g.order,
		Called: called.Sub(clockStart), Returned: returned.Sub(clockStart),
		Outcome: history.Outcome{Status: history.Acknowledged, Answer: answer}}
	if status == http.StatusNotFound {
		h.Outcome.Status, h.Outcome.Kind = history.Refused, "not_found"
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writes = append(g.writes, h)
}

func (g *tradedRequest) readsRequest(r *rand.Rand) {
	status, body, called, returned := g.get(r, g.buyer, opRead, fmt.Sprintf("/api/orders/%d", g.order), true)
	var shown orderAnswer
	if status == http.StatusOK {
		g.must(json.Unmarshal(body, &shown))
	}
	g.read(history.Read, status, called, returned, history.Answer{State: shown.state()})
}

func (g *tradedRequest) readsOffers(r *rand.Rand) {
	status, body, called, returned := g.get(r, g.buyer, opReadOffers, fmt.Sprintf("/api/orders/%d/offers",
		g.order), true)
	var shown struct {
		Offers []struct {
			ID              int64
			QuantityOffered int
		}
	}
	if status == http.StatusNotFound {
		g.read(history.Read, status, called, returned, history.Answer{})
		return
	}
	g.must(json.Unmarshal(body, &shown))
	var answer history.Answer
	for _, o := range shown.Offers {
		answer.Lines = append(answer.Lines, history.Line{Offer: o.ID, Quantity: o.QuantityOffered})
	}
	slices.SortFunc(answer.Lines, func(a, b history.Line) int { return int(a.Offer - b.Offer) })
	g.read(history.ReadOffers, status, called, returned, answer)
}

// readsList reads the first page of the list. The page asks with no-cache for two seconds after a write of
// its
// reader's; reads without it may be as old as the cache of either replica may be.
func (g *tradedRequest) readsList(r *rand.Rand) {
	g.mu.Lock()
	fresh := time.Since(g.wrote) < 2*time.Second
	g.mu.Unlock()
	if r.IntN(4) == 0 {
		fresh = false
	}
	kind := opReadList
	if !fresh {
		kind = opReadCached
	}
	status, body, called, returned := g.get(r, g.buyer, kind, "/api/orders", fresh)
	var list struct{ Orders []orderAnswer }
	if status != http.StatusOK {
		g.Errorf("the list answers %d", status)
		return
	}
	g.must(json.Unmarshal(body, &list))
	if !fresh {
		called = called.Add(-staleFor)
	}
	var answer history.Answer
	for _, o := range list.Orders {
		if o.ID == g.order {
			answer.State = o.state()
		}
	}
	g.read(history.ReadList, status, called, returned, answer)
}

// finish ends the request, reads what there is, and has its history checked.
func (g *tradedRequest) finish(r *rand.Rand) {
	for _, seller := range g.sellers { // for the next one
		w := write{op: opUnblockSeller, actor: g.buyer, adapter: overHTTP, number: g.user(seller),
			subject: seller.Username()}
		o, _, called, returned := g.send(r, w)
		g.record(history.UnblockSeller, w, o, called, returned, nil)
	}
	g.readsRequest(r)
	g.readsOffers(r)
	w := write{actor: g.buyer, order: g.order, adapter: through(r)}
	switch n := r.IntN(10); {
	case n < 4:
		w.op = opClose
		g.do(r, history.Close, w, nil)
	case n < 7:
		w.op = opDelete
		g.do(r, history.Delete, w, nil)
	default:
		w.op, w.actor, w.adapter = opRemoveOrder, g.moderator, overHTTP
		o, _ := g.do(r, history.RemoveOrder, w, nil)
		if o.certainty == acknowledged && n == 9 {
			g.restores(r, "order_removed", 0)
		}
	}
	if w.op == opClose {
		g.readsRequest(r)
	}
	g.wrote = time.Now()
	g.readsList(r)
	g.tidy(r)
	g.resolve()
	g.check(fmt.Sprintf("request %d", g.order), g.writes, history.CheckRequest)
}

// tidy deletes what would stay on the first page of the list, which the other requests are read from.
func (g *tradedRequest) tidy(r *rand.Rand) {
	orders := []int64{g.order}
	if g.other != 0 {
		orders = append(orders, g.other)
	}
	for _, order := range orders {
		w := write{op: opDelete, actor: g.buyer, adapter: overHTTP, order: order}
		g.send(r, w)
	}
}

// resolve fills in the numbers of offers that Discord does not say.
func (g *tradedRequest) resolve() {
	for i := range g.writes {
		w := &g.writes[i]
		if w.Operation != history.Offer || w.Outcome.Answer.Offer != 0 ||
			w.Outcome.Status == history.Refused {
			continue
		}
		w.Outcome.Answer.Offer = g.number(`select coalesce(max(offer_id), 0) from notices
			where kind = 'offer_received' and name = $1`, w.Mark)
		if w.Outcome.Answer.Offer == 0 {
			w.Outcome.Answer.Offer = -int64(i) - 1 // of no other offer
		}
	}
}
