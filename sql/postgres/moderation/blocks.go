package moderation

import (
	"context"
	"errors"
	"time"

	"tradepost/core"
	"tradepost/core/moderation"
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

// Reaching returns the users with a stopped reach, and those with so many people messaged by their acts
// since a time; of both the farthest reaching first.
func (s *Store) Reaching(
	ctx context.Context, since time.Time, atLeast, limit int,
) ([]moderation.Reaching, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]moderation.Reaching, error) {
		rows, err := q.Reaching(ctx, db.ReachingParams{
			Since: since, AtLeast: int64(atLeast), Most: int32(limit),
		})
		return kernel.Convert(rows, func(r db.ReachingRow) moderation.Reaching {
			return moderation.Reaching{
				User:   people.User{ID: r.ID, Username: r.Username},
				People: int(r.People), StoppedAt: kernel.OrZero(r.ReachStoppedAt),
			}
		}), err
	})
}

// StopReach stores that a locked user's acts send no messages. Notices of these acts that are in no message
// yet are in the readers' inbox only.
func (t *Tx) StopReach(ctx context.Context, id core.UserID, now time.Time) error {
	if err := t.Q.SaveReachStopped(ctx, &now, id); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(t.Q.HoldBack(ctx, &now, int64(id)))
}

// AllowReach ends that.
func (t *Tx) AllowReach(ctx context.Context, id core.UserID) error {
	return kernel.Translate(t.Q.SaveReachStopped(ctx, nil, id))
}

// SaveBlock stores whether a locked user is blocked, and hides or shows their orders. A block ends the tokens
// of their programs, and their webhooks.
func (t *Tx) SaveBlock(ctx context.Context, u people.User, now time.Time) error {
	err := t.Q.SaveBlock(ctx, db.SaveBlockParams{
		ID: u.ID, BlockedAt: kernel.TimeOrNull(u.BlockedAt), BlockedFor: u.BlockedFor,
	})
	if err == nil && u.Blocked() {
		err = errors.Join(t.Q.EndTokens(ctx, u.ID), t.Q.EndWebhooksOf(ctx, int64(u.ID)))
	}
	if err != nil {
		return kernel.Translate(err)
	}
	return tradestore.HideOrders(ctx, t.Tx, u, now)
}
