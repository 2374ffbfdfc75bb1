package match

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
)

// SavedSearch is a search of the board that a user has stored under a name.
type SavedSearch struct {
	ID core.SearchID
	SearchDraft
	CreatedAt time.Time
	UpdatedAt time.Time
}

// SearchDraft contains the fields of a saved search that a user fills in. A field that is added later needs
// the tag `json:",omitzero"`, as in OrderDraft.
type SearchDraft struct {
	Name       string
	Categories []game.Category
	Text       string
	Importance []game.Importance
	Level      int // 0 for any
	MinPrice   core.Copper
	MaxPrice   core.Copper
	ForMe      bool // orders that the user's skills at that time are enough for
	Sort       Sort // empty for Newest
	View       View
}

// View says how the board shows orders.
type View string

// The views.
const (
	AnyView   View = ""
	CardsView View = "cards"
	ListView  View = "list"
)

// Views lists every view.
var Views = []View{AnyView, CardsView, ListView}

// filter returns the filter of the search, without the user's skills.
func (d SearchDraft) filter() OrderFilter {
	return OrderFilter{
		Categories: d.Categories, Text: d.Text, Importance: d.Importance, Level: d.Level,
		MinPrice: d.MinPrice, MaxPrice: d.MaxPrice,
	}
}

func (d SearchDraft) clean(forms core.TextForms) SearchDraft {
	f := d.filter().clean(forms)
	d.Name, d.Text, d.Categories = forms.Line(d.Name), f.Text, f.Categories
	d.Importance = slices.Compact(slices.Sorted(slices.Values(d.Importance)))
	if d.Sort == "" {
		d.Sort = Newest
	}
	return d
}

func (d SearchDraft) validate(game game.Game) error {
	var c core.Checks
	c.That(d.Name != "", "name", core.NewText("search_name_required", "Give the search a name"))
	c.That(core.Within(d.Name, core.MaxSearchName), "name",
		core.TooLong("search_name_too_long", "Name", core.MaxSearchName))
	d.filter().check(&c, game)
	c.That(slices.Contains(Sorts, d.Sort), "sort", unknownSort)
	c.That(slices.Contains(Views, d.View), "view", core.NewText("view_unknown", "View must be cards or list"))
	return c.Err()
}

// mayBeSaved decides whether a search may be saved beside the user's others; id is its own, zero for a new
// one. It returns Conflict.
func (d SearchDraft) mayBeSaved(id core.SearchID, others []SavedSearch) error {
	if id == 0 && len(others) >= core.MaxSearches {
		return core.NewError(core.Conflict,
			core.NewText("searches_full", "You have %d saved searches. Delete one to save another.",
				core.MaxSearches))
	}
	for _, other := range others {
		if other.ID != id && strings.EqualFold(other.Name, d.Name) {
			return searchNameTaken()
		}
	}
	return nil
}

func searchNameTaken() *core.Error {
	err := core.NewFieldError("name", core.NewText("search_name_taken",
		"You have another search of this name"))
	err.Kind = core.Conflict
	return err
}

// Searches returns the actor's saved searches by name. It fails with Unauthenticated.
func (m *searchActs) Searches(ctx context.Context, actor core.Actor) ([]SavedSearch, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	searches, err := m.store.Searches(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("searches of user %d: %w", actor.UserID, err)
	}
	return searches, nil
}

// AddSearch saves a search. It fails with Unauthenticated, Invalid, and Conflict for a name that another of
// the actor's has, and when there are MaxSearches.
func (m *searchActs) AddSearch(
	ctx context.Context, actor core.Actor, draft SearchDraft,
) (SavedSearch, error) {
	return m.saveSearch(ctx, actor, 0, "add search", draft)
}

// EditSearch replaces a saved search of the actor's. It fails as AddSearch does, and with NotFound.
func (m *searchActs) EditSearch(
	ctx context.Context, actor core.Actor, id core.SearchID, draft SearchDraft,
) (SavedSearch, error) {
	return m.saveSearch(ctx, actor, id, "edit search", draft)
}

func (m *searchActs) saveSearch(
	ctx context.Context, actor core.Actor, id core.SearchID, operation string, draft SearchDraft,
) (SavedSearch, error) {
	if err := actor.MustBeUser(); err != nil {
		return SavedSearch{}, err
	}
	return core.Write(ctx, m.run, actor, operation, []any{id, draft},
		func(tx Tx, now time.Time) (SavedSearch, error) {
			search := SavedSearch{ID: id, SearchDraft: draft.clean(m.forms), CreatedAt: now, UpdatedAt: now}
			if err := search.validate(m.game); err != nil {
				return SavedSearch{}, err
			}
			others, err := tx.LockSearches(ctx, actor.UserID)
			if err != nil {
				return SavedSearch{}, fmt.Errorf("searches of user %d: %w", actor.UserID, err)
			}
			if i := slices.IndexFunc(others, func(s SavedSearch) bool { return s.ID == id }); i >= 0 {
				search.CreatedAt = others[i].CreatedAt
			} else if id != 0 {
				return SavedSearch{}, searchNotFound()
			}
			if err := search.mayBeSaved(id, others); err != nil {
				return SavedSearch{}, err
			}
			search.ID, err = tx.SaveSearch(ctx, actor.UserID, search)
			return search, err
		})
}

// DeleteSearch deletes a saved search of the actor's. It fails with Unauthenticated and NotFound.
func (m *searchActs) DeleteSearch(ctx context.Context, actor core.Actor, id core.SearchID) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "delete search", id, func(tx Tx, _ time.Time) (struct{}, error) {
		found, err := tx.DeleteSearch(ctx, actor.UserID, id)
		if err == nil && !found {
			err = searchNotFound()
		}
		return struct{}{}, err
	})
	return err
}

func searchNotFound() *core.Error {
	return core.NewError(core.NotFound, core.NewText("search_gone", "That search is no longer here"))
}
