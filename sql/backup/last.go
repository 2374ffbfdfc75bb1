package backup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/sql/pgconnect"
)

// undefinedTable is the code of PostgreSQL's error.
const undefinedTable = "42P01"

// RecordLast stores in the database that a backup of it was finished, made when its Summary says.
func RecordLast(ctx context.Context, dsn string, made time.Time) error {
	pool, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.Exec(ctx, "insert into last_backup (made_at) values ($1) on conflict (single) do update "+
		"set made_at = greatest(last_backup.made_at, excluded.made_at)", made)
	if err != nil && !hasNoTable(err) {
		return fmt.Errorf("record the backup: %w", err)
	}
	return nil
}

// Age returns how old the last backup of the database is, false when there is none.
func Age(ctx context.Context, q querier) (age time.Duration, there bool, err error) {
	var seconds float64
	err = q.QueryRow(ctx, "select extract(epoch from clock_timestamp() - made_at)::float8 from last_backup").
		Scan(&seconds)
	switch {
	case errors.Is(err, pgx.ErrNoRows), hasNoTable(err):
		return 0, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("read when the last backup was made: %w", err)
	}
	return time.Duration(seconds * float64(time.Second)), true, nil
}

// hasNoTable reports whether an error is about a missing table: an older program made the schema.
func hasNoTable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == undefinedTable
}
