package trade_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// forOlder are the triggers that write to other tables for a program before 00246. There are no others, and they go with the release
// after which no such program runs beside a newer one.
var forOlder = []string{
	"handovers_due_thread", "items_count_gone", "items_count_new", "items_count_renamed", "orders_end_links", "orders_keep_history",
	"sale_reversals_end_handover", "users_end_sessions", "users_leave_handovers", "users_leave_no_look_alike", "users_leave_no_name",
	"users_take_lapsed_offers", "users_take_what_is_theirs",
}

// guard is the condition of those triggers, as PostgreSQL shows it.
const guard = "(current_setting('tradepost.store_writes'::text, true) IS DISTINCT FROM 'on'::text)"

// writes finds what a function writes to a table, or does not show.
var writes = regexp.MustCompile(`(?i)\b(insert\s+into|update\s+(?:only\s+)?[a-z_."]+\s+(?:[a-z]+\s+)?set|delete\s+from|merge\s+into|truncate|execute|call|copy|perform\s+[a-z_]+)`)

func TestNoTriggerWritesToAnotherTableThanItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	found := func() (writing []string) {
		rows, err := connect(t, w.DSN).Query(t.Context(), `
select t.tgname::text, pg_get_triggerdef(t.oid), p.prosrc from pg_trigger t join pg_proc p on p.oid = t.tgfoid where not t.tgisinternal order by 1`)
		must(t, err)
		for rows.Next() {
			var name, definition, body string
			must(t, rows.Scan(&name, &definition, &body))
			body = strings.ReplaceAll(body, "perform pg_advisory_xact_lock", "")
			if !writes.MatchString(body) {
				continue
			}
			writing = append(writing, name)
			if !strings.Contains(definition, guard) {
				t.Errorf("%s writes to another table, also for this program, which must do it itself:\n%s%s", name, definition, body)
			}
		}
		must(t, rows.Err())
		return writing
	}
	if got := found(); !slices.Equal(got, forOlder) {
		t.Errorf("triggers that write to another table: %v, want those of older programs: %v", got, forOlder)
	}
	must(t, w.SQL(pgtest.DropForOlder))
	if got := found(); len(got) != 0 {
		t.Errorf("without those of older programs there are %v", got)
	}
}

// asBefore makes the triggers write in every transaction, as before 00246.
func (w *world) asBefore() {
	w.T.Helper()
	rows, err := connect(w.T, w.DSN).Query(w.T.Context(), "select pg_get_triggerdef(oid) from pg_trigger where tgname = any($1)", forOlder)
	must(w.T, err)
	definitions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(w.T, err)
	if len(definitions) != len(forOlder) {
		w.T.Fatalf("%d triggers", len(definitions))
	}
	for _, d := range definitions {
		must(w.T, w.SQL(strings.Replace(strings.Replace(d, guard, "true", 1), "CREATE TRIGGER", "create or replace trigger", 1)))
	}
}

// trade has one thing of each kind happen, with the same numbers in every world.
type tradedOrder struct {
	*world
	lot     int
	removed trade.Order
}

func (p *tradedOrder) post(by core.Actor, item string) trade.Order {
	p.T.Helper()
	p.lot++
	return p.Post(by, func(d *trade.OrderDraft) { d.ItemName, d.Description = item, fmt.Sprint("lot ", p.lot) })
}

// sells has Bob's offer on a new order of Ann's accepted, with a thread that has nothing to do.
func (p *tradedOrder) sells(quantity int) trade.Sale {
	p.T.Helper()
	order := p.post(p.Ann, "Iron Ore")
	must(p.T, p.Store.SaveOrderPlaces(p.T.Context(), []core.OrderID{order.ID}, channels.ThreadPlace{GuildID: "1", ChannelID: "2", Locale: "en-GB"}))
	done, err := p.Trade.AcceptOffer(p.T.Context(), p.Ann, p.OfferOn(p.Bob, order, quantity).ID, quantity)
	must(p.T, err)
	p.rests()
	return done.Sale
}

// rests has every thread shown as it is: what happens next makes it due.
func (p *tradedOrder) rests() {
	p.T.Helper()
	must(p.T, p.SQL("update trade_threads set due_at = null"))
}

func (p *tradedOrder) retains(keep core.Retention) {
	p.T.Helper()
	_, err := p.Store.Retain(p.T.Context(), keep, p.Clock.Now(), storetest.NoPause)
	must(p.T, err)
}

func (p *tradedOrder) ends(sale trade.Sale, word trade.Word) {
	p.T.Helper()
	_, err := p.Trade.SayHandovers(p.T.Context(), p.Bob, []core.SaleID{sale.ID}, word)
	must(p.T, err)
}

// steps are what leads to each of the writes that triggers did.
var steps = []struct {
	name string
	do   func(p *tradedOrder) error
}{
	{"post", func(p *tradedOrder) error { p.post(p.Ann, "Iron Ore"); p.post(p.Bob, "IRON ORE"); return nil }},
	{"post a list", func(p *tradedOrder) error {
		_, err := p.Trade.PostList(p.T.Context(), p.Cat, trade.ListDraft{
			Name: "A forge", Text: "5x Oak Log 10s\n3x Iron Bar 1g\n2x Silver Ore 5s", Category: "Miner", BuyerContact: "cat",
		})
		return err
	}},
	{"rename", func(p *tradedOrder) error {
		o, name, more := p.post(p.Ann, "Tin Ore"), "Copper Ore", 12
		edited, err := p.Trade.EditOrder(p.T.Context(), p.Ann, o.ID, trade.OrderEdit{Version: o.Version, ItemName: &name})
		if err == nil {
			_, err = p.Trade.EditOrder(p.T.Context(), p.Ann, o.ID, trade.OrderEdit{Version: edited.Version, Quantity: &more})
		}
		return err
	}},
	{"accept", func(p *tradedOrder) error { p.sells(3); return nil }},
	{"say that a trade was made", func(p *tradedOrder) error { p.ends(p.sells(2), trade.SaidMet); return nil }},
	{"undo a sale", func(p *tradedOrder) error {
		_, err := p.Trade.UndoSale(p.T.Context(), p.Ann, p.sells(2).ID)
		return err
	}},
	{"cancel a handover, and post what is missing", func(p *tradedOrder) error {
		p.ends(p.sells(10), trade.SaidNotMet)
		p.rests()
		p.post(p.Ann, "Iron Ore")
		return nil
	}},
	{"settle a dispute", func(p *tradedOrder) error {
		sale, ctx := p.sells(4), p.T.Context()
		p.Clock.Forward(trade.AgreedWithin)
		p.process()
		p.says(p.Ann, trade.SaidMet, sale.ID)
		p.ends(sale, trade.SaidNotMet)
		p.rests()
		_, err := p.Trade.RuleDispute(ctx, p.Moderator(), sale.ID, trade.DisputeRuling{Against: trust.BuyerSide, Reason: "The log says so"})
		return err
	}},
	{"close, and undo it", func(p *tradedOrder) error {
		o := p.post(p.Ann, "Moon Ore")
		p.OfferOn(p.Cat, o, 2)
		if _, err := p.Trade.CloseOrder(p.T.Context(), p.Ann, o.ID); err != nil {
			return err
		}
		_, err := p.Trade.UndoClose(p.T.Context(), p.Ann, o.ID)
		return err
	}},
	{"remove, and undo it", func(p *tradedOrder) error {
		p.removed = p.post(p.Ann, "Gold Ore")
		if _, err := p.Trade.AcceptOffer(p.T.Context(), p.Ann, p.OfferOn(p.Cat, p.removed, 4).ID, 2); err != nil {
			return err
		}
		if err := p.Moderation.RemoveOrder(p.T.Context(), p.Moderator(), p.removed.ID, "a joke"); err != nil {
			return err
		}
		return p.UndoRemoval(p.T.Context(), p.Moderator(), core.AuditID(p.Value("select max(id) from audit_entries")))
	}},
	{"delete", func(p *tradedOrder) error { return p.Trade.DeleteOrder(p.T.Context(), p.Ann, p.removed.ID) }},
	{"archive", func(p *tradedOrder) error {
		o := p.post(p.Ann, "Oak Log")
		p.OfferOn(core.Actor{Address: "192.0.2.1"}, o, 2)
		p.OfferOn(p.Bob, o, 2)
		if _, err := p.Trade.LogSale(p.T.Context(), p.Ann, o.ID, trade.SaleDraft{Quantity: 1, Notes: "at the bank"}); err != nil {
			return err
		}
		if _, err := p.Trade.CloseOrder(p.T.Context(), p.Ann, o.ID); err != nil {
			return err
		}
		p.Clock.Forward(2 * day)
		p.retains(core.Retention{Closed: day})
		return nil
	}},
	{"delete what was archived", func(p *tradedOrder) error {
		p.Clock.Forward(2 * day)
		p.retains(core.Retention{Archived: day})
		return nil
	}},
	{"delete what has expired", func(p *tradedOrder) error {
		p.post(p.Cat, "Silver Ore")
		p.Clock.Forward(trade.OrderLifetime + 2*day)
		p.retains(core.Retention{Expired: day})
		return nil
	}},
	{"trade as the canary", func(p *tradedOrder) error {
		ctx := p.T.Context()
		buyer, err := p.People.SignIn(ctx, people.CanaryBuyer)
		must(p.T, err)
		seller, err := p.People.SignIn(ctx, people.CanarySeller)
		must(p.T, err)
		offer := p.OfferOn(seller.Actor(), p.post(buyer.Actor(), "Canary Seed"), 1)
		if _, err := p.Trade.AcceptOffer(ctx, buyer.Actor(), offer.ID, 1); err != nil {
			return err
		}
		return p.Store.RemoveCanary(ctx)
	}},
	{"a seller leaves", func(p *tradedOrder) error { p.tradesAll(); return p.DeleteUser(p.T.Context(), p.Bob.UserID) }},
	{"a moderator leaves", func(p *tradedOrder) error { return p.DeleteUser(p.T.Context(), p.SignUp("mod").UserID) }},
	{"a buyer leaves", func(p *tradedOrder) error {
		if _, err := p.Leave(p.T.Context(), p.Ann); err != nil {
			return err
		}
		// An older program has let them offer meanwhile.
		must(p.T, p.SQL(`insert into offers (order_id, seller_id, buyer_id, seller_name, seller_contact, message, price_per_unit, quantity_offered, created_at)
select id, $1, user_id, 'Ann', 'ann', 'Here', 1, 1, $2 from orders where status = 'active' and user_id <> $1 limit 1`, p.Ann.UserID, p.Clock.Now()))
		p.Clock.Forward(people.LeavingFor + time.Minute)
		p.retains(core.Retention{})
		return nil
	}},
}

// tradesAll leaves something open, and something ended, between Ann and Bob and about each.
func (p *tradedOrder) tradesAll() {
	p.T.Helper()
	ctx := p.T.Context()
	p.sells(3)
	mine, hers := p.post(p.Bob, "Iron Bar"), p.post(p.Ann, "Iron Bar")
	p.OfferOn(p.Ann, mine, 2)
	declined := p.OfferOn(p.Bob, hers, 2)
	must(p.T, p.Trade.DeleteOffer(ctx, p.Ann, declined.ID))
	lapsed := p.post(p.Ann, "Moon Ore")
	p.OfferOn(p.Bob, lapsed, 1)
	_, err := p.Trade.CloseOrder(ctx, p.Ann, lapsed.ID)
	must(p.T, err)
	sold, err := p.Trade.AcceptOffer(ctx, p.Bob, p.OfferOn(p.Cat, mine, 5).ID, 2)
	must(p.T, err)
	_, err = p.Trade.UndoSale(ctx, p.Bob, sold.Sale.ID)
	must(p.T, err)
	_, err = p.Trade.AcceptOffer(ctx, p.Bob, p.OfferOn(p.Cat, p.post(p.Bob, "Iron Bar"), 5).ID, 2)
	must(p.T, err)
	// Bob is to be reached about another's request.
	about := p.Post(p.Cat, func(d *trade.OrderDraft) { d.Description, d.BuyerContact = "for a friend", p.Bob.Username })
	_, err = p.Trade.AcceptOffer(ctx, p.Cat, p.OfferOn(p.Ann, about, 5).ID, 1)
	must(p.T, err)
	p.rests()
	for _, who := range []core.Actor{p.Ann, p.Bob} {
		must(p.T, p.SQL("insert into sessions (token, data, expiry, user_id) values ($1, '', $2, $3)", who.Username, p.Clock.Now().Add(day), who.UserID))
		must(p.T, p.SQL(`insert into notices (user_id, kind, name, contact, caused_by, state, settled_at, created_at)
select $1, kind, 'A name', 'a contact', $2, 'delivered', $3, $3 from unnest(array['look_alike', 'handover_settled']) kind`, p.Cat.UserID, who.UserID, p.Clock.Now()))
	}
}

// older are the statements of a program before 00246 that triggers complete.
var older = []struct{ name, sql string }{
	{"post", `insert into orders (user_id, item_name, quantity, max_price_per_unit, buyer_contact, category, created_at, updated_at, expires_at)
select 1, 'Old Ore', 10, 5, 'ann', 'Miner', $1, $1, $1::timestamptz + interval '1 day'`},
	{"rename", `update orders set item_name = 'New Ore', updated_at = $1 where item_name = 'Iron Ore' and user_id = 1`},
	{"archive", `update orders set archived_at = $1 where id in (select order_id from offer_links)`},
	{"save a handover", `update handovers set due_at = $1 where state = 'agreed'`},
	{"undo a sale", `insert into sale_reversals (sale_id, reversed_by, reversed_at) select max(sale_id), 1, $1 from handovers where state = 'agreed'`},
	{"delete a request", `delete from orders where id = (select max(order_id) from order_updates where $1::timestamptz is not null)`},
	{"delete a seller", `delete from users where username = 'bob' and $1::timestamptz is not null`},
	{"delete a buyer", `delete from users where username = 'ann' and $1::timestamptz is not null`},
}

func newTrade(t *testing.T) *tradedOrder {
	w := newWorld(t)
	w.Store = w.Another(postgres.Options{IdentityKey: []byte("key"), Now: w.Clock.Now})
	w.Market = market.New(w.Store, market.Options{
		Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures(), Moderators: people.Moderators{Accounts: []string{"1mod"}},
	})
	return &tradedOrder{world: w}
}

func TestTheStoreWritesWhatTriggersDid(t *testing.T) {
	t.Parallel()
	before, now, alone := newTrade(t), newTrade(t), newTrade(t)
	before.asBefore()
	must(t, alone.SQL(pgtest.DropForOlder))
	for _, step := range steps {
		for _, p := range []*tradedOrder{before, now, alone} {
			if err := step.do(p); err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
		}
		want := before.rows()
		now.same(step.name, want)
		alone.same(step.name+", without the triggers", want)
		now.countsItems(step.name)
		alone.countsItems(step.name + ", without the triggers")
	}
}

func TestAnOlderProgramBesideThisOneLosesNothing(t *testing.T) {
	t.Parallel()
	before, now := newTrade(t), newTrade(t)
	before.asBefore()
	for _, p := range []*tradedOrder{before, now} {
		p.tradesAll()
		order := p.post(p.Ann, "Oak Log")
		p.OfferOn(core.Actor{Address: "192.0.2.1"}, order, 2)
	}
	// The older program gets the connection of a transaction of this one, as from a pooler.
	shared := now.Another(postgres.Options{MaxConns: 1})
	for _, step := range older {
		must(t, shared.Atomically(t.Context(), func(tx market.Tx) error { _, err := tx.LockUser(t.Context(), now.Cat.UserID); return err }))
		done, err := shared.Pool().Exec(t.Context(), step.sql, now.Clock.Now())
		must(t, err)
		if done.RowsAffected() == 0 {
			t.Errorf("%s concerns no row", step.name)
		}
		must(t, before.SQL(step.sql, now.Clock.Now()))
		now.same(step.name, before.rows())
		now.countsItems(step.name)
	}
}

// rows are those of each table, without what is random or of the server.
func (p *tradedOrder) rows() map[string]string {
	p.T.Helper()
	ctx, conn := p.T.Context(), connect(p.T, p.DSN)
	var everything string
	must(p.T, conn.QueryRow(ctx, `
select string_agg(format('select %1$L, coalesce(string_agg(row, chr(10) order by row), '''') from (
    select (to_jsonb(r) - array[''account'', ''token_hash'', ''nonce_prefix''])::text as row from %1$I r) rows', relname), ' union all ')
from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'river%'
    and relname not in ('goose_db_version', 'nonce_prefixes', 'identity_keys', 'report_keys', 'lives', 'changes', 'public_changes', 'items')`).Scan(&everything))
	rows, err := conn.Query(ctx, everything)
	must(p.T, err)
	all := map[string]string{}
	for rows.Next() {
		var table, text string
		must(p.T, rows.Scan(&table, &text))
		all[table] = text
	}
	must(p.T, rows.Err())
	must(p.T, conn.Close(ctx))
	return all
}

// same compares the rows with those of another world.
func (p *tradedOrder) same(after string, want map[string]string) {
	p.T.Helper()
	got := p.rows()
	for _, table := range slices.Sorted(maps.Keys(want)) {
		if got[table] != want[table] {
			p.T.Errorf("after %s, %s has\n%s\nwant\n%s", after, table, got[table], want[table])
		}
	}
}

// countsItems compares the counts of items with the orders that there are.
func (p *tradedOrder) countsItems(after string) {
	p.T.Helper()
	if n := p.Value(`select count(*) from (select lower(item_name) as key, count(*) as orders from orders group by lower(item_name)) o
full join (select * from items where orders <> 0) i on i.key = o.key where o.orders is distinct from i.orders`); n != 0 {
		p.T.Errorf("after %s, %d items are counted wrong", after, n)
	}
}

func TestItemsAreSpelledAsLastWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"Iron Ore", "IRON ore"} {
		w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = name })
	}
	var spelled string
	must(t, storetest.Connect(t, w.DSN).QueryRow(t.Context(), "select name || ' ' || orders from items").Scan(&spelled))
	if spelled != "IRON ore 2" {
		t.Errorf("items has %q", spelled)
	}
}
