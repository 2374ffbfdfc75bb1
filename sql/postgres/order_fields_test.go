package postgres_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
)

func TestEveryFieldOfARequestIsStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	draft := coretest.FullDraft("")
	posted, err := w.Trade.PostOrder(t.Context(), w.Ann, draft)
	must(t, err)
	stored := func(when string, want trade.OrderDraft) {
		t.Helper()
		if diff := cmp.Diff(want, w.stored(posted.ID).OrderDraft); diff != "" {
			t.Errorf("%s -, stored +:\n%s", when, diff)
		}
	}
	stored("posted", draft)

	edited := coretest.FullDraft(" changed")
	_, err = w.Trade.EditOrder(t.Context(), w.Ann, posted.ID, coretest.FullEdit(posted.Version, edited))
	must(t, err)
	stored("edited", edited)
	listed, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	must(t, err)
	if diff := cmp.Diff(edited, listed.Orders[0].OrderDraft); diff != "" {
		t.Errorf("edited -, listed +:\n%s", diff)
	}

	mod := w.Moderator()
	must(t, w.Moderation.RemoveOrder(t.Context(), mod, posted.ID, "No such item"))
	removed, err := w.Store.RemovedOf(t.Context(), w.Ann.UserID)
	must(t, err)
	if diff := cmp.Diff(edited, removed[0].Order.OrderDraft); diff != "" {
		t.Errorf("removed -, exported +:\n%s", diff)
	}
	must(t, w.UndoRemoval(t.Context(), mod, w.lastRemoval(mod).ID))
	stored("restored", edited)
}

func TestTheDatabaseHasALimitForEveryText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	fields := reflect.TypeFor[trade.OrderDraft]()
	for i := range fields.NumField() {
		if fields.Field(i).Type != reflect.TypeFor[string]() {
			continue
		}
		of := func(length int) trade.Order {
			changed := order
			changed.Version, changed.OrderDraft = order.Version+1, coretest.FullDraft("")
			reflect.ValueOf(&changed.OrderDraft).Elem().Field(i).SetString(strings.Repeat("ä", length))
			return changed
		}
		limit := 1
		for of(limit+1).Validate(game.Standard()) == nil {
			limit++
		}
		save := func(length int) error {
			return w.Store.Atomically(t.Context(), func(tx market.Tx) error { return tx.SaveOrder(t.Context(), of(length)) })
		}
		if err := save(limit); err != nil {
			t.Errorf("%s of %d characters returned %v", fields.Field(i).Name, limit, err)
		}
		if err := save(limit + 1); core.KindOf(err) != core.Invalid {
			t.Errorf("%s of %d characters: %v", fields.Field(i).Name, limit+1, err)
		}
	}
}

func TestTheDatabaseHasAnIndexForEveryFilterByAText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rows, err := w.Store.Pool().Query(t.Context(), "select indexdef from pg_indexes where tablename = 'orders'")
	must(t, err)
	indexes, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	for _, f := range trade.Fields {
		of := regexp.MustCompile(`USING btree \(lower\(\(?` + f.Column + `\b`)
		if f.Filter != nil && !slices.ContainsFunc(indexes, of.MatchString) {
			t.Errorf("no index begins with lower(%s):\n%s", f.Column, strings.Join(indexes, "\n"))
		}
	}
}

// What a list says of an order is read in another way than one order is.
func TestListAndOrderHaveTheSameFields(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	level := 120
	for _, change := range []func(*trade.OrderDraft){
		func(*trade.OrderDraft) {},
		func(d *trade.OrderDraft) {
			d.Description, d.InGameName, d.LevelRequirement = "", "", nil
		},
		func(d *trade.OrderDraft) {
			d.ItemName, d.Description, d.InGameName = "żółć 鉄 🪙", "two\nlines, \"quoted\"", "Mäple"
			d.LevelRequirement, d.Quantity, d.MaxPrice = &level, core.MaxQuantity, core.MaxPrice
			d.Category, d.Importance, d.SignedInOnly, d.NoPrograms = "Combat", game.Urgent, true, true
		},
	} {
		w.Post(w.Ann, change)
	}
	filled := w.Post(w.Ann, func(d *trade.OrderDraft) { d.LevelRequirement = &level })
	_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, w.OfferOn(w.Bob, filled, filled.Quantity).ID, filled.Quantity)
	must(t, err)
	closed := w.Post(w.Ann)
	w.OfferOn(w.Bob, closed, 1)
	_, err = w.Trade.CloseOrder(t.Context(), w.Ann, closed.ID)
	must(t, err)
	offered := w.Post(w.Ann)
	w.OfferOn(w.Bob, offered, 1)
	w.OfferOn(w.Cat, offered, 2)

	open, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	must(t, err)
	own, err := w.Match.OwnOrders(t.Context(), w.Ann, match.OrderQuery{})
	must(t, err)
	done, err := w.Match.OwnOrders(t.Context(), w.Ann, match.OrderQuery{List: match.FulfilledOrders})
	must(t, err)
	if len(open.Orders) != 4 || len(own.Orders) != 4 || len(done.Orders) != 2 {
		t.Fatalf("%d open, %d own, %d fulfilled", len(open.Orders), len(own.Orders), len(done.Orders))
	}
	for _, listed := range slices.Concat(open.Orders, own.Orders, done.Orders) {
		one, err := w.Store.Order(t.Context(), listed.ID)
		must(t, err)
		if diff := cmp.Diff(one, listed.Order); diff != "" {
			t.Errorf("order %d, by itself -, in the list +:\n%s", listed.ID, diff)
		}
	}
	if own.Orders[0].ID != offered.ID || own.Orders[0].Offers != 2 || own.Orders[1].Offers != 0 {
		t.Errorf("offers are counted as %d and %d", own.Orders[0].Offers, own.Orders[1].Offers)
	}
}
