package postgres_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/sql/postgres"
)

// listening collects what a store hears that is watched.
type listening struct {
	t     *testing.T
	heard chan core.Change
	stop  func() // returns when the listener has
	leave func() // no longer watches
}

func listen(t *testing.T, store *postgres.Store) *listening {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	l := &listening{t: t, heard: make(chan core.Change, 1000)}
	done := make(chan struct{})
	l.leave = sync.OnceFunc(store.Watch())
	go func() {
		defer close(done)
		store.Listen(ctx, func(c core.Change) { l.heard <- c })
	}()
	l.stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(func() { l.stop(); l.leave() })
	if c := l.next(); !c.Resync {
		t.Fatalf("the first thing heard is %+v, want a resync", c)
	}
	return l
}

func (l *listening) next() core.Change {
	l.t.Helper()
	select {
	case c := <-l.heard:
		return c
	case <-time.After(10 * time.Second):
		l.t.Fatal("nothing was heard for 10 s")
		return core.Change{}
	}
}

// until listens on until it has heard of an order, and fails when it heard of it before. It returns all it heard.
func (l *listening) until(id core.OrderID) core.Change {
	l.t.Helper()
	var all core.Change
	for !slices.Contains(all.Orders, id) {
		c := l.next()
		all.Orders = append(all.Orders, c.Orders...)
		all.Users = append(all.Users, c.Users...)
		all.Resync = all.Resync || c.Resync
	}
	return all
}

func TestEveryReplicaHearsOfEveryChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	here, there := listen(t, w.store), listen(t, w.another(postgres.Options{}))
	order := w.post(w.ann)
	for _, l := range []*listening{here, there} {
		if c := l.until(order.ID); !slices.Equal(c.Users, []core.UserID{w.ann.UserID}) || c.Resync {
			t.Errorf("of the new order was heard %+v", c)
		}
	}
	offer := w.offer(w.bob, order, 2)
	for _, l := range []*listening{here, there} {
		if c := l.until(order.ID); !slices.Equal(c.Users, []core.UserID{w.ann.UserID, w.bob.UserID}) {
			t.Errorf("of the offer was heard %+v", c)
		}
	}
	_, err := w.AcceptOffer(t.Context(), w.ann, offer.ID, 1)
	must(t, err)
	there.until(order.ID)
	must(t, w.ReadNotices(t.Context(), w.bob, 1000))
	if c := there.next(); len(c.Orders) != 0 || !slices.Equal(c.Users, []core.UserID{w.bob.UserID}) {
		t.Errorf("of reading was heard %+v", c)
	}
	must(t, w.DeleteOrder(t.Context(), w.ann, order.ID))
	if c := there.until(order.ID); !slices.Contains(c.Users, w.ann.UserID) {
		t.Errorf("of the deletion was heard %+v", c)
	}
	_, err = w.CloseOrder(t.Context(), w.ann, order.ID)
	wantKind(t, err, core.NotFound)
	marker := w.post(w.bob)
	if c := there.until(marker.ID); slices.Contains(c.Orders, order.ID) {
		t.Error("a refused write was announced")
	}
}

func TestNewsOfAWriteArrivesAlsoWithoutTheBell(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := listen(t, w.store)
	// A process that was killed between its commit and the bell leaves nothing but the row.
	must(t, w.sql("insert into changes (orders, users, lists) values ('{41,42}', '{7}', false)"))
	if c := l.until(42); c.Resync || !slices.Equal(c.Orders, []core.OrderID{41, 42}) || !slices.Equal(c.Users, []core.UserID{7}) {
		t.Errorf("heard %+v", c)
	}
}

// rests has nobody watch or read for a while.
func (l *listening) rests(store *postgres.Store) {
	l.t.Helper()
	l.leave()
	store.LongUnread()
	for end := time.Now().Add(10 * time.Second); !store.Resting(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatal("the listener does not rest")
		}
	}
}

func TestALookIsTakenAsSoonAsSomebodyWatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := listen(t, w.store)
	l.rests(w.store)
	must(t, w.sql("insert into changes (orders, users, lists) values ('{41}', '{}', false)"))
	defer w.store.Watch()()
	// A rest takes longer than next waits.
	l.until(41)
	must(t, w.sql("insert into changes (orders, users, lists) values ('{42}', '{}', false)"))
	l.until(42)
}

func TestTheBellIsHeardAtRest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := listen(t, w.store)
	l.rests(w.store)
	l.until(w.post(w.ann).ID)
}

func TestATransactionThatCommitsLateIsNotOverlooked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := listen(t, w.store)
	early := connect(t, w.dsn)
	tx, err := early.Begin(t.Context())
	must(t, err)
	_, err = tx.Exec(t.Context(), "insert into changes (orders, users, lists) values ('{41}', '{}', false)")
	must(t, err)
	// Later transactions are heard of first.
	for range 3 {
		if c := l.until(w.post(w.ann).ID); slices.Contains(c.Orders, 41) {
			t.Fatal("heard of what is not committed")
		}
	}
	must(t, tx.Commit(t.Context()))
	if c := l.until(41); len(c.Orders) != 1 {
		t.Errorf("heard of %v once more", c.Orders)
	}
}

func TestWhoLostTheConnectionLooksAtEverythingAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := listen(t, w.store)
	must(t, w.sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tradepost changes'"))
	if c := l.next(); !c.Resync {
		t.Fatalf("heard %+v, want a resync", c)
	}
	if c := l.until(w.post(w.ann).ID); c.Resync {
		t.Errorf("heard %+v", c)
	}
}

func TestOnesOwnCommitIsToldBeforeItIsAcknowledged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var told []core.Change
	w.store.OnCommit(func(c core.Change) { told = append(told, c) })
	order := w.post(w.ann)
	if len(told) != 1 || !slices.Equal(told[0].Orders, []core.OrderID{order.ID}) {
		t.Errorf("told %+v", told)
	}
	_, err := w.CloseOrder(t.Context(), w.bob, order.ID)
	wantKind(t, err, core.Forbidden)
	if len(told) != 1 {
		t.Errorf("a refused write was told: %+v", told)
	}
}

// It runs by itself: a transaction anywhere on the server, also in another test's database, may still have to be read.
func TestChangesAreThrownAwayOnceEverybodyHasReadThem(t *testing.T) {
	w := newWorld(t)
	log := postgres.NewChangeLog(connect(t, w.dsn))
	read := func() core.Change {
		t.Helper()
		change, err := log.Read(t.Context())
		must(t, err)
		return change
	}
	rows := func(want int) {
		t.Helper()
		if n := w.value("select count(*) from changes"); n != want {
			t.Errorf("%d changes are stored, want %d", n, want)
		}
	}
	must(t, w.sql("delete from changes"))
	first := w.post(w.ann)
	if c := read(); !c.Resync {
		t.Errorf("the first reading is %+v, want a resync", c)
	}
	second := w.post(w.ann)
	log.Later(time.Minute)
	if c := read(); !slices.Equal(c.Orders, []core.OrderID{second.ID}) {
		t.Errorf("read %+v after order %d", c, first.ID)
	}
	rows(1) // the first was over when the place was marked
	log.Later(time.Minute)
	if c := read(); len(c.Orders) != 0 || c.Resync {
		t.Errorf("read %+v twice", c)
	}
	rows(0)
	log.Asleep(time.Minute)
	if c := read(); !c.Resync {
		t.Errorf("who slept while changes were thrown away reads %+v, want a resync", c)
	}
}
