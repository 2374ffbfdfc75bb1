package upkeep_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

func TestClosedOrdersAreArchivedForTheirOwnerAndThenDeletedWithoutTheirSales(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order, _ := w.Sold()
	_, err := w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	must(t, err)
	open := w.Post(w.Ann)
	must(t, w.SQL("update notices set state = 'delivered', reason = 'inbox', settled_at = created_at"))
	keep := core.Retention{Closed: 90 * day, Archived: 30 * day}
	lists := func() string {
		t.Helper()
		text := ""
		for _, which := range match.OrderLists {
			page, err := w.Match.OwnOrders(t.Context(), w.Ann, match.OrderQuery{List: which})
			must(t, err)
			text += fmt.Sprintf("%s %d/%d, ", which, len(page.Orders), page.Total)
		}
		counts, err := w.Counts(t.Context(), w.Ann)
		must(t, err)
		return text + fmt.Sprintf("counted %d %d %d", counts.Active, counts.Fulfilled, counts.Archived)
	}
	wants := func(when, want string) {
		t.Helper()
		w.Retain(keep)
		if got := lists(); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
		if broken := w.broken(); broken != "[]" {
			t.Errorf("%s: %s", when, broken)
		}
	}
	wants("at once", "active 1/1, fulfilled 1/1, expired 0/0, archived 0/0, counted 1 1 0")
	w.Clock.Forward(90 * day)
	wants("on the last day", "active 1/1, fulfilled 1/1, expired 0/0, archived 0/0, counted 1 1 0")
	w.Clock.Forward(day)
	wants("a day later", "active 1/1, fulfilled 0/0, expired 0/0, archived 1/1, counted 1 0 1")
	if got, err := w.Trade.Order(t.Context(), w.Ann, order.ID); err != nil || got.Description != "evergreen needed" {
		t.Errorf("the owner reads %+v, %v", got, err)
	}
	if _, sales, _, err := w.Trade.Sales(t.Context(), w.Ann, order.ID, 9); err != nil || len(sales) != 3 {
		t.Errorf("its sales are %v, %v", sales, err)
	}
	data, err := w.ExportAccount(t.Context(), w.Ann)
	must(t, err)
	if len(data.Orders) != 2 {
		t.Errorf("the data of the owner contain %d orders", len(data.Orders))
	}
	bobs, err := w.Match.OwnOrders(t.Context(), w.Bob, match.OrderQuery{List: match.ArchivedOrders})
	must(t, err)
	if len(bobs.Orders) != 0 {
		t.Errorf("the archive of another shows %v", bobs.Orders)
	}
	w.Clock.Forward(31 * day)
	wants("after the archive", "active 1/1, fulfilled 0/0, expired 0/0, archived 0/0, counted 1 0 0")
	if n := w.Value("select count(*) from order_updates where order_id is null and notes is null and buyer_id = $1", w.Ann.UserID); n != 3 {
		t.Errorf("%d sales are left as they should be, want 3", n)
	}
	_, err = w.Trade.Order(t.Context(), w.Ann, open.ID)
	must(t, err)
}

func TestExpiredOrdersAreDeletedUnlessRenewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	expired, renewed := w.Post(w.Ann), w.Post(w.Ann)
	w.Clock.Forward(trade.OrderLifetime + 29*day)
	_, err := w.Trade.RenewOrder(t.Context(), w.Ann, renewed.ID)
	must(t, err)
	keep := core.Retention{Expired: 30 * day}
	if done := w.Retain(keep); done["expired_orders"] != 0 {
		t.Errorf("too early: %v", done)
	}
	w.Clock.Forward(2 * day)
	w.OfferOn(w.Bob, renewed, 1)
	if done := w.Retain(keep); done["expired_orders"] != 1 {
		t.Errorf("removed %v", done)
	}
	_, err = w.Trade.Order(t.Context(), w.Ann, expired.ID)
	wantKind(t, err, core.NotFound)
	_, err = w.Trade.Order(t.Context(), w.Ann, renewed.ID)
	must(t, err)
}

func TestNoticesDeliveriesAndBoardPostsEndWithTheirTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 1)
	w.OfferOn(w.Cat, order, 1)
	must(t, w.SQL(`
with sent as (insert into deliveries (user_id, kind, channel_id, message_id, started_at, sent_at)
    values ($1, 'offer_received', '1', '2', $2, $2) returning id)
update notices set delivery_id = sent.id, state = 'delivered', settled_at = $2 from sent
where notices.id = (select min(id) from notices)`, w.Ann.UserID, w.Clock.Now()))
	must(t, w.SQL("insert into boards (channel_id, guild_id, user_id, created_at) values ('c', 'g', $1, $2)", w.Ann.UserID, w.Clock.Now()))
	must(t, w.SQL(`insert into board_posts (channel_id, order_id, item_name, message_id, finished, started_at)
select 'c', n, 'Iron', 'm', n > 1, $1 from generate_series(1, 3) n`, w.Clock.Now()))
	must(t, w.SQL("insert into drafts (user_id, content, created_at) values ($1, 'x', $2)", w.Ann.UserID, w.Clock.Now()))
	left := func() string {
		return fmt.Sprint(w.Value("select count(*) from notices"), w.Value("select count(*) from deliveries"),
			w.Value("select count(*) from board_posts"), w.Value("select count(*) from drafts"))
	}
	w.Clock.Forward(10*day + time.Second)
	w.Retain(core.Retention{}) // for ever; drafts have no setting
	if got := left(); got != "2 1 3 0" {
		t.Errorf("kept for ever: %s", got)
	}
	keep := core.Retention{Notices: 20 * day, Deliveries: 10 * day, BoardPosts: 10 * day}
	w.Retain(keep)
	if got := left(); got != "2 0 1 0" {
		t.Errorf("after 10 days: %s", got)
	}
	if broken := w.broken(); broken != "[]" {
		t.Errorf("after 10 days: %s", broken)
	}
	w.Clock.Forward(10 * day)
	fresh := w.OfferOn(w.Bob, w.Post(w.Ann), 1)
	w.Retain(keep)
	// The pending one stays, however old it is.
	if got := left(); got != "2 0 1 0" || w.Value("select count(*) from notices where offer_id = $1", fresh.ID) != 1 {
		t.Errorf("after 20 days: %s", got)
	}
	if broken := w.broken(); broken != "[]" {
		t.Errorf("after 20 days: %s", broken)
	}
	// The check still finds what retention has not removed.
	must(t, w.SQL("delete from notices where offer_id = $1", fresh.ID))
	if broken := w.broken(); !strings.Contains(broken, "I6 the buyer is notified once") {
		t.Errorf("a lost notice is not found: %s", broken)
	}
}

func TestKeyWithoutItsAnswerStillPreventsARepeat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	draft := trade.OrderDraft{ItemName: "Iron", Quantity: 10, MaxPrice: 5, BuyerContact: "ann"}
	_, err := w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), draft)
	must(t, err)
	second := draft
	second.ItemName = "Oak"
	keep := core.Retention{Keys: 7 * day}
	w.Clock.Forward(59 * time.Minute)
	w.Retain(keep)
	_, err = w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), draft)
	must(t, err)
	_, err = w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "later"), second)
	must(t, err)

	w.Clock.Forward(2 * time.Minute)
	if done := w.Retain(keep); done["claim_answers"] != 1 {
		t.Errorf("removed %v", done)
	}
	_, err = w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), draft)
	wantKind(t, err, core.Conflict)
	if !strings.Contains(err.Error(), "already done") {
		t.Errorf("a late repeat is answered with %v", err)
	}
	other := draft
	other.Quantity++
	_, err = w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "post"), other)
	wantKind(t, err, core.Invalid)
	_, err = w.Trade.PostOrder(ctx, storetest.Keyed(w.Ann, "later"), second)
	must(t, err)

	// One that was committed late, under an earlier time, is met as well.
	must(t, w.SQL("update claims set answer = 'x' where answer = ''"))
	w.Clock.Forward(time.Minute)
	w.Retain(keep)
	if n := w.Value("select count(*) from claims where answer <> ''"); n != 1 {
		t.Errorf("%d answers are left, want 1", n)
	}
	w.Clock.Forward(8 * day)
	if done := w.Retain(keep); done["claims"] != 2 {
		t.Errorf("removed %v", done)
	}
	if n := w.Value("select count(*) from orders"); n != 2 {
		t.Errorf("%d orders, want 2", n)
	}
}

var errKilled = errors.New("killed")

func TestRetentionResumesAfterAKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(t, w.SQL(`insert into notices (user_id, kind, state, reason, created_at, settled_at)
select $1, 'test', 'delivered', 'inbox', $2, $2 from generate_series(1, 2600)`, w.Ann.UserID, w.Clock.Now()))
	must(t, w.SQL(`insert into claims (name, digest, answer, created_at)
select int4send(n), 'd', 'a', $1::timestamptz + n * interval '1 ms' from generate_series(1, 2600) n`, w.Clock.Now()))
	w.Clock.Forward(30 * day)
	keep := core.Retention{Notices: 20 * day}
	kills, steps := 0, 0
	for {
		steps = 0
		before := w.Value("select count(*) from notices") + w.Value("select count(*) from claims where answer <> ''")
		_, err := w.Store.Retain(t.Context(), keep, w.Clock.Now(), func(context.Context, time.Duration) error {
			now := w.Value("select count(*) from notices") + w.Value("select count(*) from claims where answer <> ''")
			if before-now > 500 {
				t.Errorf("a step has removed %d rows", before-now)
			}
			if now < before {
				steps++
			}
			before = now
			if steps == 3 {
				return errKilled
			}
			return nil
		})
		if err == nil {
			break
		}
		if kills++; !errors.Is(err, errKilled) || kills > 20 {
			t.Fatalf("after %d kills: %v", kills, err)
		}
	}
	if kills < 2 {
		t.Errorf("it was killed %d times only", kills)
	}
	if n := w.Value("select count(*) from notices") + w.Value("select count(*) from claims where answer <> ''"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestTheRetentionJobRunsWithTheQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(t, w.SQL(`insert into notices (user_id, kind, state, reason, created_at, settled_at)
values ($1, 'test', 'delivered', 'inbox', '2020-01-01', '2020-01-01')`, w.Ann.UserID))
	removed := make(chan string, 100)
	jobs := storetest.NewQueue(t, w.Store, queue.Options{
		Deliver: func(context.Context, core.NoticeID) error { return nil }, Expire: w.Trade.ExpireOrders,
		Retention: core.Retention{Notices: day},
		Removed: func(what string, rows int) {
			if rows > 0 {
				removed <- fmt.Sprint(what, " ", rows)
			}
		},
	})
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	must(t, jobs.Start(ctx))
	if got := <-removed; got != "notices 1" {
		t.Errorf("removed %s", got)
	}
	must(t, jobs.Stop(ctx))
	stop()
}

func TestRetentionFindsItsRowsByIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	must(t, w.SQL(`update orders set status = 'fulfilled', progress = 100, close_reason = 'closed_early', closed_at = created_at,
    archived_at = case when id % 4 = 0 then created_at end where id % 2 = 0`))
	must(t, w.SQL("analyze orders"))
	seen := &storetest.LastPage{}
	store := w.Another(postgres.Options{Tracer: seen})
	keep := core.Retention{Closed: 7 * day, Archived: 7 * day, Expired: day}
	want := map[string]string{"orders_archived": "orders_closed", "archived_orders": "orders_archived", "expired_orders": "orders_ending"}
	found := map[string]bool{}
	_, err := store.Retain(t.Context(), keep, w.Clock.Now(), func(context.Context, time.Duration) error {
		for what, index := range want {
			if !strings.Contains(seen.SQL, map[string]string{
				"orders_archived": "ArchiveOrders", "archived_orders": "LockArchivedOrders", "expired_orders": "LockLongExpiredOrders",
			}[what]) {
				continue
			}
			found[what] = true
			inner := regexp.MustCompile(`(?s)(select due.*?) for update`).FindStringSubmatch(seen.SQL)[1]
			inner = regexp.MustCompile(`\$\d(::timestamptz)?$`).ReplaceAllString(inner, "500")
			inner = regexp.MustCompile(`\$\d(::timestamptz)?`).ReplaceAllString(inner, "'2020-01-01'::timestamptz")
			if got := storetest.PlanOf(t, connect(t, w.DSN), inner); got.Read() > 10 || !strings.Contains(got.String(), index) {
				t.Errorf("%s reads %.0f rows by %s", what, got.Read(), got)
			}
		}
		return nil
	})
	must(t, err)
	if len(found) != len(want) {
		t.Errorf("only %v was seen", found)
	}
}

// Every table must be in docs/retention.md, and every table there must be in the schema.
func TestEveryTableHasItsRowInTheTableOfRetention(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rows, err := connect(t, w.DSN).Query(t.Context(), `
select relname::text from pg_class where relnamespace = any(current_schemas(false)::text[]::regnamespace[]) and relkind in ('r', 'p') order by 1`)
	must(t, err)
	var tables []string
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	must(t, rows.Err())
	page, err := os.ReadFile("../../../docs/retention.md")
	must(t, err)
	documented := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| ((?:`[a-z_]+`(?:, )?)+) \\|.*\\|.*\\|.*\\|$").FindAllStringSubmatch(string(page), -1) {
		for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
			if documented[name[1]] {
				t.Errorf("%s has two rows in docs/retention.md", name[1])
			}
			documented[name[1]] = true
			if !slices.Contains(tables, name[1]) {
				t.Errorf("docs/retention.md has a row for %s, and there is no such table", name[1])
			}
		}
	}
	for _, table := range tables {
		if !documented[table] {
			t.Errorf("the table %s has no row in docs/retention.md: say what is kept, for how long, and what removes it", table)
		}
	}
}
