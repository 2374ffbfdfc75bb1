package gatewaylock

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/internal/db"
)

// Each statement has statementTime.

func tryLock(ctx context.Context, conn *pgx.Conn, lock int64) (mine bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	if mine, err = db.New(conn).TryLock(ctx, lock); err != nil {
		return false, fmt.Errorf("try the lock: %w", err)
	}
	return mine, nil
}

func unlock(ctx context.Context, conn *pgx.Conn, lock int64) error {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	if _, err := db.New(conn).Unlock(ctx, lock); err != nil {
		return fmt.Errorf("release the lock: %w", err)
	}
	return nil
}

func lockShared(ctx context.Context, conn *pgx.Conn, lock int64) error {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	if err := db.New(conn).LockShared(ctx, lock); err != nil {
		return fmt.Errorf("share the lock: %w", err)
	}
	return nil
}

func unlockShared(ctx context.Context, conn *pgx.Conn, lock int64) error {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	if _, err := db.New(conn).UnlockShared(ctx, lock); err != nil {
		return fmt.Errorf("release the shared lock: %w", err)
	}
	return nil
}

// lockHolder finds a session of this database that has a lock. It is not among the generated queries: sqlc
// does not know pg_locks.
const lockHolder = `
select pid from pg_locks
where locktype = 'advisory' and granted and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = $1
    and database = (select oid from pg_database where datname = current_database())
limit 1`

// holderOf returns the process ID of a server session that has a lock, and zero when none has.
func holderOf(ctx context.Context, conn *pgx.Conn, lock int64) (pid uint32, err error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	err = conn.QueryRow(ctx, lockHolder, lock).Scan(&pid)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return 0, fmt.Errorf("find the holder of the lock: %w", err)
	}
	return pid, nil
}
