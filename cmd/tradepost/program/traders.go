package program

import (
	"context"
	"log/slog"
	"time"

	"tradepost/core/market"
)

// learnTradersEvery limits the delay between a change of an established trader's name and the marks of
// similar names.
const learnTradersEvery = time.Minute

// followTraders keeps the names of established traders up to date until ctx ends. When they change,
// the market refreshes the feed: cached orders were marked by the former names.
func followTraders(ctx context.Context, rules *market.Market, log *slog.Logger) {
	for {
		if _, err := rules.Trust.LearnTraders(ctx); err != nil && ctx.Err() == nil {
			log.Warn("traders: reading their names failed", "error", err)
		}
		select {
		case <-time.After(learnTradersEvery):
		case <-ctx.Done():
			return
		}
	}
}
