package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/postgres"
)

// hold waits until a store holds the gateway.
func hold(t *testing.T, store *postgres.Store) *postgres.GatewayHold {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	h, err := store.HoldGateway(ctx)
	if err != nil {
		t.Fatalf("hold the gateway: %v", err)
	}
	t.Cleanup(h.Release)
	return h
}

// refused checks that a store does not get the gateway for a while.
func refused(t *testing.T, store *postgres.Store, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	if h, err := store.HoldGateway(ctx); err == nil {
		h.Release()
		t.Fatal("two hold the gateway at once")
	}
}

func TestOneReplicaHoldsTheGateway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.another(postgres.Options{})

	h := hold(t, w.store)
	refused(t, other, time.Second)
	h.Release()
	h.Release() // again does no harm
	hold(t, other)
	select {
	case <-h.Lost():
		t.Error("a hold that was released is told as lost")
	default:
	}
}

func TestTheGatewayIsHandedOverOnceTheNextOneIsConnected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := hold(t, w.store)
	first.Connected(true)
	if taken, err := first.HandOver(t.Context()); taken || err != nil {
		t.Fatalf("with nobody there to take it: taken %v, %v", taken, err)
	}
	refused(t, w.another(postgres.Options{}), 100*time.Millisecond) // it is let go of when the holder has hung up
	first.Release()

	first = hold(t, w.store)
	first.Connected(true)
	next := make(chan *postgres.GatewayHold)
	other := w.another(postgres.Options{})
	go func() {
		h, err := other.HoldGateway(t.Context())
		if err != nil {
			t.Error(err)
		}
		next <- h
	}()
	waitForLock(t, w, "ShareLock")
	taken := make(chan error, 1)
	go func() {
		yes, err := first.HandOver(t.Context())
		if err == nil && !yes {
			err = errors.New("nobody was seen to wait")
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
	case <-time.After(5 * time.Second):
		t.Error("the first one does not hear that the second is connected")
	}
	refused(t, w.another(postgres.Options{}), 100*time.Millisecond)
	first.Release()
	select {
	case <-first.Lost():
		t.Error("a hold that was handed over is told as lost")
	case <-second.Lost():
		t.Error("the hold that was taken over is lost")
	default:
	}
}

// waitForLock waits until a session has an advisory lock of a kind.
func waitForLock(t *testing.T, w *world, mode string) {
	t.Helper()
	conn := connect(t, w.dsn)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) { // the server does not tell; this asks it again
		var found bool
		must(t, conn.QueryRow(t.Context(), `select exists (select from pg_locks where locktype = 'advisory' and granted and mode = $1
			and database = (select oid from pg_database where datname = current_database()))`, mode).Scan(&found))
		if found {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("nobody has a %s", mode)
		}
	}
}

func TestWaitingForTheGatewayEndsWithItsContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hold(t, w.store)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := w.another(postgres.Options{}).HoldGateway(ctx)
		ended <- err
	}()
	cancel()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("got the gateway that another holds")
		}
	case <-time.After(5 * time.Second):
		t.Error("still waiting after its context has ended")
	}
}

const gatewayHolder = `select pid from pg_locks where locktype = 'advisory' and granted and mode = 'ExclusiveLock'
	and database = (select oid from pg_database where datname = current_database())`

// cutHolder ends the session that holds the gateway, in the server, and returns which it was.
func cutHolder(t *testing.T, w *world) (pid int) {
	t.Helper()
	conn := connect(t, w.dsn)
	must(t, conn.QueryRow(t.Context(), gatewayHolder).Scan(&pid))
	_, err := conn.Exec(t.Context(), "select pg_terminate_backend($1)", pid)
	must(t, err)
	return pid
}

func TestACutConnectionDoesNotCostTheGateway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := hold(t, w.store)
	for range 3 {
		waitForHolderAfter(t, w, cutHolder(t, w))
		refused(t, w.another(postgres.Options{}), 100*time.Millisecond)
	}
	select {
	case <-h.Lost():
		t.Error("the hold was lost, though nobody else wanted it")
	default:
	}
}

// waitForHolderAfter waits until another session holds the gateway than the one that was cut.
func waitForHolderAfter(t *testing.T, w *world, cut int) {
	t.Helper()
	conn := connect(t, w.dsn)
	for deadline := time.Now().Add(10 * time.Second); ; {
		var pid int
		err := conn.QueryRow(t.Context(), gatewayHolder).Scan(&pid)
		if err == nil && pid != cut {
			return
		}
		if err != nil && !errors.Is(err, pgx.ErrNoRows) || time.Now().After(deadline) {
			t.Fatalf("the lock was not taken again: %v", err)
		}
		time.Sleep(time.Millisecond) // the server does not tell; this asks it again
	}
}

func TestTheHoldEndsWhenAnotherWasFaster(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := hold(t, w.store)
	// Somebody takes the lock in the same moment as the holder loses its connection.
	conn := connect(t, w.dsn)
	taken := make(chan error, 1)
	go func() {
		_, err := conn.Exec(t.Context(), `select pg_advisory_lock(classid::bigint << 32 | objid::bigint) from pg_locks
			where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`)
		taken <- err
	}()
	waitForWaiter(t, w)
	cutHolder(t, w)
	must(t, <-taken)
	select {
	case <-h.Lost():
	case <-time.After(10 * time.Second):
		t.Error("the hold goes on beside another's")
	}
}

func waitForWaiter(t *testing.T, w *world) {
	t.Helper()
	conn := connect(t, w.dsn)
	for {
		var waits bool
		must(t, conn.QueryRow(t.Context(), `select exists (select from pg_locks where locktype = 'advisory' and not granted
			and database = (select oid from pg_database where datname = current_database()))`).Scan(&waits))
		if waits {
			return
		}
		time.Sleep(time.Millisecond) // the server does not tell; this asks it again
	}
}
