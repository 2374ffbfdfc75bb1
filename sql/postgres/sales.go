package postgres

import (
	"context"
	"math"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// Sales returns the newest sales of an order and how many there are in all.
func (s *tradeStore) Sales(ctx context.Context, id core.OrderID, limit int) ([]core.Sale, int, error) {
	var total int64
	sales, err := read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Sale, error) {
		rows, err := q.Sales(ctx, int64(id), int32(limit))
		if err != nil {
			return nil, err
		}
		// Fewer than asked for are all there are.
		if total = int64(len(rows)); len(rows) == limit {
			total, err = q.CountSales(ctx, int64(id))
		}
		return convert(rows, func(r db.SalesRow) core.Sale { return reversible(r.OrderUpdate, r.Reversed) }), err
	})
	return sales, int(total), err
}

// SalesOf returns what a user has bought and sold, newest first, below the id before (zero: from the top).
func (s *tradeStore) SalesOf(ctx context.Context, user core.UserID, before core.SaleID, limit int) ([]core.Sale, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]core.Sale, error) {
		rows, err := q.SalesOf(ctx, db.SalesOfParams{UserID: int64(user), Before: int64(before), Most: int32(limit)})
		return convert(rows, func(r db.SalesOfRow) core.Sale { return reversible(r.OrderUpdate, r.Reversed) }), err
	})
}

func reversible(u db.OrderUpdate, reversed bool) core.Sale {
	s := sale(u)
	s.Reversed = reversed
	return s
}

func (t *tradeTx) AddSale(ctx context.Context, s core.Sale) (core.SaleID, error) {
	t.NoteWrite()
	t.NoteTrade(s.ItemName)
	number := take(&t.Spare.Sale)
	if number == 0 {
		var err error
		if number, err = t.Q.SaleNumber(ctx); err != nil {
			return 0, translate(err)
		}
	}
	id := core.SaleID(number)
	return id, t.Q.AddSale(ctx, db.AddSaleParams{
		ID: id, OrderID: &s.OrderID, ItemName: orNull(s.ItemName), QuantitySold: s.Quantity, Notes: orNull(s.Notes),
		UnitPrice: s.UnitPrice, UpdatedBy: orNull(s.UpdatedBy), BuyerID: orNull(s.Buyer), SellerID: orNull(s.Seller),
		OfferID: orNull(s.Offer), SellerName: orNull(s.SellerName), SellerContact: orNull(s.SellerContact),
		CreatedAt: s.CreatedAt,
	})
}
