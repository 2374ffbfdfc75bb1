package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// PostedList returns a list with its orders, by number. It returns a NotFound error if there is none.
func (s *Store) PostedList(ctx context.Context, id core.ListID) (trade.PostedList, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (trade.PostedList, error) {
		row, err := q.PostedList(ctx, id)
		if err != nil {
			return trade.PostedList{}, err
		}
		orders, err := q.OrdersOfList(ctx, int64(id))
		return trade.PostedList{
			ID: row.ID, Owner: row.UserID, Name: row.Name, CreatedAt: row.CreatedAt,
			Orders: kernel.Convert(orders, Order),
		}, err
	})
}

// PostedLists returns a user's lists, newest first; those without orders are left out.
func (s *Store) PostedLists(ctx context.Context, owner core.UserID, limit int) ([]trade.ListSummary, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.ListSummary, error) {
		return PostedLists(ctx, q, owner, limit, false)
	})
}

// PostedLists returns a user's lists, newest first; those without orders only with empty.
func PostedLists(
	ctx context.Context, q *db.Queries, owner core.UserID, limit int, empty bool,
) ([]trade.ListSummary, error) {
	rows, err := q.PostedLists(ctx, db.PostedListsParams{UserID: owner, Empty: empty, Most: int32(limit)})
	return kernel.Convert(rows, func(r db.PostedListsRow) trade.ListSummary {
		return trade.ListSummary{
			PostedList: trade.PostedList{ID: r.ID, Owner: r.UserID, Name: r.Name, CreatedAt: r.CreatedAt},
			ListProgress: trade.ListProgress{
				Orders: r.Orders, Done: r.Done, Wanted: int(r.Wanted), Sold: int(r.Sold),
			},
		}
	}), err
}

// AddList stores a list; its orders are added each by AddOrder.
func (t *Tx) AddList(ctx context.Context, l trade.PostedList) (core.ListID, error) {
	id, err := t.Q.AddList(ctx, db.AddListParams{UserID: l.Owner, Name: l.Name, CreatedAt: l.CreatedAt})
	return id, kernel.Translate(err)
}

// LatestList returns when a buyer posted their latest list.
func (t *Tx) LatestList(ctx context.Context, buyer core.UserID) (time.Time, error) {
	at, err := t.Q.LatestList(ctx, buyer)
	return at, kernel.Translate(err)
}

// LockList locks the orders that belong to a list, by number.
func (t *Tx) LockList(
	ctx context.Context, id core.ListID, ids []core.OrderID,
) (map[core.OrderID]trade.Order, error) {
	orders, err := t.lockMany(t.Q.LockListed(ctx, int64(id), kernel.Raw(ids)))
	locked := make(map[core.OrderID]trade.Order, len(orders))
	for _, o := range orders {
		locked[o.ID] = o
	}
	return locked, err
}
