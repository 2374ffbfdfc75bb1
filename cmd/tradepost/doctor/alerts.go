package doctor

import (
	"context"
	"fmt"
	"time"

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
