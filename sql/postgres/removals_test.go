package postgres_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// lastRemoval returns the newest removal in the log.
func (w *world) lastRemoval(mod core.Actor) core.AuditEntry {
	w.T.Helper()
	entries, err := w.Moderation.AuditEntries(w.T.Context(), mod, 0, 10)
	must(w.T, err)
	for _, e := range entries {
		if e.Action == core.AuditOrderRemoved || e.Action == core.AuditOfferRemoved {
			return e
		}
	}
	w.T.Fatalf("no removal in %+v", entries)
	return core.AuditEntry{}
}

// orderRows returns every row that belongs to an order, in full.
func (w *world) orderRows(id core.OrderID) string {
	w.T.Helper()
	var rows string
	must(w.T, w.Store.Pool().QueryRow(w.T.Context(), `
select concat_ws(E'\n', (select to_jsonb(o) from orders o where id = $1),
    (select jsonb_agg(to_jsonb(u) order by id) from order_updates u where order_id = $1),
    (select jsonb_agg(to_jsonb(s) - 'state' - 'updated_at' order by id) from sent_offers s where order_id = $1),
    (select jsonb_agg(n.id order by id) from notices n where order_id = $1 and kind <> 'order_restored'))`, id).Scan(&rows))
	return rows
}

func TestARemovedRequestReturnsAsItWasWithItsSales(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		t.Run(fmt.Sprint("closed ", closed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			mod := w.Moderator()
			order, _ := w.Sold()
			if closed {
				_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: order.Quantity - 6})
				must(t, err)
			}
			before := w.orderRows(order.ID)
			must(t, w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "No such item"))
			if rows := w.orderRows(order.ID); rows != "" {
				t.Fatalf("left after the removal: %s", rows)
			}
			w.CheckInvariants()
			removal := w.lastRemoval(mod)
			if !removal.Undoable {
				t.Error("the log does not offer the undo")
			}
			wantKind(t, w.UndoRemoval(t.Context(), w.Ann, removal.ID), core.Forbidden)
			must(t, w.UndoRemoval(t.Context(), mod, removal.ID))
			if after := w.orderRows(order.ID); after != before {
				t.Errorf("the order returned as\n%s\nand was\n%s", after, before)
			}
			if n := w.Value("select count(*) from offers where order_id = $1", order.ID); n != 0 {
				t.Errorf("%d offers returned with it", n)
			}
			if n := w.Value("select count(*) from deleted_orders"); n != 0 {
				t.Error("the quotas count the order twice")
			}
			w.CheckInvariants()
			wantKind(t, w.UndoRemoval(t.Context(), mod, removal.ID), core.Conflict)
			entries, err := w.Moderation.AuditEntries(t.Context(), mod, 0, 10)
			must(t, err)
			if e := entries[0]; len(entries) != 2 || e.Action != core.AuditOrderRestored || e.OrderID != order.ID || e.Subject != w.Ann.UserID ||
				e.Undoable || entries[1].Undoable {
				t.Errorf("noted %+v", entries)
			}
		})
	}
}

func TestARemovedRequestReturnsWithoutTheNameOfASellerWhoLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	order, _ := w.Sold()
	names := `select count(*) from order_updates u where to_jsonb(u)::text like '%' || $1 || '%'`
	if w.Value(names, "bob") == 0 {
		t.Fatal("no sale names its seller")
	}
	must(t, w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "No such item"))
	must(t, w.DeleteUser(t.Context(), w.Bob.UserID))
	if n := w.Value(`select count(*) from removals where content::text like '%' || $1 || '%'`, "bob"); n != 0 {
		t.Error("what was removed still names the seller")
	}
	must(t, w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID))
	if n := w.Value(names, "bob"); n != 0 {
		t.Errorf("%d sales that returned name the seller who left", n)
	}
	if n := w.Value("select count(*) from order_updates where order_id = $1", order.ID); n == 0 {
		t.Error("the sales did not return")
	}
	w.CheckInvariants()
}

func TestARemovedOfferReturnsWhileItsRequestIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	order := w.Post(w.Ann)
	for _, by := range []core.Actor{w.Bob, {Address: "192.0.2.1"}} {
		offer := w.OfferOn(by, order, 3)
		for range 2 { // the second time, too, the seller has one notice of how it ended
			must(t, w.Moderation.RemoveOffer(t.Context(), mod, offer.ID, "A cheat"))
			w.CheckInvariants()
			must(t, w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID))
			if _, got, err := w.Trade.Offer(t.Context(), w.Ann, offer.ID); err != nil || got != offer {
				t.Errorf("returned %+v, %v, want %+v", got, err, offer)
			}
			w.CheckInvariants()
		}
	}
	offers, err := w.Store.Offers(t.Context(), order.ID)
	must(t, err)
	must(t, w.Moderation.RemoveOffer(t.Context(), mod, offers[1].ID, "A cheat"))
	w.OfferOn(w.Bob, order, 1)
	err = w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID)
	if core.KindOf(err) != core.Conflict || !strings.Contains(err.Error(), "another offer") {
		t.Errorf("beside another offer of the seller: %v", err)
	}
	_, err = w.Trade.CloseOrder(t.Context(), w.Ann, order.ID)
	must(t, err)
	err = w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID)
	if core.KindOf(err) != core.Conflict || !strings.Contains(err.Error(), "not open any more") {
		t.Errorf("on a closed request: %v", err)
	}
	w.CheckInvariants()
}

// restored returns a user's notices that a moderator restored an order or offer, newest first.
func (w *world) restored(user core.Actor) (found []notify.Notice) {
	w.T.Helper()
	page, err := w.Notify.Notices(w.T.Context(), user, 0, 100)
	must(w.T, err)
	for _, n := range page.Notices {
		if n.Kind == notify.NoticeOrderRestored || n.Kind == notify.NoticeOfferRestored {
			found = append(found, n)
		}
	}
	return found
}

func TestTheOwnerIsNotifiedOfAnUndoneRemoval(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 3)
	visitors := w.OfferOn(core.Actor{Address: "192.0.2.1"}, order, 1)
	for _, id := range []core.OfferID{offer.ID, visitors.ID} {
		must(t, w.Moderation.RemoveOffer(t.Context(), mod, id, "A cheat"))
		must(t, w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID))
	}
	must(t, w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "No such item"))
	must(t, w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID))
	for name, tt := range map[string]struct {
		to   core.Actor
		want notify.Notice
	}{
		"the seller": {w.Bob, notify.Notice{Kind: notify.NoticeOfferRestored, OfferID: offer.ID, Quantity: 3, Price: offer.Price}},
		"the buyer":  {w.Ann, notify.Notice{Kind: notify.NoticeOrderRestored, OrderID: order.ID, Quantity: order.Quantity, Price: order.MaxPrice}},
	} {
		got := w.restored(tt.to)
		if len(got) != 1 {
			t.Fatalf("%s has %d notices: %+v", name, len(got), got)
		}
		if jobs := w.Value("select count(*) from river_job where kind = 'deliver_notice' and (args->>'notice')::bigint = $1", got[0].ID); jobs != 1 {
			t.Errorf("%d jobs deliver the notice to %s", jobs, name)
		}
		want := tt.want
		want.ID, want.User, want.ItemName, want.State, want.CreatedAt = got[0].ID, tt.to.UserID, order.ItemName, notify.NoticePending, w.Clock.Now()
		want.OrderID = got[0].OrderID // an order that was removed since takes it away
		if got[0] != want {
			t.Errorf("the notice to %s is %+v, want %+v", name, got[0], want)
		}
	}
	if id := w.restored(w.Ann)[0].OrderID; id != order.ID {
		t.Errorf("the buyer's notice leads to order %d", id)
	}
	w.CheckInvariants()
}

func TestAccountExportContainsRemovedEntries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	order, other := w.Post(w.Ann), w.Post(w.Ann)
	_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 1, Notes: "found one"})
	must(t, err)
	order, err = w.Store.Order(t.Context(), order.ID)
	must(t, err)
	offer := w.OfferOn(w.Bob, other, 3)
	w.Clock.Forward(time.Minute)
	must(t, w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "No such item"))
	must(t, w.Moderation.RemoveOffer(t.Context(), mod, offer.ID, "A cheat"))
	removed := func(user core.Actor) []moderation.Removed {
		t.Helper()
		data, err := w.ExportAccount(t.Context(), user)
		must(t, err)
		return data.Removed
	}
	anns, bobs := removed(w.Ann), removed(w.Bob)
	if len(anns) != 1 || len(bobs) != 1 || len(removed(w.Cat)) != 0 {
		t.Fatalf("Ann's data contain %+v, Bob's %+v", anns, bobs)
	}
	want := moderation.Removed{At: w.Clock.Now(), ItemName: order.ItemName, Reason: "No such item", Order: &order, Notes: []string{"found one"}}
	if !reflect.DeepEqual(anns[0], want) {
		t.Errorf("Ann's data contain %+v of %+v, want %+v of %+v", anns[0], *anns[0].Order, want, order)
	}
	want = moderation.Removed{At: w.Clock.Now(), ItemName: other.ItemName, Reason: "A cheat", Offer: &offer}
	if !reflect.DeepEqual(bobs[0], want) {
		t.Errorf("Bob's data contain %+v of %+v, want %+v of %+v", bobs[0], bobs[0].Offer, want, offer)
	}
	must(t, w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID))
	if left := removed(w.Bob); len(left) != 0 {
		t.Errorf("after the undo Bob's data contain %+v", left)
	}
}

func TestARemovalIsUndoneWithin30DaysAndNotByItsSubject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	must(t, w.Moderation.RemoveOrder(t.Context(), mod, w.Post(w.Ann).ID, "No such item"))
	removal := w.lastRemoval(mod)
	subject := w.Ann
	subject.Moderator = true
	wantKind(t, w.UndoRemoval(t.Context(), subject, removal.ID), core.Forbidden)
	wantKind(t, w.UndoRemoval(t.Context(), mod, 999), core.NotFound)
	w.Clock.Forward(moderation.RemovalRetention)
	wantKind(t, w.UndoRemoval(t.Context(), mod, removal.ID), core.Conflict)
	if w.lastRemoval(mod).Undoable {
		t.Error("the log offers an undo that is too late")
	}
	w.Retain(core.Retention{})
	if n := w.Value("select count(*) from removals"); n != 1 {
		t.Error("gone on the last day")
	}
	w.Clock.Forward(day)
	if done := w.Retain(core.Retention{}); done["removals"] != 1 || w.Value("select count(*) from removals") != 0 {
		t.Errorf("kept after 30 days: %v", done)
	}
}

func TestARequestOfABlockedBuyerReturnsHidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mod := w.Moderator()
	order := w.Post(w.Ann)
	must(t, w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "No such item"))
	removal := w.lastRemoval(mod)
	must(t, w.Moderation.BlockUser(t.Context(), mod, w.Ann.UserID, "Enough"))
	errs := atOnce(4, func(int) error { return w.UndoRemoval(t.Context(), mod, removal.ID) })
	if n := count(errs, func(err error) bool { return err == nil }); n != 1 {
		t.Errorf("undone %d times: %v", n, errs)
	}
	w.CheckInvariants()
	must(t, w.Moderation.UnblockUser(t.Context(), mod, w.Ann.UserID))
	_, err := w.Trade.Order(t.Context(), w.Bob, order.ID)
	must(t, err)
	w.CheckInvariants()

	must(t, w.Moderation.RemoveOrder(t.Context(), mod, order.ID, "No such item"))
	must(t, w.DeleteUser(t.Context(), w.Ann.UserID))
	if n := w.Value("select count(*) from removals"); n != 0 {
		t.Error("what was removed outlives the account of its owner")
	}
	wantKind(t, w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID), core.Conflict)
}
