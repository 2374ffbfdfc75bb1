package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// watchersRead is how many saved searches that fit a request one step reads.
const watchersRead = 5000

// AlertLater stores that watchers are to be alerted to a request that was posted, or edited; before is the
// request before the edit. Posting does no more about alerts than add this row.
func (m *alertActs) AlertLater(
	ctx context.Context, tx Tx, o trade.Order, before *trade.OrderDraft, now time.Time,
) error {
	if !o.Open(now) {
		return nil
	}
	if err := tx.AddAlertRound(ctx, AlertRound{Order: o.ID, Since: now, Before: before, NextWaveAt: now,
		DueAt: now}); err != nil {
		return fmt.Errorf("add alert round: %w", err)
	}
	return nil
}

// AlertWatchers alerts watchers to up to limit requests that were posted or edited, or have a next wave due,
// and returns how many it processed. Any number of replicas may call it: the alerts of a request and how it
// goes on are one transaction. AlertWatchersAgain retries failed ones.
func (m *alertActs) AlertWatchers(ctx context.Context, limit int) (done int, err error) {
	return m.alertDue(ctx, false, limit)
}

// AlertWatchersAgain is AlertWatchers for requests that failed before, after a pause that grows with each
// failure up to ten minutes.
func (m *alertActs) AlertWatchersAgain(ctx context.Context, limit int) (done int, err error) {
	return m.alertDue(ctx, true, limit)
}

func (m *alertActs) alertDue(ctx context.Context, again bool, limit int) (done int, err error) {
	if !m.features.Alerts() {
		return 0, nil
	}
	ids, err := m.store.DueAlertRounds(ctx, m.now(), again, limit)
	if err != nil {
		return 0, fmt.Errorf("due alerts: %w", err)
	}
	done, failed := alertEach(ctx, "order", ids, m.alertWatchers, m.delayAlerts)
	more, err := m.alertDueListings(ctx, again, limit)
	return done + more, errors.Join(failed, err)
}

// alertEach alerts the watchers of each thing that is due, for alertTime at most, and delays those that fail.
func alertEach[D any](
	ctx context.Context, noun string, due []D, alert, delay func(context.Context, D) error,
) (done int, failed error) {
	within := func(d D) error {
		ctx, cancel := context.WithTimeout(ctx, alertTime)
		defer cancel()
		return alert(ctx, d)
	}
	for _, d := range due {
		err := within(d)
		if err == nil {
			done++
			continue
		}
		failed = fmt.Errorf("alert watchers of %s %v: %w", noun, d, err)
		if err := delay(ctx, d); err != nil { // the store is away: the others would fail, too
			return done, errors.Join(failed, fmt.Errorf("delay alerts of %s %v: %w", noun, d, err))
		}
	}
	return done, failed
}

// delayAlerts stores that a round has failed.
func (m *alertActs) delayAlerts(ctx context.Context, id core.OrderID) error {
	return m.run.Atomically(ctx, func(tx Tx) error {
		round, err := tx.LockAlertRound(ctx, id)
		if core.KindOf(err) == core.NotFound {
			return nil
		}
		if err != nil {
			return err
		}
		return tx.SaveAlertRound(ctx, round.failed(m.now()))
	})
}

func (m *alertActs) alertWatchers(ctx context.Context, id core.OrderID) error {
	items, err := m.items.Index(ctx) // before the transaction, which holds a connection
	if err != nil {
		return err
	}
	return m.run.Atomically(ctx, func(tx Tx) error {
		now := m.now()
		order, err := tx.LockOrder(ctx, id)
		if core.KindOf(err) == core.NotFound {
			return tx.DeleteAlertRound(ctx, id)
		}
		if err != nil {
			return err
		}
		round, err := tx.LockAlertRound(ctx, id)
		if core.KindOf(err) == core.NotFound {
			return nil // another replica has done it
		}
		if err != nil || round.DueAt.After(now) {
			return err
		}
		if !order.Open(now) {
			return tx.DeleteAlertRound(ctx, id)
		}
		sender, err := tx.LockSender(ctx, order, now.Add(-core.LimitReach.Per))
		if err != nil {
			return fmt.Errorf("sender of alerts: %w", err)
		}
		if wait := sender.waitUntil(round, m.quotas, now); !wait.IsZero() {
			round.DueAt = wait
			return tx.SaveAlertRound(ctx, round)
		}
		offered, err := tx.Offered(ctx, id)
		if err != nil {
			return fmt.Errorf("offers: %w", err)
		}
		need := needOf(order, offered >= order.Remaining())
		if round.Resting && now.Before(need.AllAt()) { // an older program has woken it
			round.Resting = false
		}
		if round.Resting && (need.Enough || !m.features.Listings) {
			return tx.DeleteAlertRound(ctx, id)
		}
		watchers, err := m.allWatchers(ctx, tx, order, round, items)
		if err != nil {
			return err
		}
		if m.features.Listings {
			if need.Have, err = tx.HaveStock(ctx, m.stockFits(order, items, now), FewHave+1); err != nil {
				return fmt.Errorf("how many have it: %w", err)
			}
			watchers = need.gathered(watchers, now)
		}
		alerts, next := round.Plan(watchers, need.Enough, now)
		alerts, waits, err := m.withinReach(ctx, tx, id, sender, alerts, atDraw(round.DueAt))
		if err != nil {
			return err
		}
		if waits {
			round.DueAt = nextDraw(now)
			return tx.SaveAlertRound(ctx, round)
		}
		notices := make([]notify.Notice, len(alerts))
		for i, a := range alerts {
			notices[i] = a.notice(order, now)
			if m.features.Listings {
				notices[i].Rank = need.Rank(notices[i].Quantity, order.MaxPrice, sender.Trust)
			}
		}
		if err := notify.AddNotices(ctx, tx, notices); err != nil {
			return err
		}
		if len(alerts) > 0 {
			if err := tx.NoteAlerts(ctx, alerts, m.quotas.Alerts.Limit, now); err != nil {
				return fmt.Errorf("note alerts: %w", err)
			}
			if err := tx.RecheckAlerts(ctx, id, items.Same(order.ItemName), now); err != nil {
				return fmt.Errorf("recheck alerts: %w", err)
			}
		}
		if next == nil && m.features.Listings {
			next = round.rests(need, now)
		}
		if next == nil {
			return tx.DeleteAlertRound(ctx, id)
		}
		next.Failures = 0
		return tx.SaveAlertRound(ctx, *next)
	})
}

// allWatchers returns those who a locked request concerns and who have not heard of it. After a rest these
// are the sellers who have got the item since.
func (m *alertActs) allWatchers(
	ctx context.Context, tx Tx, order trade.Order, round AlertRound, items *items.Index,
) ([]Watcher, error) {
	if round.Resting {
		round.Since, round.Before = m.now(), nil
	}
	watchers, err := m.sellersOf(ctx, tx, order, round, items) // the first reason per user counts
	if err != nil {
		return nil, err
	}
	if m.features.Watches && !round.Resting {
		watched := asWatched(items, order)
		searches, err := tx.Watchers(ctx, watched, watched.Keys(m.forms), round.Since,
			m.now().Add(-RepeatedWithin), watchersRead)
		if err != nil {
			return nil, fmt.Errorf("watchers: %w", err)
		}
		if round.Before != nil {
			before := watched
			if round.Before.ItemName != order.ItemName {
				before = asWatched(items, trade.Order{OrderDraft: *round.Before})
			}
			before.OrderDraft = *round.Before
			searches = slices.DeleteFunc(searches, func(w Watcher) bool { return w.knew(before, watched) })
		}
		watchers = append(watchers, searches...)
	}
	for i := range watchers {
		watchers[i].Quota = m.quotas.Alerts
	}
	return watchers, nil
}

// withinReach limits alerts to their sender's reach and takes the shared places that they need. waits reports
// that the alerts have to wait for the next draw; no place is taken then.
func (m *stockActs) withinReach(
	ctx context.Context, tx Tx, order core.OrderID, sender Sender, alerts []Alert, drawn bool,
) (sent []Alert, waits bool, err error) {
	now, quota, places := m.now(), m.quotas.Reach, 0
	forgotten := now.Add(-core.LimitSharedReach.Per)
	if sender.wanted(alerts, quota, now) > 0 {
		shared, err := tx.LockSharedReach(ctx, now, forgotten)
		if err != nil {
			return nil, false, fmt.Errorf("places that accounts share: %w", err)
		}
		luck, err := drawLuck(m.random)
		if err != nil {
			return nil, false, fmt.Errorf("draw: %w", err)
		}
		var given bool
		if places, given = shared.places(quota, drawn, luck); !given {
			return nil, true, nil
		}
	}
	sent, readers := sender.within(alerts, quota, places, now)
	if len(readers) == 0 {
		return sent, false, nil
	}
	if err := tx.TakeSharedReach(ctx, order, readers, now, forgotten); err != nil {
		return nil, false, fmt.Errorf("take places that accounts share: %w", err)
	}
	return sent, false, nil
}
