package trust

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

// MaxBlockedSellers is how many blocked sellers are listed.
const MaxBlockedSellers = 500

// BlockedSeller is a seller that a buyer has blocked.
type BlockedSeller struct {
	Seller    core.UserID
	Username  string
	CreatedAt time.Time
}

// UnblockSeller ends a buyer's block of a seller. Repeating it changes nothing. It fails with
// Unauthenticated.
func (m *Service) UnblockSeller(ctx context.Context, actor core.Actor, seller core.UserID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "unblock seller", seller,
		func(tx Tx, _ time.Time) (struct{}, error) {
			if err := tx.RemoveBlockedSeller(ctx, actor.UserID, seller); err != nil {
				return struct{}{}, fmt.Errorf("unblock seller %d: %w", seller, err)
			}
			return struct{}{}, nil
		})
	return err
}

// BlockedSellers lists the sellers that the actor has blocked, the latest first. It fails with
// Unauthenticated.
func (m *Service) BlockedSellers(ctx context.Context, actor core.Actor) ([]BlockedSeller, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	sellers, err := m.store.BlockedSellers(ctx, actor.UserID, MaxBlockedSellers)
	if err != nil {
		return nil, fmt.Errorf("blocked sellers of user %d: %w", actor.UserID, err)
	}
	return sellers, nil
}
