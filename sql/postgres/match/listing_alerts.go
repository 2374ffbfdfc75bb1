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

// DueListingRounds returns up to limit listings that watchers are to be alerted to now: the ones that failed
// before, or the others.
func (s *Store) DueListingRounds(
	ctx context.Context, now time.Time, failed bool, limit int,
) ([]match.DueListing, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]match.DueListing, error) {
		rows, err := q.DueListingRounds(ctx, db.DueListingRoundsParams{
			Now: now, Failed: failed, Most: int32(limit),
		})
		return kernel.Convert(rows, func(r db.DueListingRoundsRow) match.DueListing {
			return match.DueListing{ID: r.ListingID, Seller: core.UserID(r.SellerID)}
		}), err
	})
}

// AddListingRound stores that watchers are to be alerted to a listing.
func (t *Tx) AddListingRound(ctx context.Context, r match.AlertRound) error {
	before, err := writeBefore(r)
	if err != nil {
		return err
	}
	return t.Q.AddListingRound(ctx, db.AddListingRoundParams{
		ListingID: r.Listing, Since: r.Since, Before: before,
	})
}

// LockListingRound locks the round of a locked listing.
func (t *Tx) LockListingRound(ctx context.Context, id core.StockID) (match.AlertRound, error) {
	row, err := t.Q.LockListingRound(ctx, id)
	if err != nil {
		return match.AlertRound{}, kernel.Translate(err)
	}
	r := match.AlertRound{
		Listing: row.ListingID, Since: row.Since, Waves: row.Waves, NextWaveAt: row.NextWaveAt,
		DueAt: row.DueAt, Failures: row.Failures,
	}
	if row.Before != nil {
		if err := json.Unmarshal(row.Before, &r.Before); err != nil {
			return match.AlertRound{}, fmt.Errorf("read what listing %d was: %w", id, err)
		}
	}
	return r, nil
}

// SaveListingRound stores how a round goes on.
func (t *Tx) SaveListingRound(ctx context.Context, r match.AlertRound) error {
	return t.Q.SaveListingRound(ctx, db.SaveListingRoundParams{
		ListingID: r.Listing, Waves: r.Waves, NextWaveAt: r.NextWaveAt, DueAt: r.DueAt, Failures: r.Failures,
	})
}

// DeleteListingRound deletes the round of a listing.
func (t *Tx) DeleteListingRound(ctx context.Context, id core.StockID) error {
	return t.Q.DeleteListingRound(ctx, id)
}

// ListingWatchers returns the saved searches with a bell that a listing fits. Users who have waited longest
// come first.
func (t *Tx) ListingWatchers(
	ctx context.Context, id core.StockID, l match.WatchedOrder, keys []string, since, repeatedSince time.Time,
	limit int,
) ([]match.Watcher, error) {
	if err := t.Q.UseIndexes(ctx); err != nil {
		return nil, kernel.Translate(err)
	}
	texts, err := json.Marshal(l.FilterTexts())
	if err != nil {
		return nil, fmt.Errorf("write the texts of listing %d: %w", id, err)
	}
	rows, err := t.Q.ListingWatchers(ctx, db.ListingWatchersParams{
		Keys: keys, SellerID: l.Owner, Since: since, Kind: l.Kind, Category: string(l.Category),
		Price: int64(l.MaxPrice), Quantity: l.Quantity, Content: l.Content(), Names: l.CategoryWords(),
		Texts: string(texts), ListingID: int64(id), RepeatedSince: repeatedSince, ItemName: l.ItemName,
		Most: int32(limit),
	})
	return kernel.Convert(rows, func(r db.ListingWatchersRow) match.Watcher {
		return match.Watcher{
			SavedSearch: savedSearch(r.Search), WaitedSince: kernel.OrZero(r.TurnAt),
			Closed: r.Closed, Messages: r.Messages,
			Settings: notify.Settings{
				Muted: r.Muted, QuietFrom: r.QuietFrom, QuietTo: r.QuietTo, TimeZone: r.TimeZone,
			},
		}
	}), kernel.Translate(err)
}

// RecheckListingAlerts runs the transaction again when a search was stopped or snoozed after it was read for
// an alert to a listing that was added now.
func (t *Tx) RecheckListingAlerts(ctx context.Context, id core.StockID, now time.Time) error {
	stopped, err := t.Q.StoppedListingAlerts(ctx, int64(id), now)
	if err == nil && stopped > 0 {
		return kernel.ReadAgain()
	}
	return kernel.Translate(err)
}

// ForSale sums up the listings for each line, by the names of its item.
func (s *Store) ForSale(
	ctx context.Context, lines [][]string, buyer core.UserID, now time.Time,
) (map[int]match.ForSale, error) {
	p := db.ForSaleParams{Now: now, Since: now.Add(-match.StockLifetime), ForUser: int64(buyer)}
	for i, names := range lines {
		for _, name := range names {
			p.Lines, p.Names = append(p.Lines, i), append(p.Names, name)
		}
	}
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (map[int]match.ForSale, error) {
		rows, err := q.ForSale(ctx, p)
		found := make(map[int]match.ForSale, len(rows))
		for _, r := range rows {
			found[r.Line] = match.ForSale{Quantity: int(r.Quantity), Lowest: core.Copper(r.Lowest)}
		}
		return found, err
	})
}
