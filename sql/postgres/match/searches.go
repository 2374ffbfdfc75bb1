package match

import (
	"context"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// Searches returns a user's saved searches by name.
func (s *Store) Searches(ctx context.Context, user core.UserID) ([]match.SavedSearch, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]match.SavedSearch, error) {
		rows, err := q.Searches(ctx, user)
		return kernel.Convert(rows, savedSearch), err
	})
}

func savedSearch(r db.SavedSearch) match.SavedSearch {
	return match.SavedSearch{
		ID: r.ID,
		SearchDraft: match.SearchDraft{
			Name: r.Name, Text: r.Words, Level: r.Level, MinPrice: r.MinPrice, MaxPrice: r.MaxPrice,
			ForMe: r.ForMe,
			Categories: kernel.Convert(r.Categories, func(c string) game.Category {
				return game.Category(c)
			}),
			Importance: kernel.Convert(r.Importance, func(i string) game.Importance {
				return game.Importance(i)
			}),
			Sort: match.Sort(r.Sort), View: match.View(r.View),
		},
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// LockSearches locks a user and returns their saved searches.
func (t *Tx) LockSearches(ctx context.Context, user core.UserID) ([]match.SavedSearch, error) {
	if _, err := t.Q.LockUser(ctx, user); err != nil {
		return nil, kernel.Translate(err)
	}
	rows, err := t.Q.Searches(ctx, user)
	return kernel.Convert(rows, savedSearch), kernel.Translate(err)
}

// SaveSearch stores a saved search of a locked user, one without an id as a new one, and returns its id.
func (t *Tx) SaveSearch(ctx context.Context, user core.UserID, s match.SavedSearch) (core.SearchID, error) {
	t.NoteUsers(user)
	categories := kernel.Texts(s.Categories)
	importance := kernel.Texts(s.Importance)
	if s.ID != 0 {
		return s.ID, kernel.Translate(t.Q.SaveSearch(ctx, db.SaveSearchParams{
			ID: s.ID, UserID: user, Name: s.Name, Categories: categories, Words: s.Text,
			Importance: importance, Level: s.Level,
			MinPrice: s.MinPrice, MaxPrice: s.MaxPrice, ForMe: s.ForMe, Sort: string(s.Sort),
			View: string(s.View), UpdatedAt: s.UpdatedAt,
		}))
	}
	id, err := t.Q.AddSearch(ctx, db.AddSearchParams{
		UserID: user, Name: s.Name, Categories: categories, Words: s.Text, Importance: importance,
		Level:    s.Level,
		MinPrice: s.MinPrice, MaxPrice: s.MaxPrice, ForMe: s.ForMe, Sort: string(s.Sort),
		View:      string(s.View),
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	})
	return id, kernel.Translate(err)
}

// DeleteSearch reports whether the user had the search.
func (t *Tx) DeleteSearch(ctx context.Context, user core.UserID, id core.SearchID) (bool, error) {
	t.NoteUsers(user)
	deleted, err := t.Q.DeleteSearch(ctx, id, user)
	return len(deleted) > 0, kernel.Translate(err)
}
