package main

import (
	"context"
	"fmt"

	"tradepost/core"
	"tradepost/core/trade"
)

// agreed notes a trade, and has its sides meet. left is what its request still asks for.
func (w *world) agreed(wanted *want, seller *person, sale core.SaleID, many, left int) {
	w.result.trades++
	wanted.trades++
	wanted.taken += many
	wanted.reserved[seller] -= many
	of(seller.goods, wanted.item).sold += many
	if wanted.reserved[seller] == 0 { // they can offer again what they make until then
		delete(seller.offered, wanted.order)
	}
	w.meet(wanted, seller, sale, many)
	if left > 0 {
		return
	}
	w.result.filled++
	w.took(wanted, w.clock().Sub(wanted.at))
	w.result.parts = append(w.result.parts, wanted.parts(w.clock(), w.sellers[wanted.item]))
	w.over(wanted)
}

// meet has both sides of a trade say that they met, once both play at the same time. What they do not hand
// over in time is not handed over.
func (w *world) meet(wanted *want, seller *person, sale core.SaleID, many int) {
	agreed, buyer := w.clock(), wanted.buyer
	at, ok := meeting(buyer.sessions, seller.sessions, agreed)
	pair := draw(w.seed, "arranged", buyer.n, wanted.n, seller.n)
	if pair.Float64() < w.arranged && pair.Float64() < keepsTime && pair.Float64() < keepsTime {
		by := agreedTime(buyer.zone, seller.zone, agreed).Add(meetingTakes)
		if !ok || by.Before(at) {
			at, ok = by, true
		}
	}
	if !ok || at.Sub(agreed) >= meetWithin {
		w.result.missed++
		wanted.unmet = true
		return
	}
	w.after(at, func(ctx context.Context) error {
		for _, p := range []*person{buyer, seller} {
			said, err := w.market.Trade.SayHandovers(ctx, p.Actor, []core.SaleID{sale}, trade.SaidMet)
			if err != nil || len(said) != 1 {
				return fmt.Errorf("%s says that they met, of %d trades: %w", p.Username, len(said), err)
			}
		}
		w.result.waits = append(w.result.waits, w.clock().Sub(agreed))
		if wanted.met += many; wanted.met == wanted.Quantity {
			w.result.toMet = append(w.result.toMet, w.clock().Sub(wanted.at))
		}
		return nil
	})
}
