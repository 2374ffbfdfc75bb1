package main

import (
	"context"

	"tradepost/sql/pgconnect"
	"tradepost/sql/schema"
)

// rolesAreTwo warns when the role that serves may change the log of moderation.
func rolesAreTwo(ctx context.Context, db database) error {
	if db.DatabaseURL == "" {
		return notNeeded("a private PostgreSQL has one role")
	}
	pool, err := pgconnect.Open(ctx, db.DatabaseURL, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return notNeeded("not looked at, as the database does not answer")
	}
	defer pool.Close()
	if applied, err := schema.Applied(ctx, pool); err != nil || applied == 0 {
		return notNeeded("not looked at, as there are no tables yet")
	}
	may, err := schema.MayChangeLog(ctx, pool)
	switch {
	case err != nil:
		return err
	case may:
		return caution(logMayBeChanged)
	}
	return nil
}
