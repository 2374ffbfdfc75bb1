package trade

import (
	"context"
	"fmt"
	"slices"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/trust"
)

// Offer returns an offer and its order to the buyer or the offer's own seller. It fails with Forbidden and
// NotFound.
func (m *offerActs) Offer(ctx context.Context, actor core.Actor, id core.OfferID) (Order, Offer, error) {
	if err := actor.MustBeUser(); err != nil {
		return Order{}, Offer{}, err
	}
	offer, err := m.store.Offer(ctx, id)
	if err != nil {
		return Order{}, Offer{}, core.WithMessage(core.FailedOffers, fmt.Errorf("offer %d: %w", id, err))
	}
	order, err := m.store.Order(ctx, offer.OrderID)
	if err != nil {
		return Order{}, Offer{}, core.WithMessage(core.FailedOrder,
			fmt.Errorf("order of offer %d: %w", id, err))
	}
	if offer.Seller != actor.UserID {
		if err := actor.MustBe(order.Owner); err != nil {
			return Order{}, Offer{}, err
		}
	}
	return order, offer, nil
}

// Offers lists the offers on one of the actor's orders, newest first. It fails with Forbidden and NotFound.
func (m *offerActs) Offers(ctx context.Context, actor core.Actor, id core.OrderID) (Order, []Offer, error) {
	order, err := m.ownOrder(ctx, actor, id)
	if err != nil {
		return Order{}, nil, err
	}
	offers, err := m.store.Offers(ctx, id)
	if err != nil {
		return Order{}, nil, core.WithMessage(core.FailedOffers,
			fmt.Errorf("offers on order %d: %w", id, err))
	}
	return order, offers, nil
}

// AnsweredOffers returns the earlier offers on the user's own order. It fails with Forbidden and NotFound.
func (m *offerActs) AnsweredOffers(
	ctx context.Context, actor core.Actor, id core.OrderID,
) (AnsweredOffers, error) {
	order, err := m.ownOrder(ctx, actor, id)
	if err != nil {
		return AnsweredOffers{}, err
	}
	answered, err := m.store.AnsweredOffers(ctx, order, m.now().Add(-core.UndoWindow))
	if err != nil {
		return AnsweredOffers{}, core.WithMessage(core.FailedOffers,
			fmt.Errorf("answered offers on order %d: %w", id, err))
	}
	return answered, nil
}

// SentOffers lists the actor's own offers, newest first, below the id before (zero: from the top). It fails
// with Unauthenticated.
func (m *offerActs) SentOffers(
	ctx context.Context, actor core.Actor, before core.OfferID, limit int,
) ([]SentOffer, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	sent, err := m.store.SentOffers(ctx, actor.UserID, before, limit)
	if err != nil {
		return nil, core.WithMessage(core.FailedOffers, fmt.Errorf("sent offers: %w", err))
	}
	return sent, nil
}

// SentOffersIn lists one part of the actor's own offers, newest first, below the id before (zero: from the
// top), and counts each part. It returns Unauthenticated, and Invalid for an unknown part.
func (m *offerActs) SentOffersIn(
	ctx context.Context, actor core.Actor, part SentPart, before core.OfferID, limit int,
) ([]SentOffer, SentCounts, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, SentCounts{}, err
	}
	if !slices.Contains(SentParts, part) {
		return nil, SentCounts{}, core.NewFieldError("part", core.NewText("sent_part_unknown"))
	}
	sent, err := m.store.SentOffersIn(ctx, actor.UserID, part, before, limit)
	if err != nil {
		return nil, SentCounts{}, core.WithMessage(core.FailedOffers, fmt.Errorf("sent offers: %w", err))
	}
	counts, err := m.store.SentCounts(ctx, actor.UserID)
	if err != nil {
		return nil, SentCounts{}, core.WithMessage(core.FailedOffers,
			fmt.Errorf("count sent offers: %w", err))
	}
	return sent, counts, nil
}

// MaxOpenOffers is how many of a seller's open offers are listed.
const MaxOpenOffers = 1000

// OpenOffers lists all open offers of the actor's, newest first. It returns Unauthenticated.
func (m *offerActs) OpenOffers(ctx context.Context, actor core.Actor) ([]SentOffer, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	sent, err := m.store.OpenSentOffers(ctx, actor.UserID, MaxOpenOffers)
	if err != nil {
		return nil, core.WithMessage(core.FailedOffers,
			fmt.Errorf("open offers of user %d: %w", actor.UserID, err))
	}
	return sent, nil
}

// OpenOfferOn returns the actor's open offer on an order; nil when there is none. It returns Unauthenticated.
func (m *offerActs) OpenOfferOn(ctx context.Context, actor core.Actor, id core.OrderID) (*SentOffer, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	sent, err := m.store.OpenSentOfferOn(ctx, actor.UserID, id)
	if core.KindOf(err) == core.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, core.WithMessage(core.FailedOffers,
			fmt.Errorf("open offer of user %d on order %d: %w", actor.UserID, id, err))
	}
	return &sent, nil
}

// ReceivedOffers lists the offers on all open orders of the actor's, by order, the newest first of both. It
// returns Unauthenticated.
func (m *offerActs) ReceivedOffers(
	ctx context.Context, actor core.Actor, after ReceivedPlace, limit int,
) (ReceivedPage, error) {
	if err := actor.MustBeUser(); err != nil {
		return ReceivedPage{}, err
	}
	offers, err := m.store.ReceivedOffers(ctx, actor.UserID, after, m.now(), limit+1)
	if err != nil {
		return ReceivedPage{}, core.WithMessage(core.FailedOffers,
			fmt.Errorf("offers received by user %d: %w", actor.UserID, err))
	}
	page := ReceivedPage{Offers: offers}
	if len(offers) > limit {
		last := offers[limit-1]
		page.Offers, page.Next = offers[:limit], ReceivedPlace{Order: last.Order.ID, Offer: last.Offer.ID}
	}
	return page, nil
}

// Choices lists the offers on all open orders of the actor's, the newest order first, and the offers on an
// order best first: see BestFirst. A page has whole orders, unless one order has more than limit offers: then
// its newest ones come first, and each page is sorted on its own. It returns Unauthenticated.
func (m *offerActs) Choices(
	ctx context.Context, actor core.Actor, after ReceivedPlace, limit int,
) (ChoicePage, error) {
	received, err := m.ReceivedOffers(ctx, actor, after, limit+1)
	if err != nil {
		return ChoicePage{}, err
	}
	offers, page := received.Offers, ChoicePage{}
	if len(offers) > limit {
		offers = wholeOrders(offers[:limit], offers[limit].Order.ID)
		last := offers[len(offers)-1]
		page.Next = ReceivedPlace{Order: last.Order.ID, Offer: last.Offer.ID}
	}
	known, err := m.sellersOf(ctx, actor, offers)
	if err != nil {
		return ChoicePage{}, err
	}
	for len(offers) > 0 {
		n := ofFirstOrder(offers)
		page.Choices = append(page.Choices, BestFirst(offers[:n], known)...)
		offers = offers[n:]
	}
	return page, m.markSoonest(ctx, actor, page.Choices)
}

// ChoicesOn returns one of the actor's orders with the offers on it, best first: see BestFirst. It fails with
// Forbidden and NotFound.
func (m *offerActs) ChoicesOn(
	ctx context.Context, actor core.Actor, id core.OrderID,
) (Order, []Choice, error) {
	order, found, err := m.Offers(ctx, actor, id)
	if err != nil {
		return Order{}, nil, err
	}
	offers := make([]OpenOffer, len(found))
	for i, o := range found {
		offers[i] = OpenOffer{Offer: o, Order: order}
	}
	known, err := m.sellersOf(ctx, actor, offers)
	if err != nil {
		return Order{}, nil, err
	}
	choices := BestFirst(offers, known)
	return order, choices, m.markSoonest(ctx, actor, choices)
}

// markSoonest marks on each order the offer of the seller with whom the buyer shares the most hours.
func (m *offerActs) markSoonest(ctx context.Context, buyer core.Actor, choices []Choice) error {
	if !m.features.Hours || len(choices) < 2 {
		return nil
	}
	users := []core.UserID{buyer.UserID}
	for _, c := range choices {
		if c.Offer.Verified() {
			users = append(users, c.Offer.Seller)
		}
	}
	weeks, err := m.people.PlayWeeks(ctx, users)
	if err != nil {
		return err
	}
	for len(choices) > 0 {
		n := 1
		for n < len(choices) && choices[n].Order.ID == choices[0].Order.ID {
			n++
		}
		others := make([]hours.Week, n)
		for i, c := range choices[:n] {
			others[i] = weeks[c.Offer.Seller]
		}
		if i := hours.SharesMost(weeks[buyer.UserID], others); i >= 0 && n > 1 {
			choices[i].Soonest = true
		}
		choices = choices[n:]
	}
	return nil
}

// sellersOf returns what the actor knows of the sellers of offers.
func (m *offerActs) sellersOf(
	ctx context.Context, actor core.Actor, offers []OpenOffer,
) (map[core.UserID]trust.Acquaintance, error) {
	sellers := make([]core.UserID, len(offers))
	for i, o := range offers {
		sellers[i] = o.Offer.Seller
	}
	known, err := m.trust.Acquaintances(ctx, actor.UserID, sellers...)
	if err != nil {
		return nil, core.WithMessage(core.FailedOffers, err)
	}
	return known, nil
}

// wholeOrders leaves the last order out when it goes on after the offers, unless it is the only one.
func wholeOrders(offers []OpenOffer, next core.OrderID) []OpenOffer {
	of := func(o OpenOffer) bool { return o.Order.ID == next }
	if first := slices.IndexFunc(offers, of); first > 0 {
		return offers[:first]
	}
	return offers
}

// ofFirstOrder returns how many of the offers are on the order of the first.
func ofFirstOrder(offers []OpenOffer) int {
	other := func(o OpenOffer) bool { return o.Order.ID != offers[0].Order.ID }
	if n := slices.IndexFunc(offers, other); n > 0 {
		return n
	}
	return len(offers)
}
