//go:build unix

package main

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// deal is one request of the buyer's and what is known of it.
type deal struct {
	s        *scene
	next     func() <-chan time.Time // says when the next write may begin
	stopped  <-chan struct{}
	item     string
	order    int64
	version  int
	quantity int
	offers   []liveOffer
}

// liveOffer is an offer that may still be there.
type liveOffer struct {
	id       int64
	name     string
	quantity int
	visitor  bool
}

// trading has the buyer and the seller trade until stop: they post, edit, renew, offer, withdraw, decline,
// accept, log sales, close and delete, through both adapters. stop ends it after the writes that are on
// their way; wait waits for them.
func (s *scene) trading(lasts time.Duration) (stop, wait func()) {
	pause := max(20*time.Millisecond, lasts/40)
	return s.tradingAt(dealsAtOnce, func() <-chan time.Time { return time.After(rand.N(2 * pause)) })
}

// tradingEvery has them trade with one write for each period, as long as the market keeps up.
func (s *scene) tradingEvery(period time.Duration) (stop, wait func()) {
	beat := time.NewTicker(period)
	end, wait := s.tradingAt(pacedDeals, func() <-chan time.Time { return beat.C })
	return func() { beat.Stop(); end() }, wait
}

func (s *scene) tradingAt(deals int, next func() <-chan time.Time) (stop, wait func()) {
	stopped := make(chan struct{})
	var dealing sync.WaitGroup
	failed := make(chan error, deals)
	for range deals {
		dealing.Go(func() {
			failed <- s.try(func() {
				for open := true; open; {
					d := &deal{s: s, next: next, stopped: stopped, item: newName(visitors.Add(1))}
					open = d.run()
				}
			})
		})
	}
	return func() { close(stopped) }, func() {
		dealing.Wait()
		for range deals {
			s.must(<-failed)
		}
	}
}

// A write by Discord takes several round trips, so that a steady pace needs more deals than a leisurely one.
const (
	dealsAtOnce = 2
	pacedDeals  = 16
)

// run makes one deal from its request to its end. It reports false when it was stopped.
func (d *deal) run() bool {
	d.quantity = 20 + rand.N(10)
	posted := d.do(write{op: opPost, actor: d.s.buyer, name: d.item, quantity: d.quantity, price: 100})
	if posted.certainty != acknowledged || !d.find() {
		return d.rest()
	}
	for range 8 + rand.N(8) {
		if !d.rest() {
			return false
		}
		d.step()
	}
	if !d.rest() {
		return false
	}
	op := opClose
	if rand.N(2) == 0 {
		op = opDelete
	}
	d.do(write{op: op, actor: d.s.buyer, order: d.order})
	return d.rest()
}

// step is one write that fits.
func (d *deal) step() {
	n := visitors.Add(1)
	buyer := write{actor: d.s.buyer, order: d.order, button: rand.N(2) == 0}
	offers := len(d.offers)
	switch choice := rand.N(10); {
	case choice == 0:
		d.quantity++
		buyer.op, buyer.quantity, buyer.price, buyer.version = opEdit, d.quantity, 100+rand.Int64N(100),
			d.version
		if d.do(buyer).certainty != acknowledged {
			d.find()
		}
	case choice == 1:
		buyer.op = opRenew
		d.do(buyer)
	case choice == 2:
		buyer.op, buyer.quantity, buyer.name = opSell, 1, newName(n)
		d.do(buyer)
		d.find()
	case offers > 0 && choice <= 4:
		o := d.offers[0]
		buyer.op, buyer.offer, buyer.quantity, buyer.name = opAccept, o.id, 1+rand.N(o.quantity), o.name
		d.do(buyer)
		d.find()
		d.offers = d.offers[1:]
	case offers > 0 && choice == 5:
		o := d.offers[0]
		buyer.op, buyer.offer, buyer.name = opDecline, o.id, o.name
		d.do(buyer)
		d.offers = d.offers[1:]
	case offers > 0 && choice == 6:
		own := slices.IndexFunc(d.offers, func(o liveOffer) bool { return !o.visitor })
		o := d.offers[max(own, 0)]
		if own >= 0 {
			d.do(write{op: opWithdraw, actor: d.s.seller, order: d.order, offer: o.id, name: o.name})
		} else {
			buyer.op, buyer.offer, buyer.name = opDecline, o.id, o.name
			d.do(buyer)
		}
		d.offers = slices.Delete(d.offers, max(own, 0), max(own, 0)+1)
	default:
		offer := write{op: opOffer, order: d.order, name: newName(n), quantity: 1 + rand.N(3)}
		if rand.N(2) == 0 {
			offer.actor = d.s.seller
		} else {
			offer.address = from(n)
		}
		if d.do(offer).certainty == refused {
			return
		}
		var id int64
		if d.lookUp("select coalesce(max(id), 0) from offers where seller_name = $1", offer.name,
			&id); id != 0 {
			if offer.actor != nil { // it replaces the seller's earlier one
				d.offers = slices.DeleteFunc(d.offers, func(o liveOffer) bool { return !o.visitor })
			}
			d.offers = append(d.offers, liveOffer{id, offer.name, offer.quantity, offer.actor == nil})
		}
	}
}

// do writes through an adapter: a visitor has the page only.
func (d *deal) do(w write) outcome {
	w.adapter = overHTTP
	if w.actor != nil && rand.N(2) == 0 {
		w.adapter = overDiscord
	}
	o := d.s.write(w)
	var order struct{ Version int }
	if w.adapter == overHTTP && o.certainty == acknowledged && json.Unmarshal(o.answer, &order) == nil &&
		order.Version > 0 {
		d.version = order.Version
	}
	return o
}

// find reads the request's number and version. It reports false when there is none.
func (d *deal) find() bool {
	d.lookUp("select coalesce(max(id), 0) from orders where item_name = $1", d.item, &d.order)
	d.lookUp("select coalesce(max(version), 0) from orders where item_name = $1", d.item, &d.version)
	return d.order != 0
}

// lookUp reads what is stored, as soon as it can be read.
func (d *deal) lookUp(query, name string, into any) {
	for {
		err := d.s.db.QueryRow(d.s.ctx, query, name).Scan(into)
		if err == nil {
			return
		}
		d.s.rest(20 * time.Millisecond) // PostgreSQL does not say when it is back; this asks again
	}
}

// rest waits for a while. It reports false when trading was stopped.
func (d *deal) rest() bool {
	select {
	case <-d.stopped:
		return false
	case <-d.s.ctx.Done():
		return false
	case <-d.next():
		return true
	}
}
