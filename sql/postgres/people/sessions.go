package people

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Sessions keeps the browser's sessions. It is the scs.CtxStore of github.com/alexedwards/scs: unlike the one
// that comes with scs it gives up when the request does.
type Sessions struct{ db *kernel.DB }

// Sessions returns the place where sessions are kept.
func (s *Store) Sessions() Sessions { return Sessions{s.DB} }

// FindCtx returns the data of a session that has not expired.
func (s Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	data, err = kernel.ReadAlways(ctx, s.db, func(ctx context.Context, q kernel.Source) ([]byte, error) {
		data, err := q.Session(ctx, token, s.db.Now())
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		return data, err
	})
	return data, data != nil, err
}

// FindUserCtx is FindCtx, but reads the user with the session: nil for a visitor's session and for a session
// that does not name its user. A session without data has only its own columns; it ends by the host's clock,
// as in CommitUserCtx.
func (s Sessions) FindUserCtx(
	ctx context.Context, token string,
) (session people.FoundSession, found bool, err error) {
	row, err := kernel.ReadAlways(ctx, s.db, func(
		ctx context.Context, q kernel.Source,
	) (*db.UserSessionRow, error) {
		row, err := q.UserSession(ctx, token, s.db.Now())
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		return &row, err
	})
	if err != nil || row == nil {
		if err == nil {
			session.Data, found, err = s.FindCtx(ctx, token)
		}
		return session, found, err
	}
	u := User(row.User)
	s.db.Follow(ctx, u.ID)
	return people.FoundSession{
		Data: row.Data, User: &u, Ends: time.Now().Add(row.Expiry.Sub(s.db.Now())),
		Session: people.Session{
			ID: core.SessionID(row.PublicID), Agent: row.Agent, Since: row.Since, UsedAt: row.UsedAt,
		},
	}, true, nil
}

// CommitCtx stores the data of a session until expiry. scs computes with the host's clock, so what counts is
// the time left.
func (s Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	expiry = s.db.Now().Add(time.Until(expiry))
	// Storing it again makes no difference, so it may be repeated like a read.
	_, err := kernel.Read(ctx, s.db, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveSession(ctx, db.SaveSessionParams{Token: token, Data: data, Expiry: expiry})
	})
	return err
}

// CommitUserCtx stores the data of a user's session until expiry.
func (s Sessions) CommitUserCtx(
	ctx context.Context, token string, data []byte, expiry time.Time, of people.UserSession,
) error {
	id, public := int64(of.User), string(of.ID)
	row := db.SaveSessionParams{
		Token: token, Data: data, Expiry: s.db.Now().Add(time.Until(expiry)),
		UserID: &id, PublicID: &public, Agent: of.Agent, Since: &of.Since, UsedAt: &of.UsedAt,
	}
	_, err := kernel.Read(ctx, s.db, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		if of.Begins {
			return struct{}{}, q.SaveSession(ctx, row)
		}
		return struct{}{}, q.UpdateSession(ctx, db.UpdateSessionParams{
			Token: row.Token, Data: row.Data, Expiry: row.Expiry,
			UserID: row.UserID, PublicID: row.PublicID, Agent: row.Agent, Since: row.Since,
			UsedAt: row.UsedAt,
		})
	})
	return err
}

// DeleteCtx ends a session. Event streams of its user hear of it.
func (s Sessions) DeleteCtx(ctx context.Context, token string) error {
	users, err := kernel.Read(ctx, s.db, func(ctx context.Context, q *db.Queries) ([]int64, error) {
		return q.DeleteSession(ctx, token, s.db.Now())
	})
	if err == nil && len(users) > 0 {
		s.db.Feed().Committed(core.Change{SignedOut: kernel.IDs[core.UserID](users)})
	}
	return err
}

// SessionsOf returns a user's sessions that were used after a time, the latest used first.
func (s *Store) SessionsOf(
	ctx context.Context, user core.UserID, usedSince time.Time,
) ([]people.Session, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]people.Session, error) {
		rows, err := q.SessionsOf(ctx, db.SessionsOfParams{
			UserID: int64(user), Now: s.Now(), UsedSince: usedSince,
		})
		return kernel.Convert(rows, func(r db.SessionsOfRow) people.Session {
			return people.Session{
				ID: core.SessionID(kernel.OrZero(r.PublicID)), Agent: r.Agent, Since: kernel.OrZero(r.Since),
				UsedAt: kernel.OrZero(r.UsedAt),
			}
		}), err
	})
}

// EndSession ends a user's session, if it is there.
func (t *Tx) EndSession(ctx context.Context, user core.UserID, id core.SessionID) error {
	t.NoteSignedOut(user)
	return kernel.Translate(t.Q.EndSession(ctx, int64(user), string(id)))
}

// EndSessions ends every session of a user that began before now, and every token.
func (t *Tx) EndSessions(ctx context.Context, user core.UserID, now time.Time) error {
	t.NoteSignedOut(user)
	return kernel.Translate(t.Q.EndSessions(ctx, &now, int64(user)))
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
