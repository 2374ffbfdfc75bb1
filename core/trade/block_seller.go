package trade

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// BlockSeller blocks the sender of an offer from offering to the buyer; their open offers are declined. It
// fails with Unauthenticated, Forbidden, Invalid for a visitor's offer, and NotFound.
func (m *offerActs) BlockSeller(ctx context.Context, actor core.Actor, id core.OfferID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "block seller", id, func(tx Tx, now time.Time) (struct{}, error) {
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
		var notices []notify.Notice
		for _, l := range ended {
			notices = append(notices, ToSeller(l.Order, l.Offer, notify.NoticeOfferDeclined, l.Offer.Quantity,
				"", now)...)
			if err := m.notify.RedrawOffers(ctx, tx, actor, l.Order.ID, now, l.Offer.ID); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, notify.AddNotices(ctx, tx, notices)
	})
	return err
}

// mayBlockSeller returns an error unless the actor may block the sender of the offer.
func (of Offer) mayBlockSeller(o Order, by core.Actor) error {
	if err := by.MustBe(o.Owner); err != nil {
		return err
	}
	if !of.Verified() {
		return core.NewError(core.Invalid,
			core.NewText("guest_not_blockable",
				"A visitor cannot be blocked. Take offers of signed-in sellers only instead."))
	}
	return nil
}
