package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// WatchedDays is the number of days over which a watch is tried before it is saved.
const WatchedDays = 30

// MaxAudience limits the count of users who would be alerted to a request.
const MaxAudience = 1000

// MutedBuyer is a buyer that a user has muted: their requests cause no alerts.
type MutedBuyer struct {
	Buyer    core.UserID
	Username string
	Since    time.Time
}

// Watches returns the actor's watches by name. It fails with Unauthenticated.
func (m *alertActs) Watches(ctx context.Context, actor core.Actor) ([]Watch, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	watches, err := m.store.Watches(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("watches of user %d: %w", actor.UserID, err)
	}
	return watches, nil
}

// MutedBuyers returns the buyers that the actor has muted, the latest first. It fails with Unauthenticated.
func (m *alertActs) MutedBuyers(ctx context.Context, actor core.Actor) ([]MutedBuyer, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	muted, err := m.store.MutedBuyers(ctx, actor.UserID, trust.MaxBlockedSellers)
	if err != nil {
		return nil, fmt.Errorf("muted buyers of user %d: %w", actor.UserID, err)
	}
	return muted, nil
}

// TriedWatch is a watch that is not saved, as saving it would make it.
type TriedWatch struct {
	WatchDraft
	Fired int // how often it would have alerted its user in the last WatchedDays
}

// TryWatch returns the watch that saving the draft would store, and how often it would have alerted the
// actor in the last WatchedDays. Nothing is saved. It fails with Unauthenticated and Invalid.
func (m *alertActs) TryWatch(ctx context.Context, actor core.Actor, draft WatchDraft) (TriedWatch, error) {
	if err := actor.MustBeUser(); err != nil {
		return TriedWatch{}, err
	}
	items, err := m.items.Index(ctx)
	if err != nil {
		return TriedWatch{}, err
	}
	draft = draft.clean(items, m.forms)
	if err := draft.validate(m.game, items); err != nil {
		return TriedWatch{}, err
	}
	tried := TriedWatch{WatchDraft: draft}
	f := draft.filter()
	f.Means.Professions = m.game.Categories()
	if len(draft.Items) > 0 || draft.Kind != "" {
		f.Named = namesFor(items, draft)
	}
	if draft.ForMe {
		if f.Skills, err = m.people.Skills(ctx, actor); err != nil {
			return TriedWatch{}, err
		}
		if len(f.Skills) == 0 {
			return tried, nil
		}
	}
	if tried.Fired, err = m.store.CountPosted(ctx, f, draft.MinQuantity,
		m.now().AddDate(0, 0, -WatchedDays)); err != nil {
		return TriedWatch{}, fmt.Errorf("try a watch: %w", err)
	}
	return tried, nil
}

// namesFor returns the names of the items that a watch is about.
func namesFor(x *items.ItemIndex, d WatchDraft) []string {
	found := []string{}
	for at := range x.Items {
		to, known := x.Target(at)
		if !known || d.Kind != "" && x.Items[to].Kind != d.Kind {
			continue
		}
		if len(d.Items) > 0 && !slices.Contains(d.Items, x.Items[to].ID) &&
			!slices.Contains(d.Items, x.Items[at].ID) {
			continue
		}
		for _, name := range x.Items[at].Names {
			found = append(found, name.Name)
		}
	}
	return found
}

// AudienceQuery asks how many people would be alerted to a request.
type AudienceQuery struct {
	WatchedOrder
	Keys         []string // by which watches are found; empty for no watches
	Stocked      []string // names of its item under which stock counts; empty for none
	TouchedAfter time.Time
	Limit        int
}

// Audience returns how many people would be alerted to a request that the actor is about to post,
// MaxAudience at most. It returns PostOrder's errors.
func (m *alertActs) Audience(ctx context.Context, actor core.Actor, draft trade.OrderDraft) (int, error) {
	order, err := m.trade.PreviewOrder(actor, draft)
	if err != nil || !m.features.Alerts() {
		return 0, err
	}
	items, err := m.items.Index(ctx)
	if err != nil {
		return 0, err
	}
	watched := asWatched(items, order)
	q := AudienceQuery{WatchedOrder: watched, TouchedAfter: m.now().Add(-StockLifetime), Limit: MaxAudience}
	if m.features.Watches {
		q.Keys = watched.Keys(m.forms)
	}
	if m.features.Stock {
		q.Stocked = items.Same(order.ItemName)
	}
	people, err := m.store.CountWatchers(ctx, q)
	if err != nil {
		return 0, fmt.Errorf("count watchers: %w", err)
	}
	return people, nil
}

// ItemKinds returns up to limit kinds of items with a name that contains a text.
func (m *alertActs) ItemKinds(ctx context.Context, text string, limit int) ([]string, error) {
	items, err := m.items.Index(ctx)
	if err != nil {
		return nil, err
	}
	return items.Kinds(text, limit), nil
}

// AddWatch saves a watch. It fails with Unauthenticated, Invalid, and Conflict when there are MaxWatches.
func (m *alertActs) AddWatch(ctx context.Context, actor core.Actor, draft WatchDraft) (Watch, error) {
	return m.saveWatch(ctx, actor, 0, "add watch", draft,
		func(w Watch, items *items.ItemIndex, now time.Time) (Watch, error) {
			w.WatchDraft, w.CreatedAt = draft.clean(items, m.forms), now
			return w, w.validate(m.game, items)
		})
}

// EditWatch replaces a watch of the actor's. It fails as AddWatch does, and with NotFound.
func (m *alertActs) EditWatch(
	ctx context.Context, actor core.Actor, id core.WatchID, draft WatchDraft,
) (Watch, error) {
	return m.saveWatch(ctx, actor, id, "edit watch", draft,
		func(w Watch, items *items.ItemIndex, _ time.Time) (Watch, error) {
			w.WatchDraft = draft.clean(items, m.forms)
			return w, w.validate(m.game, items)
		})
}

// PauseWatch pauses a watch of the actor's, or has it notify again. Its pending alerts end. It fails with
// Unauthenticated and NotFound.
func (m *alertActs) PauseWatch(
	ctx context.Context, actor core.Actor, id core.WatchID, paused bool,
) (Watch, error) {
	return m.saveWatch(ctx, actor, id, "pause watch", paused,
		func(w Watch, _ *items.ItemIndex, now time.Time) (Watch, error) {
			w.PausedAt, w.SnoozedUntil = time.Time{}, time.Time{}
			if paused {
				w.PausedAt = now
			}
			return w, nil
		})
}

func (m *alertActs) saveWatch(
	ctx context.Context, actor core.Actor, id core.WatchID, operation string, input any,
	change func(Watch, *items.ItemIndex, time.Time) (Watch, error),
) (Watch, error) {
	if err := actor.MustBeUser(); err != nil {
		return Watch{}, err
	}
	items, err := m.items.Index(ctx)
	if err != nil {
		return Watch{}, err
	}
	return core.Write(ctx, m.run, actor, operation, []any{id, input},
		func(tx Tx, now time.Time) (Watch, error) {
			others, err := tx.LockWatches(ctx, actor.UserID)
			if err != nil {
				return Watch{}, fmt.Errorf("watches of user %d: %w", actor.UserID, err)
			}
			watch := Watch{Owner: actor.UserID}
			if i := slices.IndexFunc(others, func(w Watch) bool { return w.ID == id }); i >= 0 {
				watch = others[i]
			} else if id != 0 {
				return Watch{}, watchNotFound()
			}
			if watch, err = change(watch, items, now); err != nil {
				return Watch{}, err
			}
			if id == 0 && len(others) >= core.MaxWatches {
				return Watch{}, core.NewError(core.Conflict,
					core.NewText("watches_full", "You have %d watches. Remove one to add another.",
						core.MaxWatches))
			}
			watch.UpdatedAt = now
			if watch.ID, err = tx.SaveWatch(ctx, watch, watch.Keys(m.forms, m.game)); err != nil {
				return Watch{}, err
			}
			if watch.Paused() {
				err = tx.EndAlerts(ctx, actor.UserID, watch.ID, 0, alertStopped, now)
			}
			return watch, err
		})
}

// SnoozeWatch holds the alerts of a watch of the actor's, pending ones included. They come as one message.
// It fails with Unauthenticated, Invalid and NotFound.
func (m *alertActs) SnoozeWatch(
	ctx context.Context, actor core.Actor, id core.WatchID, snooze Snooze,
) (Watch, error) {
	if err := actor.MustBeUser(); err != nil {
		return Watch{}, err
	}
	if !slices.Contains(Snoozes, snooze) {
		return Watch{}, unknownSnooze()
	}
	box, err := m.store.Mailbox(ctx, actor.UserID)
	if err != nil {
		return Watch{}, fmt.Errorf("mailbox of user %d: %w", actor.UserID, err)
	}
	return core.Write(ctx, m.run, actor, "snooze watch", []any{id, snooze},
		func(tx Tx, now time.Time) (Watch, error) {
			watches, err := tx.LockWatches(ctx, actor.UserID)
			if err != nil {
				return Watch{}, err
			}
			i := slices.IndexFunc(watches, func(w Watch) bool { return w.ID == id })
			if i < 0 {
				return Watch{}, watchNotFound()
			}
			watch := watches[i]
			watch.SnoozedUntil = snooze.until(box.Settings, now)
			if _, err := tx.SaveWatch(ctx, watch, watch.Keys(m.forms, m.game)); err != nil {
				return Watch{}, err
			}
			return watch, tx.HoldAlerts(ctx, actor.UserID, id, watch.SnoozedUntil)
		})
}

// DeleteWatch removes a watch of the actor's. Its pending alerts end. It fails with Unauthenticated and
// NotFound.
func (m *alertActs) DeleteWatch(ctx context.Context, actor core.Actor, id core.WatchID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "delete watch", id, func(tx Tx, now time.Time) (struct{}, error) {
		found, err := tx.DeleteWatch(ctx, actor.UserID, id)
		if err == nil && !found {
			err = watchNotFound()
		}
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, tx.EndAlerts(ctx, actor.UserID, id, 0, alertStopped, now)
	})
	return err
}

// MuteBuyer has the actor hear no more of the requests of the buyer that one of their alerts is about. It
// fails with Unauthenticated and NotFound.
func (m *alertActs) MuteBuyer(ctx context.Context, actor core.Actor, id core.NoticeID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "mute buyer", id, func(tx Tx, now time.Time) (struct{}, error) {
		n, err := tx.AlertNotice(ctx, actor.UserID, id)
		if err != nil || n.CausedBy == 0 { // the buyer has left
			return struct{}{}, err
		}
		if err := tx.MuteBuyer(ctx, actor.UserID, n.CausedBy, now); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, tx.EndAlerts(ctx, actor.UserID, 0, n.CausedBy, alertStopped, now)
	})
	return err
}

// UnmuteBuyer has the actor hear of a buyer's requests again. It fails with Unauthenticated.
func (m *alertActs) UnmuteBuyer(ctx context.Context, actor core.Actor, buyer core.UserID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "unmute buyer", buyer,
		func(tx Tx, _ time.Time) (struct{}, error) {
			return struct{}{}, tx.UnmuteBuyer(ctx, actor.UserID, buyer)
		})
	return err
}

func unknownSnooze() error {
	return core.NewFieldError("for", core.NewText("snooze_unknown", "Snooze for an hour or until tomorrow"))
}

func watchNotFound() *core.Error {
	return core.NewError(core.NotFound, core.NewText("watch_gone", "That watch is no longer here"))
}
