package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
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
//
// Two more locks let a holder go without a gap. Those who wait for their turn share one, so that it is known whether anybody
// does; the other is held while the holder's connection works, so that whoever has handed over knows when to hang up.
const (
	gatewayLock    = 0x7472616465677477 // "tradegtw"
	gatewayWaiting = 0x7472616465677774 // "tradegwt"
	gatewayReady   = 0x7472616465677264 // "tradegrd"

	gatewayPoll   = 500 * time.Millisecond
	handOverPoll  = 50 * time.Millisecond
	gatewayBeat   = 2 * time.Second
	gatewayGiveUp = 7 * time.Second
	gatewayDead   = 9 * time.Second
)

// GatewayHold is a program's turn at the gateway. It keeps a connection of its own.
type GatewayHold struct {
	store *Store
	lost  chan struct{}
	moved chan struct{} // signals that works has changed
	works atomic.Bool
	stop  func()        // the keeper
	ended chan struct{} // closed when the keeper has ended; from then on conn is whose it was
	conn  *pgx.Conn
	said  bool // that the connection works; the keeper's
}

// HoldGateway waits until this process may hold the gateway, or until ctx ends: that is its only error.
func (s *Store) HoldGateway(ctx context.Context) (*GatewayHold, error) {
	conn, err := s.waitForGateway(ctx)
	if err != nil {
		return nil, fmt.Errorf("wait for the gateway: %w", err)
	}
	holding, stop := context.WithCancel(context.WithoutCancel(ctx))
	h := &GatewayHold{store: s, conn: conn, lost: make(chan struct{}), moved: make(chan struct{}, 1), stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(h.ended)
		if err := h.keep(holding); holding.Err() == nil {
			s.log.Warn("the hold on the gateway is lost", "error", err)
			close(h.lost)
		}
	}()
	return h, nil
}

// Lost is closed when the hold ends by itself.
func (h *GatewayHold) Lost() <-chan struct{} { return h.lost }

// Connected tells others whether the connection to the gateway works. It does not wait.
func (h *GatewayHold) Connected(works bool) {
	if h.works.Swap(works) == works {
		return
	}
	select {
	case h.moved <- struct{}{}:
	default:
	}
}

// Release ends the hold. It may be called again.
func (h *GatewayHold) Release() {
	h.stop()
	<-h.ended
	closeSoon(context.Background(), h.conn)
}

// HandOver lets a program that waits have the gateway. It returns true as soon as that one's connection works, and false when
// nobody waits. Until it is released, the hold is over for others only where one of them waited.
func (h *GatewayHold) HandOver(ctx context.Context) (taken bool, err error) {
	h.stop()
	<-h.ended
	if h.conn.IsClosed() {
		return false, errors.New("hand the gateway over: the hold is lost")
	}
	waits, err := anybodyHas(ctx, h.conn, gatewayWaiting)
	if err != nil || !waits {
		return false, err
	}
	if _, err := h.conn.Exec(ctx, "select pg_advisory_unlock_all()"); err != nil {
		return false, fmt.Errorf("hand the gateway over: %w", err)
	}
	for {
		if taken, err = anybodyHas(ctx, h.conn, gatewayReady); taken || err != nil {
			return taken, err
		}
		select {
		case <-time.After(handOverPoll):
		case <-ctx.Done():
			return false, fmt.Errorf("hand the gateway over: %w", ctx.Err())
		}
	}
}

// waitForGateway asks for the lock again and again. It does not wait for it in the server: a statement that waits holds a
// snapshot, and with it all that vacuum could throw away.
func (s *Store) waitForGateway(ctx context.Context) (*pgx.Conn, error) {
	var conn *pgx.Conn
	failed, told := false, false
	for {
		var mine bool
		var err error
		if conn == nil {
			conn, err = s.connectToLock(ctx, "tradepost gateway")
			if err == nil {
				err = execLock(ctx, conn, "select pg_advisory_lock_shared($1)", gatewayWaiting)
			}
		}
		if err == nil {
			mine, err = tryLock(ctx, conn, gatewayLock)
		}
		if err == nil && mine {
			if err = execLock(ctx, conn, "select pg_advisory_unlock_shared($1)", gatewayWaiting); err == nil {
				return conn, nil
			}
		}
		switch {
		case err != nil && ctx.Err() == nil && !failed:
			s.log.Warn("cannot ask for the gateway, trying on", "error", err)
		case err == nil && !told:
			told = true
			s.log.Info("another program holds the gateway, waiting for its turn")
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

// keep keeps the lock until ctx ends or it is lost.
func (h *GatewayHold) keep(ctx context.Context) error {
	heard := time.Now()
	for {
		err := h.beat(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			heard = time.Now()
			continue
		}
		h.store.log.Info("the connection that holds the gateway was cut, taking the lock again", "error", err)
		again, cancel := context.WithDeadline(ctx, heard.Add(gatewayGiveUp))
		conn, err := h.store.retakeGateway(again, h.conn)
		cancel()
		if err != nil {
			return err // the old connection is closed
		}
		h.conn, h.said = conn, false
		heard = time.Now()
	}
}

// beat waits for the time of the next beat, or for something to tell, and gives it. It returns at once when the connection
// is cut.
func (h *GatewayHold) beat(ctx context.Context) error {
	if h.works.Load() == h.said {
		waiting, cancel := context.WithCancel(ctx)
		go func() {
			select {
			case <-h.moved:
				cancel()
			case <-waiting.Done():
			}
		}()
		err := waitForNothing(waiting, h.conn, gatewayBeat)
		interrupted := waiting.Err() != nil
		cancel()
		if err != nil && !interrupted {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	// A statement that is cut off costs the connection, and with it the lock that may be about to be handed over.
	say, cancel := context.WithTimeout(context.WithoutCancel(ctx), gatewayBeat)
	defer cancel()
	works := h.works.Load()
	switch {
	case works && !h.said: // whoever handed over has let go of it; one that hangs has not yet
		mine, err := tryLock(say, h.conn, gatewayReady)
		if h.said = mine; mine || err != nil {
			return err
		}
		return waitForNothing(ctx, h.conn, gatewayPoll)
	case !works && h.said:
		h.said = false
		return execLock(say, h.conn, "select pg_advisory_unlock($1)", gatewayReady)
	}
	return h.conn.Ping(say)
}

// retakeGateway takes the lock on a new connection instead of the old one, which it closes. It fails when another program
// was faster.
func (s *Store) retakeGateway(ctx context.Context, old *pgx.Conn) (*pgx.Conn, error) {
	closeSoon(ctx, old)
	for attempt := 1; ; attempt++ {
		conn, err := s.connectToLock(ctx, "tradepost gateway")
		if err == nil {
			var mine bool
			if mine, err = tryLock(ctx, conn, gatewayLock); err == nil && mine {
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

const lockHolder = `
select pid from pg_locks
where locktype = 'advisory' and granted and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = $1
    and database = (select oid from pg_database where datname = current_database())`

// heldByAnother returns errHeldByAnother when it is not our own old session that holds the lock, which the server may not
// have noticed to be gone.
func heldByAnother(ctx context.Context, conn *pgx.Conn, old uint32) error {
	var holder uint32
	err := conn.QueryRow(ctx, lockHolder, int64(gatewayLock)).Scan(&holder)
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

func tryLock(ctx context.Context, conn *pgx.Conn, lock int64) (mine bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, gatewayBeat)
	defer cancel()
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", lock).Scan(&mine); err != nil {
		return false, fmt.Errorf("ask for the lock: %w", err)
	}
	return mine, nil
}

func execLock(ctx context.Context, conn *pgx.Conn, statement string, lock int64) error {
	ctx, cancel := context.WithTimeout(ctx, gatewayBeat)
	defer cancel()
	if _, err := conn.Exec(ctx, statement, lock); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// anybodyHas tells whether some session of this database has a lock.
func anybodyHas(ctx context.Context, conn *pgx.Conn, lock int64) (found bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, gatewayBeat)
	defer cancel()
	if err := conn.QueryRow(ctx, "select exists ("+lockHolder+")", lock).Scan(&found); err != nil {
		return false, fmt.Errorf("ask who has the lock: %w", err)
	}
	return found, nil
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
