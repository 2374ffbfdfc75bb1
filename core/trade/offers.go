package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
)

// SendOfferResult is the result of sending an offer.
type SendOfferResult struct {
	Offer    Offer
	Order    Order
	Replaced bool // an earlier offer of the same seller made way for it
	Accepted int  `json:",omitzero"` // of the offer, at once: the buyer takes such offers as they come

	// Link is the secret of a visitor's private link to the offer. It is kept out of the stored answer of
	// the write.
	Link OfferToken `json:"-"`
}

// SendOffer makes an offer on an order, for a visitor or a user. A user has one live offer an order: a
// second one replaces the first, and fails when the draft does not expect it. It returns Conflict when the
// order takes no offers or the seller's open offer is not draft.Replaces, a visitor's link leads to no open
// offer on it, Unauthenticated when it or the market takes none of visitors, Forbidden on one's own order,
// Invalid, NotFound, and TooMany when a quota is used up.
func (m *offerActs) SendOffer(
	ctx context.Context, actor core.Actor, id core.OrderID, draft OfferDraft,
) (SendOfferResult, error) {
	var link OfferToken
	if !actor.SignedIn() {
		var err error
		if link, err = newOfferToken(m.random); err != nil {
			return SendOfferResult{}, fmt.Errorf("link of an offer: %w", err)
		}
	}
	items := m.items.IndexOrEmpty(ctx) // before the transaction, which holds a connection
	sent, err := core.Write(ctx, m.trades, actor, "send offer", []any{id, draft},
		func(tx Scope, now time.Time) (SendOfferResult, error) {
			order, err := tx.LockOrder(ctx, id)
			if err != nil {
				return SendOfferResult{}, fmt.Errorf("offer on order %d: %w", id, err)
			}
			answer, err := m.offerOn(ctx, tx, actor, order, draft, items, now)
			if err != nil {
				return SendOfferResult{}, err
			}
			if link != "" {
				if err := tx.AddOfferLink(ctx, link.Key(), answer.Offer); err != nil {
					return SendOfferResult{}, fmt.Errorf("link of offer %d: %w", answer.Offer.ID, err)
				}
				answer.Link = link
				if draft.ReplacesLink != "" {
					if err := tx.MoveOfferLinks(ctx, draft.ReplacesLink.Key(), answer.Offer); err != nil {
						return SendOfferResult{},
							fmt.Errorf("links of the offer before %d: %w", answer.Offer.ID, err)
					}
				}
			}
			return answer, nil
		})
	// The answer that was kept for a repeat has no link. A short key might be another visitor's.
	if err == nil && link != "" && sent.Link == "" && len(actor.Key) >= core.MinRoamingKey {
		sent.Link, err = m.linkAgain(ctx, sent.Offer.ID)
	}
	return sent, err
}

// offerOn makes an offer on a locked order, and notifies the buyer.
func (m *offerActs) offerOn(
	ctx context.Context, tx Scope, actor core.Actor, order Order, draft OfferDraft, items *items.Index,
	now time.Time,
) (SendOfferResult, error) {
	var (
		seller Seller
		err    error
	)
	if order.Listing != 0 {
		return SendOfferResult{}, OrderNotFound()
	}
	if actor.SignedIn() {
		if seller, err = tx.LockSeller(ctx, order, actor.UserID, m.quotas, now); err != nil {
			return SendOfferResult{}, fmt.Errorf("seller %d on order %d: %w", actor.UserID, order.ID, err)
		}
		actor.LeavingAt = seller.Leaving
		if err := actor.MustStay(); err != nil {
			return SendOfferResult{}, err
		}
	} else if seller, err = tx.LockVisitors(ctx, order.ID); err != nil {
		return SendOfferResult{}, fmt.Errorf("offers of visitors on order %d: %w", order.ID, err)
	} else if draft.ReplacesLink != "" {
		if seller, err = seller.withLinked(ctx, tx, order, draft.ReplacesLink, now); err != nil {
			return SendOfferResult{}, err
		}
	}
	order = asTraded(actor, order)
	offer, err := order.NewOffer(draft, actor, seller, m.forms, now)
	if err != nil {
		return SendOfferResult{}, err
	}
	if !m.features.Handover {
		offer.GoodUntil, offer.LapsesAt = time.Time{}, time.Time{}
	}
	if err := m.MayOffer(seller, offer.Quantity, now); err != nil {
		return SendOfferResult{}, err
	}
	if actor.SignedIn() {
		// Last: a seller is not asked whether to replace an offer by one that is refused anyway.
		if err := draft.mayReplace(seller); err != nil {
			return SendOfferResult{}, err
		}
	}
	answer := SendOfferResult{Order: order, Replaced: seller.Offer != 0}
	if answer.Replaced {
		if err := tx.EndOffer(ctx, seller.Offer, OfferReplaced, now); err != nil {
			return SendOfferResult{}, fmt.Errorf("replace offer %d: %w", seller.Offer, err)
		}
		if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, seller.Offer); err != nil {
			return SendOfferResult{}, err
		}
	}
	if offer.ID, err = tx.AddOffer(ctx, offer, order.ItemName); err != nil {
		return SendOfferResult{}, fmt.Errorf("add offer: %w", err)
	}
	answer.Offer = offer
	if err := tx.OfferSent(ctx, order, offer, seller.Reach, now); err != nil || !m.features.Records {
		return answer, err
	}
	err = m.acceptStanding(ctx, tx, actor, &answer, seller, items, now)
	return answer, err
}

// MayOffer returns the error of an offer of this quantity that the quotas or the order's buyer refuse,
// whatever else it contains: TooMany, Forbidden or Invalid. Callers who show it before the offer read the
// same facts without a lock.
func (m *offerActs) MayOffer(seller Seller, quantity int, now time.Time) error {
	if err := mayOffer(m.quotas, seller, now); err != nil || !m.features.Records {
		return err
	}
	return seller.Least.check(seller, quantity)
}

// DeleteOffer deletes an offer: its buyer declines it, its seller withdraws it. The other side is
// notified. It fails with Forbidden and NotFound.
func (m *offerActs) DeleteOffer(ctx context.Context, actor core.Actor, id core.OfferID) error {
	return m.deleteOffer(ctx, actor, id, func(Order) error { return nil })
}

// deleteOffer is DeleteOffer for an offer on an order that may allows.
func (m *offerActs) deleteOffer(
	ctx context.Context, actor core.Actor, id core.OfferID, may func(Order) error,
) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "delete offer", id, func(tx Tx, now time.Time) (struct{}, error) {
		order, offer, err := tx.LockOffer(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("delete offer %d: %w", id, err)
		}
		if err := may(order); err != nil {
			return struct{}{}, err
		}
		state, notices, err := order.RemoveOffer(offer, actor, now)
		if err != nil {
			return struct{}{}, err
		}
		if err := tx.KeepEndedOffer(ctx, id, state, actor.UserID, now); err != nil {
			return struct{}{}, fmt.Errorf("keep offer %d: %w", id, err)
		}
		if err := tx.EndOffer(ctx, id, state, now); err != nil {
			return struct{}{}, fmt.Errorf("delete offer %d: %w", id, err)
		}
		if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, id); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, notify.AddNotices(ctx, tx, notices)
	})
	return err
}
