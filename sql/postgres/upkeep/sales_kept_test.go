package upkeep_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/backup"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

func TestDeletingAnOrderKeepsTheHistoryOfOthersWithoutItsTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order, offer := w.Sold()
	must(t, w.SQL("delete from notices")) // which are the reader's own, and have a time of their own
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, order.ID))

	for name, who := range map[string]core.Actor{"the buyer": w.Ann, "the seller": w.Bob} {
		data, err := w.ExportAccount(t.Context(), who)
		must(t, err)
		want := map[string]int{"the buyer": 3, "the seller": 1}[name]
		if len(data.Sales) != want {
			t.Errorf("%s has %d sales, want %d", name, len(data.Sales), want)
		}
		for _, s := range data.Sales {
			if s.OrderID != 0 || s.ItemName != order.ItemName || s.UnitPrice != order.MaxPrice || s.Buyer != w.Ann.UserID || s.Notes != "" {
				t.Errorf("%s has the sale %+v", name, s)
			}
		}
	}
	sales, err := w.Store.SalesOf(t.Context(), w.Bob.UserID, 0, 9)
	must(t, err)
	if len(sales) != 1 || sales[0].Quantity != 3 || sales[0].Seller != w.Bob.UserID || sales[0].Offer != offer.ID {
		t.Errorf("the seller has %+v", sales)
	}
	sent, err := w.Trade.SentOffers(t.Context(), w.Bob, 0, 9)
	must(t, err)
	if len(sent) != 1 || sent[0].Accepted != 3 || sent[0].Price != order.MaxPrice || sent[0].ItemName != order.ItemName || sent[0].BuyerContact != "" {
		t.Errorf("the seller's offers are %+v", sent)
	}
	must(t, w.SQL("delete from notices"))
	must(t, w.SQL("delete from river_job"))
	for line := range strings.Lines(storetest.Rows(t, w.DSN)) {
		if strings.Contains(line, "evergreen") || strings.Contains(line, "Accepted offer from") {
			t.Errorf("the owner's texts or contacts are left: %s", line)
		}
	}
	if broken := w.broken(); strings.Contains(broken, "I1") || strings.Contains(broken, "I5") || strings.Contains(broken, "texts") {
		t.Error(broken)
	}
}

func (w *world) broken() string {
	w.T.Helper()
	found, err := invariants.Check(w.T.Context(), w.Store.Pool())
	must(w.T, err)
	return fmt.Sprint(found)
}

func TestSalesOfADeletedOrderLoseTheSideThatLeaves(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		leave func(w *world) core.Actor
		stays func(w *world) core.Actor
		check func(s trade.Sale) bool
	}{
		{"the buyer", func(w *world) core.Actor { return w.Ann }, func(w *world) core.Actor { return w.Bob },
			func(s trade.Sale) bool { return s.Buyer == 0 && s.Seller != 0 && s.Notes == "" }},
		{"the seller", func(w *world) core.Actor { return w.Bob }, func(w *world) core.Actor { return w.Ann },
			func(s trade.Sale) bool { return s.Buyer != 0 && s.Seller == 0 }},
	} {
		for _, deleted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s leaves, the order deleted before: %t", tt.name, deleted), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				order, _ := w.Sold()
				if deleted {
					must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, order.ID))
				}
				leaver := tt.leave(w)
				must(t, w.DeleteUser(t.Context(), leaver.UserID))
				if n := w.Value("select count(*) from order_updates where $1 in (buyer_id, seller_id, updated_by)", leaver.UserID); n != 0 {
					t.Errorf("%d sales name who has left", n)
				}
				if n := w.Value("select count(*) from order_updates"); n != 3 {
					t.Errorf("%d sales are left, want 3", n)
				}
				sales, err := w.Store.SalesOf(t.Context(), tt.stays(w).UserID, 0, 9)
				must(t, err)
				if len(sales) == 0 || !tt.check(sales[len(sales)-1]) || sales[len(sales)-1].Quantity != 3 {
					t.Errorf("the other side has %+v", sales)
				}
				w.CheckInvariants()
			})
		}
	}
}

// olderSale writes a sale as a program from before 00014 does.
const olderSale = `
insert into order_updates (order_id, quantity_sold, notes, unit_price, updated_by, seller_id, created_at)
values ($1, 1, 'Accepted offer from bob (bob)', 250, $2, $3, now())`

func TestASaleOfAnOlderProgramNamesItemAndSidesToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 5)
	must(t, w.SQL(olderSale, order.ID, w.Ann.UserID, w.Bob.UserID))
	must(t, w.SQL("update orders set sold = 1, progress = 100 / quantity where id = $1", order.ID))
	must(t, w.SQL("update sent_offers set accepted = 1, buyer_contact = 'ann' where id = $1", offer.ID))
	must(t, w.SQL("update offers set quantity_offered = quantity_offered - 1 where id = $1", offer.ID))
	sales, err := w.Store.SalesOf(t.Context(), w.Bob.UserID, 0, 9)
	must(t, err)
	if len(sales) != 1 || sales[0].ItemName != order.ItemName || sales[0].Buyer != w.Ann.UserID || sales[0].Offer != offer.ID {
		t.Errorf("sales = %+v", sales)
	}
	if broken := w.broken(); strings.Contains(broken, "I1") || strings.Contains(broken, "I5") {
		t.Error(broken)
	}
	must(t, w.SQL("delete from orders where id = $1", order.ID)) // as an older program deletes
	if n := w.Value("select count(*) from order_updates where order_id is null and notes is null and buyer_id = $1", w.Ann.UserID); n != 1 {
		t.Errorf("%d sales are left as they should be, want 1", n)
	}
}

func TestSalesFromBeforeAreCompletedByTheMigrationAndByARestore(t *testing.T) {
	t.Parallel()
	old := pgtest.Empty(t)
	p, err := pgconnect.Open(t.Context(), old, pgconnect.Options{MaxConns: 1})
	must(t, err)
	defer p.Close()
	storetest.MigrateTo(t, p, schema.Versions{Market: 13, Queue: 6})
	_, err = p.Exec(t.Context(), `
insert into users (discord_id, username, display_name, created_at, updated_at)
select n::text, n::text, n::text, now(), now() from generate_series(1, 2) n;
insert into mailboxes (user_id) select id from users;
insert into orders (user_id, item_name, quantity, max_price_per_unit, buyer_contact, category, sold, progress, created_at, updated_at, expires_at)
values (1, 'Iron Ore', 10, 5, 'ann', 'Miner', 3, 30, now(), now(), now() + interval '1 year');
insert into sent_offers (id, seller_id, order_id, item_name, price_per_unit, quantity_offered, accepted, state, buyer_contact, created_at, updated_at)
values (7, 2, 1, 'Iron Ore', 5, 2, 2, 'accepted', 'ann', now(), now()), (8, 2, null, 'Oak Log', 5, 2, 1, 'lapsed', 'ann', now(), now());
insert into order_updates (order_id, quantity_sold, notes, unit_price, updated_by, seller_id, created_at)
values (1, 2, 'Accepted offer from b (b)', 5, 1, 2, now()), (1, 1, null, 5, 1, null, now());
insert into notices (user_id, kind, order_id, offer_id, state, settled_at, reason, created_at)
values (1, 'offer_received', 1, 7, 'delivered', now(), 'inbox', now()), (1, 'offer_received', null, 8, 'delivered', now(), 'inbox', now()),
    (2, 'offer_accepted', 1, 7, 'delivered', now(), 'inbox', now()), (2, 'offer_lapsed', null, 8, 'delivered', now(), 'inbox', now())`)
	must(t, err)
	var file bytes.Buffer
	_, err = backup.Write(t.Context(), old, &file, nil)
	must(t, err)
	restored := pgtest.Empty(t)
	_, err = backup.Restore(t.Context(), restored, &file, backup.RestoreOptions{}) // which checks the invariants
	must(t, err)
	must(t, schema.Migrate(t.Context(), p, slog.New(slog.DiscardHandler)))
	for name, dsn := range map[string]string{"migrated": old, "restored": restored} {
		conn := connect(t, dsn)
		var complete, contacts int
		must(t, conn.QueryRow(t.Context(), `
select (select count(*) from order_updates where item_name = 'Iron Ore' and buyer_id = 1 and offer_id is not distinct from
        case when seller_id = 2 then 7 end),
    (select count(*) from sent_offers where buyer_contact is not null)`).Scan(&complete, &contacts))
		if complete != 2 || contacts != 1 {
			t.Errorf("%s: %d sales are complete, want 2; %d contacts are kept, want 1", name, complete, contacts)
		}
	}
}

func TestTradesOfAUserAreReadByIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity = 1_000_000 })
	must(t, w.SQL(`
insert into order_updates (order_id, item_name, quantity_sold, unit_price, buyer_id, seller_id, created_at)
select $1, 'Iron Ore', 1, 5, 100 + i % 500, 1000 + i % 700, now() from generate_series(1, 20000) i`, order.ID))
	must(t, w.SQL("analyze order_updates"))
	seen := &storetest.LastPage{}
	_, err := w.Another(postgres.Options{Tracer: seen}).SalesOf(t.Context(), 1001, 0, 60)
	must(t, err)
	conn := connect(t, w.DSN)
	must(t, storetest.Exec(t, conn, "set plan_cache_mode = force_generic_plan"))
	must(t, storetest.Exec(t, conn, "prepare sales(int, bigint, bigint) as "+seen.SQL))
	got := storetest.PlanOf(t, conn, "execute sales(60, 1001, 9223372036854775807)")
	if got.Read() > 200 || !strings.Contains(got.String(), "order_updates_of_seller") || !strings.Contains(got.String(), "order_updates_of_buyer") {
		t.Errorf("reads %.0f rows by %s", got.Read(), got)
	}
}
