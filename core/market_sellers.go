package core

import (
	"context"
	"fmt"
	"time"
)

// MaxBlockedSellers is how many blocked sellers are listed.
const MaxBlockedSellers = 500

// BlockedSeller is a seller whose offers a buyer does not want.
type BlockedSeller struct {
	Seller    UserID
	Username  string
	CreatedAt time.Time
}

// BlockSeller blocks the sender of an offer from offering to the buyer; their open offers are declined. It fails with
// Unauthenticated, Forbidden, Invalid for a visitor's offer, and NotFound.
func (m *Market) BlockSeller(ctx context.Context, actor Actor, id OfferID) error {
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	_, err := Write(ctx, m.run, actor, "block seller", id, func(tx Tx, now time.Time) (struct{}, error) {
		order, offer, err := tx.LockOffer(ctx, id)
		if err != nil {
			return struct{}{}, fmt.Errorf("block the seller of offer %d: %w", id, err)
		}
		if err := offer.mayBlockSeller(order, actor); err != nil {
			return struct{}{}, err
		}
		if _, err := tx.LockUser(ctx, offer.Seller); err != nil {
			return struct{}{}, fmt.Errorf("seller %d: %w", offer.Seller, err)
		}
		if err := tx.AddBlockedSeller(ctx, actor.UserID, offer.Seller, now); err != nil {
			return struct{}{}, fmt.Errorf("block seller %d: %w", offer.Seller, err)
		}
		ended, err := tx.EndOffersBy(ctx, offer.Seller, actor.UserID, OfferDeclined, now)
		if err != nil {
			return struct{}{}, fmt.Errorf("decline offers of seller %d: %w", offer.Seller, err)
		}
		var notices []Notice
		for _, l := range ended {
			notices = append(notices, toSeller(l.Order, l.Offer, NoticeOfferDeclined, l.Offer.Quantity, "", now)...)
			if err := m.redrawOffers(ctx, tx, actor, l.Order.ID, now, l.Offer.ID); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, addNotices(ctx, tx, notices)
	})
	return err
}

// mayBlockSeller returns an error unless the actor may block the sender of the offer.
func (of Offer) mayBlockSeller(o Order, by Actor) error {
	if err := by.MustBe(o.Owner); err != nil {
		return err
	}
	if !of.Verified() {
		return NewError(Invalid, NewText("guest_not_blockable", "A visitor cannot be blocked. Take offers of signed-in sellers only instead."))
	}
	return nil
}

// UnblockSeller ends a buyer's block of a seller. Repeating it changes nothing. It fails with
// Unauthenticated.
func (m *Market) UnblockSeller(ctx context.Context, actor Actor, seller UserID) error {
	if err := actor.mustBeUser(); err != nil {
		return err
	}
	_, err := Write(ctx, m.run, actor, "unblock seller", seller, func(tx Tx, _ time.Time) (struct{}, error) {
		if err := tx.RemoveBlockedSeller(ctx, actor.UserID, seller); err != nil {
			return struct{}{}, fmt.Errorf("unblock seller %d: %w", seller, err)
		}
		return struct{}{}, nil
	})
	return err
}

// BlockedSellers lists the sellers whose offers the actor does not want, the latest first. It fails with Unauthenticated.
func (m *Market) BlockedSellers(ctx context.Context, actor Actor) ([]BlockedSeller, error) {
	if err := actor.mustBeUser(); err != nil {
		return nil, err
	}
	sellers, err := m.store.BlockedSellers(ctx, actor.UserID, MaxBlockedSellers)
	if err != nil {
		return nil, fmt.Errorf("blocked sellers of user %d: %w", actor.UserID, err)
	}
	return sellers, nil
}
