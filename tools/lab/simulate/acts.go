package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// What people do.

// post asks for an item, and gives up after buyersWait.
func (w *world) post(ctx context.Context, p *person, draft trade.OrderDraft) error {
	order, err := w.market.Trade.PostOrder(ctx, p.Actor, draft)
	if core.KindOf(err) == core.Conflict {
		return nil // they ask for the same already
	}
	if err != nil {
		return err
	}
	w.board = nil
	w.result.posted++
	w.wants[order.ID] = &want{buyer: p, item: order.ItemName, quantity: order.Quantity, at: w.clock(),
		reserved: map[*person]int{}}
	for wave := range match.MaxWaves + 1 { // the waves, and when the others hear of it
		if w.alerts {
			w.after(w.clock().Add(2*time.Second+time.Duration(wave)*match.WavePause), w.alertNow)
		}
	}
	w.after(w.clock().Add(buyersWait), func(ctx context.Context) error { return w.giveUp(ctx, order.ID) })
	return nil
}

func (w *world) giveUp(ctx context.Context, id core.OrderID) error {
	wanted := w.wants[id]
	if wanted == nil {
		return nil
	}
	w.took(wanted, buyersWait)
	w.over(id, wanted)
	_, err := w.market.Trade.CloseOrder(ctx, wanted.buyer.Actor, id)
	return err
}

// over gives sellers back what they had set aside.
func (w *world) over(id core.OrderID, wanted *want) {
	w.board = nil
	delete(w.wants, id)
	for p, many := range wanted.reserved {
		p.goods[wanted.item] += many
	}
}

// visit reads the first rows of the board and offers on what the seller has.
func (w *world) visit(ctx context.Context, p *person) error {
	if w.board == nil {
		page, err := w.market.Match.BrowseOrders(ctx, match.OrderQuery{Limit: w.rows})
		if err != nil {
			return err
		}
		w.board = page.Orders
	}
	for _, o := range w.board {
		if err := w.offer(ctx, p, o.Order); err != nil {
			return err
		}
	}
	return nil
}

// offer offers what the seller has of a request's item.
func (w *world) offer(ctx context.Context, p *person, o trade.Order) error {
	wanted, have := w.wants[o.ID], p.goods[o.ItemName]
	if wanted == nil || have == 0 || p.offered[o.ID] || !o.Open(w.clock()) {
		return nil
	}
	many := min(have, o.Remaining())
	p.offered[o.ID] = true
	_, err := w.market.Trade.SendOffer(ctx, p.Actor, o.ID,
		trade.OfferDraft{SellerName: p.Username, Message: "I have some", Quantity: many})
	if err != nil {
		return fmt.Errorf("offer: %w", err)
	}
	if wanted.offeredAt.IsZero() {
		wanted.offeredAt = w.clock()
	}
	if wanted.offered += many; wanted.offered >= wanted.quantity && wanted.enoughAt.IsZero() {
		wanted.enoughAt = w.clock()
	}
	p.goods[o.ItemName] -= many
	wanted.reserved[p] += many
	if wanted.looks {
		return nil
	}
	at, err := w.looksAt(ctx, wanted.buyer)
	if err != nil {
		return err
	}
	wanted.looks = true
	w.after(at, func(ctx context.Context) error { return w.accept(ctx, o.ID) })
	return nil
}

// looksAt is when a buyer looks at an offer that comes now: when they answer the message about it, or, where
// that is beyond its seller's reach, when they come by as often as sellers do.
func (w *world) looksAt(ctx context.Context, buyer *person) (time.Time, error) {
	if buyer.standing {
		return w.clock(), nil
	}
	at := w.answers(buyer)
	page, err := w.market.Notify.Notices(ctx, buyer.Actor, 0, 1)
	if err == nil && len(page.Notices) > 0 && page.Notices[0].Beyond() {
		w.result.unheard++
		at = at.Add(time.Duration(w.random.Float64() * 24 / w.visits * float64(time.Hour)))
	}
	return at, err
}

// answers is when somebody answers a message that comes now.
func (w *world) answers(p *person) time.Time {
	at := w.clock().Add(time.Duration(w.random.ExpFloat64() * float64(answerLag)))
	own := at.Add(time.Duration(p.zone) * time.Hour)
	if own.Hour() < wakesAt {
		at = at.Add(time.Duration(wakesAt-own.Hour()) * time.Hour)
	}
	return at
}

// accept has a buyer accept all that is offered.
func (w *world) accept(ctx context.Context, id core.OrderID) error {
	wanted := w.wants[id]
	if wanted == nil {
		return nil
	}
	w.board, wanted.looks = nil, false
	wanted.looked++
	order, offers, err := w.market.Trade.Offers(ctx, wanted.buyer.Actor, id)
	if err != nil {
		return err
	}
	slices.Reverse(offers) // who was first is first
	left := order.Remaining()
	for _, o := range offers {
		many := min(left, o.Quantity)
		if many == 0 {
			break
		}
		accepted, err := w.market.Trade.AcceptOffer(ctx, wanted.buyer.Actor, o.ID, many)
		if err != nil {
			return err
		}
		if w.meets {
			w.meet(accepted.Sale.ID, wanted.buyer, w.byID[o.Seller])
		}
		w.result.trades++
		wanted.reserved[w.byID[o.Seller]] -= many
		left -= many
	}
	if left == 0 {
		w.result.filled++
		w.took(wanted, w.clock().Sub(wanted.at))
		w.result.parts = append(w.result.parts, wanted.parts(w.clock(), w.sellers[wanted.item]))
		w.over(id, wanted)
	}
	return nil
}

// meet has both sides of a sale say that they met, once both have answered a message about it.
func (w *world) meet(sale core.SaleID, sides ...*person) {
	var at time.Time
	for _, p := range sides {
		if answers := w.answers(p); answers.After(at) {
			at = answers
		}
	}
	w.after(at, func(ctx context.Context) error {
		for _, p := range sides {
			if _, err := w.market.Trade.SayHandovers(ctx, p.Actor, []core.SaleID{sale}, trade.SaidMet); err != nil {
				return fmt.Errorf("%s says that they met: %w", p.Username, err)
			}
		}
		return nil
	})
}
