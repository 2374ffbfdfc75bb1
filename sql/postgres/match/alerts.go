package match

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
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

// AddAlertRound stores that watchers are to be alerted to an order that was posted or edited.
func (t *Tx) AddAlertRound(ctx context.Context, r match.AlertRound) error {
	var before []byte
	if r.Before != nil {
		var err error
		if before, err = json.Marshal(r.Before); err != nil {
			return fmt.Errorf("write what an order was: %w", err)
		}
	}
	return t.Q.AddAlertRound(ctx, db.AddAlertRoundParams{OrderID: r.Order, Since: r.Since, Before: before})
}

// LockAlertRound locks the round of a locked order.
func (t *Tx) LockAlertRound(ctx context.Context, id core.OrderID) (match.AlertRound, error) {
	row, err := t.Q.LockAlertRound(ctx, id)
	if err != nil {
		return match.AlertRound{}, kernel.Translate(err)
	}
	r := match.AlertRound{
		Order: row.OrderID, Since: row.Since, Waves: row.Waves, NextWaveAt: row.NextWaveAt, DueAt: row.DueAt,
		Failures: row.Failures,
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
		OrderID: r.Order, Waves: r.Waves, NextWaveAt: r.NextWaveAt, DueAt: r.DueAt, Failures: r.Failures,
	})
}

// DeleteAlertRound deletes the round of an order.
func (t *Tx) DeleteAlertRound(ctx context.Context, id core.OrderID) error {
	return t.Q.DeleteAlertRound(ctx, id)
}

// Offered returns how many items are offered on a locked order.
func (t *Tx) Offered(ctx context.Context, id core.OrderID) (int, error) {
	n, err := t.Q.OfferedOn(ctx, id)
	return int(n), kernel.Translate(err)
}

// Watchers returns the watches that a request fits. Users who can fill it and have waited longest come first.
func (t *Tx) Watchers(
	ctx context.Context, o match.WatchedOrder, keys []string, since, repeatedSince time.Time, limit int,
) ([]match.Watcher, error) {
	if err := t.Q.UseIndexes(ctx); err != nil {
		return nil, kernel.Translate(err)
	}
	rows, err := t.Q.Watchers(ctx, db.WatchersParams{
		Keys: keys, BuyerID: o.Owner, Since: since, Kind: o.Kind, Category: o.Category,
		Importance:    string(o.Importance),
		LevelRequired: o.LevelRequired(), Price: int64(o.MaxPrice), Quantity: o.Quantity,
		Content: o.Content(), Names: o.CategoryWords(),
		OrderID: int64(o.ID), RepeatedSince: repeatedSince, ItemName: o.ItemName, Most: int32(limit),
	})
	return kernel.Convert(rows, func(r db.WatchersRow) match.Watcher {
		return match.Watcher{
			Watch: watch(r.Watch), Skills: r.CanFill, WaitedSince: kernel.OrZero(r.TurnAt), Closed: r.Closed,
			Messages: r.Messages,
			Settings: notify.NoticeSettings{
				Muted: r.Muted, QuietFrom: r.QuietFrom, QuietTo: r.QuietTo, TimeZone: r.TimeZone,
			},
		}
	}), kernel.Translate(err)
}

// NoteAlerts stores when watches alerted, which users had a turn, and when users are messaged: at most the
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
		p.Watches, p.Times = append(p.Watches, int64(a.ID)), append(p.Times, at)
	}
	return t.Q.NoteAlerts(ctx, p)
}
