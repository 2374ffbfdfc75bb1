package postgres

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// MarketRules returns what moderators set for the whole market.
func (s *tradeStore) MarketRules(ctx context.Context) (core.MarketRules, error) {
	return read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (core.MarketRules, error) {
		since, err := q.MarketRules(ctx)
		return marketRules(since), err
	})
}

func (t *tradeTx) LockMarketRules(ctx context.Context) (core.MarketRules, error) {
	since, err := t.Q.LockMarketRules(ctx)
	return marketRules(since), translate(err)
}

func (t *tradeTx) SaveMarketRules(ctx context.Context, r core.MarketRules) error {
	return t.Q.SaveMarketRules(ctx, orNull(r.SignedInOnlySince))
}

func (t *tradeTx) LockVisitors(ctx context.Context, id core.OrderID) (core.Seller, error) {
	row, err := t.Q.LockVisitors(ctx, id)
	return core.Seller{
		Visitors: int(row.Standing), Rules: marketRules(row.SignedInOnlySince), Least: core.LeastRecord{Partners: row.LeastPartners, NewUpTo: row.NewUpTo},
	}, translate(err)
}

func marketRules(since *time.Time) core.MarketRules {
	return core.MarketRules{SignedInOnlySince: orZero(since)}
}
