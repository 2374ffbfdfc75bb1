package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/internal/db"
)

// Sessions keeps the browser's sessions. It is the scs.CtxStore of github.com/alexedwards/scs: unlike the one that comes
// with scs it gives up when the request does.
type Sessions struct{ store *Store }

// Sessions returns the place where sessions are kept.
func (s *Store) Sessions() Sessions { return Sessions{s} }

// FindCtx returns the data of a session that has not expired.
func (s Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	data, err = read(ctx, s.store, func(ctx context.Context, q *db.Queries) ([]byte, error) {
		data, err := q.Session(ctx, token, s.store.now())
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		return data, err
	})
	return data, data != nil, err
}

// CommitCtx stores the data of a session until expiry. scs computes with the host's clock, so what counts is the time left.
func (s Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	expiry = s.store.now().Add(time.Until(expiry))
	// Storing it again makes no difference, so it may be repeated like a read.
	_, err := read(ctx, s.store, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveSession(ctx, db.SaveSessionParams{Token: token, Data: data, Expiry: expiry})
	})
	return err
}

// DeleteCtx ends a session.
func (s Sessions) DeleteCtx(ctx context.Context, token string) error {
	_, err := read(ctx, s.store, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.DeleteSession(ctx, token)
	})
	return err
}

// Find, Commit and Delete are the same without a context, for scs.Store.

// Find is FindCtx.
func (s Sessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx.
func (s Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx.
func (s Sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }
