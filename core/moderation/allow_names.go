package moderation

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// AllowOrderNames lets the buyer of an order use its names although they look like an established trader's:
// they are not marked any more. It is logged, and UndoRemoval takes it back. It fails with Unauthenticated,
// Forbidden unless the actor is a moderator and no side, Conflict when no name is marked, and NotFound.
func (m *Service) AllowOrderNames(ctx context.Context, actor core.Actor, id core.OrderID) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "allow order names", id,
		func(tx Tx, now time.Time) (struct{}, error) {
			order, err := tx.LockOrder(ctx, id)
			if err != nil {
				return struct{}{}, fmt.Errorf("allow names of order %d: %w", id, err)
			}
			if err := mustNotTrade(ctx, tx, actor, AboutOrder(id)); err != nil {
				return struct{}{}, err
			}
			buyer := trust.NameUser{User: order.Owner}
			marked := m.traders.Marked(buyer, order.BuyerContact, order.InGameName)
			return struct{}{}, allowNames(ctx, tx, actor, order, trade.Offer{}, marked, now)
		})
	m.NamesAllowed(ctx)
	return err
}

// AllowOfferNames lets the seller of an offer use its names; a visitor, on this offer only. It is like
// AllowOrderNames otherwise.
func (m *Service) AllowOfferNames(ctx context.Context, actor core.Actor, id core.OfferID) error {
	if err := actor.MustModerate(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "allow offer names", id,
		func(tx Tx, now time.Time) (struct{}, error) {
			order, offer, err := tx.LockOffer(ctx, id)
			if err != nil {
				return struct{}{}, fmt.Errorf("allow names of offer %d: %w", id, err)
			}
			marked := m.traders.Marked(
				trust.NameUser{User: offer.Seller, Offer: offer.ID, Offered: offer.CreatedAt},
				offer.SellerContact, offer.SellerName)
			return struct{}{}, allowNames(ctx, tx, actor, order, offer, marked, now)
		})
	m.NamesAllowed(ctx)
	return err
}

func allowNames(
	ctx context.Context, tx Tx, actor core.Actor, order trade.Order, offer trade.Offer,
	marked []trust.AllowedName, now time.Time,
) error {
	entry, err := AllowNames(order, offer, marked, actor, now)
	if err != nil {
		return err
	}
	if err := tx.AddAuditEntry(ctx, entry); err != nil {
		return fmt.Errorf("add audit entry: %w", err)
	}
	added, err := tx.AllowNames(ctx, order.ID, marked, now)
	if err != nil {
		return fmt.Errorf("allow names: %w", err)
	}
	if !added {
		return nameNotMarked()
	}
	return nil
}

// NamesAllowed has this process mark names by what moderators allow now, also after a refusal: another
// process may have allowed them. Others do within a minute, and so does this one where it fails.
func (m *Service) NamesAllowed(ctx context.Context) { m.learn(ctx) }
