package postgres

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

const (
	hearsFor  = 250 * time.Millisecond // how old the last reading of the changes may be for totals to be trusted
	maxTotals = 1000                   // filters; then all are forgotten
)

// totals remembers how many open orders match a filter, by category. To count is the one thing about a list that takes
// longer the more orders there are, and the same counts are asked for with each of its pages.
//
// What is remembered is right as long as this process hears of every change (somebody runs Listen), none concerned the
// lists since, and no order has expired. Its zero value is ready.
type totals struct {
	mu      sync.Mutex
	epoch   int       // of what lists hold: grows with every change to it
	heardAt time.Time // when this process last knew of all changes; zero when nobody listens
	kept    map[string]counted
	flights singleflight.Group
}

type counted struct {
	core.CategoryCounts
	from, until time.Time // when it was counted, and when the next order expires; zero for never
}

func (t *totals) heard(at time.Time, changed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heardAt = at
	if changed {
		t.epoch++
		clear(t.kept)
	}
}

func (t *totals) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.epoch++
	clear(t.kept)
}

// find returns what is remembered of a filter at a time, and the epoch for which anything new may be kept.
func (t *totals) find(filter string, now time.Time) (c counted, found bool, epoch int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Since(t.heardAt) > hearsFor {
		clear(t.kept)
	}
	c, found = t.kept[filter]
	found = found && !now.Before(c.from) && (c.until.IsZero() || now.Before(c.until))
	return c, found, t.epoch
}

func (t *totals) keep(filter string, c counted, epoch int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if epoch != t.epoch || time.Since(t.heardAt) > hearsFor {
		return // something has changed while we counted
	}
	if t.kept == nil {
		t.kept = map[string]counted{}
	}
	if len(t.kept) >= maxTotals {
		clear(t.kept)
	}
	t.kept[filter] = c
}

// CategoryCounts counts the open orders that match a filter, in all and by category. The filter's own category counts too.
func (s *Store) CategoryCounts(ctx context.Context, f core.OrderFilter, now time.Time) (core.CategoryCounts, error) {
	anyCategory := f
	anyCategory.Category = ""
	counts, err := s.openCounts(ctx, anyCategory, now)
	if err != nil {
		return core.CategoryCounts{}, err
	}
	all := core.CategoryCounts{All: counts.All, ByCategory: make(map[core.Category]int, len(core.Categories))}
	if f.Category != "" {
		all.All = counts.ByCategory[f.Category]
	}
	// Orders of a category that is not played any more are among all of them only.
	for _, category := range core.Categories {
		all.ByCategory[category] = 0
		if f.Category == "" || f.Category == category {
			all.ByCategory[category] = counts.ByCategory[category]
		}
	}
	return all, nil
}

// openCounts counts the open orders that match a filter without a category. Who asks at the same time gets the same
// answer, but never one from before a write that was acknowledged.
func (s *Store) openCounts(ctx context.Context, f core.OrderFilter, now time.Time) (core.CategoryCounts, error) {
	filter := fmt.Sprintf("%q %q %d %d %d", strings.Join(f.Words(), " "), f.Importance, f.Level, f.MinPrice, f.MaxPrice)
	s.attention.pay(ctx)
	known, found, epoch := s.totals.find(filter, now)
	if found {
		return known.CategoryCounts, nil
	}
	flight := fmt.Sprintf("%d %s", epoch, filter)
	answer, err, _ := s.totals.flights.Do(flight, func() (any, error) {
		// Others wait for this answer too, so it does not end with the one who asked first.
		c, err := s.countOpen(context.WithoutCancel(ctx), f, now)
		if err == nil {
			s.totals.keep(filter, c, epoch)
		}
		return c.CategoryCounts, err
	})
	if err != nil {
		return core.CategoryCounts{}, err
	}
	return answer.(core.CategoryCounts), nil
}

func (s *Store) countOpen(ctx context.Context, f core.OrderFilter, now time.Time) (counted, error) {
	all := matching(core.OrderQuery{OrderFilter: f, Now: now}, byFilter)
	return read(ctx, s, func(ctx context.Context, _ *db.Queries) (counted, error) {
		c := counted{from: now}
		c.ByCategory = map[core.Category]int{}
		// What is hidden is taken off again: to ask it of each row would mean to read them all, where an index is enough.
		sql := "select category, count(*) from orders" + all.where() + " group by category" +
			" union all select category, -count(*) from orders" + all.where() + " and hidden group by category"
		err := s.forValues(ctx, sql, all.args, func(rows pgx.Rows) error {
			var (
				category core.Category
				n        int
			)
			_, err := pgx.ForEachRow(rows, []any{&category, &n}, func() error {
				c.ByCategory[category] += n
				c.All += n
				return nil
			})
			return err
		})
		if err != nil {
			return counted{}, fmt.Errorf("count open orders: %w", err)
		}
		var next *time.Time
		err = s.pool.QueryRow(ctx, "select min(expires_at) from orders where status = 'active' and expires_at > $1", now).Scan(&next)
		if err != nil {
			return counted{}, fmt.Errorf("find when the next order expires: %w", err)
		}
		c.until = orZero(next)
		return c, nil
	})
}
