package program

import (
	"context"
	"log/slog"
	"time"

	"tradepost/core/market"
	"tradepost/sql/postgres"
)

// learnTradersEvery is how far the marks of names may be behind the names of established traders.
const learnTradersEvery = time.Minute

// followTraders keeps the names of established traders up to date until ctx ends. What was cached was
// marked by the former ones.
func followTraders(ctx context.Context, rules *market.Market, store *postgres.Store, log *slog.Logger) {
	for {
		changed, err := rules.Trust.LearnTraders(ctx)
		if changed {
			store.Feed().Refresh()
		}
		if err != nil && ctx.Err() == nil {
			log.Warn("traders: reading their names failed", "error", err)
		}
		select {
		case <-time.After(learnTradersEvery):
		case <-ctx.Done():
			return
		}
	}
}
