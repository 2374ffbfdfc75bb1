// Package storetest is a market on a database of its own, with users in it, for the tests of the packages
// below sql.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

// World is a market, its store and its users.
type World struct {
	*market.Market
	T     *testing.T
	DSN   string
	Store *postgres.Store
	Clock *Clock
	Ann   core.Actor // a buyer
	Bob   core.Actor // a seller
	Cat   core.Actor // another seller

	serves bool // the store has the lesser role, as a market with two roles does
}

// Clock advances only by Forward.
type Clock struct{ micros atomic.Int64 }

// NewClock returns a clock that shows noon on 1 May 2026.
func NewClock() *Clock {
	c := &Clock{}
	c.micros.Store(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).UnixMicro())
	return c
}

// Now returns the time that it shows.
func (c *Clock) Now() time.Time { return time.UnixMicro(c.micros.Load()).UTC() }

// Forward moves it.
func (c *Clock) Forward(d time.Duration) { c.micros.Add(d.Microseconds()) }

// New returns a market on an empty, migrated database.
func New(t *testing.T) *World {
	t.Helper()
	return open(t, &World{DSN: pgtest.New(t), serves: true}, postgres.Options{})
}

// On returns a market on a migrated database, with its users signed up.
func On(t *testing.T, dsn string, opts postgres.Options) *World {
	t.Helper()
	return open(t, &World{DSN: dsn}, opts)
}

func open(t *testing.T, w *World, opts postgres.Options) *World {
	t.Helper()
	w.T, w.Clock = t, NewClock()
	w.Store = w.Another(opts)
	w.Market = market.New(w.Store, market.Options{Now: w.Clock.Now})
	w.Ann, w.Bob, w.Cat = w.SignUp("ann"), w.SignUp("bob"), w.SignUp("cat")
	return w
}

// At opens a market on another database that has the users of w.
func (w *World) At(dsn string) *World {
	w.T.Helper()
	there := &World{T: w.T, DSN: dsn, Clock: w.Clock, Ann: w.Ann, Bob: w.Bob, Cat: w.Cat}
	there.Store = there.Another(postgres.Options{})
	there.Market = market.New(there.Store, market.Options{Now: w.Clock.Now})
	return there
}

// Another opens one more store on the database, as another replica would.
func (w *World) Another(opts postgres.Options) *postgres.Store {
	w.T.Helper()
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	dsn := w.DSN
	if w.serves {
		dsn = pgtest.Serving(dsn)
	}
	if opts.Pooler == "" {
		opts.Pooler = pgtest.Pooled(w.T, dsn)
	}
	store, err := postgres.Open(context.Background(), dsn, opts)
	if err != nil {
		w.T.Fatalf("open: %v", err)
	}
	w.T.Cleanup(store.Close)
	return store
}

// SignUp signs in a user of that name.
func (w *World) SignUp(name string) core.Actor {
	w.T.Helper()
	user, err := w.People.SignIn(w.T.Context(),
		people.Profile{DiscordID: "1" + name, Username: name, DisplayName: strings.ToUpper(name)})
	Must(w.T, err)
	return coretest.AlwaysFresh(user.Actor())
}

// Moderator signs in a user who may remove and block.
func (w *World) Moderator() core.Actor {
	w.T.Helper()
	mod := w.SignUp("mod")
	mod.Moderator = true
	return mod
}

// Lot is a description that no other order has: a buyer has each order open once.
func Lot() string { return fmt.Sprintf("Any grade, lot %d", lots.Add(1)) }

var lots atomic.Int64

// Post posts an order.
func (w *World) Post(by core.Actor, change ...func(*trade.OrderDraft)) trade.Order {
	w.T.Helper()
	draft := trade.OrderDraft{
		ItemName: "Iron Ore", Quantity: 10, MaxPrice: 500, Description: Lot(), BuyerContact: by.Username,
		Category: "Miner", Importance: game.Medium,
	}
	for _, f := range change {
		f(&draft)
	}
	order, err := w.Trade.PostOrder(w.T.Context(), by, draft)
	Must(w.T, err)
	return order
}

// OfferOn sends an offer on an order.
func (w *World) OfferOn(by core.Actor, on trade.Order, quantity int) trade.Offer {
	w.T.Helper()
	draft := trade.OfferDraft{SellerName: "A seller", SellerContact: "seller", Message: "I have it",
		Quantity: quantity}
	answer, err := w.Trade.SendOffer(w.T.Context(), by, on.ID, draft)
	Must(w.T, err)
	return answer.Offer
}

// UndoWindowPasses forwards the clock until nothing can be undone, and sends the notices that waited for it.
func (w *World) UndoWindowPasses() {
	w.T.Helper()
	w.Clock.Forward(core.UndoWindow)
	_, err := w.Trade.NotifyClosings(w.T.Context(), 1000)
	Must(w.T, err)
}

// SQL changes the database behind the market's back.
func (w *World) SQL(statement string, args ...any) error {
	if !w.serves {
		_, err := w.Store.Pool().Exec(w.T.Context(), statement, args...)
		return err
	}
	owner, err := pgx.Connect(w.T.Context(), w.DSN)
	if err != nil {
		return err
	}
	_, err = owner.Exec(w.T.Context(), statement, args...)
	return errors.Join(err, owner.Close(context.WithoutCancel(w.T.Context())))
}

// Value returns the number that a query answers.
func (w *World) Value(query string, args ...any) int {
	w.T.Helper()
	var n int
	Must(w.T, w.Store.Pool().QueryRow(w.T.Context(), query, args...).Scan(&n))
	return n
}

// Eventually polls until a question of the database is answered with true.
func (w *World) Eventually(question string) {
	w.T.Helper()
	if !Within(20*time.Second, func() bool { return w.Value("select ("+question+")::int") == 1 }) {
		w.T.Fatalf("not true after %s: %s", coretest.Patience(20*time.Second), question)
	}
}

// Settled waits until no notice is pending.
func (w *World) Settled() {
	w.T.Helper()
	w.Eventually("not exists (select from notices where state = 'pending')")
}

// Within polls until something that no signal tells is so, and reports whether it was within a limit. It
// leaves the processor to what it waits for.
func Within(limit time.Duration, is func() bool) bool {
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(coretest.Patience(limit)); !is(); <-poll.C {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// CheckInvariants fails the test when the stored data break an invariant.
func (w *World) CheckInvariants() {
	w.T.Helper()
	violations, err := invariants.Check(context.Background(), w.Store.Pool())
	Must(w.T, err)
	for _, v := range violations {
		w.T.Errorf("broken: %s", v)
	}
}

// LivenessBroken returns the violations of liveness, as if programs had delivered for long. Invariants named
// in without are left out.
func (w *World) LivenessBroken(now time.Time, without ...string) []invariants.Violation {
	w.T.Helper()
	live, err := invariants.CheckLiveness(context.Background(), w.Store.Pool(),
		invariants.LivenessOptions{Now: now, Handover: true, Owes: true})
	Must(w.T, err)
	return slices.DeleteFunc(live.Violations, func(v invariants.Violation) bool {
		return slices.Contains(without, v.Invariant[:len("I13")])
	})
}

// TimePasses moves the clock until the test ends, as fast as the host's.
func (w *World) TimePasses() {
	ended := make(chan struct{})
	var passing sync.WaitGroup
	passing.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				w.Clock.Forward(100 * time.Millisecond)
			case <-ended:
				return
			}
		}
	})
	w.T.Cleanup(func() {
		close(ended)
		passing.Wait()
	})
}

// Must fails the test on an error.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// WantKind fails the test unless the error is of a kind.
func WantKind(t *testing.T, err error, want core.ErrorKind) {
	t.Helper()
	if got := core.KindOf(err); got != want {
		t.Fatalf("error is of kind %s (%v), want %s", got, err, want)
	}
}

// Connect opens a connection that is closed with the test.
func Connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	Must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// AtOnce does something n times at once.
func AtOnce(n int, do func(i int) error) []error {
	var (
		all   sync.WaitGroup
		start = make(chan struct{})
		errs  = make([]error, n)
	)
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// Schema describes every column and constraint of a database.
func Schema(t *testing.T, dsn string) string {
	t.Helper()
	var text string
	Must(t, Connect(t, dsn).QueryRow(t.Context(), `
select (select string_agg(format('%s.%s %s', table_name, column_name, data_type), E'\n' order by table_name, ordinal_position)
        from information_schema.columns where table_schema = any(current_schemas(false)))
    || (select string_agg(conname || pg_get_constraintdef(oid), E'\n' order by conname, oid) from pg_constraint)`).Scan(&text))
	return text
}

// MigrateTo brings an empty database to an older version.
func MigrateTo(t *testing.T, pool *pgxpool.Pool, to schema.Versions) {
	t.Helper()
	own, err := pgconnect.OpenForMaintenance(t.Context(), pool.Config(), "tradepost migrate", "")
	Must(t, err)
	defer own.Close()
	Must(t, schema.MigrateTo(t.Context(), own, "", &to, slog.New(slog.DiscardHandler)))
}

// ManyOrders stores 20,000 orders of one buyer. "common" is in every description, "rare" in 1 of
// 4,000, and one of 20 has expired.
func (w *World) ManyOrders() {
	w.T.Helper()
	Must(w.T, w.SQL(`
insert into orders (user_id, item_name, quantity, max_price_per_unit, description, buyer_contact, level_requirement, category,
    importance, created_at, updated_at, expires_at)
select $1, (array['Iron','Oak','Silver','Moon'])[1 + i % 4] || ' ' || (array['Ore','Log','Bar'])[1 + i % 3], 1 + i * 7919 % 997,
    1 + i::bigint * 104729 % 1000003, 'common words' || case when i % 4000 = 0 then ' rare' else '' end, 'ann',
    nullif(i % 500, 0), (array['Forager','Fisher','Chef','Miner','Merchant'])[1 + i % 5],
    (array['low','medium','high','urgent'])[1 + i / 5 % 4], now - i * interval '1 minute', now,
    case when i % 20 = 1 then now - interval '1 second' else now + i * 6151 % 500000 * interval '1 minute' + interval '1 day' end
from generate_series(1, 20000) i, (select $2::timestamptz as now) n`, w.Ann.UserID, w.Clock.Now()))
	Must(w.T, w.SQL("analyze orders"))
}

// Rows is every row of a backup, as text.
func Rows(t *testing.T, dsn string) string {
	t.Helper()
	conn := Connect(t, dsn)
	rows, err := conn.Query(t.Context(), `
select relname::text from pg_class where relnamespace = any(current_schemas(false)::text[]::regnamespace[]) and relkind = 'r' and relpersistence = 'p'
    and relname not in ('goose_db_version', 'river_migration', 'sessions', 'tokens', 'nonce_prefixes', 'report_keys',
        'public_changes', 'public_changes_removed') order by 1`)
	Must(t, err)
	var tables []string
	for rows.Next() {
		var name string
		Must(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	Must(t, rows.Err())
	var all strings.Builder
	for _, table := range tables {
		var text string
		Must(t, conn.QueryRow(t.Context(),
			"select coalesce(string_agg(r::text, E'\\n' order by r::text), '') from "+table+" r").Scan(&text))
		fmt.Fprintf(&all, "%s\n%s\n", table, text)
	}
	return all.String()
}
