package postgres_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
	"tradepost/sql/waits"
)

// timeColumns are the columns of times that the schema has.
const timeColumns = `select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
    and format_type(a.atttypid, a.atttypmod) ~ 'timestamp|date' order by 1`

// A new column of a time says what waits for it and how long that may take, or why nothing does.
func TestEveryTimeOfTheSchemaHasItsLongestWait(t *testing.T) {
	t.Parallel()
	conn := storetest.Connect(t, pgtest.New(t))
	rows, err := conn.Query(t.Context(), timeColumns)
	must(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	if len(columns) < 100 {
		t.Fatalf("the schema has only %d columns of times", len(columns))
	}
	listed := map[string]bool{}
	for _, c := range waits.Times {
		listed[c.String()] = true
		if (c.Holds == "") == (c.Tells == "") {
			t.Errorf("%s: say either what waits for it or why nothing does", c)
		}
		if !slices.Contains(columns, c.String()) {
			t.Errorf("%s is no column of a time", c)
		}
	}
	for _, column := range columns {
		if !listed[column] {
			t.Errorf("%s is missing from waits.Times", column)
		}
	}
}

// Each row that something waits for is brought back to its longest legal wait.
func TestEachTimeThatIsAYearAheadIsBroughtBack(t *testing.T) {
	t.Parallel()
	conn := storetest.Connect(t, pgtest.New(t))
	exec := func(statement string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	exec(withoutChecks)
	const rarer = 400 * 24 * time.Hour // and a year is what a request may last
	for _, c := range waits.Times {
		if c.Holds == "" {
			continue
		}
		t.Run(c.String()+" "+c.Where, func(t *testing.T) {
			exec("truncate " + c.Table + " cascade")
			var insert string
			must(t, conn.QueryRow(t.Context(), insertRow, c.Table).Scan(&insert))
			exec(insert)
			if c.Where != "" {
				exec("update " + c.Table + " set " + satisfies(c.Where))
			}
			ahead := fmt.Sprintf("clock_timestamp() + interval '%d hours'", int(rarer.Hours()))
			read := "select extract(epoch from " + c.Column + " - clock_timestamp()) from " + c.Table
			if c.String() == "former_accounts.posted" || c.String() == "watch_turns.messages" {
				ahead = "array[" + ahead + "]"
				read = strings.Replace(read, c.Column, c.Column+"[1]", 1)
			}
			exec("update " + c.Table + " set " + c.Column + " = " + ahead)
			found, err := waits.BringBack(t.Context(), conn, time.Now, waits.All)
			if err != nil || found[c.String()] != 1 {
				t.Errorf("brought back %v, %v", found, err)
			}
			var left float64
			must(t, conn.QueryRow(t.Context(), read).Scan(&left))
			if left > c.Ahead.Seconds() {
				t.Errorf("is %.0f s ahead, want %s at most", left, c.Ahead)
			}
		})
	}
}

// withoutChecks lets a table have any row.
const withoutChecks = `
do $$ declare c record; begin
    for c in select conrelid::regclass as t, conname from pg_constraint where contype in ('f', 'c') and connamespace = 'public'::regnamespace
        and conrelid <> 0 order by contype desc loop
        execute format('alter table %s drop constraint if exists %I cascade', c.t, c.conname);
    end loop;
    for c in select contypid::regtype as t, conname from pg_constraint where contypid <> 0 and connamespace = 'public'::regnamespace loop
        execute format('alter domain %s drop constraint %I', c.t, c.conname);
    end loop;
    for c in select tgrelid::regclass as t, tgname from pg_trigger where not tgisinternal loop
        execute format('drop trigger %I on %s', c.tgname, c.t);
    end loop;
end $$`

// insertRow is the statement that inserts a row of a table, with any value in each column that needs one.
const insertRow = `
select format('insert into %s (%s) values (%s)', c.relname, string_agg(quote_ident(a.attname), ', '), string_agg(
    case when y.typcategory = 'A' then format('%L::%s', '{}', format_type(a.atttypid, a.atttypmod))
        when y.typtype = 'e' then format('(enum_range(null::%s))[1]', format_type(a.atttypid, null))
        when y.typcategory = 'N' then '1' when y.typcategory = 'B' then 'false' when y.typcategory = 'D' then 'clock_timestamp()'
        when y.typname in ('json', 'jsonb') then quote_literal('{}') when y.typname = 'bytea' then quote_literal('x')
        when y.typcategory = 'T' then quote_literal('1 h') else quote_literal('1') end, ', '))
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attnotnull and a.attgenerated = ''
    and a.attidentity <> 'a'
join pg_type y on y.oid = a.atttypid
where c.relname = $1::text and c.relnamespace = 'public'::regnamespace group by c.relname`

// satisfies returns what to set for a condition of waits.Times.
func satisfies(where string) string {
	where = strings.NewReplacer(
		"state in ('scheduled', 'retryable')", "state = 'scheduled', finalized_at = null", "kind <> 'deliver_notice'", "kind = 'retain'",
		"state = 'available'", "state = 'available', finalized_at = null", "state = 'running'", "state = 'running', finalized_at = null",
	).Replace(where)
	where = regexp.MustCompile(`(\w+) is not null`).ReplaceAllString(where, "$1 = clock_timestamp()")
	where = regexp.MustCompile(`(\w+) is null`).ReplaceAllString(where, "$1 = null")
	return strings.ReplaceAll(where, " and ", ", ")
}

// One row a year ahead, in whatever column, holds up nobody else: they post, offer, accept, get their messages, and requests
// expire. Nothing is brought back meanwhile. The columns stay ahead, so the last trade is made with all of them so.
func TestATimeAYearAheadHoldsUpNoOtherRow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	store, market := w.replica(0)
	letters := storetest.NewDMSender()
	jobs := storetest.NewQueue(t, store, queue.Options{
		Deliver: func(ctx context.Context, id core.NoticeID) error {
			return market.Channels.DeliverNotice(ctx, letters, id)
		},
		// The test itself expires each request, so that no periodic job does so before it.
		Expire:   func(context.Context, int) (int, int, error) { return 0, 0, nil },
		Closings: market.Trade.NotifyClosings, Alerts: market.Match.AlertWatchers,
	})
	ctx := context.WithoutCancel(t.Context())
	conn := storetest.Connect(t, w.DSN)
	trade := func(t *testing.T, buyer, seller core.Actor) trade.Order {
		t.Helper()
		pace := postgres.Pace{Name: "discord", Every: time.Second / 45, Burst: 45}
		if wait, ok, err := store.TakeTurn(t.Context(), pace, 10*time.Second); !ok || err != nil || wait > time.Second {
			t.Fatalf("a call to Discord waits %s (%t, %v)", wait, ok, err)
		}
		order, err := market.Trade.PostOrder(t.Context(), buyer, trade.OrderDraft{
			ItemName: "Iron Ore", Quantity: 10, MaxPrice: 500, Description: storetest.Lot(), BuyerContact: "ann",
			Category: "Miner", Importance: game.Medium,
		})
		must(t, err)
		sent, err := market.Trade.SendOffer(t.Context(), seller, order.ID, trade.OfferDraft{
			SellerName: "Bob", SellerContact: "bob", Message: "I have it", Quantity: 2,
		})
		must(t, err)
		until(t, letters, notify.NoticeOfferReceived, order.ID)
		_, err = market.Trade.AcceptOffer(t.Context(), buyer, sent.Offer.ID, 1)
		must(t, err)
		until(t, letters, notify.NoticeOfferAccepted, order.ID)
		return order
	}
	must(t, jobs.Start(ctx))
	defer func() { must(t, jobs.Stop(ctx)) }()
	dan, eve := w.SignUp("dan"), w.SignUp("eve")
	trade(t, dan, eve)
	for range 2 {
		_, _, err := store.TakeTurn(t.Context(), postgres.Pace{Name: "discord", Every: time.Second, Burst: 1}, time.Minute)
		must(t, err)
	}
	done := map[string]bool{}
	for i, c := range waits.Times {
		if done[c.String()] || c.Table == "audit_entries" || c.Table == "goose_db_version" {
			continue // these are not written twice
		}
		done[c.String()] = true
		t.Run(c.String(), func(t *testing.T) {
			value := "now() + interval '1 year'"
			if c.Column == "posted" || c.Column == "messages" {
				value = "array[" + value + "]"
			}
			changed, err := conn.Exec(t.Context(), fmt.Sprintf("update %[1]s set %[2]s = %[3]s where ctid = (select min(ctid) from %[1]s)",
				c.Table, c.Column, value))
			if err != nil {
				t.Skipf("cannot be ahead: %v", err) // a constraint of the schema
			}
			if changed.RowsAffected() == 0 {
				t.Skip("no row") // the play writes none there; that each time is brought back is tested by itself
			}
			order := trade(t, w.SignUp(fmt.Sprint("buyer", i)), w.SignUp(fmt.Sprint("seller", i)))
			// Alerts lock the request, and a locked one is left for the next run.
			w.Eventually(fmt.Sprintf("not exists (select from alert_rounds where order_id = %d)", order.ID))
			_, err = conn.Exec(t.Context(), over, int64(order.ID))
			must(t, err)
			if expired, _, err := market.Trade.ExpireOrders(t.Context(), 100); expired < 1 || err != nil {
				t.Fatalf("%d requests expired, %v", expired, err)
			}
			until(t, letters, notify.NoticeOfferLapsed, order.ID)
		})
	}
}

// over ends the time of an order.
const over = `update orders set created_at = now() - interval '1 hour', expires_at = now() - interval '1 second'
where id = $1`

// until waits for a message with a notice about an order.
func until(t *testing.T, letters *storetest.DMSender, kind notify.Kind, order core.OrderID) {
	t.Helper()
	for {
		for _, n := range letters.Next(t).Notices {
			if n.Kind == kind && n.OrderID == order {
				return
			}
		}
	}
}
