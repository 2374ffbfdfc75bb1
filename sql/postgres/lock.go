package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// How one of several programs on a database comes to hold Discord's gateway: by a lock that lives as long as the
// connection it was taken on. The server lets go of it at once when the holder's process ends, and after gatewayDead when
// nothing was heard from the holder, be it that its process hangs, its machine, or the network. The holder says something
// every gatewayBeat; when it cannot for gatewayGiveUp it stops holding before the server lets another begin.
//
// A cut connection does not end the hold by itself: whoever holds takes the lock again on a new one, unless another was
// faster. So a restart of the server does not cost the gateway connection.
const (
	gatewayLock   = 0x7472616465677477 // "tradegtw"
	gatewayPoll   = 500 * time.Millisecond
	gatewayBeat   = 2 * time.Second
	gatewayGiveUp = 7 * time.Second
	gatewayDead   = 9 * time.Second
)

// HoldGateway waits until this process may hold the gateway, or until ctx ends: that is its only error. lost is closed
// when the hold ends by itself; release ends it and may be called again. It keeps a connection of its own.
func (s *Store) HoldGateway(ctx context.Context) (lost <-chan struct{}, release func(), err error) {
	conn, err := s.waitForGateway(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("wait for the gateway: %w", err)
	}
	holding, stop := context.WithCancel(context.WithoutCancel(ctx))
	gone, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.keepGateway(holding, conn); holding.Err() == nil {
			s.log.Warn("the hold on the gateway is lost", "error", err)
			close(gone)
		}
	}()
	return gone, sync.OnceFunc(func() { stop(); <-ended }), nil
}

// waitForGateway asks for the lock again and again. It does not wait for it in the server: a statement that waits holds a
// snapshot, and with it all that vacuum could throw away.
func (s *Store) waitForGateway(ctx context.Context) (*pgx.Conn, error) {
	var conn *pgx.Conn
	failed := false
	for {
		var mine bool
		var err error
		if conn == nil {
			conn, err = s.connectToLock(ctx, "tradepost gateway")
		}
		if err == nil {
			mine, err = tryGateway(ctx, conn)
		}
		switch {
		case err == nil && mine:
			return conn, nil
		case err != nil && ctx.Err() == nil && !failed:
			s.log.Warn("cannot ask for the gateway, trying on", "error", err)
		}
		failed = err != nil
		if failed {
			closeSoon(ctx, conn)
			conn = nil
		}
		select {
		case <-time.After(gatewayPoll):
		case <-ctx.Done():
			closeSoon(ctx, conn)
			return nil, ctx.Err()
		}
	}
}

// keepGateway keeps the lock until ctx ends or it is lost. It closes the connection.
func (s *Store) keepGateway(ctx context.Context, conn *pgx.Conn) error {
	defer func() { closeSoon(ctx, conn) }()
	heard := time.Now()
	for {
		err := beat(ctx, conn)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			heard = time.Now()
			continue
		}
		s.log.Info("the connection that holds the gateway was cut, taking the lock again", "error", err)
		again, cancel := context.WithDeadline(ctx, heard.Add(gatewayGiveUp))
		conn, err = s.retakeGateway(again, conn)
		cancel()
		if err != nil {
			return err
		}
		heard = time.Now()
	}
}

// beat waits for the time of the next beat and gives it. It returns at once when the connection is cut.
func beat(ctx context.Context, conn *pgx.Conn) error {
	if err := waitForNothing(ctx, conn, gatewayBeat); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, gatewayBeat)
	defer cancel()
	return conn.Ping(ctx)
}

// retakeGateway takes the lock on a new connection instead of the old one, which it closes. It fails when another program
// was faster.
func (s *Store) retakeGateway(ctx context.Context, old *pgx.Conn) (*pgx.Conn, error) {
	closeSoon(ctx, old)
	for attempt := 1; ; attempt++ {
		conn, err := s.connectToLock(ctx, "tradepost gateway")
		if err == nil {
			var mine bool
			if mine, err = tryGateway(ctx, conn); err == nil && mine {
				return conn, nil
			}
			if err == nil {
				err = heldByAnother(ctx, conn, old.PgConn().PID())
			}
			closeSoon(ctx, conn)
		}
		if errors.Is(err, errHeldByAnother) {
			return nil, err
		}
		select {
		case <-time.After(backoff(min(attempt, maxAttempts))):
		case <-ctx.Done():
			return nil, fmt.Errorf("take the lock of the gateway again: %w", errors.Join(ctx.Err(), err))
		}
	}
}

var errHeldByAnother = errors.New("another program holds the gateway")

const gatewayHolder = `
select pid from pg_locks
where locktype = 'advisory' and granted and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = $1
    and database = (select oid from pg_database where datname = current_database())`

// heldByAnother returns errHeldByAnother when it is not our own old session that holds the lock, which the server may not
// have noticed to be gone.
func heldByAnother(ctx context.Context, conn *pgx.Conn, old uint32) error {
	var holder uint32
	err := conn.QueryRow(ctx, gatewayHolder, int64(gatewayLock)).Scan(&holder)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("ask who holds the lock: %w", err)
	case holder != old:
		return errHeldByAnother
	}
	return nil
}

// connectToLock connects for a lock that shall go when this process does.
func (s *Store) connectToLock(ctx context.Context, name string) (*pgx.Conn, error) {
	config := s.pool.Config().ConnConfig
	config.RuntimeParams["application_name"] = name
	config.RuntimeParams["statement_timeout"] = milliseconds(gatewayBeat)
	// The server ends a session that says nothing; this holds for a hung process, where the network would notice nothing.
	config.RuntimeParams["idle_session_timeout"] = milliseconds(gatewayDead)
	// And it must not be kept from ending it by an answer that nobody takes.
	for name, value := range map[string]int{"tcp_keepalives_idle": 3, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3} {
		config.RuntimeParams[name] = strconv.Itoa(value)
	}
	ctx, cancel := context.WithTimeout(ctx, gatewayBeat)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return conn, nil
}

func tryGateway(ctx context.Context, conn *pgx.Conn) (mine bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, gatewayBeat)
	defer cancel()
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", int64(gatewayLock)).Scan(&mine); err != nil {
		return false, fmt.Errorf("ask for the lock: %w", err)
	}
	return mine, nil
}

// closeSoon closes a connection, nil for none, also when ctx has ended.
func closeSoon(ctx context.Context, conn *pgx.Conn) {
	if conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Close(ctx) // the server ends what we cannot
}
