package match

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// listingFor returns the request that a listing is compared with, under the present profession of its item.
func (m *stockActs) listingFor(x *items.Index, s Stock) WatchedOrder {
	s.Category = cmp.Or(x.CategoryOf(s.ItemName, m.game), s.Category)
	return asWatched(x, s.asRequest())
}

// alertToListings stores that watchers are to be alerted to the entries of a seller's stock that were listed
// now, or are cheaper or more than before. Others may hear of nothing new.
func (m *stockActs) alertToListings(
	ctx context.Context, tx Tx, saved, before, after []Stock, now time.Time,
) error {
	if !m.features.Listings || !m.features.Watches {
		return nil
	}
	for _, s := range saved {
		i := slices.IndexFunc(after, func(other Stock) bool {
			return other.ItemName == s.ItemName && other.Listed(now)
		})
		if i < 0 {
			continue
		}
		round := AlertRound{Since: now, NextWaveAt: now, DueAt: now, Listing: after[i].ID}
		for _, b := range before {
			if b.ID == s.ID && b.Listed(now) {
				round.Before = new(b.asRequest().OrderDraft)
			}
		}
		if b := round.Before; b != nil && s.Price >= b.MaxPrice && s.Quantity <= b.Quantity {
			continue
		}
		if err := tx.AddListingRound(ctx, round); err != nil {
			return fmt.Errorf("add round of listing %d: %w", round.Listing, err)
		}
	}
	return nil
}

// alertDueListings alerts watchers to up to limit listings, as alertDue does to requests.
func (m *alertActs) alertDueListings(ctx context.Context, again bool, limit int) (done int, err error) {
	if !m.features.Listings || !m.features.Watches {
		return 0, nil
	}
	due, err := m.store.DueListingRounds(ctx, m.now(), again, limit)
	if err != nil {
		return 0, fmt.Errorf("due alerts to listings: %w", err)
	}
	return alertEach(ctx, "listing", due, m.alertToListing, m.delayListing)
}

// delayListing stores that a round has failed.
func (m *alertActs) delayListing(ctx context.Context, due DueListing) error {
	return m.run.Atomically(ctx, func(tx Tx) error {
		round, err := tx.LockListingRound(ctx, due.ID)
		if core.KindOf(err) == core.NotFound {
			return nil
		}
		if err != nil {
			return err
		}
		return tx.SaveListingRound(ctx, round.failed(m.now()))
	})
}

// alertToListing alerts the watchers of a listing, as alertWatchers does for a request. The seller is
// locked before the listing, as saving stock does it.
func (m *alertActs) alertToListing(ctx context.Context, due DueListing) error {
	items, err := m.items.Index(ctx) // before the transaction, which holds a connection
	if err != nil {
		return err
	}
	return m.run.Atomically(ctx, func(tx Tx) error {
		now := m.now()
		if due.Seller == 0 {
			return tx.DeleteListingRound(ctx, due.ID)
		}
		sent := trade.Order{Listing: due.ID, Owner: due.Seller}
		sender, err := tx.LockSender(ctx, sent, now.Add(-core.LimitReach.Per))
		if err != nil {
			return fmt.Errorf("sender of alerts: %w", err)
		}
		listing, err := tx.LockListing(ctx, due.ID, 0, now)
		if core.KindOf(err) == core.NotFound {
			return tx.DeleteListingRound(ctx, due.ID)
		}
		if err != nil {
			return err
		}
		round, err := tx.LockListingRound(ctx, due.ID)
		if core.KindOf(err) == core.NotFound {
			return nil // another replica has done it
		}
		if err != nil || round.DueAt.After(now) {
			return err
		}
		if !listing.Listed(now) || listing.Away || listing.Left() == 0 {
			return tx.DeleteListingRound(ctx, due.ID)
		}
		if wait := sender.waitUntil(round, m.quotas, now); !wait.IsZero() {
			round.DueAt = wait
			return tx.SaveListingRound(ctx, round)
		}
		watchers, err := m.watchersOf(ctx, tx, listing, round, items)
		if err != nil {
			return err
		}
		alerts, next := round.Plan(watchers, false, now)
		alerts, waits, err := m.withinReach(ctx, tx, 0, sender, alerts, atDraw(round.DueAt))
		if err != nil {
			return err
		}
		if waits {
			round.DueAt = nextDraw(now)
			return tx.SaveListingRound(ctx, round)
		}
		notices := make([]notify.Notice, len(alerts))
		for i, a := range alerts {
			notices[i] = a.noticeOf(listing.Listing, now)
		}
		if err := notify.AddNotices(ctx, tx, notices); err != nil {
			return err
		}
		if len(alerts) > 0 {
			if err := tx.NoteAlerts(ctx, alerts, m.quotas.Alerts.Limit, now); err != nil {
				return fmt.Errorf("note alerts: %w", err)
			}
			if err := tx.RecheckListingAlerts(ctx, due.ID, now); err != nil {
				return fmt.Errorf("recheck alerts: %w", err)
			}
		}
		if next == nil {
			return tx.DeleteListingRound(ctx, due.ID)
		}
		next.Failures = 0
		return tx.SaveListingRound(ctx, *next)
	})
}

// watchersOf returns the watchers of a locked listing, without those whose search it fitted before.
func (m *alertActs) watchersOf(
	ctx context.Context, tx Tx, l LockedListing, round AlertRound, items *items.Index,
) ([]Watcher, error) {
	shown := l.Stock
	shown.Quantity = l.Left()
	watched := m.listingFor(items, shown)
	watchers, err := tx.ListingWatchers(ctx, l.ID, watched, forSale(watched.Keys(m.forms)), round.Since,
		m.now().Add(-RepeatedWithin), watchersRead)
	if err != nil {
		return nil, fmt.Errorf("watchers: %w", err)
	}
	if round.Before != nil {
		before := watched
		before.OrderDraft = *round.Before
		before.Category = watched.Category
		watchers = slices.DeleteFunc(watchers, func(w Watcher) bool {
			return w.SearchDraft.ofListings().Fits(before, nil)
		})
	}
	for i := range watchers {
		watchers[i].Quota = m.quotas.Alerts
	}
	return watchers, nil
}
