package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// MarketRules returns what moderators set for the whole market.
func (s *Store) MarketRules(ctx context.Context) (core.MarketRules, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.MarketRules, error) {
		since, err := q.MarketRules(ctx)
		return marketRules(since), err
	})
}

func (t *Tx) LockMarketRules(ctx context.Context) (core.MarketRules, error) {
	since, err := t.Q.LockMarketRules(ctx)
	return marketRules(since), kernel.Translate(err)
}

func (t *Tx) SaveMarketRules(ctx context.Context, r core.MarketRules) error {
	return t.Q.SaveMarketRules(ctx, kernel.OrNull(r.SignedInOnlySince))
}

func (t *Tx) LockVisitors(ctx context.Context, id core.OrderID) (core.Seller, error) {
	row, err := t.Q.LockVisitors(ctx, id)
	return core.Seller{
		Visitors: int(row.Standing), Rules: marketRules(row.SignedInOnlySince), Least: core.LeastRecord{Partners: row.LeastPartners, NewUpTo: row.NewUpTo},
	}, kernel.Translate(err)
}

func marketRules(since *time.Time) core.MarketRules {
	return core.MarketRules{SignedInOnlySince: kernel.OrZero(since)}
}
