package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// FollowOffer returns the content behind a visitor's private link. It returns NotFound for a wrong token and
// an ended link.
func (m *offerActs) FollowOffer(ctx context.Context, token OfferToken) (OfferLink, error) {
	link, err := m.store.OfferLink(ctx, token.Key())
	if err != nil {
		return OfferLink{}, core.WithMessage(core.FailedOffers, fmt.Errorf("follow a link: %w", err))
	}
	return link.at(m.now()), nil
}

// WithdrawLinked withdraws the offer that a private link leads to, for any holder of the link. The buyer is
// notified. It returns NotFound, and Conflict when the offer is not open any more.
func (m *offerActs) WithdrawLinked(ctx context.Context, actor core.Actor, token OfferToken) error {
	key := token.Key()
	_, err := core.Write(ctx, m.run, actor, "withdraw linked offer", key,
		func(tx Tx, now time.Time) (struct{}, error) {
			order, offer, err := lockLinked(ctx, tx, key)
			if err == nil && !order.Open(now) {
				err = linkedOfferOver()
			}
			if err != nil {
				return struct{}{}, fmt.Errorf("withdraw by a link: %w", err)
			}
			if err := tx.EndOffer(ctx, offer.ID, OfferWithdrawn, now); err != nil {
				return struct{}{}, fmt.Errorf("withdraw offer %d: %w", offer.ID, err)
			}
			if err := m.notify.RedrawOffers(ctx, tx, actor, order.ID, now, offer.ID); err != nil {
				return struct{}{}, err
			}
			n := OfferReceived(order, offer, now)
			n.Kind = notify.NoticeOfferWithdrawn
			return struct{}{}, notify.AddNotices(ctx, tx, []notify.Notice{n})
		})
	return err
}

// lockLinked locks the offer that a private link leads to. While it waits for the lock, the link may end, or
// lead to an offer that has replaced this one: then it looks again. It returns NotFound, and Conflict when
// the offer has ended.
func lockLinked(ctx context.Context, tx Tx, key OfferLinkKey) (Order, Offer, error) {
	for last := core.OfferID(0); ; {
		id, err := tx.LinkedOffer(ctx, key)
		if err == nil && id == last {
			err = linkedOfferOver()
		}
		if err != nil {
			return Order{}, Offer{}, err
		}
		order, offer, err := tx.LockOffer(ctx, id)
		if core.KindOf(err) != core.NotFound {
			return order, offer, err
		}
		last = id
	}
}

func linkedOfferOver() error {
	return core.NewError(core.Conflict, core.NewText("linked_offer_over"))
}

// withLinked returns the visitor with the open offer that their private link leads to, which the next one
// replaces. It returns Conflict when there is none on the order any more.
func (s Seller) withLinked(
	ctx context.Context, tx Tx, order Order, token OfferToken, now time.Time,
) (Seller, error) {
	var offer Offer
	id, err := tx.LinkedOffer(ctx, token.Key())
	if err == nil {
		_, offer, err = tx.LockOffer(ctx, id)
	}
	if core.KindOf(err) == core.NotFound || err == nil && (offer.OrderID != order.ID || offer.Lapsed(now)) {
		ended := core.NewError(core.Conflict, core.NewText("offer_ended_since"))
		ended.Code = CodeOffered
		return Seller{}, ended
	}
	if err != nil {
		return Seller{}, fmt.Errorf("offer of a link: %w", err)
	}
	s.Offer, s.Offered = offer.ID, offer.Quantity
	s.Visitors--
	return s, nil
}

// linkAgain gives a visitor who repeats an offer a link: the answer that was kept of the first time has
// none, because a token is stored nowhere. An offer without a link, or with MaxOfferLinks, gets none.
func (m *offerActs) linkAgain(ctx context.Context, id core.OfferID) (OfferToken, error) {
	token, err := newOfferToken(m.random)
	if err != nil {
		return "", err
	}
	added := false
	err = m.run.Atomically(ctx, func(tx Tx) (err error) {
		added, err = tx.AddOfferLinkAgain(ctx, token.Key(), id)
		return err
	})
	if err != nil || !added {
		return "", err
	}
	return token, nil
}
