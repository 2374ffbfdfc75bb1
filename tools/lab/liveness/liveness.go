// Package liveness checks every invariant of a market once a fault or a load has ended.
package liveness

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core"
	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
)

// Longest is how long Broken takes at most. What is due when it begins may be done two minutes later, when
// the clock is steady.
const Longest = core.LateAfter + pgconnect.SteadyAfter

// Broken returns the violations of all invariants. Liveness may take as long as it legally takes to
// come right. With owes, a market without a running bot is checked as if its bot had run for long.
func Broken(ctx context.Context, pool *pgxpool.Pool, owes bool) ([]invariants.Violation, error) {
	violations, err := invariants.Check(ctx, pool)
	if err != nil {
		return nil, err
	}
	clock := pgconnect.NewClock(pgconnect.Host{})
	for until := time.Now().Add(Longest); ; {
		if err := clock.Measure(ctx, pool); err != nil {
			return nil, err
		}
		live, err := invariants.CheckLiveness(ctx, pool,
			invariants.LivenessOptions{Now: clock.Now(), Handover: true, Webhooks: true, Owes: owes})
		if err != nil {
			return nil, err
		}
		if len(live.Violations) == 0 || time.Now().After(until) {
			return append(violations, live.Violations...), nil
		}
		select {
		case <-time.After(time.Second): // there is no signal for it
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
