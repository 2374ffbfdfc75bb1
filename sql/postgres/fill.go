package postgres

import (
	"context"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// FillOrders returns the open orders that a seller can fill, what they have first, each part by what they would earn.
func (s *Store) FillOrders(ctx context.Context, q core.FillQuery) ([]core.FillableOrder, error) {
	p := db.FillOrdersParams{Now: q.Now, SellerID: q.Seller, Most: int32(q.Limit)}
	for _, of := range q.Stock {
		p.StockKeys, p.StockQuantities, p.StockPrices = append(p.StockKeys, of.Key), append(p.StockQuantities, of.Quantity), append(p.StockPrices, int64(of.Price))
	}
	for _, of := range q.Made {
		p.MadeKeys, p.MadeLevels = append(p.MadeKeys, of.Key), append(p.MadeLevels, of.Level)
	}
	return read(ctx, s, func(ctx context.Context, queries *db.Queries) ([]core.FillableOrder, error) {
		rows, err := queries.FillOrders(ctx, p)
		return convert(rows, func(r db.FillOrdersRow) core.FillableOrder {
			return core.FillableOrder{Order: order(r.Order), FromStock: r.FromStock, Can: r.Can}
		}), err
	})
}
