package postgres

import (
	"context"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

// Sales returns the newest sales of an order and how many there are in all.
func (s *Store) Sales(ctx context.Context, id core.OrderID, limit int) ([]core.Sale, int, error) {
	var total int64
	sales, err := read(ctx, s, func(ctx context.Context, q *db.Queries) ([]core.Sale, error) {
		rows, err := q.Sales(ctx, id, int32(limit))
		if err != nil {
			return nil, err
		}
		// Fewer than asked for are all there are.
		if total = int64(len(rows)); len(rows) == limit {
			total, err = q.CountSales(ctx, id)
		}
		return convert(rows, sale), err
	})
	return sales, int(total), err
}

func (t *tx) AddSale(ctx context.Context, s core.Sale) (core.SaleID, error) {
	t.wrote = true
	number := take(&t.spare.sale)
	if number == 0 {
		var err error
		if number, err = t.q.SaleNumber(ctx); err != nil {
			return 0, translate(err)
		}
	}
	id := core.SaleID(number)
	return id, t.q.AddSale(ctx, db.AddSaleParams{
		ID: id, OrderID: s.OrderID, QuantitySold: s.Quantity, Notes: orNull(s.Notes), UnitPrice: s.UnitPrice,
		UpdatedBy: orNull(s.UpdatedBy), SellerID: orNull(s.Seller), CreatedAt: s.CreatedAt,
	})
}
