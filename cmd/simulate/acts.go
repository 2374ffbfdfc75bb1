package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"tradepost/core"
)

// What people do.

// post asks for an item, and gives up after buyersWait.
func (w *world) post(ctx context.Context, p *person) error {
	item := w.anItem()
	draft := core.OrderDraft{ItemName: item.Name, Quantity: bulk[w.random.IntN(len(bulk))], MaxPrice: core.Copper(1000 + w.random.IntN(9000)), BuyerContact: p.Username}
	if proposal := item.Proposal(core.StandardGame()); proposal.Category != "" {
		draft.Category = proposal.Category
	}
	order, err := w.market.PostOrder(ctx, p.Actor, draft)
	if core.KindOf(err) == core.Conflict {
		return nil // they ask for the same already
	}
	if err != nil {
		return err
	}
	w.result.posted++
	w.wants[order.ID] = &want{buyer: p, at: w.clock(), reserved: map[*person]int{}}
	for wave := range core.MaxWaves + 1 { // the waves, and when the others hear of it
		if w.alerts {
			w.after(w.clock().Add(2*time.Second+time.Duration(wave)*core.WavePause), w.alertNow)
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
	w.result.toFilled = append(w.result.toFilled, buyersWait)
	w.over(id, wanted)
	_, err := w.market.CloseOrder(ctx, wanted.buyer.Actor, id)
	return err
}

// over gives sellers back what they had set aside.
func (w *world) over(id core.OrderID, wanted *want) {
	listed, err := w.market.Order(context.Background(), wanted.buyer.Actor, id)
	for p, many := range wanted.reserved {
		if err == nil {
			p.goods[listed.ItemName] += many
		}
	}
	delete(w.wants, id)
}

// visit reads the first rows of the board and offers on what the seller has.
func (w *world) visit(ctx context.Context, p *person) error {
	page, err := w.market.BrowseOrders(ctx, core.OrderQuery{Limit: w.rows})
	if err != nil {
		return err
	}
	for _, o := range page.Orders {
		if err := w.offer(ctx, p, o.Order); err != nil {
			return err
		}
	}
	if w.alerts && w.random.IntN(4) == 0 {
		return w.saveGoods(ctx, p)
	}
	return nil
}

// offer offers what the seller has of a request's item.
func (w *world) offer(ctx context.Context, p *person, o core.Order) error {
	wanted, have := w.wants[o.ID], p.goods[o.ItemName]
	if wanted == nil || have == 0 || p.offered[o.ID] || !o.Open(w.clock()) {
		return nil
	}
	many := min(have, o.Remaining())
	p.offered[o.ID] = true
	_, err := w.market.SendOffer(ctx, p.Actor, o.ID, core.OfferDraft{SellerName: p.Username, Message: "I have some", Quantity: many})
	if err != nil {
		return fmt.Errorf("offer: %w", err)
	}
	p.goods[o.ItemName] -= many
	wanted.reserved[p] += many
	if !wanted.looks {
		wanted.looks = true
		w.after(w.answers(wanted.buyer), func(ctx context.Context) error { return w.accept(ctx, o.ID) })
	}
	return nil
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
	wanted.looks = false
	order, offers, err := w.market.Offers(ctx, wanted.buyer.Actor, id)
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
		if _, err := w.market.AcceptOffer(ctx, wanted.buyer.Actor, o.ID, many); err != nil {
			return err
		}
		wanted.reserved[w.byID[o.Seller]] -= many
		left -= many
	}
	if left == 0 {
		w.result.filled++
		w.result.toFilled = append(w.result.toFilled, w.clock().Sub(wanted.at))
		w.over(id, wanted)
	}
	return nil
}

// saveGoods says what a seller has, for matching.
func (w *world) saveGoods(ctx context.Context, p *person) error {
	var drafts []core.StockDraft
	for _, name := range slices.Sorted(maps.Keys(p.goods)) {
		if many := p.goods[name]; many > 0 {
			drafts = append(drafts, core.StockDraft{ItemName: name, Quantity: many, Price: 1})
		}
	}
	if len(drafts) == 0 {
		return nil
	}
	_, err := w.market.SaveStock(ctx, p.Actor, drafts)
	return err
}

// alertNow plans the alerts that are due and delivers what is pending.
func (w *world) alertNow(ctx context.Context) error {
	if _, err := w.market.AlertWatchers(ctx, 1000); err != nil {
		return err
	}
	rows, err := w.store.Pool().Query(ctx, "select id from notices where state = 'pending' and kind = 'request_watched' and coalesce(hold_until, $1) <= $1 order by id", w.clock())
	if err != nil {
		return err
	}
	var ids []core.NoticeID
	for rows.Next() {
		var id core.NoticeID
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, id := range ids {
		var later *core.RetryLater
		if err := w.market.DeliverNotice(ctx, sender{w}, id); err != nil && !errors.As(err, &later) {
			return err
		}
	}
	return nil
}

// sender takes direct messages, and has their readers act on them.
type sender struct{ *world }

// SendDM has the reader of alerts offer, once they answer.
func (s sender) SendDM(_ context.Context, d core.Delivery) (core.SentDM, error) {
	p := s.byID[d.To.User]
	s.sent[sentOn(p, s.clock())]++
	for _, n := range d.Notices {
		s.after(s.answers(p), func(ctx context.Context) error {
			listed, err := s.market.Order(ctx, p.Actor, n.OrderID)
			if core.KindOf(err) == core.NotFound {
				return nil
			}
			if err != nil {
				return err
			}
			return s.offer(ctx, p, listed.Order)
		})
	}
	return core.SentDM{ChannelID: "1", MessageID: fmt.Sprint(d.ID)}, nil
}

// sentOn names a person and a day.
func sentOn(p *person, at time.Time) string {
	return fmt.Sprint(p.UserID, " ", at.Format(time.DateOnly))
}
