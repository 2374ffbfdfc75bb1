package postgres_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// answersBetweenFaults leaves each of eight connections time for some writes, on any machine.
const answersBetweenFaults = 25

// wire is a proxy between a store and its server that cuts the connection on demand.
type wire struct {
	dsn string // through it

	network, address string
	// Each cuts the connection instead of passing the bytes on, as often as it says.
	loseAnswer  atomic.Int64 // the server commits, and its answer is dropped
	loseRequest atomic.Int64 // the commit does not reach the server
	cuts        atomic.Int64
	answers     atomic.Int64  // passed on to clients
	every       chan struct{} // one after each answersBetweenFaults of them; what was not taken is not kept
	beforeCut   func()        // what happens before the client sees the cut; nil for nothing
	down        atomic.Bool   // the server cannot be reached at all
}

func newWire(t *testing.T, dsn string) *wire {
	t.Helper()
	config, err := pgconn.ParseConfig(dsn)
	must(t, err)
	w := &wire{every: make(chan struct{}, 1)}
	w.network, w.address = pgconn.NetworkAddress(config.Host, config.Port)
	folder, err := os.MkdirTemp("", "wire") // shorter than t.TempDir: a socket's path may have 107 bytes
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	listener, err := net.Listen("unix", filepath.Join(folder, ".s.PGSQL.5432"))
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go w.carry(client)
		}
	}()
	w.dsn = fmt.Sprintf("host=%s port=5432 user=%s password='%s' dbname=%s sslmode=disable application_name='tradepost wire'", folder, config.User, config.Password, config.Database)
	for name, value := range config.RuntimeParams {
		w.dsn += fmt.Sprintf(" %s='%s'", name, value)
	}
	return w
}

func (w *wire) carry(client net.Conn) {
	defer client.Close()
	if w.down.Load() {
		return
	}
	server, err := net.Dial(w.network, w.address)
	if err != nil {
		return
	}
	defer server.Close()
	// pgx names a prepared statement by a hash of its text.
	hash := sha256.Sum256([]byte("commit"))
	commit := []byte("stmtcache_" + hex.EncodeToString(hash[:24]) + "\x00")
	done := make(chan struct{}, 2)
	pass := func(to io.Writer, from io.Reader, mark []byte, cuts *atomic.Int64, passed func()) {
		defer func() { done <- struct{}{} }()
		buffer := make([]byte, 64<<10)
		for {
			n, err := from.Read(buffer)
			if bytes.Contains(buffer[:n], mark) && take(cuts) {
				w.cuts.Add(1)
				if w.beforeCut != nil {
					w.beforeCut()
				}
				return
			}
			if _, writeErr := to.Write(buffer[:n]); err != nil || writeErr != nil {
				return
			}
			passed()
		}
	}
	go pass(server, client, append([]byte{0}, commit...), &w.loseRequest, func() {})
	go pass(client, server, []byte("COMMIT\x00"), &w.loseAnswer, func() {
		if w.answers.Add(1)%answersBetweenFaults == 0 {
			select {
			case w.every <- struct{}{}:
			default:
			}
		}
	})
	<-done
}

func take(n *atomic.Int64) bool {
	for {
		left := n.Load()
		if left <= 0 {
			return false
		}
		if n.CompareAndSwap(left, left-1) {
			return true
		}
	}
}

func (w *world) through(wire *wire) *market.Market { return w.throughWith(wire, postgres.Options{}) }

func (w *world) throughWith(wire *wire, opts postgres.Options) *market.Market {
	w.T.Helper()
	dsn := w.DSN
	w.DSN = wire.dsn
	defer func() { w.DSN = dsn }()
	return market.New(w.Another(opts), market.Options{Now: w.Clock.Now})
}

func TestWriteWithAnUnansweredCommitHappensOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		key string
		cut func(*wire) *atomic.Int64
	}{
		"the answer is lost":              {cut: func(w *wire) *atomic.Int64 { return &w.loseAnswer }},
		"the answer is lost, with a key":  {cut: func(w *wire) *atomic.Int64 { return &w.loseAnswer }, key: "k"},
		"the request is lost":             {cut: func(w *wire) *atomic.Int64 { return &w.loseRequest }},
		"the request is lost, with a key": {cut: func(w *wire) *atomic.Int64 { return &w.loseRequest }, key: "k"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			wire := newWire(t, w.DSN)
			market := w.through(wire)
			order := w.Post(w.Ann)
			offer := w.OfferOn(w.Bob, order, 9)
			_, err := market.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 1) // the statements are prepared
			must(t, err)

			tt.cut(wire).Store(1)
			actor := w.Ann
			actor.Key = tt.key
			done, err := market.Trade.AcceptOffer(t.Context(), actor, offer.ID, 3)
			must(t, err)
			if wire.cuts.Load() != 1 {
				t.Fatalf("the connection was cut %d times, want once", wire.cuts.Load())
			}
			storetest.Same(t, done.Order, w.stored(order.ID))
			if done.Order.Sold != 4 {
				t.Errorf("sold %d, want 4", done.Order.Sold)
			}
			w.CheckInvariants()
		})
	}
}

func TestAcknowledgedWritesAreStoredAndFailedOnesAreNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order, err := w.Trade.PostOrder(t.Context(), w.Ann, trade.OrderDraft{ItemName: "I", Quantity: 1000, MaxPrice: 1, BuyerContact: "a"})
	must(t, err)
	wire := newWire(t, w.DSN)
	markets := []*market.Market{w.through(wire), w.through(wire)}

	var (
		acknowledged sync.Map // numbers of the sales
		wait         sync.WaitGroup
		next         atomic.Int64
		killing, end = context.WithCancel(t.Context())
		failures     atomic.Int64
	)
	killer := connect(t, w.DSN)
	killed := make(chan int, 1)
	go func() { // paced by what the clients get done: by time, a slow machine would kill each before its first write
		n := 0
		for {
			select {
			case <-wire.every:
			case <-killing.Done():
				killed <- n
				return
			}
			tag, err := killer.Exec(t.Context(), `select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and application_name = 'tradepost wire' order by random() limit 1`)
			if err != nil {
				t.Error(err)
			}
			n += int(tag.RowsAffected())
			wire.loseAnswer.Store(1)
			wire.loseRequest.Store(1)
		}
	}()
	for i := range 8 {
		wait.Go(func() {
			for n := next.Add(1); n <= 400; n = next.Add(1) {
				_, err := markets[i%2].Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 1, Notes: strconv.FormatInt(n, 10)})
				if err == nil {
					acknowledged.Store(n, true)
				} else if failures.Add(1); core.KindOf(err) != core.Unavailable {
					t.Errorf("sale %d: %v", n, err)
				}
			}
		})
	}
	wait.Wait()
	end()
	t.Logf("%d connections were killed and %d cut; %d of 400 writes were refused", <-killed, wire.cuts.Load(), failures.Load())
	for n := int64(1); n <= 400; n++ {
		stored := w.Value("select count(*) from order_updates where notes = $1", strconv.FormatInt(n, 10))
		if _, ok := acknowledged.Load(n); stored > 1 || ok != (stored == 1) {
			t.Errorf("sale %d: acknowledged %v, stored %d times", n, ok, stored)
		}
	}
	if wire.cuts.Load() < 10 {
		t.Error("too little was cut for this to say anything")
	}
	w.CheckInvariants()
}

func TestAnUnreachableDatabaseIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	wire := newWire(t, w.DSN)
	dsn := w.DSN
	w.DSN = wire.dsn
	store := w.Another(postgres.Options{Patience: 300 * time.Millisecond})
	w.DSN = dsn
	market := market.New(store, market.Options{})
	wire.down.Store(true)
	must(t, w.SQL("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tradepost wire'"))

	_, err := market.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	wantKind(t, err, core.Unavailable)
	_, err = market.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	wantKind(t, err, core.Unavailable)
	var coreErr *core.Error
	if errors.As(err, &coreErr); coreErr.RetryAfter == 0 {
		t.Error("it does not say when to come back")
	}
}

// hold locks an order until release is called.
func (w *world) hold(id core.OrderID) (release func()) {
	t := w.T
	tx, err := connect(t, w.DSN).Begin(t.Context())
	must(t, err)
	_, err = tx.Exec(t.Context(), "select from orders where id = $1 for update", id)
	must(t, err)
	return func() { must(t, tx.Rollback(t.Context())) }
}

func TestAHungDatabaseIsWaitedForNoLongerThanAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	release := w.hold(order.ID)
	// Long enough for a write on a busy machine, which the second one must be done in.
	market := market.New(w.Another(postgres.Options{Patience: 2 * time.Second}), market.Options{})
	_, err := market.Trade.CloseOrder(t.Context(), w.Ann, order.ID) // the row is free only after this has returned
	wantKind(t, err, core.Unavailable)
	release()
	_, err = market.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	must(t, err)
}

func TestPagesAreReadWhileWritesWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	release := w.hold(order.ID)
	store := w.Another(postgres.Options{MaxConns: 4})
	market := market.New(store, market.Options{})
	var writing sync.WaitGroup
	for range 16 {
		writing.Go(func() {
			_, err := market.Trade.RenewOrder(t.Context(), w.Ann, order.ID)
			if err != nil {
				t.Errorf("renew: %v", err)
			}
		})
	}
	looking := connect(t, w.DSN)
	for waiting := 0; waiting < 3; {
		must(t, looking.QueryRow(t.Context(), "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()").Scan(&waiting))
	}
	for range 20 {
		_, err := market.Match.BrowseOrders(t.Context(), match.OrderQuery{})
		must(t, err)
	}
	release()
	writing.Wait()
}

func TestADeadlockIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.Post(w.Ann), w.Post(w.Ann)
	// Two that lock crosswise, which the market itself never does.
	both := make(chan struct{}, 2)
	attempts := atomic.Int64{}
	cross := func(first, second core.OrderID) error {
		return w.Store.Atomically(t.Context(), func(tx market.Tx) error {
			attempt := attempts.Add(1)
			if _, err := tx.LockOrder(t.Context(), first); err != nil {
				return err
			}
			if attempt <= 2 {
				both <- struct{}{}
				for len(both) < 2 {
				}
			}
			o, err := tx.LockOrder(t.Context(), second)
			if err != nil {
				return err
			}
			o.Version++
			return tx.SaveOrder(t.Context(), o)
		})
	}
	for i, err := range atOnce(2, func(i int) error {
		if i == 0 {
			return cross(a.ID, b.ID)
		}
		return cross(b.ID, a.ID)
	}) {
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	// More than three when the retry locks its first row before the other transaction has woken up: a second deadlock.
	if attempts.Load() < 3 {
		t.Errorf("%d attempts, want at least 3", attempts.Load())
	}
	if w.stored(a.ID).Version != 2 || w.stored(b.ID).Version != 2 {
		t.Error("each is to be written once")
	}
}
