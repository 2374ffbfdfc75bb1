package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// SaveUser stores what Discord says of an account under its Discord id and returns the user. One that is known as it is
// costs a read.
func (s *peopleStore) SaveUser(ctx context.Context, p core.Profile, now time.Time) (core.User, error) {
	known, err := readAlways(ctx, s.DB, func(ctx context.Context, q source) (*core.User, error) {
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
	if known != nil && says(*known, p, now) {
		s.follow(ctx, known.ID)
		return *known, nil
	}
	var saved core.User
	err = s.InTx(ctx, func(in *Tx) error {
		t := newPeopleTx(in)
		row, err := t.Q.SaveUser(ctx, db.SaveUserParams{
			DiscordID: p.DiscordID, Username: p.Username, DisplayName: p.DisplayName, Avatar: p.Avatar, Email: p.Email, Locale: p.Locale, Now: now,
			ModeratorRole: p.ModeratorRole, RolesKnown: p.Roles != nil,
		})
		if err != nil {
			return translate(err)
		}
		saved = user(row)
		if known == nil {
			if saved, err = t.returned(ctx, saved, now); err != nil {
				return err
			}
		}
		if known != nil && known.Username != saved.Username {
			if err := t.renameContacts(ctx, saved, known.Username, now); err != nil {
				return err
			}
		}
		return t.Q.AddMailbox(ctx, saved.ID)
	})
	return saved, err
}

// renameContacts replaces the former name of an account where it is its owner's contact.
func (t *peopleTx) renameContacts(ctx context.Context, u core.User, former string, now time.Time) error {
	for _, rename := range []func() error{
		func() error {
			return t.Q.RenameBuyerContact(ctx, db.RenameBuyerContactParams{Username: u.Username, Now: now, UserID: u.ID, Former: former})
		},
		func() error {
			return t.Q.RenameSellerContact(ctx, db.RenameSellerContactParams{Username: u.Username, UserID: int64(u.ID), Former: former})
		},
		func() error {
			return t.Q.RenameSentOfferContact(ctx, db.RenameSentOfferContactParams{Username: &u.Username, UserID: u.ID, Former: &former})
		},
	} {
		if err := rename(); err != nil {
			return translate(err)
		}
	}
	return nil
}

// roleSeenEvery is how old the time may be at which a moderator's role was last seen.
const roleSeenEvery = 24 * time.Hour

// says reports whether a user is stored as the profile says.
func says(u core.User, p core.Profile, now time.Time) bool {
	role := p.Roles == nil || u.ModeratorRole == p.ModeratorRole &&
		(p.ModeratorRole == "" || now.Sub(u.ModeratorRoleAt) < roleSeenEvery)
	return role && u.Username == p.Username && u.DisplayName == p.DisplayName && u.Avatar == p.Avatar &&
		(p.Email == "" || p.Email == u.Email) && (p.Locale == "" || p.Locale == u.Locale)
}

// User returns a user. It returns a NotFound error if there is none.
func (s *peopleStore) User(ctx context.Context, id core.UserID) (core.User, error) {
	known, err := readAlways(ctx, s.DB, func(ctx context.Context, q source) (core.User, error) {
		row, err := q.User(ctx, id)
		return user(row), err
	})
	if err == nil {
		s.follow(ctx, id)
	}
	return known, err
}

// Counts returns the numbers shown on a user's tabs.
func (s *tradeStore) Counts(ctx context.Context, id core.UserID, now time.Time) (core.Counts, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.Counts, error) {
		row, err := q.Counts(ctx, now, id)
		return core.Counts{
			Active: int(row.Active), Fulfilled: int(row.Fulfilled), Archived: int(row.Archived), Expired: int(row.Expired), Unread: int(row.Unread),
			Received: int(row.Received),
		}, err
	})
}

func (t *upkeepTx) OrdersAndOffersOf(ctx context.Context, id core.UserID) ([]core.OrderID, []core.OfferID, error) {
	row, err := t.Q.Traded(ctx, id)
	if err != nil {
		return nil, nil, translate(err)
	}
	return convert(row.Orders, func(id int64) core.OrderID { return core.OrderID(id) }),
		convert(row.Offers, func(id int64) core.OfferID { return core.OfferID(id) }), nil
}

// Accounts returns the Discord accounts of those users who are there.
func (s *peopleStore) Accounts(ctx context.Context, ids []core.UserID) (core.Accounts, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.Accounts, error) {
		rows, err := q.Accounts(ctx, raw(ids))
		return accounts(rows), err
	})
}

func accounts(rows []db.AccountsRow) core.Accounts {
	found := make(core.Accounts, len(rows))
	for _, r := range rows {
		found[r.ID] = core.Account{DiscordID: r.DiscordID, Username: r.Username, DisplayName: r.DisplayName, Avatar: r.Avatar}
	}
	return found
}
