package trade

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// orderNotFound gives a missing order the specification's sentence.
func orderNotFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return kernel.NotFound(core.NewText("request_not_found"))
	}
	return err
}

// HideOrders hides or shows the orders of a user as they are now.
func HideOrders(ctx context.Context, t *kernel.Tx, u people.User, now time.Time) error {
	moved, err := t.Q.HideOrders(ctx, db.HideOrdersParams{
		UserID: u.ID, Hidden: u.Blocked() || u.Leaving(), UpdatedAt: now,
	})
	t.NotePosted(moved...)
	t.NotePublicOrders(moved...)
	t.NoteUsers(u.ID)
	if len(moved) > 0 {
		t.NoteLists()
	}
	return kernel.Translate(err)
}

// Order translates a row. It and the statements below that add and save an order list its columns.
func Order(o db.Order) trade.Order {
	return trade.Order{
		ID: o.ID, Owner: o.UserID, Version: o.Version,
		OrderDraft: trade.OrderDraft{
			ItemName: o.ItemName, Quantity: o.Quantity, MaxPrice: o.MaxPricePerUnit,
			Description:  o.Description,
			BuyerContact: o.BuyerContact, InGameName: kernel.OrZero(o.InGameName),
			LevelRequirement: o.LevelRequirement,
			Category:         o.Category, Importance: o.Importance, SignedInOnly: o.SignedInOnly,
			NoPrograms: o.NoPrograms,
		},
		Status: o.Status, Sold: o.Sold, CloseReason: kernel.OrZero(o.CloseReason),
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt,
		ClosedAt: kernel.OrZero(o.ClosedAt),
		Hidden:   o.Hidden, List: kernel.OrZero(o.ListID), Listing: kernel.OrZero(o.ListingID),
	}
}

// Order returns an order. It returns a NotFound error if there is none.
func (s *Store) Order(ctx context.Context, id core.OrderID) (trade.Order, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) (trade.Order, error) {
		row, err := q.Order(ctx, id)
		return Order(row), orderNotFound(err)
	})
}

// OrdersByID returns the orders that exist, in any order.
func (s *Store) OrdersByID(ctx context.Context, ids []core.OrderID) ([]trade.Order, error) {
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) ([]trade.Order, error) {
		rows, err := q.OrdersByID(ctx, kernel.Raw(ids))
		return kernel.Convert(rows, Order), err
	})
}

// AddOrder stores an order and returns its id.
func (t *Tx) AddOrder(ctx context.Context, o trade.Order) (core.OrderID, error) {
	number := kernel.Take(&t.Spare.Order)
	if number == 0 {
		var err error
		if number, err = t.Q.OrderNumber(ctx); err != nil {
			return 0, kernel.Translate(err)
		}
	}
	o.ID = core.OrderID(number)
	t.NotePosted(o.ID)
	t.NoteUsers(o.Owner)
	t.NoteNamed(o.ItemName)
	if !o.Hidden {
		t.NoteMoves(moved(o, 1)...)
		t.NotePublicOrders(o.ID)
	}
	return o.ID, t.Q.AddOrder(ctx, db.AddOrderParams{
		ID: o.ID, UserID: o.Owner, Version: o.Version,
		ItemName: o.ItemName, Quantity: o.Quantity, MaxPricePerUnit: o.MaxPrice, Description: o.Description,
		BuyerContact: o.BuyerContact, InGameName: kernel.OrNull(o.InGameName),
		LevelRequirement: o.LevelRequirement,
		Category:         o.Category, Importance: o.Importance, SignedInOnly: o.SignedInOnly,
		NoPrograms: o.NoPrograms,
		Status:     o.Status, Sold: o.Sold, Progress: o.Progress(), CloseReason: kernel.OrNull(o.CloseReason),
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt,
		ClosedAt: kernel.TimeOrNull(o.ClosedAt), Hidden: o.Hidden,
		ListID: kernel.OrNull(o.List), ListingID: kernel.OrNull(o.Listing),
	})
}

// lock notes an order that is locked, in its present state.
func (t *Tx) lock(o trade.Order) {
	t.locked[o.ID] = o
	t.NoteLocked(o.ID, o.Owner)
}

// isListed reports whether everybody sees an order, unless it has expired.
func isListed(o trade.Order) bool { return o.Status == trade.Active && !o.Hidden }

// moved returns the moves of an order that joins the lists as it is, by 1, or leaves them, by -1.
func moved(o trade.Order, by int) []kernel.Move {
	if !isListed(o) {
		return nil
	}
	return []kernel.Move{{Category: o.Category, ExpiresAt: o.ExpiresAt, By: by}}
}

// LockOrder locks an order and returns it.
func (t *Tx) LockOrder(ctx context.Context, id core.OrderID) (trade.Order, error) {
	row, err := t.Q.LockOrder(ctx, id)
	if err != nil {
		return trade.Order{}, kernel.Translate(orderNotFound(err))
	}
	t.Spare = kernel.Numbers{Sale: row.SaleNumber, Offer: row.OfferNumber, Notice: row.NoticeNumber}
	o := Order(row.Order)
	t.lock(o)
	return o, nil
}

// SaveOrder stores an order, and locks it first if this transaction has not.
func (t *Tx) SaveOrder(ctx context.Context, o trade.Order) error {
	t.NoteWrite()
	before, known := t.locked[o.ID]
	if !known {
		var err error
		if before, err = t.LockOrder(ctx, o.ID); err != nil {
			return err
		}
	}
	t.locked[o.ID] = o
	if isListed(before) || isListed(o) {
		t.NotePublicOrders(o.ID)
	}
	if o.ExpiresAt.Equal(before.ExpiresAt) && o.Equal(before.OrderDraft) {
		if o.Status != before.Status {
			t.NoteMoves(moved(before, -1)...)
			t.NoteMoves(moved(o, 1)...)
		}
		return t.Q.SaveOrderState(ctx, db.SaveOrderStateParams{
			ID: o.ID, Version: o.Version, Status: o.Status, Sold: o.Sold, Progress: o.Progress(),
			CloseReason: kernel.OrNull(o.CloseReason), UpdatedAt: o.UpdatedAt,
			ClosedAt: kernel.TimeOrNull(o.ClosedAt),
		})
	}
	t.NoteMoves(moved(before, -1)...)
	t.NoteMoves(moved(o, 1)...)
	if o.ItemName != before.ItemName {
		t.NoteUnnamed(before.ItemName)
		t.NoteNamed(o.ItemName)
	}
	return t.Q.SaveOrder(ctx, db.SaveOrderParams{
		ID: o.ID, Version: o.Version,
		ItemName: o.ItemName, Quantity: o.Quantity, MaxPricePerUnit: o.MaxPrice, Description: o.Description,
		BuyerContact: o.BuyerContact, InGameName: kernel.OrNull(o.InGameName),
		LevelRequirement: o.LevelRequirement,
		Category:         o.Category, Importance: o.Importance, SignedInOnly: o.SignedInOnly,
		NoPrograms: o.NoPrograms,
		Status:     o.Status, Sold: o.Sold, Progress: o.Progress(), CloseReason: kernel.OrNull(o.CloseReason),
		UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt, ClosedAt: kernel.TimeOrNull(o.ClosedAt),
	})
}

// DeleteOrder deletes an order with its offers.
func (t *Tx) DeleteOrder(ctx context.Context, id core.OrderID) error {
	t.NoteWrite()
	o, known := t.locked[id]
	if !known {
		var err error
		if o, err = t.LockOrder(ctx, id); err != nil {
			return err
		}
	}
	t.NoteMoves(moved(o, -1)...)
	if isListed(o) {
		t.NotePublicOrders(id)
	}
	t.NoteUnnamed(o.ItemName)
	if err := emptyHistory(ctx, t.Tx, []int64{int64(id)}); err != nil {
		return err
	}
	return t.Q.DeleteOrder(ctx, id)
}

// emptyHistory removes the owners' texts and contacts from the rows that remain of deleted orders.
func emptyHistory(ctx context.Context, t *kernel.Tx, orders []int64) error {
	if err := t.Q.EmptySales(ctx, orders); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(t.Q.EmptySentOffers(ctx, orders))
}

// DeleteOrders deletes locked orders, many at once.
func DeleteOrders(ctx context.Context, t *kernel.Tx, ids []core.OrderID) error {
	if len(ids) == 0 {
		return nil
	}
	if err := emptyHistory(ctx, t, kernel.Raw(ids)); err != nil {
		return err
	}
	names, err := t.Q.DeleteOrders(ctx, kernel.Raw(ids))
	t.NoteUnnamed(names...)
	return kernel.Translate(err)
}

// LockExpired locks up to limit orders that have expired, and marks them, so that each is returned once after
// it was posted or renewed.
func (t *Tx) LockExpired(ctx context.Context, now time.Time, limit int) ([]trade.Order, error) {
	return t.lockMany(t.Q.LockExpiredOrders(ctx, now, int32(limit)))
}

// LockExpiring locks up to limit open orders that end before the time and have had no warning to their buyer
// since they were posted or renewed, and marks them as warned.
func (t *Tx) LockExpiring(ctx context.Context, now, before time.Time, limit int) ([]trade.Order, error) {
	return t.lockMany(t.Q.LockExpiringOrders(ctx, db.LockExpiringOrdersParams{
		Now: now, Before: before, Most: int32(limit),
	}))
}

func (t *Tx) lockMany(rows []db.Order, err error) ([]trade.Order, error) {
	if err != nil {
		return nil, kernel.Translate(err)
	}
	orders := kernel.Convert(rows, Order)
	for _, o := range orders {
		t.lock(o)
	}
	return orders, nil
}

// Counts returns the numbers shown on a user's tabs.
func (s *Store) Counts(ctx context.Context, query market.CountsQuery) (market.Counts, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (market.Counts, error) {
		row, err := q.Counts(ctx, db.CountsParams{UserID: query.User, Now: query.Now,
			EndingBefore: query.EndingBefore, Trades: query.Trades, Cases: query.Cases,
			Listings: query.Listings})
		counts := market.Counts{
			Active: int(row.Active), Fulfilled: int(row.Fulfilled), Archived: int(row.Archived),
			Expired: int(row.Expired), Unread: int(row.Unread), Received: int(row.Received),
			Asks: int(row.Asks), Confirm: int(row.Confirm), Partner: core.UserID(row.Partner),
			Ending: int(row.Ending), EndingOrder: core.OrderID(row.EndingOrder), Cases: int(row.Cases),
		}
		if counts.Ending > 0 {
			counts.EndsAt = row.EndsAt
		}
		return counts, err
	})
}
