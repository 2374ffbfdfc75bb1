package match

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/sql/postgres/kernel"
)

// entryOf returns the entry of a filter, or of one of its lists.
func entryOf[V any](
	entries *cache.Entries[string, V], f match.OrderFilter, list string, in *cache.Cache,
) *cache.Entry[V] {
	f.Text = strings.Join(f.Words(), " ")
	key := fmt.Sprintf("%s %#v", list, f) // all of its fields, so that a new one cannot be forgotten
	return entries.Of(key, func() *cache.Entry[V] { return cache.NewEntry[V](in, cache.Lists) })
}

// matches are the open orders that match a filter.
type matches struct {
	n          int  // how many there were when they were counted, or that many at least
	exact      bool // n is exact now
	more       bool // counting stopped at n
	gone       int  // openTotals.gone before they were counted
	validUntil time.Time
}

func (m matches) total() match.Total {
	if m.exact || m.n <= match.MaxExactTotal {
		return match.Total{Orders: m.n}
	}
	return match.Total{Orders: match.MaxExactTotal, AtLeast: true}
}

// CategoryCounts counts the open orders that match a filter, in all and by category. Only without a filter is
// it had from memory.
func (s *Store) CategoryCounts(
	ctx context.Context, f match.OrderFilter, now time.Time,
) (match.CategoryCounts, error) {
	open, err := s.openTotals(ctx, now)
	if err != nil {
		return match.CategoryCounts{}, err
	}
	if f.OnlyCategories() {
		counts := match.CategoryCounts{
			ByCategory: make(map[game.Category]int, len(open.byCategory)), ValidUntil: open.validUntil,
		}
		for category, n := range open.byCategory {
			if f.HasCategory(category) {
				counts.ByCategory[category] = n
				counts.All += n
			}
		}
		return counts, nil
	}
	entry := entryOf(&s.categories, f, "", s.Feed().Cache())
	return entry.Get(ctx, now, func(ctx context.Context) (match.CategoryCounts, time.Time, error) {
		all := shown(match.OrderQuery{OrderFilter: f, Now: now}, byFilter)
		counts, err := kernel.ReadPublic(ctx, s.DB, func(
			ctx context.Context, from kernel.Source,
		) (match.CategoryCounts, error) {
			counts := match.CategoryCounts{ByCategory: map[game.Category]int{}, ValidUntil: open.validUntil}
			sql := "select category, count(*) from orders" + all.where() + " group by category"
			err := kernel.ForValues(ctx, from, sql, all.args, func(rows pgx.Rows) error {
				var (
					category game.Category
					n        int
				)
				_, err := pgx.ForEachRow(rows, []any{&category, &n}, func() error {
					counts.ByCategory[category] = n
					counts.All += n
					return nil
				})
				return err
			})
			return counts, err
		})
		return counts, open.validUntil, err
	})
}

// Total counts the open orders that match a filter: exactly when it asks for categories alone or few match,
// and otherwise that there are core.MaxExactTotal at least.
func (s *Store) Total(ctx context.Context, f match.OrderFilter, now time.Time) (match.Total, error) {
	matching, err := s.matching(ctx, f, now)
	return matching.total(), err
}

// matching counts the open orders that match a filter. Beyond core.MaxExactTotal the number may be an old
// one, as long as it is certain that more than that still match: what joined the lists since can only make it
// larger, and no more can have left the matches than have left the lists.
func (s *Store) matching(ctx context.Context, f match.OrderFilter, now time.Time) (matches, error) {
	open, err := s.openTotals(ctx, now)
	if err != nil {
		return matches{}, err
	}
	if f.OnlyCategories() {
		counted := matches{exact: true, validUntil: open.validUntil}
		for category, n := range open.byCategory {
			if f.HasCategory(category) {
				counted.n += n
			}
		}
		return counted, nil
	}
	entry := entryOf(&s.matches, f, "", s.Feed().Cache())
	if latest, ok := entry.Latest(); ok && latest.n-(open.gone-latest.gone) > match.MaxExactTotal {
		latest.validUntil = open.validUntil
		return latest, nil
	}
	return entry.Get(ctx, now, func(ctx context.Context) (matches, time.Time, error) {
		counted, err := s.countMatching(ctx, f, now, mostCounted(open.all))
		counted.gone, counted.validUntil = open.gone, open.validUntil
		return counted, open.validUntil, err
	})
}

// mostCounted is how far it is counted: from there on, a walk along the index of the sort fills a page sooner
// than all that match are read and sorted.
func mostCounted(open int) int {
	return max(2*match.MaxExactTotal, int(math.Sqrt(float64((core.PageSize+1)*open))))
}

func (s *Store) countMatching(
	ctx context.Context, f match.OrderFilter, now time.Time, most int,
) (matches, error) {
	all := shown(match.OrderQuery{OrderFilter: f, Now: now}, byFilter)
	some := fmt.Sprintf(" limit %d", most)
	if f.Words() != nil {
		some = "" // with a limit PostgreSQL may read row by row, when it believes that a word is in many
	}
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, from kernel.Source,
	) (counted matches, err error) {
		sql := "select count(*) from (select from orders" + all.where() + some + ") counted"
		err = kernel.ForValues(ctx, from, sql, all.args, func(rows pgx.Rows) error {
			counted.n, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
			counted.more = some != "" && counted.n == most
			return err
		})
		if err != nil {
			return counted, fmt.Errorf("count open orders that match: %w", err)
		}
		return counted, nil
	})
}
