package postgres

import (
	"context"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// order translates a row. It and the statements below that add and save an order list its columns.
func order(o db.Order) core.Order {
	return core.Order{
		ID: o.ID, Owner: o.UserID, Version: o.Version,
		OrderDraft: core.OrderDraft{
			ItemName: o.ItemName, Quantity: o.Quantity, MaxPrice: o.MaxPricePerUnit, Description: o.Description,
			BuyerContact: o.BuyerContact, InGameName: orZero(o.InGameName), LevelRequirement: o.LevelRequirement,
			Category: o.Category, Importance: o.Importance, SignedInOnly: o.SignedInOnly,
		},
		Status: o.Status, Sold: o.Sold, CloseReason: orZero(o.CloseReason),
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt, ClosedAt: orZero(o.ClosedAt),
		Hidden: o.Hidden, List: orZero(o.ListID),
	}
}

// Order returns an order. It returns a NotFound error if there is none.
func (s *tradeStore) Order(ctx context.Context, id core.OrderID) (core.Order, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) (core.Order, error) {
		row, err := q.Order(ctx, id)
		return order(row), orderNotFound(err)
	})
}

// OrdersByID returns those of the orders that are there, in any order.
func (s *tradeStore) OrdersByID(ctx context.Context, ids []core.OrderID) ([]core.Order, error) {
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) ([]core.Order, error) {
		rows, err := q.OrdersByID(ctx, raw(ids))
		return convert(rows, order), err
	})
}

// ItemNames returns names of items that contain the words of text, the most ordered first: those that two people ask for now, and
// those that the user has asked for.
func (s *matchStore) ItemNames(ctx context.Context, user core.UserID, text string, limit int, now time.Time) ([]string, error) {
	patterns, words := []string{}, core.OrderFilter{Text: text}.Words()
	for _, word := range words {
		patterns = append(patterns, contains(word))
	}
	prefix := likeEscaper.Replace(strings.Join(words, " ")) + "%"
	return readPublic(ctx, s.DB, func(ctx context.Context, q source) ([]string, error) {
		return q.ItemNames(ctx, db.ItemNamesParams{Prefix: prefix, Patterns: patterns, AskedBy: user, Now: now, Most: int32(limit)})
	})
}

// contains is the LIKE pattern for text that contains the word as written.
func contains(word string) string { return "%" + likeEscaper.Replace(word) + "%" }

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func (t *tradeTx) AddOrder(ctx context.Context, o core.Order) (core.OrderID, error) {
	number := take(&t.Spare.Order)
	if number == 0 {
		var err error
		if number, err = t.Q.OrderNumber(ctx); err != nil {
			return 0, translate(err)
		}
	}
	o.ID = core.OrderID(number)
	t.NotePosted(o.ID)
	t.NoteUsers(o.Owner)
	t.NoteNamed(o.ItemName)
	if !o.Hidden {
		t.joins(o)
	}
	return o.ID, t.Q.AddOrder(ctx, db.AddOrderParams{
		ID: o.ID, UserID: o.Owner, Version: o.Version,
		ItemName: o.ItemName, Quantity: o.Quantity, MaxPricePerUnit: o.MaxPrice, Description: o.Description,
		BuyerContact: o.BuyerContact, InGameName: orNull(o.InGameName), LevelRequirement: o.LevelRequirement,
		Category: o.Category, Importance: o.Importance, SignedInOnly: o.SignedInOnly,
		Status: o.Status, Sold: o.Sold, Progress: o.Progress(), CloseReason: orNull(o.CloseReason),
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt, ClosedAt: timeOrNull(o.ClosedAt), Hidden: o.Hidden,
		ListID: orNull(o.List),
	})
}

// lock notes an order that is locked, in its present state.
func (t *tradeTx) lock(o core.Order) {
	t.locked[o.ID] = o
	t.NoteLocked(o.ID, o.Owner)
}

// joins notes that an order is on the lists from now on, as it is.
func (t *tradeTx) joins(o core.Order) { t.NoteMoves(moved(o, 1)...) }

// leaves notes that an order is no longer on the lists as it was.
func (t *tradeTx) leaves(o core.Order) { t.NoteMoves(moved(o, -1)...) }

func moved(o core.Order, by int) []Move {
	if o.Status != core.Active || o.Hidden {
		return nil
	}
	return []Move{{Category: o.Category, ExpiresAt: o.ExpiresAt, By: by}}
}

func (t *tradeTx) LockOrder(ctx context.Context, id core.OrderID) (core.Order, error) {
	row, err := t.Q.LockOrder(ctx, id)
	if err != nil {
		return core.Order{}, translate(orderNotFound(err))
	}
	t.Spare = Numbers{Sale: row.SaleNumber, Offer: row.OfferNumber, Notice: row.NoticeNumber}
	o := order(row.Order)
	t.lock(o)
	return o, nil
}

func (t *tradeTx) SaveOrder(ctx context.Context, o core.Order) error {
	t.NoteWrite()
	before, known := t.locked[o.ID]
	if !known {
		var err error
		if before, err = t.LockOrder(ctx, o.ID); err != nil {
			return err
		}
	}
	t.locked[o.ID] = o
	if o.ExpiresAt.Equal(before.ExpiresAt) && o.Equal(before.OrderDraft) {
		if o.Status != before.Status {
			t.leaves(before)
			t.joins(o)
		}
		return t.Q.SaveOrderState(ctx, db.SaveOrderStateParams{
			ID: o.ID, Version: o.Version, Status: o.Status, Sold: o.Sold, Progress: o.Progress(),
			CloseReason: orNull(o.CloseReason), UpdatedAt: o.UpdatedAt, ClosedAt: timeOrNull(o.ClosedAt),
		})
	}
	t.leaves(before)
	t.joins(o)
	if o.ItemName != before.ItemName {
		t.NoteUnnamed(before.ItemName)
		t.NoteNamed(o.ItemName)
	}
	return t.Q.SaveOrder(ctx, db.SaveOrderParams{
		ID: o.ID, Version: o.Version,
		ItemName: o.ItemName, Quantity: o.Quantity, MaxPricePerUnit: o.MaxPrice, Description: o.Description,
		BuyerContact: o.BuyerContact, InGameName: orNull(o.InGameName), LevelRequirement: o.LevelRequirement,
		Category: o.Category, Importance: o.Importance, SignedInOnly: o.SignedInOnly,
		Status: o.Status, Sold: o.Sold, Progress: o.Progress(), CloseReason: orNull(o.CloseReason),
		UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt, ClosedAt: timeOrNull(o.ClosedAt),
	})
}

func (t *tradeTx) DeleteOrder(ctx context.Context, id core.OrderID) error {
	t.NoteWrite()
	o, known := t.locked[id]
	if !known {
		var err error
		if o, err = t.LockOrder(ctx, id); err != nil {
			return err
		}
	}
	t.leaves(o)
	t.NoteUnnamed(o.ItemName)
	if err := emptyHistory(ctx, t.Tx, []int64{int64(id)}); err != nil {
		return err
	}
	return t.Q.DeleteOrder(ctx, id)
}

// emptyHistory takes the owners' texts and contacts out of what stays of orders that are deleted.
func emptyHistory(ctx context.Context, t *Tx, orders []int64) error {
	if err := t.Q.EmptySales(ctx, orders); err != nil {
		return translate(err)
	}
	return translate(t.Q.EmptySentOffers(ctx, orders))
}

// deleteOrders deletes locked orders, many at once.
func deleteOrders(ctx context.Context, t *Tx, ids []core.OrderID) error {
	if len(ids) == 0 {
		return nil
	}
	if err := emptyHistory(ctx, t, raw(ids)); err != nil {
		return err
	}
	names, err := t.Q.DeleteOrders(ctx, raw(ids))
	t.NoteUnnamed(names...)
	return translate(err)
}

func (t *tradeTx) LockExpired(ctx context.Context, now time.Time, limit int) ([]core.Order, error) {
	return t.lockMany(t.Q.LockExpiredOrders(ctx, now, int32(limit)))
}

func (t *tradeTx) LockExpiring(ctx context.Context, now, before time.Time, limit int) ([]core.Order, error) {
	return t.lockMany(t.Q.LockExpiringOrders(ctx, db.LockExpiringOrdersParams{Now: now, Before: before, Most: int32(limit)}))
}

func (t *tradeTx) lockMany(rows []db.Order, err error) ([]core.Order, error) {
	if err != nil {
		return nil, translate(err)
	}
	orders := convert(rows, order)
	for _, o := range orders {
		t.lock(o)
	}
	return orders, nil
}
