package postgres

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

// AddDraft keeps what a user has typed and not yet decided on.
func (s *Store) AddDraft(ctx context.Context, owner core.UserID, content []byte) (id int64, err error) {
	// A second copy after a broken connection harms nobody, so it may be repeated like a read.
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.AddDraft(ctx, db.AddDraftParams{UserID: owner, Content: content, Now: time.Now()})
	})
}

// Draft returns a draft of the owner's. It refuses with NotFound, also when it is somebody else's.
func (s *Store) Draft(ctx context.Context, owner core.UserID, id int64) ([]byte, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) ([]byte, error) {
		return q.Draft(ctx, id, owner)
	})
}
