package trust

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// BlockedSellers returns the sellers that a buyer has blocked, the latest first.
func (s *Store) BlockedSellers(
	ctx context.Context, buyer core.UserID, limit int,
) ([]trust.BlockedSeller, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trust.BlockedSeller, error) {
		rows, err := q.BlockedSellers(ctx, buyer, int32(limit))
		return kernel.Convert(rows, func(r db.BlockedSellersRow) trust.BlockedSeller {
			return trust.BlockedSeller{Seller: r.SellerID, Username: r.Username, CreatedAt: r.CreatedAt}
		}), err
	})
}

// AddBlockedSeller keeps a locked seller from offering on a buyer's orders.
func (t *Tx) AddBlockedSeller(ctx context.Context, buyer, seller core.UserID, now time.Time) error {
	t.NoteUsers(buyer)
	return t.Q.AddBlockedSeller(ctx, db.AddBlockedSellerParams{
		BuyerID: buyer, SellerID: seller, CreatedAt: now,
	})
}

// RemoveBlockedSeller stores that a buyer no longer blocks a seller.
func (t *Tx) RemoveBlockedSeller(ctx context.Context, buyer, seller core.UserID) error {
	t.NoteUsers(buyer)
	return t.Q.RemoveBlockedSeller(ctx, buyer, seller)
}
