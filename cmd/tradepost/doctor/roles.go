package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/pgconnect"
	"tradepost/sql/schema"
)

// rolesAreTwo warns when the role that serves may change the log of moderation.
func rolesAreTwo(ctx context.Context, db settings.Database) error {
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
	var superuser bool
	err = pool.QueryRow(ctx, "select rolsuper from pg_roles where rolname = current_user").Scan(&superuser)
	if err != nil {
		return fmt.Errorf("ask for the role's rights: %w", err)
	}
	may, err := schema.MayChangeLog(ctx, pool)
	switch {
	case superuser:
		return caution("the role of DATABASE_URL is a superuser of PostgreSQL, " +
			"so who takes over the program takes over the database's machine: " +
			"give the market a role of its own (docs/operations.md, Two database roles)")
	case err != nil:
		return err
	case may:
		return caution(database.LogMayBeChanged)
	}
	return nil
}

// rolesAreGiven warns of the servers whose role for established traders the bot cannot give.
func rolesAreGiven(ctx context.Context, dsn string) error {
	if dsn == "" {
		return notNeeded("the private PostgreSQL runs with the market: /board role shows them")
	}
	pool, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return notNeeded("not looked at, as the database is not reached")
	}
	defer pool.Close()
	const troubled = `select format('in "%s" the role "%s" cannot be given. %s', ` +
		"guild_name, role_name, trouble) from trader_roles where trouble <> '' and not ended order by 1"
	rows, err := pool.Query(ctx, troubled)
	if err != nil {
		return notNeeded("not looked at, as the tables are not those of this version")
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	switch {
	case err != nil:
		return notNeeded("not looked at, as the tables are not those of this version")
	case len(lines) > 0:
		return caution(strings.Join(lines, "; "))
	}
	return nil
}
