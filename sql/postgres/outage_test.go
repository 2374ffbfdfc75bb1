package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// onServer is a world on a server of its own, which may be broken.
func onServer(t *testing.T, opts postgres.Options) (*world, *pgtest.Server) {
	t.Helper()
	server := pgtest.NewServer(t)
	w := &world{storetest.On(t, server.New(), opts)}
	return w, server
}

func TestTheStoreIsBackAsSoonAsItsServer(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*pgtest.Server){
		"restarted":               (*pgtest.Server).Restart,
		"killed, and comes again": (*pgtest.Server).Kill,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, server := onServer(t, postgres.Options{})
			l := storetest.Listen(t, w.Store)
			before := w.Post(w.Ann)
			l.Until(before.ID)
			fault(server)
			server.Ready()
			after := w.Post(w.Ann) // every connection of the pool is broken
			page, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{})
			must(t, err)
			if len(page.Orders) != 2 || page.Total != 2 {
				t.Errorf("the orders %d and %d were acknowledged, the page shows %+v", before.ID, after.ID, page.Orders)
			}
			// Whatever was not heard meanwhile is made good by a resync.
			for c := l.Next(); !c.Resync; c = l.Next() {
			}
			l.Until(w.Post(w.Ann).ID)
			w.CheckInvariants()
		})
	}
}

func TestReadOnlyServerAnswersReads(t *testing.T) {
	t.Parallel()
	w, server := onServer(t, postgres.Options{})
	order := w.Post(w.Ann)
	server.Exec("alter system set default_transaction_read_only = on")
	server.Exec("select pg_reload_conf()")
	w.Eventually("select current_setting('default_transaction_read_only') = 'on'")
	_, err := w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	wantKind(t, err, core.Unavailable)
	page, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	must(t, err)
	if page.Total != 1 {
		t.Errorf("page = %+v", page)
	}
	server.Exec("alter system reset default_transaction_read_only")
	server.Exec("select pg_reload_conf()")
	w.Eventually("select current_setting('default_transaction_read_only') = 'off'")
	_, err = w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	must(t, err)
}

func TestAFrozenServerIsGivenUpAndFoundAgain(t *testing.T) {
	t.Parallel()
	w, server := onServer(t, postgres.Options{Patience: time.Second}) // enough for what is posted first
	order := w.Post(w.Ann)
	server.Pause()
	_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
	wantKind(t, err, core.Unavailable)
	_, err = w.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	wantKind(t, err, core.Unavailable)
	server.Resume()
	server.Ready()
	patient := market.New(w.Another(postgres.Options{}), market.Options{Now: w.Clock.Now})
	_, err = patient.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
	must(t, err)
	if sold := w.stored(order.ID).Sold; sold != 1 && sold != 2 {
		t.Errorf("sold %d", sold) // the first one may have committed or not: its client got no answer
	}
	w.CheckInvariants()
}

func TestAWriteThatACrashSwallowedIsNotTakenForAnothers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		key  string
		kind core.ErrorKind // of the error; 0 when the write is retried
	}{
		"without a key it is unknown": {kind: core.Unavailable},
		"with a key it happens once":  {key: "k"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, server := onServer(t, postgres.Options{Patience: coretest.Patience(20 * time.Second)})
			order := w.Post(w.Ann)
			// Nothing reaches the disk before the crash: the server acknowledges a commit that it will have lost.
			server.Exec("alter system set wal_writer_delay = '10s'")
			server.Exec("select pg_reload_conf()")
			wire := newWire(t, w.DSN)
			wire.dsn += " options='-c synchronous_commit=off'"
			// The crash takes place while it writes.
			market := w.throughWith(wire, postgres.Options{Patience: coretest.Patience(time.Minute)})
			actor := w.Ann
			_, err := market.Trade.LogSale(t.Context(), actor, order.ID, trade.SaleDraft{Quantity: 1}) // the statements are prepared
			must(t, err)
			server.Exec("checkpoint")
			var lost, given int
			burnt := make(chan struct{}) // until the number is another's
			wire.beforeCut = func() {
				defer close(burnt)
				lost = w.Value("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1")
				server.Kill()
				server.Ready()
				other, err := pgx.Connect(t.Context(), w.DSN)
				if err != nil {
					t.Error(err)
					return
				}
				defer other.Close(t.Context())
				for given < lost {
					if err := other.QueryRow(t.Context(), "select pg_current_xact_id()::text::bigint").Scan(&given); err != nil {
						t.Error(err)
						return
					}
				}
			}
			wire.loseAnswer.Store(1)
			actor.Key = tt.key
			_, err = market.Trade.LogSale(t.Context(), actor, order.ID, trade.SaleDraft{Quantity: 2})
			<-burnt
			w.Store.Pool().Reset() // its connections are of before the crash
			stored := w.Value("select count(*) from order_updates where quantity_sold = 2")
			t.Logf("number %d was lost, then %d given out; stored %d times", lost, given, stored)
			if tt.kind != 0 {
				wantKind(t, err, tt.kind)
				if !core.CommitUnknown(err) {
					t.Errorf("the write is said not to have happened: %v", err)
				}
				if stored != 0 {
					t.Error("the crash has lost nothing, so this says nothing")
				}
			} else if err != nil || stored != 1 {
				t.Errorf("stored %d times, error %v; want once", stored, err)
			}
			w.CheckInvariants()
		})
	}
}

// TestAWriteThatNoStandbyHasIsNotAcknowledged has a server that waits for a standby that is not there, as one does that is cut off: a
// commit is there as soon as its wait is given up, and a failover would lose it.
func TestAWriteThatNoStandbyHasIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	server := pgtest.NewPrimary(t)
	w := &world{storetest.On(t, server.New(), postgres.Options{Patience: coretest.Patience(time.Second)})}
	order := w.Post(w.Ann)
	server.Exec("alter system set synchronous_standby_names = 'nobody'")
	server.Exec("select pg_reload_conf()")
	log := func(key string) error {
		_, err := w.Trade.LogSale(t.Context(), storetest.Keyed(w.Ann, key), order.ID, trade.SaleDraft{Quantity: 1})
		return err
	}
	sold, key := 0, ""
	var err error
	for err == nil && sold < 9 { // until the setting is everywhere
		sold++
		key = fmt.Sprintf("sale-%d", sold)
		err = log(key)
	}
	if !core.CommitUnknown(err) {
		t.Fatalf("a write that no standby has: %v", err)
	}
	w.Eventually(fmt.Sprintf("select sold = %d from orders where id = %d", sold, order.ID)) // as this server sees it
	if err := log(key); !core.CommitUnknown(err) {
		t.Errorf("its repeat: %v", err)
	}
	server.Exec("alter system reset synchronous_standby_names")
	server.Exec("select pg_reload_conf()")
	for range 9 {
		if err = log(key); err == nil {
			break
		}
	}
	must(t, err)
	if got := w.stored(order.ID).Sold; got != sold {
		t.Errorf("sold %d, want %d", got, sold)
	}
	w.CheckInvariants()
}
