package postgres_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// world is a market on a database of its own, with people in it.
type world struct {
	*core.Market
	t     *testing.T
	dsn   string
	store *postgres.Store
	clock *clock
	ann   core.Actor // a buyer
	bob   core.Actor // a seller
	cat   core.Actor // another seller
}

// clock stands still until it is moved.
type clock struct{ micros atomic.Int64 }

func (c *clock) now() time.Time          { return time.UnixMicro(c.micros.Load()).UTC() }
func (c *clock) forward(d time.Duration) { c.micros.Add(d.Microseconds()) }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dsn: pgtest.New(t), clock: &clock{}}
	w.clock.micros.Store(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).UnixMicro())
	w.store = w.another(postgres.Options{})
	w.Market = core.New(w.store, core.Options{Now: w.clock.now})
	w.ann, w.bob, w.cat = w.user("ann"), w.user("bob"), w.user("cat")
	return w
}

// another opens one more store on the world's database, as another replica would.
func (w *world) another(opts postgres.Options) *postgres.Store {
	w.t.Helper()
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	store, err := postgres.Open(context.Background(), w.dsn, opts)
	if err != nil {
		w.t.Fatalf("open: %v", err)
	}
	w.t.Cleanup(store.Close)
	return store
}

func (w *world) user(name string) core.Actor {
	w.t.Helper()
	user, err := w.SignIn(w.t.Context(), core.Profile{DiscordID: "1" + name, Username: name, DisplayName: strings.ToUpper(name)})
	must(w.t, err)
	return user.Actor()
}

// moderator is somebody who may remove and block.
func (w *world) moderator() core.Actor {
	w.t.Helper()
	mod := w.user("mod")
	mod.Moderator = true
	return mod
}

func (w *world) post(by core.Actor, change ...func(*core.OrderDraft)) core.Order {
	w.t.Helper()
	draft := core.OrderDraft{
		ItemName: "Iron Ore", Quantity: 10, MaxPrice: 500, Description: "Any grade", BuyerContact: by.Username,
		Category: "Miner", Importance: core.Medium,
	}
	for _, f := range change {
		f(&draft)
	}
	order, err := w.PostOrder(w.t.Context(), by, draft)
	must(w.t, err)
	return order
}

func (w *world) offer(by core.Actor, on core.Order, quantity int) core.Offer {
	w.t.Helper()
	draft := core.OfferDraft{SellerName: "A seller", SellerContact: "seller", Message: "I have it", Quantity: quantity}
	answer, err := w.SendOffer(w.t.Context(), by, on.ID, draft)
	must(w.t, err)
	return answer.Offer
}

// sql changes the database behind the market's back.
func (w *world) sql(statement string, args ...any) error {
	_, err := w.store.Pool().Exec(w.t.Context(), statement, args...)
	return err
}

func (w *world) value(query string, args ...any) int {
	w.t.Helper()
	var n int
	must(w.t, w.store.Pool().QueryRow(w.t.Context(), query, args...).Scan(&n))
	return n
}

// keepsItsPromises fails the test when the stored data break a promise. Nothing has been delivered in these tests.
func (w *world) keepsItsPromises() {
	w.t.Helper()
	violations, err := w.store.Check(context.Background())
	must(w.t, err)
	for _, v := range violations {
		w.t.Errorf("broken: %s", v)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantKind(t *testing.T, err error, want core.Kind) {
	t.Helper()
	if got := core.KindOf(err); got != want {
		t.Fatalf("refused as %s (%v), want %s", got, err, want)
	}
}

func count[T any](items []T, good func(T) bool) int {
	n := 0
	for _, item := range items {
		if good(item) {
			n++
		}
	}
	return n
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}
