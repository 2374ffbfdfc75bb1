package match

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/items"
)

// TriedDays is the number of days over which a search is tried before it is saved.
const TriedDays = 30

// AllSearches returns the actor's saved searches, by name. It fails with Unauthenticated.
func (m *searchActs) AllSearches(ctx context.Context, actor core.Actor) ([]SavedSearch, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	searches, err := m.store.Searches(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("searches of user %d: %w", actor.UserID, err)
	}
	return searches, nil
}

// Searches returns the actor's saved searches with a bell or without one, by name. It fails with
// Unauthenticated.
func (m *searchActs) Searches(ctx context.Context, actor core.Actor, bell Bell) ([]SavedSearch, error) {
	searches, err := m.AllSearches(ctx, actor)
	return withBell(searches, bell), err
}

// TriedSearch is a search that is not saved, as saving it would make it.
type TriedSearch struct {
	SearchDraft
	Fired int // how often its bell would have alerted its user in the last TriedDays
}

// TrySearch returns the search that saving the draft would store, and how often its bell would have alerted
// the actor in the last TriedDays. Nothing is saved. It fails with Unauthenticated and Invalid.
func (m *searchActs) TrySearch(
	ctx context.Context, actor core.Actor, draft SearchDraft,
) (TriedSearch, error) {
	if err := actor.MustBeUser(); err != nil {
		return TriedSearch{}, err
	}
	items, err := m.items.Index(ctx)
	if err != nil {
		return TriedSearch{}, err
	}
	draft = m.onSide(draft).clean(items, m.forms)
	if err := draft.validate(m.game, items); err != nil {
		return TriedSearch{}, err
	}
	tried := TriedSearch{SearchDraft: draft}
	if draft.Side == SaleSide {
		tried.Fired, err = m.countListed(ctx, items, draft)
		return tried, err
	}
	f := draft.filter()
	f.Means.Professions = m.game.Categories()
	if len(draft.Items) > 0 || draft.Kind != "" {
		f.Named = namesFor(items, draft)
	}
	if draft.ForMe {
		if f.Skills, err = m.people.Skills(ctx, actor); err != nil {
			return TriedSearch{}, err
		}
		if len(f.Skills) == 0 {
			return tried, nil
		}
	}
	if tried.Fired, err = m.store.CountPosted(ctx, f, draft.MinQuantity,
		m.now().AddDate(0, 0, -TriedDays)); err != nil {
		return TriedSearch{}, fmt.Errorf("try a search: %w", err)
	}
	if draft.Side == EitherSide {
		listed, err := m.countListed(ctx, items, draft)
		tried.Fired += listed
		return tried, err
	}
	return tried, nil
}

// onSide returns the draft for requests where nothing is listed for sale.
func (m *searchActs) onSide(draft SearchDraft) SearchDraft {
	if !m.features.Listings {
		draft.Side = WantedSide
	}
	return draft
}

// countListed counts the listings of the last TriedDays that are still there and fit a search.
func (m *searchActs) countListed(ctx context.Context, items *items.Index, draft SearchDraft) (int, error) {
	q := ListingQuery{ListingFilter: ListingFilter{
		Categories: draft.Categories, Text: draft.Text, MaxPrice: draft.MaxPrice,
		MinQuantity: draft.MinQuantity, Since: m.now().AddDate(0, 0, -TriedDays),
	}, Now: m.now()}
	if len(draft.Items) > 0 || draft.Kind != "" {
		q.Named = namesFor(items, draft)
	}
	q, err := q.normal(m.game, m.forms)
	if err != nil {
		return 0, err
	}
	page, err := m.store.Listings(ctx, q)
	if err != nil {
		return 0, fmt.Errorf("try a search for listings: %w", err)
	}
	return page.Total, nil
}

// AddSearch saves a search. It fails with Unauthenticated, Invalid, and Conflict: when there are MaxSearches
// or MaxWatches, and without a bell for a name that another of the actor's has.
func (m *searchActs) AddSearch(
	ctx context.Context, actor core.Actor, draft SearchDraft,
) (SavedSearch, error) {
	return m.saveDraft(ctx, actor, draft.Bell.either("add search", "add watch"), 0, draft)
}

// EditSearch replaces a saved search of the actor's. It fails as AddSearch does, and with NotFound.
func (m *searchActs) EditSearch(
	ctx context.Context, actor core.Actor, id core.SearchID, draft SearchDraft,
) (SavedSearch, error) {
	return m.saveDraft(ctx, actor, draft.Bell.either("edit search", "edit watch"), id, draft)
}

func (m *searchActs) saveDraft(
	ctx context.Context, actor core.Actor, operation string, id core.SearchID, draft SearchDraft,
) (SavedSearch, error) {
	draft = m.onSide(draft)
	return m.saveSearch(ctx, actor, operation, draft.Bell, id, draft.asked(),
		func(s SavedSearch, items *items.Index, now time.Time) (SavedSearch, error) {
			if draft.Bell && s.ID != 0 && draft.Sort == "" { // the form of a bell lacks them
				draft.Sort, draft.View = s.Sort, s.View
			}
			s.SearchDraft, s.UpdatedAt = draft.clean(items, m.forms), now
			return s, s.validate(m.game, items)
		})
}

// GiveBell gives a bell to a saved search of the actor's that has none, and with it another id. It fails with
// Unauthenticated, NotFound, Invalid for a search that nearly every request fits, and Conflict when there are
// MaxWatches.
func (m *searchActs) GiveBell(
	ctx context.Context, actor core.Actor, id core.SearchID,
) (SavedSearch, error) {
	if err := actor.MustBeUser(); err != nil {
		return SavedSearch{}, err
	}
	items, err := m.items.Index(ctx)
	if err != nil {
		return SavedSearch{}, err
	}
	return core.Write(ctx, m.run, actor, "give bell", id,
		func(tx Tx, now time.Time) (SavedSearch, error) {
			all, err := tx.LockSearches(ctx, actor.UserID)
			if err != nil {
				return SavedSearch{}, fmt.Errorf("searches of user %d: %w", actor.UserID, err)
			}
			i := slices.IndexFunc(all, func(s SavedSearch) bool { return s.ID == id && s.Bell == BellOff })
			if i < 0 {
				return SavedSearch{}, BellOff.notFound()
			}
			search := all[i].withBellOn(now)
			if err := search.validate(m.game, items); err != nil {
				return SavedSearch{}, err
			}
			if err := search.mayBeSaved(withBell(all, BellOn)); err != nil {
				return SavedSearch{}, err
			}
			found, err := tx.DeleteSearch(ctx, actor.UserID, BellOff, id)
			if err == nil && !found { // deleted since it was read
				err = BellOff.notFound()
			}
			if err != nil {
				return SavedSearch{}, err
			}
			search.ID, err = tx.SaveSearch(ctx, search, search.Keys(m.forms, m.game))
			return search, err
		})
}

// PauseBell turns the bell of a saved search of the actor's off, or on again. Its pending alerts end. It
// fails with Unauthenticated and NotFound.
func (m *searchActs) PauseBell(
	ctx context.Context, actor core.Actor, id core.SearchID, paused bool,
) (SavedSearch, error) {
	return m.saveSearch(ctx, actor, "pause watch", BellOn, id, paused,
		func(s SavedSearch, _ *items.Index, now time.Time) (SavedSearch, error) {
			s.PausedAt, s.SnoozedUntil, s.UpdatedAt = time.Time{}, time.Time{}, now
			if paused {
				s.PausedAt = now
			}
			return s, nil
		})
}

// SnoozeBell holds the alerts of a saved search of the actor's, pending ones included. They come as one
// message. It fails with Unauthenticated, Invalid and NotFound.
func (m *searchActs) SnoozeBell(
	ctx context.Context, actor core.Actor, id core.SearchID, snooze Snooze,
) (SavedSearch, error) {
	if err := actor.MustBeUser(); err != nil {
		return SavedSearch{}, err
	}
	if !slices.Contains(Snoozes, snooze) {
		return SavedSearch{}, unknownSnooze()
	}
	box, err := m.store.Mailbox(ctx, actor.UserID)
	if err != nil {
		return SavedSearch{}, fmt.Errorf("mailbox of user %d: %w", actor.UserID, err)
	}
	return m.saveSearch(ctx, actor, "snooze watch", BellOn, id, snooze,
		func(s SavedSearch, _ *items.Index, now time.Time) (SavedSearch, error) {
			s.SnoozedUntil = snooze.until(box.Settings, now)
			return s, nil
		})
}

// saveSearch saves a change of a saved search of the actor's, or a new one for the id 0. Pending alerts end
// with a pause and are held by a snooze.
func (m *searchActs) saveSearch(
	ctx context.Context, actor core.Actor, operation string, bell Bell, id core.SearchID, input any,
	change func(SavedSearch, *items.Index, time.Time) (SavedSearch, error),
) (SavedSearch, error) {
	if err := actor.MustBeUser(); err != nil {
		return SavedSearch{}, err
	}
	items, err := m.items.Index(ctx)
	if err != nil {
		return SavedSearch{}, err
	}
	return core.Write(ctx, m.run, actor, operation, []any{id, input},
		func(tx Tx, now time.Time) (SavedSearch, error) {
			all, err := tx.LockSearches(ctx, actor.UserID)
			if err != nil {
				return SavedSearch{}, fmt.Errorf("searches of user %d: %w", actor.UserID, err)
			}
			others, search := withBell(all, bell), SavedSearch{Owner: actor.UserID, CreatedAt: now}
			if i := slices.IndexFunc(others, func(s SavedSearch) bool { return s.ID == id }); i >= 0 {
				search = others[i]
			} else if id != 0 {
				return SavedSearch{}, bell.notFound()
			}
			if search, err = change(search, items, now); err != nil {
				return SavedSearch{}, err
			}
			if err := search.mayBeSaved(others); err != nil {
				return SavedSearch{}, err
			}
			if search.ID, err = tx.SaveSearch(ctx, search, search.Keys(m.forms, m.game)); err != nil {
				return SavedSearch{}, err
			}
			switch {
			case search.Paused():
				err = tx.EndAlerts(ctx, actor.UserID, search.ID, 0, alertStopped, now)
			case search.SnoozedUntil.After(now):
				err = tx.HoldAlerts(ctx, actor.UserID, search.ID, search.SnoozedUntil)
			}
			return search, err
		})
}

// DeleteSearch deletes a saved search of the actor's. Its pending alerts end. It fails with Unauthenticated
// and NotFound.
func (m *searchActs) DeleteSearch(ctx context.Context, actor core.Actor, bell Bell, id core.SearchID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, bell.either("delete search", "delete watch"), id,
		func(tx Tx, now time.Time) (struct{}, error) {
			found, err := tx.DeleteSearch(ctx, actor.UserID, bell, id)
			if err == nil && !found {
				err = bell.notFound()
			}
			if err == nil && bool(bell) {
				err = tx.EndAlerts(ctx, actor.UserID, id, 0, alertStopped, now)
			}
			return struct{}{}, err
		})
	return err
}

func unknownSnooze() error {
	return core.NewFieldError("for", core.NewText("snooze_unknown"))
}
