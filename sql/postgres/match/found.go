package match

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/postgres/kernel"
)

// found lists the orders that match a filter, in the order of a list. Where few match they are found and
// sorted as a whole, for any page; so the next page, and another user's same search, read only their rows.
// Only their sort keys and ids are kept: 16 bytes each.
type found []position

// position is where an order is in a list.
type position struct {
	key int64 // as in core.Cursor
	id  core.OrderID
}

// mostFound is how many positions are kept of a filter at most: 256 kB.
const mostFound = 16_000

// foundPage returns a page of the orders that a filter finds.
func (s *Store) foundPage(
	ctx context.Context, q match.OrderQuery, validUntil time.Time,
) (match.OrderPage, error) {
	entry := entryOf(&s.found, q.OrderFilter, string(q.Sort), s.Feed().Cache())
	positions, err := entry.Get(ctx, q.Now, func(ctx context.Context) (found, time.Time, error) {
		positions, err := s.find(ctx, q)
		return positions, validUntil, err
	})
	if err != nil {
		return match.OrderPage{}, err
	}
	ids := positions.after(q.Sort, q.After)
	ids = ids[:min(len(ids), q.Limit+1)]
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, from kernel.Source,
	) (match.OrderPage, error) {
		rows, err := from.Pool.Query(ctx, rowsOfPage, kernel.Convert(ids, func(p position) int64 {
			return int64(p.id)
		}))
		if err != nil {
			return match.OrderPage{}, fmt.Errorf("page of orders: %w", err)
		}
		orders, err := pgx.AppendRows(make([]trade.ListedOrder, 0, len(ids)), rows, orderRow().read)
		if err != nil {
			return match.OrderPage{}, fmt.Errorf("page of orders: %w", err)
		}
		at := make(map[core.OrderID]int, len(ids))
		for i, p := range ids {
			at[p.id] = i
		}
		slices.SortFunc(orders, func(a, b trade.ListedOrder) int { return cmp.Compare(at[a.ID], at[b.ID]) })
		return pageOf(orders, q), nil
	})
}

var rowsOfPage = "select " + pageColumns + " from orders where id = any($1::bigint[])" +
	" and status = 'active' and not hidden"

// find reads the positions of everything that matches.
func (s *Store) find(ctx context.Context, q match.OrderQuery) (found, error) {
	c := shown(q, byFilter)
	by := sortingBy(q.Sort)
	key := by.column
	if by.column == "created_at" || by.column == "expires_at" {
		key = "(extract(epoch from " + by.column + ") * 1000000)::bigint"
	}
	sql := "select " + key + ", id from (select * from orders" + c.where() + " offset 0) orders" +
		by.orderBy()
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, from kernel.Source,
	) (positions found, err error) {
		err = kernel.ForValues(ctx, from, sql, c.args, func(rows pgx.Rows) error {
			var p position
			_, err := pgx.ForEachRow(rows, []any{&p.key, &p.id}, func() error {
				positions = append(positions, p)
				return nil
			})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("find orders: %w", err)
		}
		return positions, nil
	})
}

// after returns the positions after a cursor, all of them after nil.
func (f found) after(by match.Sort, at *match.Cursor) found {
	if at == nil {
		return f
	}
	sign := -1 // the largest first
	if sortingBy(by).ascending {
		sign = 1
	}
	return f[sort.Search(len(f), func(i int) bool {
		if c := sign * cmp.Compare(f[i].key, at.Key); c != 0 {
			return c > 0
		}
		return f[i].id < core.OrderID(at.ID)
	}):]
}
