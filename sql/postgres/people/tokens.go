package people

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/token"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// FindToken returns a token by the hash of its secret, with its owner. It returns NotFound.
func (s *Store) FindToken(ctx context.Context, hash []byte) (token.Found, people.User, error) {
	row, err := kernel.ReadAlways(ctx, s.DB, func(
		ctx context.Context, q kernel.Source,
	) (db.FindTokenRow, error) {
		return q.FindToken(ctx, hash)
	})
	if err != nil {
		return token.Found{}, people.User{}, kernel.Translate(err)
	}
	u := User(row.User)
	s.Follow(ctx, u.ID)
	return token.Found{
		Token: tokenOf(db.TokensOfRow{
			ID: row.ID, Name: row.Name, Scopes: row.Scopes, CreatedAt: row.CreatedAt,
			ExpiresAt: row.ExpiresAt, UsedAt: row.UsedAt,
		}, u.ID),
		SignedOutAt: u.SignedOutAt, Blocked: u.Blocked(), Leaving: u.Leaving(),
		TradeAllowed: row.TradeAllowed,
	}, u, nil
}

// TouchToken stores when a token was last used. Storing it again makes no difference, so it may be repeated
// like a read.
func (s *Store) TouchToken(ctx context.Context, id core.TokenID, now time.Time) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.TouchToken(ctx, now, id)
	})
	return err
}

// TokensOf returns a user's tokens that have not expired, the newest first.
func (s *Store) TokensOf(ctx context.Context, user core.UserID, now time.Time) ([]token.Token, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]token.Token, error) {
		rows, err := q.TokensOf(ctx, user, now)
		return kernel.Convert(rows, func(r db.TokensOfRow) token.Token { return tokenOf(r, user) }), err
	})
}

func tokenOf(r db.TokensOfRow, owner core.UserID) token.Token {
	return token.Token{
		ID: r.ID, Owner: owner, Name: r.Name,
		Scopes:    kernel.Convert(r.Scopes, func(s string) token.Scope { return token.Scope(s) }),
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, UsedAt: kernel.OrZero(r.UsedAt),
	}
}

// CountTokens returns how many tokens a locked user has that have not expired.
func (t *Tx) CountTokens(ctx context.Context, user core.UserID, now time.Time) (int, error) {
	n, err := t.Q.CountTokens(ctx, user, now)
	return int(n), kernel.Translate(err)
}

// AddToken stores a token and returns its number.
func (t *Tx) AddToken(ctx context.Context, made token.Token) (core.TokenID, error) {
	id, err := t.Q.AddToken(ctx, db.AddTokenParams{
		Hash: made.Hash, UserID: made.Owner, Name: made.Name,
		Scopes:    kernel.Convert(made.Scopes, func(s token.Scope) string { return string(s) }),
		CreatedAt: made.CreatedAt, ExpiresAt: made.ExpiresAt,
	})
	return id, kernel.Translate(err)
}

// EndToken ends a user's token, if it is there.
func (t *Tx) EndToken(ctx context.Context, user core.UserID, id core.TokenID) error {
	return kernel.Translate(t.Q.EndToken(ctx, user, id))
}
