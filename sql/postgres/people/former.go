package people

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// accountKeySize is how many bytes a key has that is made here.
const accountKeySize = 32

// returned gives a user who has just been made what is remembered of the same account.
func (t *Tx) returned(ctx context.Context, u people.User, now time.Time) (people.User, error) {
	account, err := AccountHash(ctx, t.Tx, u.DiscordID)
	if err != nil {
		return u, err
	}
	found, err := t.Q.TakeFormerAccount(ctx, account, now.Add(-people.RememberFor))
	if err != nil {
		return u, kernel.Translate(err)
	}
	if len(found) == 0 {
		return u, kernel.Translate(t.Q.ReturnAgainst(ctx, int64(u.ID), account))
	}
	former := found[0]
	row, err := t.Q.ReturnUser(ctx, db.ReturnUserParams{
		ID: u.ID, Former: former.UserID, Since: former.Since, BlockedAt: former.BlockedAt,
		BlockedFor: former.BlockedFor, ReachStoppedAt: former.ReachStoppedAt,
	})
	if err != nil {
		return u, kernel.Translate(err)
	}
	u = User(row)
	for _, restore := range []func() error{
		func() error { return t.Q.ReturnPosts(ctx, int64(u.ID), former.Posted) },
		func() error { return t.Q.ReturnBlocks(ctx, u.ID, account) },
		func() error { return t.Q.ReturnAgainst(ctx, int64(u.ID), account) },
		func() error { return t.Q.ReturnReports(ctx, int64(u.ID), account) },
	} {
		if err := restore(); err != nil {
			return u, kernel.Translate(err)
		}
	}
	return u, nil
}

// AccountHash returns the keyed hash under which a Discord account is remembered. The hash is keyed because
// there are few enough ids to try them all: without the key, it identifies no account.
func AccountHash(ctx context.Context, t *kernel.Tx, discordID string) ([]byte, error) {
	key := t.IdentityKey
	if len(key) == 0 {
		made := make([]byte, accountKeySize)
		_, _ = rand.Read(made) // never fails
		var err error
		if key, err = t.Q.IdentityKey(ctx, made); err != nil {
			return nil, fmt.Errorf("key of accounts: %w", kernel.Translate(err))
		}
	}
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(discordID))
	return hash.Sum(nil), nil
}
