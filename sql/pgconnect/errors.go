package pgconnect

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// MaxAttempts is how often a statement or a transaction is tried at most.
const MaxAttempts = 8

// Backoff is how long to wait after the given attempt: a few milliseconds at first, a second at last, with
// jitter.
func Backoff(attempt int) time.Duration {
	longest := min(5*time.Millisecond<<attempt, time.Second)
	return longest/2 + rand.N(longest/2)
}

// Pause waits as long as Backoff says before another attempt. It returns false when there must be no other.
func Pause(ctx context.Context, attempt int) bool {
	if attempt >= MaxAttempts {
		return false
	}
	timer := time.NewTimer(Backoff(attempt))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Retryable reports whether the database asks to run a transaction again.
func Retryable(err error) bool {
	var pg *pgconn.PgError
	// serialization failure, deadlock
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// ConnectionFailed reports whether no connection could be opened, or one broke.
func ConnectionFailed(err error) bool {
	var (
		pg      *pgconn.PgError
		connect *pgconn.ConnectError
		network net.Error
	)
	if errors.Is(err, ErrNoSession) {
		return false // it will not be different later
	}
	if errors.As(err, &pg) {
		switch pg.Code {
		case "57P01", "57P02", "57P03", // shut down, crashed, not up yet
			"25P03", "57P05": // idle for too long
			return true
		}
		return pg.Code[:2] == "08"
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	return errors.As(err, &connect) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.As(err, &network) || pgconn.SafeToRetry(err)
}

// OutOfResources reports whether the server answers but cannot serve now: no disk, memory or connections, a
// standby.
func OutOfResources(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code[:2] == "53" || pg.Code == "25006" || pg.Code == "57014" ||
		pg.Code == "55P03")
}

// LockTimedOut reports whether a statement has waited too long for a table.
func LockTimedOut(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "55P03"
}
