package postgres_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/invariants"
)

var histories = flag.Int("histories", 2000, "how many random histories of the market are lived through")

// lanes is how many worlds live through histories side by side.
const lanes = 4

// inLanes runs a property as often as -histories says, divided over lanes with a world each.
func inLanes(t *testing.T, share int, property func(*rapid.T, *world)) {
	t.Helper()
	must(t, flag.Set("rapid.checks", strconv.Itoa(max(1, *histories*share/100/lanes))))
	must(t, flag.Set("rapid.steps", "20"))
	must(t, flag.Set("rapid.nofailfile", "true")) // what failed is printed, with its seed
	for lane := range lanes {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			rapid.Check(t, func(rt *rapid.T) { property(rt, w) })
		})
	}
}

func TestRandomHistoriesMatchTheModel(t *testing.T) {
	inLanes(t, 80, func(rt *rapid.T, w *world) {
		h := newHistory(rt, w)
		h.post(rt)
		rt.Repeat(often(map[string]func(*rapid.T){
			"post 2":         h.post,
			"edit 2":         h.edit,
			"close 1":        h.close,
			"undo close 1":   h.undoClose,
			"renew 1":        h.renew,
			"delete 1":       h.deleteOrder,
			"offer 6":        h.offer,
			"accept 5":       h.accept,
			"remove offer 1": h.removeOffer,
			"log sale 2":     h.logSale,
			"time passes 1":  h.timePasses,
			"repeat 2":       h.repeat,
		}))
		h.compare(rt)
		h.leave(rt)
	})
}

// often turns "offer 6" into six actions, since rapid takes each as often as any other.
func often(actions map[string]func(*rapid.T)) map[string]func(*rapid.T) {
	all := map[string]func(*rapid.T){}
	for name, action := range actions {
		times, _ := strconv.Atoi(name[strings.LastIndex(name, " ")+1:])
		for i := range times {
			all[fmt.Sprint(name, " ", i)] = action
		}
	}
	return all
}

// history is what people do, to the market and to the model.
type history struct {
	w      *world
	m      *model
	people []core.Actor // three users, who all buy and sell, and a visitor
	orders []core.OrderID
	offers []core.OfferID
	again  func(*rapid.T) // the last write under a key, once more
	keys   int
}

func newHistory(rt *rapid.T, w *world) *history {
	h := &history{w: w, m: newModel(w.Clock.Now())}
	rows, err := w.Store.Pool().Query(context.Background(), `
with made as (
    insert into users (discord_id, username, display_name, created_at, updated_at)
    select gen_random_uuid(), 'u', 'u', now(), now() from generate_series(1, 3) returning id
), boxed as (insert into mailboxes (user_id) select id from made)
select id from made`)
	if err != nil {
		rt.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[core.UserID])
	if err != nil {
		rt.Fatal(err)
	}
	for _, id := range ids {
		h.people = append(h.people, core.Actor{UserID: id, Username: "u"})
	}
	h.people = append(h.people, core.Actor{Address: "192.0.2.1"})
	return h
}

func (h *history) ids() []int64 {
	var ids []int64
	for _, p := range h.people {
		ids = append(ids, int64(p.UserID))
	}
	return ids
}

// leave deletes all users and their data.
func (h *history) leave(rt *rapid.T) {
	for _, sql := range []string{
		"delete from notices where user_id = any($1) or caused_by = any($1)",
		"delete from sent_offers where seller_id = any($1)",
		"delete from offers where seller_id = any($1)",
		"delete from ended_offers where (content ->> 'seller_id')::bigint = any($1) or ended_by = any($1)",
		"delete from lapsed_offers where seller_id = any($1)",
		"delete from order_updates where buyer_id = any($1) or seller_id = any($1) or updated_by = any($1)",
		"delete from users where id = any($1)",
	} {
		if _, err := h.w.Store.Pool().Exec(context.Background(), sql, h.ids()); err != nil {
			rt.Fatal(err)
		}
	}
}

// someone returns who acts: mostly the user who may.
func (h *history) someone(rt *rapid.T, may core.UserID) core.Actor {
	p := rapid.SampledFrom(h.people).Draw(rt, "who")
	if i := slices.IndexFunc(h.people, func(p core.Actor) bool { return p.UserID == may }); may != 0 && i >= 0 && mostly(rt) {
		p = h.people[i]
	}
	if rapid.Bool().Draw(rt, "keyed") {
		h.keys++
		p.Key = fmt.Sprintf("%d-%d", h.people[0].UserID, h.keys)
	}
	return p
}

func mostly(rt *rapid.T) bool { return rapid.IntRange(0, 7).Draw(rt, "as usual") > 0 }

// order returns an order, mostly an active one, and its buyer.
func (h *history) order(rt *rapid.T) (core.OrderID, core.UserID) {
	isActive := func(id core.OrderID) bool { return h.m.orders[id] != nil && h.m.orders[id].status == trade.Active }
	if !slices.ContainsFunc(h.orders, isActive) && mostly(rt) {
		h.post(rt)
	}
	id := pick(rt, h.orders, isActive)
	if o := h.m.orders[id]; o != nil {
		return id, o.owner
	}
	return id, 0
}

// anOffer returns an offer, mostly an open one, and its buyer.
func (h *history) anOffer(rt *rapid.T) (core.OfferID, core.UserID) {
	isOpen := func(id core.OfferID) bool { return h.m.offers[id] != nil }
	if !slices.ContainsFunc(h.offers, isOpen) && mostly(rt) {
		h.offer(rt)
	}
	id := pick(rt, h.offers, isOpen)
	if f := h.m.offers[id]; f != nil {
		return id, h.m.orders[f.order].owner
	}
	return id, 0
}

func pick[ID ~int64](rt *rapid.T, all []ID, prefer func(ID) bool) ID {
	if mostly(rt) {
		preferred := slices.DeleteFunc(slices.Clone(all), func(id ID) bool { return !prefer(id) })
		if len(preferred) > 0 {
			all = preferred
		}
	}
	if len(all) == 0 {
		return 999_999_999
	}
	return rapid.SampledFrom(all).Draw(rt, "which")
}

func quantity(rt *rapid.T) int {
	return rapid.SampledFrom([]int{0, 1, 1, 2, 2, 3, 4, 5, 6, 8}).Draw(rt, "quantity")
}

// agree fails when the market answered otherwise than the model.
func agree(rt *rapid.T, did string, err error, want core.ErrorKind) {
	if got := core.KindOf(err); got != want || (err == nil) != (want == 0) {
		rt.Fatalf("%s: refused as %s (%v), the model says %s", did, got, err, want)
	}
}

// remember records a write for repeat. answer is what it returned.
func remember[T any](h *history, by core.Actor, answer T, err error, do func() (T, error)) {
	if by.Key == "" || err != nil {
		return
	}
	h.again = func(rt *rapid.T) {
		same, err := do()
		if err != nil || fmt.Sprintf("%+v", same) != fmt.Sprintf("%+v", answer) {
			rt.Fatalf("a repeat was answered\n%+v, %v, the first time\n%+v", same, err, answer)
		}
	}
}

func (h *history) repeat(rt *rapid.T) {
	if h.again == nil {
		rt.Skip("nothing to repeat")
	}
	h.again(rt)
}

func (h *history) post(rt *rapid.T) {
	by, n := h.someone(rt, h.people[0].UserID), quantity(rt)
	draft := trade.OrderDraft{ItemName: "Thing", Quantity: n, MaxPrice: 5, BuyerContact: "b", Description: storetest.Lot()}
	do := func() (trade.Order, error) { return h.w.Trade.PostOrder(context.Background(), by, draft) }
	o, err := do()
	want := core.ErrorKind(0)
	if by.UserID == 0 {
		want = core.Unauthenticated
	} else if n == 0 {
		want = core.Invalid
	}
	agree(rt, "post", err, want)
	if want == 0 {
		h.m.post(o.ID, by.UserID, n, 5)
		h.orders = append(h.orders, o.ID)
	}
	remember(h, by, o, err, do)
}

func (h *history) edit(rt *rapid.T) {
	id, owner := h.order(rt)
	by, n := h.someone(rt, owner), quantity(rt)
	version := 1
	if o := h.m.orders[id]; o != nil {
		version = o.version - rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(rt, "versions behind")
	}
	price := core.Copper(rapid.IntRange(4, 6).Draw(rt, "price"))
	do := func() (trade.Order, error) {
		return h.w.Trade.EditOrder(context.Background(), by, id, trade.OrderEdit{Version: version, Quantity: &n, MaxPrice: &price})
	}
	o, err := do()
	agree(rt, "edit", err, h.m.edit(id, by.UserID, version, n, price))
	remember(h, by, o, err, do)
}

func (h *history) close(rt *rapid.T) {
	id, owner := h.order(rt)
	by := h.someone(rt, owner)
	do := func() (trade.Order, error) { return h.w.Trade.CloseOrder(context.Background(), by, id) }
	o, err := do()
	agree(rt, "close", err, h.m.close(id, by.UserID))
	remember(h, by, o, err, do)
}

func (h *history) undoClose(rt *rapid.T) {
	id := pick(rt, h.orders, func(id core.OrderID) bool { return h.m.waiting[id] != nil })
	owner := core.UserID(0)
	if o := h.m.orders[id]; o != nil {
		owner = o.owner
	}
	by := h.someone(rt, owner)
	do := func() (trade.Order, error) { return h.w.Trade.UndoClose(context.Background(), by, id) }
	o, err := do()
	agree(rt, "undo close", err, h.m.undoClose(id, by.UserID))
	remember(h, by, o, err, do)
}

func (h *history) renew(rt *rapid.T) {
	id, owner := h.order(rt)
	by := h.someone(rt, owner)
	do := func() (trade.Order, error) { return h.w.Trade.RenewOrder(context.Background(), by, id) }
	o, err := do()
	agree(rt, "renew", err, h.m.renew(id, by.UserID))
	remember(h, by, o, err, do)
}

func (h *history) deleteOrder(rt *rapid.T) {
	id, owner := h.order(rt)
	by := h.someone(rt, owner)
	do := func() (struct{}, error) { return struct{}{}, h.w.Trade.DeleteOrder(context.Background(), by, id) }
	_, err := do()
	agree(rt, "delete", err, h.m.delete(id, by.UserID))
	remember(h, by, struct{}{}, err, do)
}

func (h *history) offer(rt *rapid.T) {
	id, _ := h.order(rt)
	by, n := h.someone(rt, h.people[2].UserID), quantity(rt)
	draft := trade.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: n}
	do := func() (trade.SendOfferResult, error) {
		sent, err := h.w.Trade.SendOffer(context.Background(), by, id, draft)
		sent.Link = "" // each time another one
		return sent, err
	}
	answer, err := do()
	want := h.m.mayOffer(id, by.UserID, n)
	agree(rt, "offer", err, want)
	if want == 0 {
		h.m.offered(answer.Offer.ID, id, by.UserID, n)
		h.offers = append(h.offers, answer.Offer.ID)
	}
	remember(h, by, answer, err, do)
}

func (h *history) accept(rt *rapid.T) {
	id, buyer := h.anOffer(rt)
	by, n := h.someone(rt, buyer), quantity(rt)
	do := func() (trade.Acceptance, error) { return h.w.Trade.AcceptOffer(context.Background(), by, id, n) }
	done, err := do()
	agree(rt, "accept", err, h.m.accept(id, by.UserID, n))
	remember(h, by, done, err, do)
}

func (h *history) removeOffer(rt *rapid.T) {
	id, buyer := h.anOffer(rt)
	by := h.someone(rt, buyer)
	do := func() (struct{}, error) { return struct{}{}, h.w.Trade.DeleteOffer(context.Background(), by, id) }
	_, err := do()
	agree(rt, "remove offer", err, h.m.remove(id, by.UserID))
	remember(h, by, struct{}{}, err, do)
}

func (h *history) logSale(rt *rapid.T) {
	id, owner := h.order(rt)
	by, n := h.someone(rt, owner), quantity(rt)
	do := func() (trade.LogSaleResult, error) {
		return h.w.Trade.LogSale(context.Background(), by, id, trade.SaleDraft{Quantity: n})
	}
	logged, err := do()
	agree(rt, "log sale", err, h.m.sell(id, by.UserID, n))
	remember(h, by, logged, err, do)
}

func (h *history) timePasses(rt *rapid.T) {
	d := time.Duration(rapid.SampledFrom([]int{1, 7, 180, 358}).Draw(rt, "days")) * 24 * time.Hour
	h.w.Clock.Forward(d)
	h.m.pass(d)
	if _, _, err := h.w.Trade.ExpireOrders(context.Background(), 1000); err != nil {
		rt.Fatalf("expire: %v", err)
	}
	if _, err := h.w.Trade.NotifyClosings(context.Background(), 1000); err != nil {
		rt.Fatalf("notify closings: %v", err)
	}
}

// compare reads everything of this history's users and compares it with the model, and checks the
// invariants.
func (h *history) compare(rt *rapid.T) {
	want, got := h.expected(), h.stored(rt)
	if !slices.Equal(want, got) {
		rt.Fatalf("stored:\n%q\nthe model says:\n%q", got, want)
	}
	violations, err := invariants.Check(context.Background(), h.w.Store.Pool())
	if err != nil || len(violations) > 0 {
		rt.Fatalf("violated invariants: %v, %v", violations, err)
	}
	// No program delivers here, and the store stores when jobs run by another clock.
	if broken := h.w.LivenessBroken(h.w.Clock.Now(), "I13", "I15"); len(broken) > 0 {
		rt.Fatalf("liveness is broken: %v", broken)
	}
}

// expected prints the model, stored the market: a sorted line for each entity.
func (h *history) expected() []string {
	var lines []string
	for id, o := range h.m.orders {
		progress := 100
		if o.status == trade.Active {
			progress = 100 * o.sold / o.quantity
		}
		lines = append(lines, fmt.Sprintf("order %d of %d v%d: %d of %d sold, %d%%, %s %s until %s, sales %v",
			id, o.owner, o.version, o.sold, o.quantity, progress, o.status, o.reason, o.expires.Format(time.RFC3339), o.sales))
	}
	for id, f := range h.m.offers {
		lines = append(lines, fmt.Sprintf("offer %d on %d of %d: %d for %d", id, f.order, f.seller, f.quantity, f.price))
	}
	for id, s := range h.m.sent {
		lines = append(lines, fmt.Sprintf("sent %d on %d of %d: %d of %d, %s", id, s.order, s.seller, s.accepted, s.quantity, s.state))
	}
	for to, n := range h.m.notices {
		lines = append(lines, fmt.Sprintf("notices to %d: %s %d", to.user, to.kind, n))
	}
	slices.Sort(lines)
	return lines
}

const storedLines = `
with mine as (select * from orders where user_id = any($1))
select format('order %s of %s v%s: %s of %s sold, %s%%, %s %s until %s, sales [%s]', id, user_id, version, sold, quantity,
    progress, status, close_reason, to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    (select string_agg(quantity_sold::text, ' ' order by id) from order_updates where order_id = mine.id))
from mine
union all select format('offer %s on %s of %s: %s for %s', id, order_id, coalesce(seller_id, 0), quantity_offered, price_per_unit)
from offers where order_id in (select id from mine)
union all select format('sent %s on %s of %s: %s of %s, %s', id, coalesce(order_id, 0), seller_id, accepted, quantity_offered, state)
from sent_offers where seller_id = any($1)
union all select format('notices to %s: %s %s', user_id, kind, count(*)) from notices where user_id = any($1) group by user_id, kind`

func (h *history) stored(rt *rapid.T) []string {
	rows, err := h.w.Store.Pool().Query(context.Background(), storedLines, h.ids())
	if err != nil {
		rt.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		rt.Fatal(err)
	}
	slices.Sort(lines)
	return lines
}
