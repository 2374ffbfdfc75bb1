package kernel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/core"
	"tradepost/sql/pgconnect"
)

// transactionID identifies a transaction, so that the server can be asked later whether it was committed.
type transactionID struct {
	xid   string // empty before the first answer of the transaction
	epoch string // the crash epoch that xid belongs to; empty when none was noted since the last crash
}

// readTransactionID is sent with the first statements of a transaction. It is not among the generated
// queries: those cannot be sent together with others. It also says that this program writes to every table
// itself: see 00246.
const readTransactionID = "select pg_current_xact_id()::text, coalesce((select id::text from lives), '')," +
	" set_config('tradepost.store_writes', 'on', true)"

func (t *transactionID) scan(row pgx.Row) error { return row.Scan(&t.xid, &t.epoch, nil) }

// commitStatus asks the server whether a transaction was committed. It continues past the deadline
// of ctx for a moment: to know is worth the wait.
func (s *DB) commitStatus(ctx context.Context, of transactionID) (committed bool, err error) {
	if of.xid == "" || of.epoch == "" {
		return false, errors.New("the transaction has no ID")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	for attempt := 1; ; attempt++ {
		answer, err := s.queries.CommitStatus(ctx, of.xid)
		switch {
		case neverGiven(err):
			return false, nil
		case err == nil && answer.Epoch != of.epoch:
			return false, errors.Join(
				errors.New("the server has crashed since"), s.queries.BeginCrashEpoch(ctx),
			)
		case err == nil && answer.Status == "forgotten":
			return false, errors.New("the server no longer knows the transaction")
		case err == nil && answer.Status == "committed":
			if !answer.Replicated {
				return true, nil
			}
			if err = s.confirm(ctx); err == nil {
				return true, nil
			}
		case err == nil && answer.Status == "aborted":
			return false, nil
		}
		if !pgconnect.Pause(ctx, attempt) {
			return false, errors.Join(errors.New("the transaction is still running"), err)
		}
	}
}

// confirm returns nil when everything that this server has committed is where synchronous replication wants
// it. A commit shows as committed even when its wait for a standby was cut off, while a failover may still
// lose it; a later commit that is acknowledged has overtaken it.
func (s *DB) confirm(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("confirm the commit: %w", err)
	}
	defer conn.Release()
	batch := &pgx.Batch{}
	batch.Queue("begin")
	// a record in the log that changes nothing
	batch.Queue("select pg_logical_emit_message(true, 'tradepost', 'confirm')")
	batch.Queue("commit")
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("confirm the commit: %w", err)
	}
	return nil
}

// confirmKnown confirms the write of a repeat: the wait of its commit for a standby may have been cut off,
// and to read it waits for none.
func (s *DB) confirmKnown(ctx context.Context, known storedClaim) error {
	if !known.replicated {
		return nil
	}
	if err := s.confirm(ctx); err != nil {
		return fmt.Errorf("%w: %w", errStatusUnknown, err)
	}
	return nil
}

var errStatusUnknown = errors.New("it is not known whether the transaction was committed")

// withStatus makes an error say that the write may have happened. Another error of a later attempt is
// definite: under its key, that attempt would have found the write.
func withStatus(err error, unknown bool) error {
	if kind := core.KindOf(err); err == nil || !unknown || kind != 0 && kind != core.Unavailable {
		return err
	}
	return fmt.Errorf("%w (%w)", statusUnknown, err)
}

var statusUnknown = core.NewCommitUnknown()

// neverGiven reports whether the server has not given out such a transaction ID: a crash has undone it, and
// the transaction.
func neverGiven(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == "22023"
}
