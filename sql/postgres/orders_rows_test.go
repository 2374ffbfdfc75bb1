package postgres_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tradepost/core"
)

// What a list says of an order is read in another way than one order is.
func TestAListSaysOfAnOrderWhatTheOrderSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	level := 120
	for _, change := range []func(*core.OrderDraft){
		func(*core.OrderDraft) {},
		func(d *core.OrderDraft) {
			d.Description, d.InGameName, d.LevelRequirement = "", "", nil
		},
		func(d *core.OrderDraft) {
			d.ItemName, d.Description, d.InGameName = "żółć 鉄 🪙", "two\nlines, \"quoted\"", "Mäple"
			d.LevelRequirement, d.Quantity, d.MaxPrice = &level, core.MaxQuantity, core.MaxPrice
			d.Category, d.Importance, d.SignedInOnly = "Combat", core.Urgent, true
		},
	} {
		w.post(w.ann, change)
	}
	filled := w.post(w.ann, func(d *core.OrderDraft) { d.LevelRequirement = &level })
	_, err := w.AcceptOffer(t.Context(), w.ann, w.offer(w.bob, filled, filled.Quantity).ID, filled.Quantity)
	must(t, err)
	closed := w.post(w.ann)
	w.offer(w.bob, closed, 1)
	_, err = w.CloseOrder(t.Context(), w.ann, closed.ID)
	must(t, err)
	offered := w.post(w.ann)
	w.offer(w.bob, offered, 1)
	w.offer(w.cat, offered, 2)

	open, err := w.BrowseOrders(t.Context(), core.OrderQuery{})
	must(t, err)
	own, err := w.OwnOrders(t.Context(), w.ann, core.OrderQuery{})
	must(t, err)
	done, err := w.OwnOrders(t.Context(), w.ann, core.OrderQuery{Which: core.FulfilledOrders})
	must(t, err)
	if len(open.Orders) != 4 || len(own.Orders) != 4 || len(done.Orders) != 2 {
		t.Fatalf("%d open, %d own, %d fulfilled", len(open.Orders), len(own.Orders), len(done.Orders))
	}
	for _, listed := range slices.Concat(open.Orders, own.Orders, done.Orders) {
		one, err := w.store.Order(t.Context(), listed.ID)
		must(t, err)
		if diff := cmp.Diff(one, listed.Order); diff != "" {
			t.Errorf("order %d, by itself -, in the list +:\n%s", listed.ID, diff)
		}
	}
	if own.Orders[0].ID != offered.ID || own.Orders[0].Offers != 2 || own.Orders[1].Offers != 0 {
		t.Errorf("offers are counted as %d and %d", own.Orders[0].Offers, own.Orders[1].Offers)
	}
}
