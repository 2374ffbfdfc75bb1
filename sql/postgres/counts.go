package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	byFilter map[string]*cache.Entry[openCounts]
}

const maxCountEntries = 1000 // filters; then all are dropped

func (c *countEntries) of(filter string, in *cache.Cache) *cache.Entry[openCounts] {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry := c.byFilter[filter]
	if entry == nil {
		if c.byFilter == nil || len(c.byFilter) >= maxCountEntries {
			c.byFilter = map[string]*cache.Entry[openCounts]{}
		}
		entry = cache.NewEntry[openCounts](in, cache.Lists)
		c.byFilter[filter] = entry
	}
	return entry
}

// openCounts are the open orders that match a filter, by category and by the level that they require, 0 for none. Where the filter
// asks for no level, all are under 0.
type openCounts struct {
	byCategory map[core.Category]map[int]int
	validUntil time.Time
}

// CategoryCounts counts the open orders that match a filter, in all and by category.
func (s *Store) CategoryCounts(ctx context.Context, f core.OrderFilter, now time.Time) (core.CategoryCounts, error) {
	open, err := s.openCounts(ctx, f, now)
	if err != nil {
		return core.CategoryCounts{}, err
	}
	counts := core.CategoryCounts{ByCategory: make(map[core.Category]int, len(open.byCategory)), ValidUntil: open.validUntil}
	fit := f.ByCategory()
	for category, byLevel := range open.byCategory {
		most := f.Level
		if fit != nil {
			i := slices.IndexFunc(fit, func(s core.Skill) bool { return s.Category == category })
			if i < 0 {
				continue
			}
			most = lowerLevel(most, fit[i].Level)
		}
		for level, n := range byLevel {
			if most == 0 || level <= most {
				counts.ByCategory[category] += n
				counts.All += n
			}
		}
	}
	return counts, nil
}

// lowerLevel returns the lower of two levels, of which 0 is any.
func lowerLevel(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// openCounts counts the open orders that match the rest of a filter, besides its categories and levels: readers of every level
// share one count.
func (s *Store) openCounts(ctx context.Context, f core.OrderFilter, now time.Time) (openCounts, error) {
	byLevel := f.Level > 0 || len(f.Skills) > 0
	f.Text = strings.Join(f.Words(), " ")
	f.Categories, f.Skills, f.Level = nil, nil, 0
	filter := fmt.Sprintf("%t %#v", byLevel, f) // all of its other fields, so that a new one cannot be forgotten
	return s.counts.of(filter, s.feed.Cache()).Get(ctx, now, func(ctx context.Context) (openCounts, time.Time, error) {
		counts, err := s.countOpen(ctx, f, byLevel, now)
		return counts, counts.validUntil, err
	})
}

func (s *Store) countOpen(ctx context.Context, f core.OrderFilter, byLevel bool, now time.Time) (openCounts, error) {
	all := matching(core.OrderQuery{OrderFilter: f, Now: now}, byFilter)
	columns, by := "category, 0", "category"
	if byLevel {
		columns, by = "category, coalesce(level_requirement, 0)", "category, level_requirement"
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries) (openCounts, error) {
		c := openCounts{byCategory: map[core.Category]map[int]int{}}
		// What is hidden is taken off again: to ask it of each row would mean to read them all, where an index is enough.
		sql := "select " + columns + ", count(*) from orders" + all.where() + " group by " + by +
			" union all select " + columns + ", -count(*) from orders" + all.where() + " and hidden group by " + by
		err := s.forValues(ctx, sql, all.args, func(rows pgx.Rows) error {
			var (
				category core.Category
				level, n int
			)
			_, err := pgx.ForEachRow(rows, []any{&category, &level, &n}, func() error {
				if c.byCategory[category] == nil {
					c.byCategory[category] = map[int]int{}
				}
				c.byCategory[category][level] += n
				return nil
			})
			return err
		})
		if err != nil {
			return openCounts{}, fmt.Errorf("count open orders: %w", err)
		}
		if c.validUntil, err = q.NextExpiry(ctx, now); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return openCounts{}, fmt.Errorf("find when the next order expires: %w", err)
		}
		return c, nil
	})
}
