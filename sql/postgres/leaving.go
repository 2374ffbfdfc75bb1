package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// accountKeySize is how many bytes a key has that is made here.
const accountKeySize = 32

// postsRemembered is how far back the posts of a deleted account are remembered: as far as deleted orders count.
const postsRemembered = 48 * time.Hour

func (t *upkeepTx) SaveLeaving(ctx context.Context, u core.User, now time.Time) error {
	if err := t.Q.SaveLeaving(ctx, timeOrNull(u.LeavingAt), u.ID); err != nil {
		return translate(err)
	}
	if u.Leaving() {
		if err := t.Q.HideNames(ctx, int64(u.ID), u.Username); err != nil {
			return translate(err)
		}
	}
	return hideOrders(ctx, t.Tx, u, now)
}

// hideOrders hides or shows the orders of a user as they are now.
func hideOrders(ctx context.Context, t *Tx, u core.User, now time.Time) error {
	moved, err := t.Q.HideOrders(ctx, db.HideOrdersParams{UserID: u.ID, Hidden: u.Blocked() || u.Leaving(), UpdatedAt: now})
	t.NotePosted(moved...)
	t.NoteUsers(u.ID)
	if len(moved) > 0 {
		t.NoteLists()
	}
	return translate(err)
}

// DeleteUser deletes a user. What others have decided about them is remembered under a hash of the account, and the other sides
// of their accepts keep how to reach them.
func (t *upkeepTx) DeleteUser(ctx context.Context, u core.User, now time.Time) error {
	t.NoteUsers(u.ID)
	t.NoteSignedOut(u.ID)
	t.NoteWrite()
	t.NoteAnyTrade()
	t.NoteLists()
	account, err := accountHash(ctx, t.Tx, u.DiscordID)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return t.Q.KeepContacts(ctx, int64(u.ID), now) },
		func() error {
			return t.Q.RememberAccount(ctx, db.RememberAccountParams{Account: account, PostedSince: now.Add(-postsRemembered), Now: now, ID: u.ID})
		},
		func() error {
			return t.Q.RememberBlocks(ctx, db.RememberBlocksParams{Account: account, Now: now, SellerID: u.ID})
		},
		func() error { return t.Q.RememberReports(ctx, account, int64(u.ID)) },
		func() error { return t.Q.ForgetMemberships(ctx, u.DiscordID) },
	} {
		if err := step(); err != nil {
			return translate(err)
		}
	}
	if err := t.leave(ctx, u); err != nil {
		return err
	}
	return translate(t.Q.DeleteUser(ctx, u.ID))
}

// leave takes what is of a user, and their name out of what is of others. What refers to the user's row goes with it.
func (t *upkeepTx) leave(ctx context.Context, u core.User) error {
	id := int64(u.ID)
	for _, take := range []func(context.Context, int64) error{
		t.Q.LeaveHandovers, t.Q.LeaveDecisions, t.Q.LeaveNoticesOfHandovers, t.Q.LeaveLookAlikes,
		func(ctx context.Context, id int64) error { return t.Q.LeaveNoticesOfTrades(ctx, id, u.Username) },
		func(ctx context.Context, id int64) error { return t.Q.LeaveSentOffers(ctx, id, u.Username) },
		t.Q.TakeLapsedOffersOf, t.Q.TakeOffersOf, t.Q.TakeEndedOffersOf, t.Q.TakeSentOffersOf, t.Q.TakeNoticesOf,
		t.Q.LeaveReversals, t.Q.LeaveSales, t.Q.DeleteSessionsOf,
	} {
		if err := take(ctx, id); err != nil {
			return translate(err)
		}
	}
	orders, err := t.Q.LockOrdersOf(ctx, u.ID)
	if err != nil {
		return translate(err)
	}
	return deleteOrders(ctx, t.Tx, orders)
}

// returned gives a user who has just been made what is remembered of the same account.
func (t *peopleTx) returned(ctx context.Context, u core.User, now time.Time) (core.User, error) {
	account, err := accountHash(ctx, t.Tx, u.DiscordID)
	if err != nil {
		return u, err
	}
	found, err := t.Q.TakeFormerAccount(ctx, account, now.Add(-core.RememberFor))
	if err != nil || len(found) == 0 {
		return u, translate(err)
	}
	former := found[0]
	row, err := t.Q.ReturnUser(ctx, db.ReturnUserParams{
		ID: u.ID, Former: former.UserID, Since: former.Since, BlockedAt: former.BlockedAt, BlockedFor: former.BlockedFor,
	})
	if err != nil {
		return u, translate(err)
	}
	u = user(row)
	for _, restore := range []func() error{
		func() error { return t.Q.ReturnPosts(ctx, int64(u.ID), former.Posted) },
		func() error { return t.Q.ReturnBlocks(ctx, u.ID, account) },
		func() error { return t.Q.ReturnReports(ctx, int64(u.ID), account) },
	} {
		if err := restore(); err != nil {
			return u, translate(err)
		}
	}
	return u, nil
}

// accountHash returns the keyed hash under which a Discord account is remembered. Without the key it names nobody: there are few
// enough ids to try them all.
func accountHash(ctx context.Context, t *Tx, discordID string) ([]byte, error) {
	key := t.IdentityKey
	if len(key) == 0 {
		made := make([]byte, accountKeySize)
		_, _ = rand.Read(made) // never fails
		var err error
		if key, err = t.Q.IdentityKey(ctx, made); err != nil {
			return nil, fmt.Errorf("key of accounts: %w", translate(err))
		}
	}
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(discordID))
	return hash.Sum(nil), nil
}
