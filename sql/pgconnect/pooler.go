package pgconnect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrNoSession is the error of an address that leads to a pooler which gives a connection no session of its
// own.
var ErrNoSession = errors.New("the connection has no session of its own")

// withoutSession marks the error of a pooler that does not know what a session is begun with: PgBouncer
// refuses every setting that it cannot carry from one session to another.
func withoutSession(err error) error {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok &&
		strings.HasPrefix(pg.Message, "unsupported startup parameter") {
		return fmt.Errorf("%w: %w", ErrNoSession, err)
	}
	return err
}

const backendPID = "select pg_backend_pid()"

// CheckSessions returns ErrNoSession when the connections of a pool, of which there may be two, share
// sessions. PostgreSQL sends at the start of a connection which of its processes serves it. If a later query
// names another process, a pooler is between; if the pooler keeps no session for each client, a client's
// transaction gets the session that served another client just before.
func CheckSessions(ctx context.Context, pool *pgxpool.Pool) error {
	one, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", withoutSession(err))
	}
	defer one.Release()
	first, err := backendOf(ctx, one)
	if err != nil || first == one.Conn().PgConn().PID() {
		return err
	}
	other, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", withoutSession(err))
	}
	defer other.Release() // which ends a connection that is in a transaction
	if _, err := other.Exec(ctx, "begin", pgx.QueryExecModeSimpleProtocol); err != nil {
		return fmt.Errorf("%w: %w", ErrNoSession, err) // as in statement mode
	}
	theirs, err := backendOf(ctx, other)
	for range 3 { // a pooler may take its sessions in turn
		if err != nil {
			return err
		}
		if theirs == first {
			return ErrNoSession
		}
		var again uint32
		if again, err = backendOf(ctx, one); err == nil && again != first {
			return ErrNoSession
		}
	}
	return err
}

func backendOf(ctx context.Context, conn *pgxpool.Conn) (pid uint32, err error) {
	if err := conn.QueryRow(ctx, backendPID, pgx.QueryExecModeSimpleProtocol).Scan(&pid); err != nil {
		return 0, fmt.Errorf("ask for the session: %w", err)
	}
	return pid, nil
}

// ErrOtherDatabase is the error of a pooler that leads elsewhere.
var ErrOtherDatabase = errors.New("the pooler leads to another database, or to another role")

// whose identifies a database and a role. A standby and its primary have the same system identifier.
const whose = "select system_identifier::text, current_database()::text, current_user::text " +
	"from pg_control_system()"

// CheckPooler checks that a pooler takes transactions and leads to the database of the direct connections,
// with the same role. unlimited is set when its sessions have no limit for a statement, or for a
// transaction that does nothing.
func CheckPooler(ctx context.Context, direct, pooler *pgxpool.Pool) (unlimited bool, err error) {
	var here, there [3]string
	if err := direct.QueryRow(ctx, whose).Scan(&here[0], &here[1], &here[2]); err != nil {
		return false, fmt.Errorf("ask which database this is: %w", err)
	}
	batch := &pgx.Batch{}
	batch.Queue("begin read only")
	batch.Queue(whose).QueryRow(func(row pgx.Row) error { return row.Scan(&there[0], &there[1], &there[2]) })
	batch.Queue("select current_setting('statement_timeout') = '0' " +
		"or current_setting('idle_in_transaction_session_timeout') = '0'").
		QueryRow(func(row pgx.Row) error { return row.Scan(&unlimited) })
	batch.Queue("commit")
	if err := pooler.SendBatch(ctx, batch).Close(); err != nil {
		return false, fmt.Errorf("ask the pooler for a transaction: %w", err)
	}
	if here != there {
		return false, fmt.Errorf("%w: database %s as %s, not %s as %s", ErrOtherDatabase, there[1], there[2],
			here[1], here[2])
	}
	return unlimited, nil
}
