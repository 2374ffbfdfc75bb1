package upkeep

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/people"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	peoplestore "tradepost/sql/postgres/people"
	tradestore "tradepost/sql/postgres/trade"
)

// postsRemembered is how far back the posts of a deleted account are remembered: as far as deleted orders
// count.
const postsRemembered = 48 * time.Hour

// SaveLeaving stores whether a locked user is leaving, and hides or shows their orders.
func (t *Tx) SaveLeaving(ctx context.Context, u people.User, now time.Time) error {
	if err := t.Q.SaveLeaving(ctx, kernel.TimeOrNull(u.LeavingAt), u.ID); err != nil {
		return kernel.Translate(err)
	}
	if u.Leaving() {
		if err := t.Q.HideNames(ctx, int64(u.ID), u.Username); err != nil {
			return kernel.Translate(err)
		}
	}
	return tradestore.HideOrders(ctx, t.Tx, u, now)
}

// DeleteUser deletes a user. Decisions of others about the user are stored under a hash of the account, and
// the other sides of their accepts keep the user's contact.
func (t *Tx) DeleteUser(ctx context.Context, u people.User, now time.Time) error {
	t.NoteUsers(u.ID)
	t.NoteSignedOut(u.ID)
	t.NoteWrite()
	t.NoteAnyTrade()
	t.NoteLists()
	account, err := peoplestore.AccountHash(ctx, t.Tx, u.DiscordID)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error {
			return t.Q.RememberAccount(ctx, db.RememberAccountParams{
				Account: account, PostedSince: now.Add(-postsRemembered), Now: now, ID: u.ID,
			})
		},
		func() error {
			return t.Q.RememberBlocks(ctx, db.RememberBlocksParams{
				Account: account, Now: now, SellerID: u.ID,
			})
		},
		func() error {
			return t.Q.RememberAgainst(ctx, db.RememberAgainstParams{
				Account: account, ID: int64(u.ID), Since: kernel.OrNull(now.Add(-trust.NoShowFor)),
			})
		},
		func() error { return t.Q.RememberReports(ctx, account, int64(u.ID)) },
		func() error { return t.Q.ForgetMemberships(ctx, u.DiscordID) },
	} {
		if err := step(); err != nil {
			return kernel.Translate(err)
		}
	}
	if err := t.leave(ctx, u, now); err != nil {
		return err
	}
	if err := t.Q.DeleteUser(ctx, u.ID); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(pruneProvisional(ctx, t.Tx)) // among them names that only they typed
}

// leave deletes a user's data, and removes the user's name from the data of others. Rows that refer to the
// user's row are deleted with it.
func (t *Tx) leave(ctx context.Context, u people.User, now time.Time) error {
	id := int64(u.ID)
	for _, take := range []func(context.Context, int64) error{
		t.Q.LeaveHandovers, t.Q.LeaveDecisions, t.Q.LeaveNoticesOfHandovers, t.Q.LeaveLookAlikes,
		func(ctx context.Context, id int64) error { return t.Q.LeaveNoticesOfTrades(ctx, id, u.Username) },
		func(ctx context.Context, id int64) error { return t.Q.LeaveSentOffers(ctx, id, u.Username) },
		t.Q.TakeLapsedOffersOf, t.Q.TakeOffersOf, t.Q.TakeEndedOffersOf, t.Q.TakeSentOffersOf,
		t.Q.TakeNoticesOf,
		t.Q.LeaveReversals,
		func(ctx context.Context, id int64) error { return t.Q.KeepContacts(ctx, id, now) },
		t.Q.LeaveRemovedSales, t.Q.LeaveSales, t.Q.DeleteSessionsOf, t.Q.EndWebhooksOf,
	} {
		if err := take(ctx, id); err != nil {
			return kernel.Translate(err)
		}
	}
	orders, err := t.Q.LockOrdersOf(ctx, u.ID)
	if err != nil {
		return kernel.Translate(err)
	}
	return tradestore.DeleteOrders(ctx, t.Tx, orders)
}

// OrdersAndOffersOf returns the orders and the open offers of a user.
func (t *Tx) OrdersAndOffersOf(ctx context.Context, id core.UserID) ([]core.OrderID, []core.OfferID, error) {
	row, err := t.Q.Traded(ctx, id)
	if err != nil {
		return nil, nil, kernel.Translate(err)
	}
	return kernel.IDs[core.OrderID](row.Orders),
		kernel.IDs[core.OfferID](row.Offers), nil
}
