package main

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
)

// handover is a trade that its sides want to meet for.
type handover struct {
	wanted *want
	seller *person
	sale   core.SaleID
	many   int
	agreed time.Time
	met    bool
	timed
}

// agreed stores a trade, and lets its sides meet. left is the quantity that its request still asks for, and
// there is the side that just acted and so sees at once that it is agreed.
func (w *world) agreed(
	ctx context.Context, wanted *want, seller, there *person, sale core.SaleID, many, left int,
) error {
	w.result.trades++
	wanted.trades++
	wanted.taken += many
	wanted.reserved[seller] -= many
	of(seller.goods, wanted.item).sold += many
	if wanted.reserved[seller] == 0 { // they can offer again what they make until then
		delete(seller.offered, wanted.order)
	}
	h := &handover{wanted: wanted, seller: seller, sale: sale, many: many, agreed: w.clock()}
	w.handovers = append(w.handovers, h)
	w.meet(h)
	if err := w.proposed(ctx, h, there); err != nil || left > 0 {
		return err
	}
	w.result.filled++
	w.took(wanted, w.clock().Sub(wanted.at))
	w.result.parts = append(w.result.parts, wanted.parts(w.clock(), w.sellers[wanted.item]))
	w.over(wanted)
	return nil
}

// meet has both sides of a trade meet, once both play at the same time.
func (w *world) meet(h *handover) {
	buyer, seller := h.wanted.buyer, h.seller
	at, ok := meeting(buyer.sessions, seller.sessions, h.agreed)
	pair := draw(w.seed, "arranged", buyer.n, h.wanted.n, seller.n)
	if pair.Float64() < w.arranged && pair.Float64() < keepsTime && pair.Float64() < keepsTime {
		by := agreedTime(buyer.zone, seller.zone, h.agreed).Add(meetingTakes)
		if !ok || by.Before(at) {
			at, ok = by, true
		}
	}
	if ok {
		w.meetAt(h, at)
	}
}

// meetAt has both sides of a trade say that they met, at a time, unless they met before. What they do not
// hand over in time is not handed over.
func (w *world) meetAt(h *handover, at time.Time) {
	if at.Sub(h.agreed) >= meetWithin {
		return
	}
	w.after(at, func(ctx context.Context) error {
		if h.met {
			return nil
		}
		h.met = true
		for _, p := range []*person{h.wanted.buyer, h.seller} {
			said, err := w.market.Trade.SayHandovers(ctx, p.Actor, []core.SaleID{h.sale}, trade.SaidMet)
			if err != nil || len(said) != 1 {
				return fmt.Errorf("%s says that they met, of %d trades: %w", p.Username, len(said), err)
			}
		}
		h.wait = w.clock().Sub(h.agreed)
		w.result.waits = append(w.result.waits, h.wait)
		wanted := h.wanted
		if wanted.met += h.many; wanted.met == wanted.Quantity {
			w.result.toMet = append(w.result.toMet, w.clock().Sub(wanted.at))
		}
		return nil
	})
}

// noteUnmet notes the trades that were not handed over.
func (w *world) noteUnmet() {
	for _, h := range w.handovers {
		if !h.met {
			w.result.missed++
			h.wanted.unmet = true
		}
	}
}
