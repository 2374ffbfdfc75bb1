package postgres_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// onServer is a world on a server of its own, which may be broken.
func onServer(t *testing.T, opts postgres.Options) (*world, *pgtest.Server) {
	t.Helper()
	server := pgtest.NewServer(t)
	w := &world{t: t, dsn: server.New(), clock: &clock{}}
	w.clock.micros.Store(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).UnixMicro())
	opts.Log = slog.New(slog.DiscardHandler)
	w.store = w.another(opts)
	w.Market = core.New(w.store, core.Options{Now: w.clock.now})
	w.ann, w.bob, w.cat = w.user("ann"), w.user("bob"), w.user("cat")
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
			l := listen(t, w.store)
			before := w.post(w.ann)
			l.until(before.ID)
			fault(server)
			server.Ready()
			start := time.Now()
			after := w.post(w.ann) // every connection of the pool is broken
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %s to write again", took)
			}
			page, err := w.BrowseOrders(t.Context(), core.OrderQuery{})
			must(t, err)
			if len(page.Orders) != 2 || page.Total != 2 {
				t.Errorf("the orders %d and %d were acknowledged, the page shows %+v", before.ID, after.ID, page.Orders)
			}
			// Whatever was not heard meanwhile is made good by a resync.
			for c := l.next(); !c.Resync; c = l.next() {
			}
			l.until(w.post(w.ann).ID)
			w.keepsItsPromises()
		})
	}
}

func TestAServerThatTakesNoWritesStillAnswersReads(t *testing.T) {
	t.Parallel()
	w, server := onServer(t, postgres.Options{})
	order := w.post(w.ann)
	server.Exec("alter system set default_transaction_read_only = on")
	server.Exec("select pg_reload_conf()")
	w.eventually("select current_setting('default_transaction_read_only') = 'on'")
	_, err := w.CloseOrder(t.Context(), w.ann, order.ID)
	wantKind(t, err, core.Unavailable)
	page, err := w.BrowseOrders(t.Context(), core.OrderQuery{})
	must(t, err)
	if page.Total != 1 {
		t.Errorf("page = %+v", page)
	}
	server.Exec("alter system reset default_transaction_read_only")
	server.Exec("select pg_reload_conf()")
	w.eventually("select current_setting('default_transaction_read_only') = 'off'")
	_, err = w.CloseOrder(t.Context(), w.ann, order.ID)
	must(t, err)
}

func TestAFrozenServerIsGivenUpAndFoundAgain(t *testing.T) {
	t.Parallel()
	w, server := onServer(t, postgres.Options{Patience: time.Second}) // enough for what is posted first
	order := w.post(w.ann)
	server.Pause()
	start := time.Now()
	_, err := w.LogSale(t.Context(), w.ann, order.ID, core.SaleDraft{Quantity: 1})
	wantKind(t, err, core.Unavailable)
	_, err = w.BrowseOrders(t.Context(), core.OrderQuery{})
	wantKind(t, err, core.Unavailable)
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("it took %s to give up twice", took)
	}
	server.Resume()
	server.Ready()
	patient := core.New(w.another(postgres.Options{}), core.Options{Now: w.clock.now})
	_, err = patient.LogSale(t.Context(), w.ann, order.ID, core.SaleDraft{Quantity: 1})
	must(t, err)
	if sold := w.stored(order.ID).Sold; sold != 1 && sold != 2 {
		t.Errorf("sold %d", sold) // the first one may or may not have arrived: nobody was told that it had
	}
	w.keepsItsPromises()
}

func TestAWriteThatACrashSwallowedIsNotTakenForAnothers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		key  string
		kind core.Kind // of the refusal; 0 when the write is made again
	}{
		"without a key nobody can say": {kind: core.Unavailable},
		"with a key it happens once":   {key: "k"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, server := onServer(t, postgres.Options{Patience: 20 * time.Second})
			order := w.post(w.ann)
			// Nothing reaches the disk before the crash: the server acknowledges a commit that it will have lost.
			server.Exec("alter system set wal_writer_delay = '10s'")
			server.Exec("select pg_reload_conf()")
			wire := newWire(t, w.dsn)
			wire.dsn += " options='-c synchronous_commit=off'"
			market := w.through(wire)
			actor := w.ann
			_, err := market.LogSale(t.Context(), actor, order.ID, core.SaleDraft{Quantity: 1}) // the statements are prepared
			must(t, err)
			server.Exec("checkpoint")
			var lost, given int
			burnt := make(chan struct{}) // until the number is another's
			wire.beforeCut = func() {
				defer close(burnt)
				lost = w.value("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1")
				server.Kill()
				server.Ready()
				other, err := pgx.Connect(t.Context(), w.dsn)
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
			_, err = market.LogSale(t.Context(), actor, order.ID, core.SaleDraft{Quantity: 2})
			<-burnt
			w.store.Pool().Reset() // its connections are of before the crash
			stored := w.value("select count(*) from order_updates where quantity_sold = 2")
			t.Logf("number %d was lost, then %d given out; stored %d times", lost, given, stored)
			if tt.kind != 0 {
				wantKind(t, err, tt.kind)
				if stored != 0 {
					t.Error("the crash has lost nothing, so this says nothing")
				}
			} else if err != nil || stored != 1 {
				t.Errorf("stored %d times, error %v; want once", stored, err)
			}
			w.keepsItsPromises()
		})
	}
}
