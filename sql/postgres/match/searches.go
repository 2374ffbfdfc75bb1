package match

import (
	"context"
	"time"

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

func savedSearch(r db.Search) match.SavedSearch {
	return match.SavedSearch{
		ID: r.ID, Owner: r.UserID,
		SearchDraft: match.SearchDraft{
			Bell: r.Bell, Name: r.Name, Items: r.Items, Kind: r.Kind, Categories: r.Categories, Text: r.Words,
			Importance: r.Importance, Level: r.Level, MinPrice: r.MinPrice, MaxPrice: r.MaxPrice,
			ForMe: r.ForMe, MinQuantity: r.MinQuantity,
			Way: match.Way(r.Way), Pause: time.Duration(r.PauseMinutes) * time.Minute,
			Sort: match.Sort(r.Sort), View: match.View(r.View), Texts: r.Texts, Side: r.Side,
		},
		PausedAt: kernel.OrZero(r.PausedAt), SnoozedUntil: kernel.OrZero(r.SnoozedUntil),
		AlertedAt: kernel.OrZero(r.AlertedAt),
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

// SaveSearch stores a saved search of a locked user, one without an id as a new one, and returns its id. The
// keys are stored when its bell is on: alerts find the search by them.
func (t *Tx) SaveSearch(ctx context.Context, s match.SavedSearch, keys []string) (core.SearchID, error) {
	t.NoteUsers(s.Owner)
	items, categories := append([]core.ItemID{}, s.Items...), append([]game.Category{}, s.Categories...)
	importance, terms := append([]game.Importance{}, s.Importance...), append([]string{}, s.Terms()...)
	pause := int(s.Pause / time.Minute)
	var err error
	if s.ID == 0 {
		s.ID, err = t.Q.AddSearch(ctx, db.AddSearchParams{
			Bell: s.Bell, UserID: s.Owner, Name: s.Name, Items: items, Kind: s.Kind, Categories: categories,
			Words: s.Text, Terms: terms, Importance: importance, Level: s.Level, MinPrice: s.MinPrice,
			MaxPrice: s.MaxPrice, ForMe: s.ForMe, MinQuantity: s.MinQuantity, Sort: string(s.Sort),
			View: string(s.View), Way: string(s.Way), PauseMinutes: pause, Texts: s.Texts, Side: s.Side,
			CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
		})
	} else {
		err = t.Q.SaveSearch(ctx, db.SaveSearchParams{
			Bell: s.Bell, ID: s.ID, UserID: s.Owner, Name: s.Name, Items: items, Kind: s.Kind,
			Categories: categories, Words: s.Text, Terms: terms, Importance: importance, Level: s.Level,
			MinPrice: s.MinPrice, MaxPrice: s.MaxPrice, ForMe: s.ForMe, MinQuantity: s.MinQuantity,
			Sort: string(s.Sort), View: string(s.View), Way: string(s.Way), PauseMinutes: pause,
			Texts: s.Texts, Side: s.Side, PausedAt: kernel.TimeOrNull(s.PausedAt),
			SnoozedUntil: kernel.TimeOrNull(s.SnoozedUntil),
			UpdatedAt:    s.UpdatedAt,
		})
	}
	if err != nil || !bool(s.Bell) {
		return s.ID, kernel.Translate(err)
	}
	return s.ID, t.Q.SaveSearchKeys(ctx, keys, s.ID)
}

// DeleteSearch reports whether the user had the search.
func (t *Tx) DeleteSearch(
	ctx context.Context, user core.UserID, bell match.Bell, id core.SearchID,
) (bool, error) {
	t.NoteUsers(user)
	deleted, err := t.Q.DeleteSearch(ctx, db.DeleteSearchParams{Bell: bell, ID: id, UserID: user})
	return len(deleted) > 0, kernel.Translate(err)
}
