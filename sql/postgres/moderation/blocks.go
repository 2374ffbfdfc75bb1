package moderation

import (
	"context"
	"time"

	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	peoplestore "tradepost/sql/postgres/people"
	tradestore "tradepost/sql/postgres/trade"
)

// BlockedUsers returns users who are blocked, the latest first.
func (s *Store) BlockedUsers(ctx context.Context, limit int) ([]people.User, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]people.User, error) {
		rows, err := q.BlockedUsers(ctx, int32(limit))
		return kernel.Convert(rows, peoplestore.User), err
	})
}

// SaveBlock stores whether a locked user is blocked, and hides or shows their orders.
func (t *Tx) SaveBlock(ctx context.Context, u people.User, now time.Time) error {
	err := t.Q.SaveBlock(ctx, db.SaveBlockParams{
		ID: u.ID, BlockedAt: kernel.TimeOrNull(u.BlockedAt), BlockedFor: u.BlockedFor,
	})
	if err != nil {
		return kernel.Translate(err)
	}
	return tradestore.HideOrders(ctx, t.Tx, u, now)
}
