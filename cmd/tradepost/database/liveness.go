package database

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
)

// Liveness checks the invariants of liveness by the database's time.
func Liveness(
	ctx context.Context, pool *pgxpool.Pool, db settings.Database, features settings.FeatureList, quick bool,
) (invariants.Liveness, error) {
	on, err := features.On()
	clock := pgconnect.NewClock(HostClock(db))
	if err == nil {
		err = clock.Measure(ctx, pool)
	}
	if err != nil {
		return invariants.Liveness{}, err
	}
	return invariants.CheckLiveness(ctx, pool, invariants.LivenessOptions{
		Now: clock.Now(), Handover: on.Handover, Webhooks: on.Webhooks, Quick: quick})
}
