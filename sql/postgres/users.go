package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

// SaveUser stores what Discord says of an account under its Discord id and returns the user. One that is known as it is
// costs a read.
func (s *Store) SaveUser(ctx context.Context, p core.Profile, now time.Time) (core.User, error) {
	known, err := read(ctx, s, func(ctx context.Context, q *db.Queries) (*core.User, error) {
		row, err := q.UserOfAccount(ctx, p.DiscordID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		u := user(row)
		return &u, err
	})
	if err != nil {
		return core.User{}, err
	}
	if known != nil && says(*known, p) {
		return *known, nil
	}
	var saved core.User
	err = s.Atomically(ctx, func(ct core.Tx) error {
		t := ct.(*tx)
		row, err := t.q.SaveUser(ctx, db.SaveUserParams{
			DiscordID: p.DiscordID, Username: p.Username, DisplayName: p.DisplayName, Email: p.Email, Locale: p.Locale, Now: now,
		})
		if err != nil {
			return translate(err)
		}
		saved = user(row)
		return t.q.AddMailbox(ctx, saved.ID)
	})
	return saved, err
}

func says(u core.User, p core.Profile) bool {
	return u.Username == p.Username && u.DisplayName == p.DisplayName &&
		(p.Email == "" || p.Email == u.Email) && (p.Locale == "" || p.Locale == u.Locale)
}

// User returns a user. It refuses with NotFound.
func (s *Store) User(ctx context.Context, id core.UserID) (core.User, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (core.User, error) {
		row, err := q.User(ctx, id)
		return user(row), err
	})
}

// Counts returns the figures beside a user's tabs.
func (s *Store) Counts(ctx context.Context, id core.UserID, now time.Time) (core.Counts, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (core.Counts, error) {
		row, err := q.Counts(ctx, now, id)
		return core.Counts{
			Active: int(row.Active), Fulfilled: int(row.Fulfilled), Expired: int(row.Expired), Unread: int(row.Unread),
		}, err
	})
}

func (t *tx) Traded(ctx context.Context, id core.UserID) ([]core.OrderID, []core.OfferID, error) {
	row, err := t.q.Traded(ctx, id)
	if err != nil {
		return nil, nil, translate(err)
	}
	return convert(row.Orders, func(id int64) core.OrderID { return core.OrderID(id) }),
		convert(row.Offers, func(id int64) core.OfferID { return core.OfferID(id) }), nil
}

func (t *tx) DeleteUser(ctx context.Context, id core.UserID) error {
	t.users = append(t.users, id)
	t.wrote, t.lists = true, true
	return t.q.DeleteUser(ctx, id)
}
