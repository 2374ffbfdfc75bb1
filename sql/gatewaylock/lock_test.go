package gatewaylock_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core/coretest"
	"tradepost/sql/gatewaylock"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
)

var quiet = slog.New(slog.DiscardHandler)

// another connects to the database as one more program would.
func another(t *testing.T, dsn string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgconnect.Open(context.Background(), dsn, pgconnect.Options{MaxConns: 1})
	storetest.Must(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// hold waits until a program has the gateway lock.
func hold(t *testing.T, pool *pgxpool.Pool) *gatewaylock.Lock {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), coretest.Patience(20*time.Second))
	defer cancel()
	h, err := gatewaylock.Acquire(ctx, pool, quiet)
	if err != nil {
		t.Fatalf("hold the gateway: %v", err)
	}
	t.Cleanup(h.Release)
	return h
}

// refused checks that a program does not get the gateway for a while.
func refused(t *testing.T, pool *pgxpool.Pool, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	if h, err := gatewaylock.Acquire(ctx, pool, quiet); err == nil {
		h.Release()
		t.Fatal("two hold the gateway at once")
	}
}

func TestOneReplicaHasTheGatewayLock(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	other := another(t, dsn)

	h := hold(t, another(t, dsn))
	refused(t, other, time.Second)
	h.Release()
	h.Release() // again does no harm
	hold(t, other)
	select {
	case <-h.Lost():
		t.Error("a released lock is reported as lost")
	default:
	}
}

func TestGatewayLockMovesOnceTheNextReplicaIsConnected(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	first := hold(t, another(t, dsn))
	first.Connected(true)
	if taken, err := first.HandOver(t.Context()); taken || err != nil {
		t.Fatalf("without a waiting replica: taken %v, %v", taken, err)
	}
	refused(t, another(t, dsn), 100*time.Millisecond) // it is released when the holder disconnects
	first.Release()

	first = hold(t, another(t, dsn))
	first.Connected(true)
	next := make(chan *gatewaylock.Lock)
	other := another(t, dsn)
	go func() {
		h, err := gatewaylock.Acquire(t.Context(), other, quiet)
		if err != nil {
			t.Error(err)
		}
		next <- h
	}()
	waitForLock(t, dsn, "ShareLock")
	taken := make(chan error, 1)
	go func() {
		yes, err := first.HandOver(t.Context())
		if err == nil && !yes {
			err = errors.New("no waiting replica was seen")
		}
		taken <- err
	}()
	second := <-next
	defer second.Release()
	select {
	case err := <-taken:
		t.Fatalf("the first one may hang up before the second is connected (%v)", err)
	case <-time.After(300 * time.Millisecond):
	}
	second.Connected(true)
	select {
	case err := <-taken:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(coretest.Patience(5 * time.Second)):
		t.Error("the first one does not hear that the second is connected")
	}
	refused(t, another(t, dsn), 100*time.Millisecond)
	first.Release()
	select {
	case <-first.Lost():
		t.Error("a lock that was handed over is reported as lost")
	case <-second.Lost():
		t.Error("the lock that was taken over is lost")
	default:
	}
}

// waitForLock waits until a session has an advisory lock of a kind.
func waitForLock(t *testing.T, dsn string, mode string) {
	t.Helper()
	conn := storetest.Connect(t, dsn)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) { // the server sends no event; poll it
		var found bool
		storetest.Must(t, conn.QueryRow(t.Context(), `select exists (select from pg_locks where locktype = 'advisory' and granted and mode = $1
			and database = (select oid from pg_database where datname = current_database()))`, mode).Scan(&found))
		if found {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no session has a %s", mode)
		}
	}
}

func TestWaitingForTheGatewayEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	hold(t, another(t, dsn))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := gatewaylock.Acquire(ctx, another(t, dsn), quiet)
		ended <- err
	}()
	cancel()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("got the lock that another has")
		}
	case <-time.After(coretest.Patience(5 * time.Second)):
		t.Error("still waiting after its context has ended")
	}
}

const gatewayHolder = `select pid from pg_locks where locktype = 'advisory' and granted and mode = 'ExclusiveLock'
	and database = (select oid from pg_database where datname = current_database())`

// cutHolder ends the session that holds the gateway, in the server, and returns which it was.
func cutHolder(t *testing.T, dsn string) (pid int) {
	t.Helper()
	conn := storetest.Connect(t, dsn)
	storetest.Must(t, conn.QueryRow(t.Context(), gatewayHolder).Scan(&pid))
	_, err := conn.Exec(t.Context(), "select pg_terminate_backend($1)", pid)
	storetest.Must(t, err)
	return pid
}

func TestACutConnectionDoesNotCostTheGateway(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	h := hold(t, another(t, dsn))
	for range 3 {
		waitForHolderAfter(t, dsn, cutHolder(t, dsn))
		refused(t, another(t, dsn), 100*time.Millisecond)
	}
	select {
	case <-h.Lost():
		t.Error("the lock was lost without a competitor")
	default:
	}
}

// waitForHolderAfter waits until another session holds the gateway than the one that was cut.
func waitForHolderAfter(t *testing.T, dsn string, cut int) {
	t.Helper()
	conn := storetest.Connect(t, dsn)
	for deadline := time.Now().Add(10 * time.Second); ; {
		var pid int
		err := conn.QueryRow(t.Context(), gatewayHolder).Scan(&pid)
		if err == nil && pid != cut {
			return
		}
		if err != nil && !errors.Is(err, pgx.ErrNoRows) || time.Now().After(deadline) {
			t.Fatalf("the lock was not taken again: %v", err)
		}
		time.Sleep(time.Millisecond) // the server sends no event; poll it
	}
}

func TestTheHoldEndsWhenAnotherWasFaster(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	h := hold(t, another(t, dsn))
	// Another session takes the lock while the holder loses its connection.
	conn := storetest.Connect(t, dsn)
	taken := make(chan error, 1)
	go func() {
		_, err := conn.Exec(t.Context(), `select pg_advisory_lock(classid::bigint << 32 | objid::bigint) from pg_locks
			where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`)
		taken <- err
	}()
	waitForWaiter(t, dsn)
	cutHolder(t, dsn)
	storetest.Must(t, <-taken)
	select {
	case <-h.Lost():
	case <-time.After(coretest.Patience(10 * time.Second)):
		t.Error("the lock is still held beside another's")
	}
}

func waitForWaiter(t *testing.T, dsn string) {
	t.Helper()
	conn := storetest.Connect(t, dsn)
	for {
		var waits bool
		storetest.Must(t, conn.QueryRow(t.Context(), `select exists (select from pg_locks where locktype = 'advisory' and not granted
			and database = (select oid from pg_database where datname = current_database()))`).Scan(&waits))
		if waits {
			return
		}
		time.Sleep(time.Millisecond) // the server sends no event; poll it
	}
}
