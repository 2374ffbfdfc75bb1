package match

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	notifystore "tradepost/sql/postgres/notify"
)

// DueAlertRounds returns up to limit requests that watchers are to be alerted to now: the requests that
// failed before, or the others.
func (s *Store) DueAlertRounds(
	ctx context.Context, now time.Time, failed bool, limit int,
) ([]core.OrderID, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.OrderID, error) {
		return q.DueAlertRounds(ctx, db.DueAlertRoundsParams{Now: now, Failed: failed, Most: int32(limit)})
	})
}

// MutedBuyers returns the buyers that a user has muted, the latest first.
func (s *Store) MutedBuyers(ctx context.Context, user core.UserID, limit int) ([]match.MutedBuyer, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]match.MutedBuyer, error) {
		rows, err := q.MutedBuyers(ctx, user, int32(limit))
		return kernel.Convert(rows, func(r db.MutedBuyersRow) match.MutedBuyer {
			return match.MutedBuyer{Buyer: r.BuyerID, Username: r.Username, Since: r.CreatedAt}
		}), err
	})
}

// CountWatchers counts the users that a request would be alerted to, up to a limit.
func (s *Store) CountWatchers(ctx context.Context, o match.AudienceQuery) (int, error) {
	texts, err := json.Marshal(o.FilterTexts())
	if err != nil {
		return 0, fmt.Errorf("write the texts of an order: %w", err)
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int, error) {
		n, err := q.CountWatchers(ctx, db.CountWatchersParams{
			Keys: o.Keys, BuyerID: o.Owner, Kind: o.Kind, Category: string(o.Category),
			Importance:    string(o.Importance),
			LevelRequired: o.LevelRequired(), Price: int64(o.MaxPrice), Quantity: o.Quantity,
			Content: o.Content(), Names: o.CategoryWords(), Texts: string(texts),
			Stocked: o.Stocked, TouchedAfter: o.TouchedAfter, Most: int32(o.Limit),
		})
		return int(n), err
	})
}

// CountPosted counts the orders that were posted after a time and match a filter, whatever has become of
// them. A filter with names of items asks for one of them.
func (s *Store) CountPosted(
	ctx context.Context, f match.OrderFilter, minQuantity int, since time.Time,
) (int, error) {
	c := conditions{led: byFilter}
	c.that("created_at > ?", since)
	c.that("not hidden")
	if f.Named != nil {
		c.that("item_key(item_name) = any(array(select item_key(n) from unnest(?::text[]) n))", f.Named)
	}
	if minQuantity > 0 {
		c.that("quantity >= ?", minQuantity)
	}
	c.filter(f, match.Newest)
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, from kernel.Source) (n int, err error) {
		sql := "select count(*)::integer from orders" + c.where()
		err = kernel.ForValues(ctx, from, sql, c.args, func(rows pgx.Rows) error {
			n, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
			return err
		})
		return n, err
	})
}

// AddAlertRound stores that watchers are to be alerted to an order that was posted or edited.
func (t *Tx) AddAlertRound(ctx context.Context, r match.AlertRound) error {
	before, err := writeBefore(r)
	if err != nil {
		return err
	}
	return t.Q.AddAlertRound(ctx, db.AddAlertRoundParams{OrderID: r.Order, Since: r.Since, Before: before})
}

// writeBefore returns what the subject of a round was before; nil for a new one.
func writeBefore(r match.AlertRound) ([]byte, error) {
	if r.Before == nil {
		return nil, nil
	}
	before, err := json.Marshal(r.Before)
	if err != nil {
		return nil, fmt.Errorf("write what a request or a listing was: %w", err)
	}
	return before, nil
}

// LockAlertRound locks the round of a locked order.
func (t *Tx) LockAlertRound(ctx context.Context, id core.OrderID) (match.AlertRound, error) {
	row, err := t.Q.LockAlertRound(ctx, id)
	if err != nil {
		return match.AlertRound{}, kernel.Translate(err)
	}
	r := match.AlertRound{
		Order: row.OrderID, Since: row.Since, Waves: row.Waves, NextWaveAt: row.NextWaveAt, DueAt: row.DueAt,
		Resting: row.Resting, Failures: row.Failures,
	}
	if row.Before != nil {
		if err := json.Unmarshal(row.Before, &r.Before); err != nil {
			return match.AlertRound{}, fmt.Errorf("read what order %d was: %w", id, err)
		}
	}
	return r, nil
}

// SaveAlertRound stores how a round goes on.
func (t *Tx) SaveAlertRound(ctx context.Context, r match.AlertRound) error {
	return t.Q.SaveAlertRound(ctx, db.SaveAlertRoundParams{
		OrderID: r.Order, Waves: r.Waves, NextWaveAt: r.NextWaveAt, DueAt: r.DueAt,
		Resting: r.Resting, Failures: r.Failures,
	})
}

// DeleteAlertRound deletes the round of an order.
func (t *Tx) DeleteAlertRound(ctx context.Context, id core.OrderID) error {
	return t.Q.DeleteAlertRound(ctx, id)
}

// LockSender locks the buyer of a locked order and returns the facts that decide which people its alerts
// reach; of an order without a number, the seller of the listing.
func (t *Tx) LockSender(ctx context.Context, o trade.Order, since time.Time) (match.Sender, error) {
	if err := t.Q.LockTrader(ctx, o.Owner); err != nil {
		return match.Sender{}, kernel.Translate(err)
	}
	if o.ID == 0 {
		o.ID = kernel.OrderOfListing(o.Listing)
	}
	row, err := t.Q.SenderOf(ctx, db.SenderOfParams{
		BuyerID: int64(o.Owner), OrderID: int64(o.ID), ListID: int64(o.List), Since: since,
	})
	if err != nil {
		return match.Sender{}, kernel.Translate(err)
	}
	sender := match.Sender{
		Reach: trust.Reach{
			Since: row.Since, Trust: row.Trust, Stopped: row.Stopped,
			Reached: kernel.IDs[core.UserID](row.Reached),
		},
		Alerted:     kernel.IDs[core.UserID](row.Alerted),
		HeardOfList: kernel.IDs[core.UserID](row.HeardOfList),
	}
	if row.ReportedAt.After(time.Unix(0, 0)) {
		sender.ReportedAt = row.ReportedAt
	}
	return sender, nil
}

// LockSharedReach locks the places that accounts share and returns how many were taken since a time.
func (t *Tx) LockSharedReach(ctx context.Context, now, since time.Time) (match.SharedReach, error) {
	if err := t.Q.LockSharedReach(ctx); err != nil {
		return match.SharedReach{}, kernel.Translate(err)
	}
	row, err := t.Q.SharedReach(ctx, since, now)
	return match.SharedReach{
		Taken: int(row.Used), Active: int(row.Active), Waiting: int(row.Waiting),
	}, kernel.Translate(err)
}

// TakeSharedReach stores that a place was taken now for each reader of an order's alerts. It forgets those
// taken before a time.
func (t *Tx) TakeSharedReach(
	ctx context.Context, order core.OrderID, readers []core.UserID, now, before time.Time,
) error {
	return kernel.Translate(t.Q.TakeSharedReach(ctx, db.TakeSharedReachParams{
		Readers: kernel.Raw(readers), OrderID: int64(order), Now: now, Since: before,
	}))
}

// Offered returns how many items are offered on a locked order.
func (t *Tx) Offered(ctx context.Context, id core.OrderID) (int, error) {
	n, err := t.Q.OfferedOn(ctx, id)
	return int(n), kernel.Translate(err)
}

// HaveStock returns how many besides the buyer of an order have its item in stock, up to a limit.
func (t *Tx) HaveStock(ctx context.Context, f match.StockFits, limit int) (int, error) {
	n, err := t.Q.HaveStock(ctx, db.HaveStockParams{
		Names: f.Names, TouchedAfter: f.TouchedAfter, BuyerID: f.Owner, Most: int32(limit),
	})
	return int(n), kernel.Translate(err)
}

// Watchers returns the saved searches with a bell that a request fits. Users who can fill it and have waited
// longest come first.
func (t *Tx) Watchers(
	ctx context.Context, o match.WatchedOrder, keys []string, since, repeatedSince time.Time, limit int,
) ([]match.Watcher, error) {
	if err := t.Q.UseIndexes(ctx); err != nil {
		return nil, kernel.Translate(err)
	}
	texts, err := json.Marshal(o.FilterTexts())
	if err != nil {
		return nil, fmt.Errorf("write the texts of order %d: %w", o.ID, err)
	}
	rows, err := t.Q.Watchers(ctx, db.WatchersParams{
		Keys: keys, BuyerID: o.Owner, Since: since, Kind: o.Kind, Category: o.Category,
		Importance:    string(o.Importance),
		LevelRequired: o.LevelRequired(), Price: int64(o.MaxPrice), Quantity: o.Quantity,
		Content: o.Content(), Names: o.CategoryWords(), Texts: string(texts),
		OrderID: int64(o.ID), RepeatedSince: repeatedSince, ItemName: o.ItemName, Most: int32(limit),
	})
	return kernel.Convert(rows, func(r db.WatchersRow) match.Watcher {
		return match.Watcher{
			SavedSearch: savedSearch(r.Search), Skills: r.CanFill, WaitedSince: kernel.OrZero(r.TurnAt),
			Closed: r.Closed, Messages: r.Messages,
			Settings: notify.Settings{
				Muted: r.Muted, QuietFrom: r.QuietFrom, QuietTo: r.QuietTo, TimeZone: r.TimeZone,
			},
		}
	}), kernel.Translate(err)
}

// NoteAlerts stores when searches alerted, which users had a turn, and when users are messaged: at most the
// latest messages times of each user.
func (t *Tx) NoteAlerts(ctx context.Context, alerts []match.Alert, messages int, now time.Time) error {
	p := db.NoteAlertsParams{Now: now, Most: messages}
	for _, a := range alerts {
		if a.Turn || messages > 0 && !a.MessageAt.IsZero() {
			p.Users = append(p.Users, int64(a.Owner))
			p.Turns = append(p.Turns, a.Turn)
			p.MessageTimes = append(p.MessageTimes, a.MessageAt)
		}
		at := now
		if a.HoldUntil.After(now) {
			at = a.HoldUntil
		}
		p.Searches, p.Times = append(p.Searches, int64(a.ID)), append(p.Times, at)
	}
	return t.Q.NoteAlerts(ctx, p)
}

// RecheckAlerts runs the transaction again when a search or stock was stopped or snoozed after it was read
// for an alert that was added now.
func (t *Tx) RecheckAlerts(ctx context.Context, id core.OrderID, names []string, now time.Time) error {
	stopped, err := t.Q.StoppedAlerts(ctx, db.StoppedAlertsParams{
		OrderID: int64(id), CreatedAt: now, Names: names,
	})
	if err == nil && stopped > 0 {
		return kernel.ReadAgain()
	}
	return kernel.Translate(err)
}

// HoldAlerts holds what a user's saved search owes and no message has been given yet.
func (t *Tx) HoldAlerts(ctx context.Context, user core.UserID, id core.SearchID, until time.Time) error {
	return t.Q.HoldNoticesOf(ctx, db.HoldNoticesOfParams{UserID: user, WatchID: int64(id), HoldUntil: until})
}

// EndAlerts ends what a user's saved searches owe and no message has been given yet: of one search, or about
// one buyer's requests.
func (t *Tx) EndAlerts(
	ctx context.Context, user core.UserID, id core.SearchID, buyer core.UserID, reason string, now time.Time,
) error {
	t.NoteUsers(user)
	return t.Q.EndNoticesOf(ctx, db.EndNoticesOfParams{
		UserID: user, WatchID: int64(id), BuyerID: int64(buyer), Reason: reason, Now: &now,
	})
}

// AlertNotice returns a user's NoticeRequestWatched.
func (t *Tx) AlertNotice(ctx context.Context, user core.UserID, id core.NoticeID) (notify.Notice, error) {
	row, err := t.Q.WatchNotice(ctx, id, user)
	return notifystore.Notice(row), kernel.Translate(err)
}

// MuteBuyer stores that a user does not want to hear of a buyer's requests.
func (t *Tx) MuteBuyer(ctx context.Context, user, buyer core.UserID, now time.Time) error {
	t.NoteUsers(user)
	return t.Q.MuteBuyer(ctx, db.MuteBuyerParams{UserID: user, BuyerID: buyer, Now: now})
}

// UnmuteBuyer stores that a user wants to hear of a buyer's requests again.
func (t *Tx) UnmuteBuyer(ctx context.Context, user, buyer core.UserID) error {
	t.NoteUsers(user)
	return t.Q.UnmuteBuyer(ctx, user, buyer)
}
