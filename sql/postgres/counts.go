package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/sql/internal/db"
)

// countEntries are the cached counts of open orders, by filter. Counting is the one part of a list that takes longer the more
// orders there are, and each page of the list asks for the same counts. The zero value is ready.
type countEntries struct {
	mu       sync.Mutex
	byFilter map[string]*cache.Entry[core.CategoryCounts]
}

const maxCountEntries = 1000 // filters; then all are dropped

func (c *countEntries) of(filter string, in *cache.Cache) *cache.Entry[core.CategoryCounts] {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry := c.byFilter[filter]
	if entry == nil {
		if c.byFilter == nil || len(c.byFilter) >= maxCountEntries {
			c.byFilter = map[string]*cache.Entry[core.CategoryCounts]{}
		}
		entry = cache.NewEntry[core.CategoryCounts](in, cache.Lists)
		c.byFilter[filter] = entry
	}
	return entry
}

// CategoryCounts counts the open orders that match a filter, in all and by category. The filter's own category counts too.
func (s *Store) CategoryCounts(ctx context.Context, f core.OrderFilter, now time.Time) (core.CategoryCounts, error) {
	anyCategory := f
	anyCategory.Category = ""
	counts, err := s.openCounts(ctx, anyCategory, now)
	if err != nil {
		return core.CategoryCounts{}, err
	}
	all := core.CategoryCounts{
		All: counts.All, ByCategory: make(map[core.Category]int, len(counts.ByCategory)), ValidUntil: counts.ValidUntil,
	}
	if f.Category != "" {
		all.All = counts.ByCategory[f.Category]
	}
	for category, n := range counts.ByCategory {
		if f.Category == "" || f.Category == category {
			all.ByCategory[category] = n
		}
	}
	return all, nil
}

// openCounts counts the open orders that match a filter without a category.
func (s *Store) openCounts(ctx context.Context, f core.OrderFilter, now time.Time) (core.CategoryCounts, error) {
	f.Text = strings.Join(f.Words(), " ")
	filter := fmt.Sprintf("%#v", f) // all of its fields, so that a new one cannot be forgotten
	return s.counts.of(filter, s.feed.Cache()).Get(ctx, now, func(ctx context.Context) (core.CategoryCounts, time.Time, error) {
		counts, err := s.countOpen(ctx, f, now)
		return counts, counts.ValidUntil, err
	})
}

func (s *Store) countOpen(ctx context.Context, f core.OrderFilter, now time.Time) (core.CategoryCounts, error) {
	all := matching(core.OrderQuery{OrderFilter: f, Now: now}, byFilter)
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (core.CategoryCounts, error) {
		c := core.CategoryCounts{ByCategory: map[core.Category]int{}}
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
			return core.CategoryCounts{}, fmt.Errorf("count open orders: %w", err)
		}
		if c.ValidUntil, err = q.NextExpiry(ctx, now); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return core.CategoryCounts{}, fmt.Errorf("find when the next order expires: %w", err)
		}
		return c, nil
	})
}
