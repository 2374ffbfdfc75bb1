package doctor

import (
	"context"
	"fmt"
	"time"

	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/pgconnect"
	"tradepost/sql/queue"
)

// watchersAreAlerted returns a caution when there are requests without alerts to their watchers.
func watchersAreAlerted(ctx context.Context, dsn string) error {
	if dsn == "" {
		return notNeeded("the private PostgreSQL runs with the market; look at its log")
	}
	pool, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return notNeeded("not looked at, as the database is not reached")
	}
	defer pool.Close()
	due, err := queue.ReadAlertsDue(ctx, pool, time.Now())
	switch {
	case err != nil:
		return notNeeded("not looked at, as the tables are not those of this version")
	case due.Failing > 0:
		return caution(fmt.Sprintf("the watchers of %d requests could not be alerted, which is tried again "+
			"at least every ten minutes: the log names the cause (watchers not alerted yet)", due.Failing))
	}
	return nil
}

// nothingIsLate returns an error that names what is due and was not done.
func nothingIsLate(ctx context.Context, db settings.Database, features settings.FeatureList) error {
	pool, err := pgconnect.Open(ctx, db.DatabaseURL, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return notNeeded("not looked at, as the database is not reached")
	}
	defer pool.Close()
	live, err := database.Liveness(ctx, pool, db, features, true)
	switch {
	case err != nil:
		return notNeeded("not looked at, as the tables are not those of this version")
	case len(live.Violations) > 0:
		return fmt.Errorf("tradepost check names %d violations, the first: %s", len(live.Violations),
			live.Violations[0])
	case !live.Owes:
		return notNeeded(live.OwesNothing())
	}
	return nil
}
