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

// LockUser locks a user against trading at the same time.
func (t *Tx) LockUser(ctx context.Context, id core.UserID) (people.User, error) {
	row, err := t.Q.LockUser(ctx, id)
	return User(row), kernel.Translate(err)
}

// FindUser returns the user of a Discord account. It returns a NotFound error if there is none.
func (s *Store) FindUser(ctx context.Context, discordID string) (people.User, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (people.User, error) {
		row, err := q.UserOfAccount(ctx, discordID)
		return User(row), err
	})
}

// User returns the user of a row.
func User(u db.User) people.User {
	return people.User{
		ID: u.ID, DiscordID: u.DiscordID, Username: u.Username, DisplayName: u.DisplayName, Avatar: u.Avatar,
		Email:  u.Email,
		Locale: u.Locale, CreatedAt: u.CreatedAt, BlockedAt: kernel.OrZero(u.BlockedAt),
		BlockedFor: u.BlockedFor, SignedOutAt: kernel.OrZero(u.SignedOutAt),
		LeavingAt:      kernel.OrZero(u.LeavingAt),
		ReachStoppedAt: kernel.OrZero(u.ReachStoppedAt),
		InGameName:     kernel.OrZero(u.InGameName), ModeratorRole: u.ModeratorRole,
		ModeratorRoleAt: kernel.OrZero(u.ModeratorRoleAt), Language: kernel.OrZero(u.Language),
	}
}

// SaveInGameName stores how a user is called in the game; an empty name is none.
func (t *Tx) SaveInGameName(ctx context.Context, user core.UserID, name string) error {
	t.NoteWrite()
	t.NoteUsers(user)
	return kernel.Translate(t.Q.SaveInGameName(ctx, name, user))
}

// UserWithAccount returns the user with a Discord account. It returns a NotFound error if there is none.
func (s *Store) UserWithAccount(ctx context.Context, discordID string) (core.UserID, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.UserID, error) {
		row, err := q.UserOfAccount(ctx, discordID)
		return row.ID, err
	})
}

// SaveUser stores the Discord profile of an account under its Discord id and returns the user. An unchanged
// account costs only a read.
func (s *Store) SaveUser(ctx context.Context, p people.Profile, now time.Time) (people.User, error) {
	known, err := kernel.ReadAlways(ctx, s.DB, func(
		ctx context.Context, q kernel.Source,
	) (*people.User, error) {
		row, err := q.UserOfAccount(ctx, p.DiscordID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		u := User(row)
		return &u, err
	})
	if err != nil {
		return people.User{}, err
	}
	if known != nil && says(*known, p, now) {
		s.Follow(ctx, known.ID)
		return *known, nil
	}
	var saved people.User
	err = s.InTx(ctx, func(in *kernel.Tx) error {
		t := NewTx(in)
		row, err := t.Q.SaveUser(ctx, db.SaveUserParams{
			DiscordID: p.DiscordID, Username: p.Username, DisplayName: p.DisplayName, Avatar: p.Avatar,
			Email: p.Email, Locale: p.Locale, Now: now,
			ModeratorRole: p.ModeratorRole, RolesKnown: p.Roles != nil,
		})
		if err != nil {
			return kernel.Translate(err)
		}
		saved = User(row)
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

// SaveLanguage stores the language that a user has chosen; an empty one is none.
func (t *Tx) SaveLanguage(ctx context.Context, user core.UserID, language string) error {
	t.NoteUsers(user)
	return kernel.Translate(t.Q.SaveLanguage(ctx, language, user))
}

// renameContacts replaces the former name of an account where it is its owner's contact.
func (t *Tx) renameContacts(ctx context.Context, u people.User, former string, now time.Time) error {
	for _, rename := range []func() error{
		func() error {
			return t.Q.RenameBuyerContact(ctx, db.RenameBuyerContactParams{
				Username: u.Username, Now: now, UserID: u.ID, Former: former,
			})
		},
		func() error {
			return t.Q.RenameSellerContact(ctx, db.RenameSellerContactParams{
				Username: u.Username, UserID: int64(u.ID), Former: former,
			})
		},
		func() error {
			return t.Q.RenameSentOfferContact(ctx, db.RenameSentOfferContactParams{
				Username: &u.Username, UserID: u.ID, Former: &former,
			})
		},
	} {
		if err := rename(); err != nil {
			return kernel.Translate(err)
		}
	}
	return nil
}

// roleSeenEvery is how old the time may be at which a moderator's role was last seen.
const roleSeenEvery = 24 * time.Hour

// says reports whether a user is stored as the profile says.
func says(u people.User, p people.Profile, now time.Time) bool {
	role := p.Roles == nil || u.ModeratorRole == p.ModeratorRole &&
		(p.ModeratorRole == "" || now.Sub(u.ModeratorRoleAt) < roleSeenEvery)
	return role && u.Username == p.Username && u.DisplayName == p.DisplayName && u.Avatar == p.Avatar &&
		(p.Email == "" || p.Email == u.Email) && (p.Locale == "" || p.Locale == u.Locale)
}

// User returns a user. It returns a NotFound error if there is none.
func (s *Store) User(ctx context.Context, id core.UserID) (people.User, error) {
	known, err := kernel.ReadAlways(ctx, s.DB,
		func(ctx context.Context, q kernel.Source) (people.User, error) {
			row, err := q.User(ctx, id)
			return User(row), err
		})
	if err == nil {
		s.Follow(ctx, id)
	}
	return known, err
}

// Accounts returns the Discord accounts of those users who are there.
func (s *Store) Accounts(ctx context.Context, ids []core.UserID) (people.Accounts, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (people.Accounts, error) {
		rows, err := q.Accounts(ctx, kernel.Raw(ids))
		return Accounts(rows), err
	})
}

// Accounts returns the accounts of rows.
func Accounts(rows []db.AccountsRow) people.Accounts {
	found := make(people.Accounts, len(rows))
	for _, r := range rows {
		found[r.ID] = people.Account{
			DiscordID: r.DiscordID, Username: r.Username, DisplayName: r.DisplayName, Avatar: r.Avatar,
		}
	}
	return found
}
