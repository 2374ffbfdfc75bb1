package people

import (
	"context"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// AddDraft stores a user's input that is not yet confirmed.
func (s *Store) AddDraft(ctx context.Context, owner core.UserID, content []byte) (id int64, err error) {
	// A second copy after a broken connection does no harm, so it may be retried like a read.
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.AddDraft(ctx, db.AddDraftParams{UserID: owner, Content: content, Now: s.Now()})
	})
}

// Draft returns a draft of the owner's. It returns a NotFound error if there is none, or another user owns
// it.
func (s *Store) Draft(ctx context.Context, owner core.UserID, id int64) ([]byte, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]byte, error) {
		return q.Draft(ctx, id, owner)
	})
}
