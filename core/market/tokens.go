package market

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/token"
)

// Tokens lists the actor's tokens, the newest first. It fails with Unauthenticated.
func (m *Market) Tokens(ctx context.Context, actor core.Actor) ([]token.Token, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	tokens, err := m.store.TokensOf(ctx, actor.UserID, m.Now())
	if err != nil {
		return nil, fmt.Errorf("tokens of user %d: %w", actor.UserID, err)
	}
	return tokens, nil
}

// MakeToken makes a token, with a notice to its owner. Its secret is returned once: the answer that is kept
// for a repeat has only the hash, so that the secret of a repeat is empty. It returns the same errors as
// token.Draft.Make.
func (m *Market) MakeToken(
	ctx context.Context, actor core.Actor, d token.Draft,
) (made token.Token, secret string, err error) {
	if err := token.MayMake(actor, m.Now()); err != nil {
		return token.Token{}, "", err
	}
	if secret, err = token.NewSecret(m.Random); err != nil {
		return token.Token{}, "", err
	}
	made, err = core.Write(ctx, m.run, actor, "make token", d, func(
		tx Tx, now time.Time,
	) (token.Token, error) {
		owner, err := tx.LockUser(ctx, actor.UserID)
		if err != nil {
			return token.Token{}, fmt.Errorf("lock user: %w", err)
		}
		by := actor
		by.Blocked, by.LeavingAt = owner.Blocked(), owner.LeavingAt
		others, err := tx.CountTokens(ctx, actor.UserID, now)
		if err != nil {
			return token.Token{}, fmt.Errorf("count tokens: %w", err)
		}
		made, err := d.Make(by, others, secret, m.Forms, now)
		if err != nil {
			return token.Token{}, err
		}
		if made.ID, err = tx.AddToken(ctx, made); err != nil {
			return token.Token{}, fmt.Errorf("add token: %w", err)
		}
		return made, notify.AddNotices(ctx, tx, []notify.Notice{{
			User: made.Owner, Kind: notify.NoticeTokenMade, Name: made.Name, State: notify.NoticePending,
			CreatedAt: now,
		}})
	})
	if err != nil {
		return token.Token{}, "", err
	}
	if !bytes.Equal(made.Hash, token.Hash(secret)) {
		secret = "" // of another token: this one was made before
	}
	made.Hash = nil
	return made, secret, nil
}

// EndToken ends one of the actor's tokens. It is no error when it has ended already. It fails with
// Unauthenticated.
func (m *Market) EndToken(ctx context.Context, actor core.Actor, id core.TokenID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "end token", id, func(tx Tx, _ time.Time) (struct{}, error) {
		return struct{}{}, tx.EndToken(ctx, actor.UserID, id)
	})
	return err
}

// ByToken returns the owner of a token, who does not moderate by it, and the token. It stores the use, at
// most once an hour. It fails with Unauthenticated for a token that is unknown or has ended.
func (m *Market) ByToken(ctx context.Context, secret string) (people.User, token.Found, error) {
	unknown := core.NewError(core.Unauthenticated, core.NewText("token_unknown"))
	if !token.WellFormed(secret) {
		return people.User{}, token.Found{}, unknown
	}
	found, user, err := m.store.FindToken(ctx, token.Hash(secret))
	now := m.Now()
	switch {
	case core.KindOf(err) == core.NotFound, err == nil && !found.Live(now):
		return people.User{}, token.Found{}, unknown
	case err != nil:
		return people.User{}, token.Found{}, fmt.Errorf("find token: %w", err)
	}
	if found.Touches(now) {
		_ = m.store.TouchToken(ctx, found.ID, now) // the next use stores it
	}
	user.Moderator = false
	return user, found, nil
}
