package match

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// SellerOn returns what decides whether a seller may offer on each of the orders.
func (s *Store) SellerOn(
	ctx context.Context, seller core.UserID, orders []core.OrderID, q core.Quotas, now time.Time,
) (map[core.OrderID]trade.Seller, error) {
	known := make(map[core.OrderID]trade.Seller, len(orders))
	if len(orders) == 0 {
		return known, nil
	}
	return kernel.Read(ctx, s.DB, func(
		ctx context.Context, queries *db.Queries,
	) (map[core.OrderID]trade.Seller, error) {
		rows, err := queries.SellerOnOrders(ctx, db.SellerOnOrdersParams{
			SellerID: int64(seller), Ids: kernel.Raw(orders), SettledBefore: now.Add(-core.SettledAfter),
			MostSent: int64(q.Offers.Limit), MostSentHere: int64(q.OffersPerRequest.Limit),
		})
		for _, row := range rows {
			known[row.OrderID] = trade.Seller{
				Sent: row.Sent, SentHere: row.SentHere, Trusted: row.Trusted, Met: row.Met,
				Least: trade.LeastRecord{Sellers: trade.Sellers(row.LeastSellers), NewUpTo: row.NewUpTo},
			}
		}
		return known, err
	})
}

// LatestMessages returns the messages among a seller's latest offers, the latest first.
func (s *Store) LatestMessages(ctx context.Context, seller core.UserID, limit int) ([]string, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]string, error) {
		return q.LatestMessages(ctx, seller, int32(limit))
	})
}
