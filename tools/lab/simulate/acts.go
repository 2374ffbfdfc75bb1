package main

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// What people do.

// post asks for an item, and gives up after buyersWait.
func (w *world) post(ctx context.Context, p *person, r request) error {
	order, err := w.market.Trade.PostOrder(ctx, p.Actor, r.OrderDraft)
	if core.KindOf(err) == core.Conflict {
		return nil // they ask for the same already
	}
	if err != nil {
		return err
	}
	w.result.posted++
	wanted := &want{request: r, buyer: p, order: order.ID, at: w.clock(), reserved: map[*person]int{}}
	wanted.short = w.willing(wanted) < wanted.Quantity
	w.wants[order.ID] = wanted
	w.all = append(w.all, wanted)
	w.changed(wanted)
	if p.standing < w.standing {
		if err := w.takeAsTheyCome(ctx, p, order); err != nil {
			return err
		}
	}
	if err := w.crossed(ctx, p); err != nil {
		return err
	}
	w.alertSoon()
	for n := range raises {
		w.after(w.clock().Add(time.Duration(n+1)*raisedAfter),
			func(ctx context.Context) error { return w.raise(ctx, order.ID) })
	}
	w.after(w.clock().Add(buyersWait), func(ctx context.Context) error { return w.giveUp(ctx, order.ID) })
	return nil
}

// alertSoon has the program alert people to a request that was posted or changed.
func (w *world) alertSoon() {
	if !w.alerts {
		return
	}
	for wave := range match.MaxWaves + 1 { // the waves, and when the others hear of it
		w.after(w.clock().Add(2*time.Second+time.Duration(wave)*match.WavePause), w.alertNow)
	}
}

// raise has a buyer pay more for what is not filled.
func (w *world) raise(ctx context.Context, id core.OrderID) error {
	wanted := w.wants[id]
	if wanted == nil {
		return nil
	}
	present, err := w.market.Trade.Order(ctx, wanted.buyer.Actor, id)
	if err != nil {
		return err
	}
	price := raised(present.MaxPrice)
	_, err = w.market.Trade.EditOrder(ctx, wanted.buyer.Actor, id,
		trade.OrderEdit{Version: present.Version, MaxPrice: &price})
	if err != nil {
		return fmt.Errorf("raise the price: %w", err)
	}
	w.result.raised++
	w.changed(wanted)
	w.alertSoon()
	return w.crossed(ctx, wanted.buyer)
}

// takeAsTheyCome has the program accept offers on a request as they come: of the sellers that it proposes
// where the plan says nothing else.
func (w *world) takeAsTheyCome(ctx context.Context, p *person, order trade.Order) error {
	present, err := w.market.Trade.Terms(ctx, p.Actor, order.ID)
	if err != nil {
		return err
	}
	draft := trade.StandingDraft{Sellers: w.terms, FromPartners: order.Quantity,
		Until: w.clock().Add(buyersWait)}
	if draft.Sellers == "" {
		draft.Sellers, draft.FromOthers = trade.UsualSellers(present.Young, order.Quantity)
	}
	if draft.Sellers == trade.SellersAnybody {
		draft.FromPartners, draft.FromOthers = 0, order.Quantity
	}
	_, err = w.market.Trade.SetStanding(ctx, p.Actor, order.ID, draft)
	return err
}

func (w *world) giveUp(ctx context.Context, id core.OrderID) error {
	wanted := w.wants[id]
	if wanted == nil {
		return nil
	}
	w.took(wanted, buyersWait)
	w.result.toMet = append(w.result.toMet, neverMet)
	w.over(wanted)
	_, err := w.market.Trade.CloseOrder(ctx, wanted.buyer.Actor, id)
	return err
}

// over gives sellers back what they had set aside.
func (w *world) over(wanted *want) {
	w.changed(wanted)
	delete(w.wants, wanted.order)
	for p, many := range wanted.reserved {
		of(p.goods, wanted.item).many += many
	}
}

// changed forgets what was read of the board.
func (w *world) changed(wanted *want) {
	w.board = nil
	delete(w.found, wanted.item)
}

// comes has a seller begin to play: they have made again what they sold, read the first rows of the board,
// some search for what they have, and they offer where it pays best first.
func (w *world) comes(ctx context.Context, p *person, k int) error {
	made := restock(draw(w.seed, "restock", p.n, k), p.goods, w.restock)
	if w.alerts && p.lists && len(made) > 0 {
		if err := w.listGoods(ctx, p, made); err != nil {
			return err
		}
	}
	seen, err := w.reads(ctx, p)
	if err != nil {
		return err
	}
	var chances []chance
	once := map[core.OrderID]bool{}
	for _, o := range seen {
		wanted := w.wants[o.ID]
		if wanted == nil || once[o.ID] {
			continue
		}
		once[o.ID] = true
		if g := of(p.goods, wanted.item); g != nil {
			chances = append(chances, chance{o.Order, g})
		}
	}
	for _, c := range worthwhile(chances) {
		if err := w.offer(ctx, p, c); err != nil {
			return err
		}
	}
	return nil
}

// reads returns the requests that a seller sees who comes by.
func (w *world) reads(ctx context.Context, p *person) ([]trade.ListedOrder, error) {
	if w.board == nil {
		page, err := w.market.Match.BrowseOrders(ctx, match.OrderQuery{Limit: w.rows})
		if err != nil {
			return nil, err
		}
		w.board = page.Orders
	}
	seen := append([]trade.ListedOrder{}, w.board...)
	if !p.searches {
		return seen, nil
	}
	for _, g := range p.goods {
		found, read := w.found[g.item]
		if !read {
			page, err := w.market.Match.BrowseOrders(ctx,
				match.OrderQuery{OrderFilter: match.OrderFilter{ItemID: w.items[g.item].ID}})
			if err != nil {
				return nil, err
			}
			found = page.Orders
			w.found[g.item] = found
		}
		seen = append(seen, found...)
	}
	return seen, nil
}

// offer offers what the seller has of a request's item.
func (w *world) offer(ctx context.Context, p *person, c chance) error {
	wanted, many := w.wants[c.order.ID], min(c.good.many, c.order.Remaining())
	if wanted == nil || wanted.buyer == p || many <= 0 || p.offered[c.order.ID] || !c.order.Open(w.clock()) {
		return nil
	}
	sent, err := w.market.Trade.SendOffer(ctx, p.Actor, c.order.ID,
		trade.OfferDraft{SellerName: p.Username, Message: "I have some", Quantity: many})
	if core.KindOf(err) == core.TooMany {
		return nil // they have offered a lot within the hour
	}
	if err != nil {
		return fmt.Errorf("offer: %w", err)
	}
	p.offered[c.order.ID] = true
	if wanted.offeredAt.IsZero() {
		wanted.offeredAt = w.clock()
	}
	if wanted.offered += many; wanted.offered >= wanted.Quantity && wanted.enoughAt.IsZero() {
		wanted.enoughAt = w.clock()
	}
	c.good.many -= many
	wanted.reserved[p] += many
	if sent.Accepted > 0 {
		return w.takenAsItCame(ctx, wanted, p, sent)
	}
	if wanted.looks {
		return nil
	}
	at, err := w.looksAt(ctx, wanted, p)
	if err != nil {
		return err
	}
	wanted.looks = true
	w.after(at, func(ctx context.Context) error { return w.accept(ctx, c.order.ID) })
	return nil
}

// looksAt is when a buyer looks at an offer that comes now: when they answer the message about it, or, where
// that is beyond its seller's reach, when they play next.
func (w *world) looksAt(ctx context.Context, wanted *want, seller *person) (time.Time, error) {
	buyer := wanted.buyer
	at := answersAt(draw(w.seed, "looks", buyer.n, wanted.n, seller.n), buyer.zone, w.clock())
	page, err := w.market.Notify.Notices(ctx, buyer.Actor, 0, 1)
	if err == nil && len(page.Notices) > 0 && page.Notices[0].Beyond() {
		w.result.unheard++
		for _, s := range buyer.sessions {
			if s.from.After(at) {
				return s.from, nil
			}
		}
	}
	return at, err
}

// takenAsItCame notes a trade that the program agreed for a buyer.
func (w *world) takenAsItCame(
	ctx context.Context, wanted *want, seller *person, sent trade.SendOfferResult,
) error {
	agreed, err := w.market.Trade.Handovers(ctx, seller.Actor,
		trade.Query{Offers: []core.OfferID{sent.Offer.ID}, Limit: 1})
	if err != nil {
		return err
	}
	if len(agreed) != 1 {
		return fmt.Errorf("offer %d was accepted as it came, and has %d trades", sent.Offer.ID, len(agreed))
	}
	w.changed(wanted)
	return w.agreed(ctx, wanted, seller, seller, agreed[0].Sale, sent.Accepted, sent.Order.Remaining())
}

// accept has a buyer accept what is offered.
func (w *world) accept(ctx context.Context, id core.OrderID) error {
	wanted := w.wants[id]
	if wanted == nil {
		return nil
	}
	w.changed(wanted)
	wanted.looks = false
	wanted.looked++
	_, offers, err := w.market.Trade.ChoicesOn(ctx, wanted.buyer.Actor, id)
	if err != nil {
		return err
	}
	for _, o := range choose(offers) {
		if w.wants[id] == nil { // it is filled
			break
		}
		many := min(wanted.Quantity-wanted.taken, o.Offer.Quantity)
		accepted, err := w.market.Trade.AcceptOffer(ctx, wanted.buyer.Actor, o.Offer.ID, many)
		if core.KindOf(err) == core.Conflict {
			continue // it has lapsed
		}
		if err != nil {
			return err
		}
		err = w.agreed(ctx, wanted, w.byID[o.Offer.Seller], wanted.buyer, accepted.Sale.ID, many,
			accepted.Order.Remaining())
		if err != nil {
			return err
		}
	}
	return nil
}
