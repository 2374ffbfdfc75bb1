package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// MarketRules returns the settings of moderators for the whole market.
func (s *Store) MarketRules(ctx context.Context) (trade.MarketRules, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trade.MarketRules, error) {
		row, err := q.MarketRules(ctx)
		return marketRules(row.SignedInOnlySince, row.ProgramsTradeSince), err
	})
}

// LockMarketRules locks the rules of the market against changes, and against offers of visitors.
func (t *Tx) LockMarketRules(ctx context.Context) (trade.MarketRules, error) {
	row, err := t.Q.LockMarketRules(ctx)
	return marketRules(row.SignedInOnlySince, row.ProgramsTradeSince), kernel.Translate(err)
}

// SaveMarketRules stores the locked rules of the market.
func (t *Tx) SaveMarketRules(ctx context.Context, r trade.MarketRules) error {
	t.NoteRules()
	return t.Q.SaveMarketRules(ctx, kernel.OrNull(r.SignedInOnlySince), kernel.OrNull(r.ProgramsTradeSince))
}

// LockVisitors returns how many open offers of visitors a locked order has, what it asks of sellers, and
// the rules of the market, which do not change until the transaction ends.
func (t *Tx) LockVisitors(ctx context.Context, id core.OrderID) (trade.Seller, error) {
	row, err := t.Q.LockVisitors(ctx, id)
	return trade.Seller{
		Visitors: int(row.Standing), Rules: marketRules(row.SignedInOnlySince, nil),
		Least: trade.LeastRecord{Sellers: trade.Sellers(row.LeastSellers), NewUpTo: row.NewUpTo},
	}, kernel.Translate(err)
}

func marketRules(signedInOnly, programsTrade *time.Time) trade.MarketRules {
	return trade.MarketRules{
		SignedInOnlySince: kernel.OrZero(signedInOnly), ProgramsTradeSince: kernel.OrZero(programsTrade),
	}
}
