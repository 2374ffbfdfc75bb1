package people

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// PlayHours returns when a user plays.
func (s *Store) PlayHours(ctx context.Context, user core.UserID) (people.PlayHours, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (people.PlayHours, error) {
		r, err := q.PlayHours(ctx, int64(user))
		if errors.Is(err, pgx.ErrNoRows) {
			return people.PlayHours{}, nil
		}
		if err != nil {
			return people.PlayHours{}, err
		}
		return people.PlayHours{
			Said: WeekOf(r.Said), Learns: r.Learns, Learned: hours.Learned(r.Learned),
			Answered: true,
		}, nil
	})
}

// PlayWeeks returns when users play, of those who have said so.
func (s *Store) PlayWeeks(
	ctx context.Context, users []core.UserID,
) (map[core.UserID]hours.Week, error) {
	return kernel.Read(ctx, s.DB,
		func(ctx context.Context, q *db.Queries) (map[core.UserID]hours.Week, error) {
			rows, err := q.PlayWeeks(ctx, kernel.Raw(users))
			weeks := map[core.UserID]hours.Week{}
			for _, r := range rows {
				weeks[core.UserID(r.UserID)] = WeekOf(r.Said).With(hours.Learned(r.Learned))
			}
			return weeks, err
		})
}

// WeekOf returns the week of a column; an empty one for null.
func WeekOf(stored []byte) (w hours.Week) {
	copy(w[:], stored)
	return w
}

// SavePlayHours stores when a user says that they play.
func (t *Tx) SavePlayHours(ctx context.Context, user core.UserID, said hours.Week, now time.Time) error {
	t.NoteUsers(user)
	return kernel.Translate(t.Q.SavePlayHours(ctx, db.SavePlayHoursParams{
		UserID: int64(user), Said: said[:], SavedAt: now,
	}))
}

// SaveLearning stores whether a user's hours are learned.
func (t *Tx) SaveLearning(ctx context.Context, user core.UserID, on bool, now time.Time) error {
	t.NoteUsers(user)
	return kernel.Translate(t.Q.SaveLearning(ctx, db.SaveLearningParams{
		UserID: int64(user), Learns: on, SavedAt: now,
	}))
}

// ErasePlayHours removes a user's hours, and ends the learning.
func (t *Tx) ErasePlayHours(ctx context.Context, user core.UserID, now time.Time) error {
	t.NoteUsers(user)
	return kernel.Translate(t.Q.ErasePlayHours(ctx, now, int64(user)))
}
