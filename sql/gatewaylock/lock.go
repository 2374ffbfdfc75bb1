// Package gatewaylock allows one of several replicas to connect to Discord's gateway, and hands
// the connection over without a gap.
package gatewaylock

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/internal/db"
	"tradepost/sql/pgconnect"
)

// The holder has an advisory lock, which lives as long as the connection it was taken on. The
// server releases it at once when the holder's process ends, and after nine seconds when it hears
// nothing from the holder (see OpenLockSession). The holder sends a heartbeat; when that fails for
// giveUp it releases the lock, before the server grants it to another.
//
// A cut connection does not end the hold by itself: the holder takes the lock again on a new one, unless
// another program was faster. So a restart of the server does not cost the gateway connection.
//
// Two more locks allow a handover without a gap. Waiting replicas share one, so that the holder
// knows whether any waits. The other is held while the holder's gateway connection works, so that
// the previous holder knows when to disconnect.
const (
	holderLock    = 0x7472616465677477 // "tradegtw"
	waitingLock   = 0x7472616465677774 // "tradegwt"
	connectedLock = 0x7472616465677264 // "tradegrd"

	sessionName = "tradepost gateway"

	pollEvery     = 500 * time.Millisecond
	handOverPoll  = 50 * time.Millisecond
	heartbeat     = 2 * time.Second
	giveUp        = 7 * time.Second
	statementTime = pgconnect.StatementLimit
)

// Lock is held by the program that may connect to the gateway. It keeps a connection to the database of its
// own.
type Lock struct {
	pool *pgxpool.Pool
	log  *slog.Logger

	lost      chan struct{}
	changed   chan struct{} // signals that connected has changed
	connected atomic.Bool
	stop      func()        // ends keep
	ended     chan struct{} // closed when keep has ended; from then on conn belongs to the caller
	conn      *pgx.Conn
	published bool // the connectedLock is held; belongs to keep
}

// Acquire waits until this process holds the lock, or until ctx ends: that is its only error.
func Acquire(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) (*Lock, error) {
	conn, err := acquire(ctx, pool, log)
	if err != nil {
		return nil, fmt.Errorf("wait for the gateway lock: %w", err)
	}
	holding, stop := context.WithCancel(context.WithoutCancel(ctx))
	l := &Lock{
		pool: pool, log: log, conn: conn, stop: stop,
		lost: make(chan struct{}), changed: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	go func() {
		defer close(l.ended)
		if err := l.keep(holding); holding.Err() == nil {
			log.Warn("gateway lock: lost", "error", err)
			close(l.lost)
		}
	}()
	return l, nil
}

// Lost is closed when the lock is lost without Release.
func (l *Lock) Lost() <-chan struct{} { return l.lost }

// Connected reports to other replicas whether the connection to the gateway works. It does not
// wait.
func (l *Lock) Connected(works bool) {
	if l.connected.Swap(works) == works {
		return
	}
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// Release releases the lock. It may be called again.
func (l *Lock) Release() {
	l.stop()
	<-l.ended
	pgconnect.Close(context.Background(), l.conn)
}

// HandOver passes the lock to a waiting replica. It returns true as soon as that one's gateway
// connection works, and false when no program waits: then the lock is still held until Release.
func (l *Lock) HandOver(ctx context.Context) (taken bool, err error) {
	l.stop()
	<-l.ended
	if l.conn.IsClosed() {
		return false, errors.New("hand the gateway over: the lock is lost")
	}
	waiting, err := holderOf(ctx, l.conn, waitingLock)
	if err != nil || waiting == 0 {
		return false, err
	}
	if err := db.New(l.conn).UnlockAll(ctx); err != nil {
		return false, fmt.Errorf("hand the gateway over: %w", err)
	}
	for {
		connected, err := holderOf(ctx, l.conn, connectedLock)
		if connected != 0 || err != nil {
			return connected != 0, err
		}
		select {
		case <-time.After(handOverPoll):
		case <-ctx.Done():
			return false, fmt.Errorf("hand the gateway over: %w", ctx.Err())
		}
	}
}

// acquire polls for the lock. It does not wait for it in the server: a waiting statement holds a snapshot,
// which keeps vacuum from removing anything newer.
func acquire(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) (*pgx.Conn, error) {
	var conn *pgx.Conn
	failed, reported := false, false
	for {
		var mine bool
		var err error
		if conn == nil {
			conn, err = pgconnect.OpenLockSession(ctx, pool, sessionName)
			if err == nil {
				err = lockShared(ctx, conn, waitingLock)
			}
		}
		if err == nil {
			mine, err = tryLock(ctx, conn, holderLock)
		}
		if err == nil && mine {
			if err = unlockShared(ctx, conn, waitingLock); err == nil {
				return conn, nil
			}
		}
		switch {
		case err != nil && ctx.Err() == nil && !failed:
			log.Warn("gateway lock: polling failed, retrying", "error", err)
		case err == nil && !reported:
			reported = true
			log.Info("gateway lock: held by another program, waiting")
		}
		failed = err != nil
		if failed {
			pgconnect.Close(ctx, conn)
			conn = nil
		}
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			pgconnect.Close(ctx, conn)
			return nil, ctx.Err()
		}
	}
}

// keep keeps the lock until ctx ends or the lock is lost.
func (l *Lock) keep(ctx context.Context) error {
	heard := time.Now()
	for {
		err := l.beat(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			heard = time.Now()
			continue
		}
		l.log.Info("gateway lock: connection cut, taking the lock again", "error", err)
		again, cancel := context.WithDeadline(ctx, heard.Add(giveUp))
		conn, err := l.reacquire(again)
		cancel()
		if err != nil {
			return err // the old connection is closed
		}
		l.conn, l.published = conn, false
		heard = time.Now()
	}
}

// beat waits for the next heartbeat, or until connected has changed, and sends it. It returns at once when
// the connection is cut.
func (l *Lock) beat(ctx context.Context) error {
	if l.connected.Load() == l.published {
		waiting, cancel := context.WithCancel(ctx)
		go func() {
			select {
			case <-l.changed:
				cancel()
			case <-waiting.Done():
			}
		}()
		err := pgconnect.WaitForNotification(waiting, l.conn, heartbeat)
		interrupted := waiting.Err() != nil
		cancel()
		if err != nil && !interrupted {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	// A statement that is cancelled costs the connection, and with it the lock that may be about to be
	// handed over.
	statement := context.WithoutCancel(ctx)
	connected := l.connected.Load()
	switch {
	case connected && !l.published: // the previous holder has released it, unless it hangs
		mine, err := tryLock(statement, l.conn, connectedLock)
		if l.published = mine; mine || err != nil {
			return err
		}
		return pgconnect.WaitForNotification(ctx, l.conn, pollEvery)
	case !connected && l.published:
		l.published = false
		return unlock(statement, l.conn, connectedLock)
	}
	statement, cancel := context.WithTimeout(statement, statementTime)
	defer cancel()
	return l.conn.Ping(statement)
}

// reacquire takes the lock on a new connection instead of the old one, which it closes. It fails when
// another program was faster.
func (l *Lock) reacquire(ctx context.Context) (*pgx.Conn, error) {
	pgconnect.Close(ctx, l.conn)
	old := l.conn.PgConn().PID()
	for attempt := 1; ; attempt++ {
		var holder uint32
		conn, err := pgconnect.OpenLockSession(ctx, l.pool, sessionName)
		if err == nil {
			var mine bool
			if mine, err = tryLock(ctx, conn, holderLock); err == nil && mine {
				return conn, nil
			}
			if err == nil {
				holder, err = holderOf(ctx, conn, holderLock)
			}
			pgconnect.Close(ctx, conn)
		}
		// The server may not have noticed yet that our old session is gone.
		if err == nil && holder != 0 && holder != old {
			return nil, errors.New("another program holds the gateway lock")
		}
		select {
		case <-time.After(pgconnect.Backoff(min(attempt, pgconnect.MaxAttempts))):
		case <-ctx.Done():
			return nil, fmt.Errorf("take the gateway lock again: %w", errors.Join(ctx.Err(), err))
		}
	}
}
