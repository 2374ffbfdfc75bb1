package changefeed_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/sql/changefeed"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

func TestEveryReplicaReceivesEveryChange(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	here, there := storetest.Listen(t, w.Store), storetest.Listen(t, w.Another(postgres.Options{}))
	order := w.Post(w.Ann)
	for _, l := range []*storetest.Listener{here, there} {
		if c := l.Until(order.ID); !slices.Equal(c.Users, []core.UserID{w.Ann.UserID}) || c.Resync {
			t.Errorf("of the new order was heard %+v", c)
		}
	}
	offer := w.OfferOn(w.Bob, order, 2)
	for _, l := range []*storetest.Listener{here, there} {
		if c := l.Until(order.ID); !slices.Equal(c.Users, []core.UserID{w.Ann.UserID, w.Bob.UserID}) {
			t.Errorf("of the offer was heard %+v", c)
		}
	}
	_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 1)
	storetest.Must(t, err)
	there.Until(order.ID)
	storetest.Must(t, w.Notify.ReadNotices(t.Context(), w.Bob, 1000))
	if c := there.Next(); len(c.Orders) != 0 || !slices.Equal(c.Users, []core.UserID{w.Bob.UserID}) {
		t.Errorf("of reading was heard %+v", c)
	}
	storetest.Must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, order.ID))
	if c := there.Until(order.ID); !slices.Contains(c.Users, w.Ann.UserID) {
		t.Errorf("of the deletion was heard %+v", c)
	}
	_, err = w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	storetest.WantKind(t, err, core.NotFound)
	marker := w.Post(w.Bob)
	if c := there.Until(marker.ID); slices.Contains(c.Orders, order.ID) {
		t.Error("a refused write was announced")
	}
}

func TestAChangeArrivesWithoutItsNotification(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	l := storetest.Listen(t, w.Store)
	// A process that was killed between its commit and the notification leaves nothing but the row.
	storetest.Must(t, w.SQL("insert into changes (orders, users, lists) values ('{41,42}', '{7}', false)"))
	if c := l.Until(42); c.Resync || !slices.Equal(c.Orders, []core.OrderID{41, 42}) || !slices.Equal(c.Users, []core.UserID{7}) {
		t.Errorf("heard %+v", c)
	}
}

// Pages with prices depend on trades, and no order has to change with them.
func TestAChangeOfTradesAloneIsHeard(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	l := storetest.Listen(t, w.Store)
	storetest.Must(t, w.SQL("insert into changes (orders, users, lists, traded) values ('{}', '{}', false, '{Iron Ore}')"))
	if c := l.Next(); !slices.Equal(c.Traded, []string{"Iron Ore"}) {
		t.Errorf("heard %+v", c)
	}
	storetest.Must(t, w.SQL("insert into changes (orders, users, lists, traded) values ('{}', '{}', false, null)"))
	if c := l.Next(); !c.AnyTraded {
		t.Errorf("heard %+v", c)
	}
}

func TestAnIdleFeedPollsWhenAStreamOpens(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	l := storetest.Listen(t, w.Store)
	l.WaitUntilIdle(w.Store)
	storetest.Must(t, w.SQL("insert into changes (orders, users, lists) values ('{41}', '{}', false)"))
	defer w.Store.Feed().Watch()()
	// An idle wait takes longer than Next waits.
	l.Until(41)
	storetest.Must(t, w.SQL("insert into changes (orders, users, lists) values ('{42}', '{}', false)"))
	l.Until(42)
}

func TestANotificationIsHeardWhileIdle(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	l := storetest.Listen(t, w.Store)
	l.WaitUntilIdle(w.Store)
	l.Until(w.Post(w.Ann).ID)
}

func TestATransactionThatCommitsLateIsNotMissed(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	l := storetest.Listen(t, w.Store)
	early := storetest.Connect(t, w.DSN)
	tx, err := early.Begin(t.Context())
	storetest.Must(t, err)
	_, err = tx.Exec(t.Context(), "insert into changes (orders, users, lists) values ('{41}', '{}', false)")
	storetest.Must(t, err)
	// Later transactions are heard of first.
	for range 3 {
		if c := l.Until(w.Post(w.Ann).ID); slices.Contains(c.Orders, 41) {
			t.Fatal("received an uncommitted change")
		}
	}
	storetest.Must(t, tx.Commit(t.Context()))
	if c := l.Until(41); len(c.Orders) != 1 {
		t.Errorf("heard of %v once more", c.Orders)
	}
}

func TestALostConnectionCausesAResync(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	l := storetest.Listen(t, w.Store)
	storetest.Must(t, w.SQL("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tradepost changes'"))
	if c := l.Next(); !c.Resync {
		t.Fatalf("heard %+v, want a resync", c)
	}
	if c := l.Until(w.Post(w.Ann).ID); c.Resync {
		t.Errorf("heard %+v", c)
	}
}

func TestTheCacheIsInvalidatedBeforeAWriteIsAcknowledged(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	feed := w.Store.Feed().Cache()
	feed.UpToDate(w.Clock.Now().AddDate(100, 0, 0)) // nothing but the write itself makes the value stale
	entry, loads := cache.NewEntry[int](feed, cache.Lists), 0
	wants := func(want int) {
		t.Helper()
		_, err := entry.Get(t.Context(), w.Clock.Now(), func(context.Context) (int, time.Time, error) {
			loads++
			return 0, time.Time{}, nil
		})
		storetest.Must(t, err)
		if loads != want {
			t.Errorf("loaded %d times, want %d", loads, want)
		}
	}
	wants(1)
	order := w.Post(w.Ann)
	wants(2)
	_, err := w.Trade.CloseOrder(t.Context(), w.Bob, order.ID)
	storetest.WantKind(t, err, core.Forbidden)
	wants(2) // the failed write changed nothing
}

// It has a server of its own: a change is kept as long as a transaction anywhere on the server, also in another test's
// database, is older.
func TestChangesArePrunedOnceEveryReplicaHasReadThem(t *testing.T) {
	t.Parallel()
	w := storetest.On(t, pgtest.NewServer(t).New(), postgres.Options{})
	log := changefeed.NewChangeLog(storetest.Connect(t, w.DSN))
	read := func() core.Change {
		t.Helper()
		change, err := log.Read(t.Context())
		storetest.Must(t, err)
		return change
	}
	rows := func(want int) {
		t.Helper()
		if n := w.Value("select count(*) from changes"); n != want {
			t.Errorf("%d changes are stored, want %d", n, want)
		}
	}
	storetest.Must(t, w.SQL("delete from changes"))
	first := w.Post(w.Ann)
	if c := read(); !c.Resync {
		t.Errorf("the first reading is %+v, want a resync", c)
	}
	second := w.Post(w.Ann)
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
