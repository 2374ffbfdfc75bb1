package core

import (
	"context"
	"fmt"
	"time"
)

// SentOfferAnswer is what came of sending an offer.
type SentOfferAnswer struct {
	Offer    Offer
	Order    Order
	Replaced bool // an earlier offer of the same seller made way for it
}

// SendOffer makes an offer on an order, for a visitor or a user. A user has one live offer an order: a second one replaces
// the first. It refuses with Conflict when the order takes no offers, Unauthenticated when it takes none of visitors, Forbidden on one's own order, Invalid and NotFound.
func (m *Market) SendOffer(ctx context.Context, actor Actor, id OrderID, draft OfferDraft) (SentOfferAnswer, error) {
	return once(ctx, m, actor, "send offer", []any{id, draft}, func(tx Tx, now time.Time) (SentOfferAnswer, error) {
		order, err := tx.LockOrder(ctx, id)
		if err != nil {
			return SentOfferAnswer{}, fmt.Errorf("offer on order %d: %w", id, err)
		}
		var seller Seller
		if actor.SignedIn() {
			if seller, err = tx.LockSeller(ctx, order, actor.UserID); err != nil {
				return SentOfferAnswer{}, fmt.Errorf("seller %d on order %d: %w", actor.UserID, id, err)
			}
		}
		if !actor.SignedIn() {
			if seller.Visitors, err = tx.CountVisitorOffers(ctx, id); err != nil {
				return SentOfferAnswer{}, fmt.Errorf("offers of visitors on order %d: %w", id, err)
			}
		}
		offer, err := order.NewOffer(draft, actor, seller, m.forms, now)
		if err != nil {
			return SentOfferAnswer{}, err
		}
		answer := SentOfferAnswer{Order: order, Replaced: seller.Offer != 0}
		if answer.Replaced {
			if err := tx.EndOffer(ctx, seller.Offer, OfferReplaced, now); err != nil {
				return SentOfferAnswer{}, fmt.Errorf("replace offer %d: %w", seller.Offer, err)
			}
		}
		if offer.ID, err = tx.AddOffer(ctx, offer, order.ItemName); err != nil {
			return SentOfferAnswer{}, fmt.Errorf("add offer: %w", err)
		}
		answer.Offer = offer
		return answer, addNotices(ctx, tx, []Notice{offerReceived(order, offer, now)})
	})
}

// AcceptOffer lets the buyer take qty of an offer made on their order, and logs the sale. It refuses with Conflict when the
// order takes no sales, Invalid (carrying the present order) when qty is out of reach, Forbidden and NotFound.
func (m *Market) AcceptOffer(ctx context.Context, actor Actor, id OfferID, qty int) (Acceptance, error) {
	if err := actor.mayTrade(); err != nil {
		return Acceptance{}, err
	}
	return once(ctx, m, actor, "accept offer", []any{id, qty}, func(tx Tx, now time.Time) (Acceptance, error) {
		order, offer, err := tx.LockOffer(ctx, id)
		if err != nil {
			return Acceptance{}, fmt.Errorf("accept offer %d: %w", id, err)
		}
		if err := actor.Owns(order); err != nil {
			return Acceptance{}, err
		}
		done, err := order.Accept(offer, qty, actor.UserID, now)
		if err != nil {
			return Acceptance{}, err
		}
		done.Sale.ID, err = m.saveAcceptance(ctx, tx, done, now)
		return done, err
	})
}

func (m *Market) saveAcceptance(ctx context.Context, tx Tx, done Acceptance, now time.Time) (SaleID, error) {
	offer, sale := done.Offer, done.Sale
	id, err := tx.AddSale(ctx, sale)
	if err != nil {
		return 0, fmt.Errorf("add sale: %w", err)
	}
	if offer.Verified() {
		if err := tx.RecordAccepted(ctx, offer.ID, sale.Quantity, done.Order.BuyerContact, now); err != nil {
			return 0, fmt.Errorf("record acceptance of offer %d: %w", offer.ID, err)
		}
	}
	if offer.Quantity == 0 {
		err = tx.EndOffer(ctx, offer.ID, OfferAccepted, now)
	} else {
		err = tx.SaveOffer(ctx, offer)
	}
	if err != nil {
		return 0, fmt.Errorf("save offer %d: %w", offer.ID, err)
	}
	if err := addNotices(ctx, tx, toSeller(done.Order, offer, OfferTaken, sale.Quantity, "", now)); err != nil {
		return 0, err
	}
	return id, m.saveOrder(ctx, tx, done.Order, now)
}

// DeleteOffer takes an offer off an order: its buyer declines it, its own seller withdraws it. The other side is told. It
// refuses with Forbidden and NotFound.
func (m *Market) DeleteOffer(ctx context.Context, actor Actor, id OfferID) error {
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	_, err := once(ctx, m, actor, "delete offer", id, func(tx Tx, now time.Time) (struct{}, error) {
		order, offer, err := tx.LockOffer(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("delete offer %d: %w", id, err)
		}
		state, notices, err := order.RemoveOffer(offer, actor, now)
		if err != nil {
			return struct{}{}, err
		}
		if err := tx.EndOffer(ctx, id, state, now); err != nil {
			return struct{}{}, fmt.Errorf("delete offer %d: %w", id, err)
		}
		return struct{}{}, addNotices(ctx, tx, notices)
	})
	return err
}

// RemoveOffer decides what it means that the actor takes the offer away, and who is told. It refuses with Forbidden when
// the actor is neither the buyer nor the seller.
func (o Order) RemoveOffer(offer Offer, by Actor, now time.Time) (OfferState, []Notice, error) {
	switch {
	case by.Owns(o) == nil:
		return OfferDeclined, toSeller(o, offer, OfferRefused, offer.Quantity, "", now), nil
	case offer.Verified() && offer.Seller == by.UserID:
		n := offerReceived(o, offer, now)
		n.Kind = OfferTakenBack
		return OfferWithdrawn, []Notice{n}, nil
	default:
		return "", nil, &Error{Kind: Forbidden, Message: "Only the buyer or the seller can do that"}
	}
}

// Offers lists the offers on an order of the actor's, newest first. It refuses with Forbidden and NotFound.
func (m *Market) Offers(ctx context.Context, actor Actor, id OrderID) (Order, []Offer, error) {
	order, err := m.ownOrder(ctx, actor, id)
	if err != nil {
		return Order{}, nil, err
	}
	offers, err := m.store.Offers(ctx, id)
	if err != nil {
		return Order{}, nil, failing(failedOffers, fmt.Errorf("offers on order %d: %w", id, err))
	}
	return order, offers, nil
}

// Offer returns an offer and its order to the buyer or the offer's own seller. It refuses with Forbidden and NotFound.
func (m *Market) Offer(ctx context.Context, actor Actor, id OfferID) (Order, Offer, error) {
	if err := actor.mustBeUser(); err != nil {
		return Order{}, Offer{}, err
	}
	offer, err := m.store.Offer(ctx, id)
	if err != nil {
		return Order{}, Offer{}, failing(failedOffers, fmt.Errorf("offer %d: %w", id, err))
	}
	order, err := m.store.Order(ctx, offer.OrderID)
	if err != nil {
		return Order{}, Offer{}, failing(failedOrder, fmt.Errorf("order of offer %d: %w", id, err))
	}
	if offer.Seller != actor.UserID {
		if err := actor.Owns(order); err != nil {
			return Order{}, Offer{}, err
		}
	}
	return order, offer, nil
}

// SentOffers lists the actor's own offers, newest first, below the id before (zero: from the top). It refuses with
// Unauthenticated.
func (m *Market) SentOffers(ctx context.Context, actor Actor, before OfferID, limit int) ([]SentOffer, error) {
	if err := actor.mustBeUser(); err != nil {
		return nil, err
	}
	sent, err := m.store.SentOffers(ctx, actor.UserID, before, limit)
	if err != nil {
		return nil, failing(failedOffers, fmt.Errorf("sent offers: %w", err))
	}
	return sent, nil
}

func (m *Market) ownOrder(ctx context.Context, actor Actor, id OrderID) (Order, error) {
	if err := actor.mustBeUser(); err != nil {
		return Order{}, err
	}
	order, err := m.store.Order(ctx, id)
	if err != nil {
		return Order{}, failing(failedOrder, fmt.Errorf("order %d: %w", id, err))
	}
	return order, actor.Owns(order)
}
