package postgres_test

import (
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// withItems returns a world whose market has items on.
func withItems(t *testing.T, opts market.Options) *world { return &world{storetest.WithItems(t, opts)} }

func TestReplicasThatStartTogetherImportTheItemsOnce(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{Items: []string{"Moon Pearl", "caric  adathril ORE"}})
	other := market.New(w.Another(postgres.Options{}), market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures(), Items: []string{"Moon Pearl"}})
	added := make(chan int, 2)
	for _, market := range []*market.Market{w.Market, other} {
		go func() {
			n, err := market.Items.Seed(t.Context())
			if err != nil {
				t.Error(err)
			}
			added <- n
		}()
	}
	if n := <-added + <-added; n != 1660 {
		t.Errorf("%d items were added, want those that come along and one of ITEMS", n)
	}
	if n, err := other.Items.Seed(t.Context()); n != 0 || err != nil {
		t.Errorf("another start adds %d items, %v", n, err)
	}
	pearl, _, err := w.Items.NameItem(t.Context(), "moon pearl")
	if must(t, err); pearl == nil || pearl.State != items.Provisional {
		t.Errorf("a name of ITEMS is %+v", pearl)
	}

	must(t, w.SQL("update catalogue_imports set shipped = 99"))
	must(t, w.SQL("delete from catalogue_names where item_id = 1"))
	if n, err := other.Items.Seed(t.Context()); n != 0 || err != nil {
		t.Errorf("beside a newer program, a start adds %d items, %v", n, err)
	}
	w.Imports("name\nHarpoon\n")
	if n, err := other.Items.Seed(t.Context()); n != 0 || err != nil {
		t.Errorf("where the operator has imported a file, a start adds %d items, %v", n, err)
	}
}

func TestARequestNamesAnItemByItsFoldedForm(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	w.Imports("name,aliases\nÉtched Basalt,Black Stone\nIron Ore,\n")
	names := []string{"Étched Basalt", "etched  BASALT", "Ｅtched Basalt", "Black stone", "EtchedBasalt", "Etched Basal"}
	for i, name := range names {
		draft := coretest.OrderDraft(func(d *trade.OrderDraft) { d.ItemName, d.Quantity = name, i+1 })
		order, err := w.Trade.PostOrder(t.Context(), w.Ann, draft)
		must(t, err)
		if want := core.ItemID(1); i < 5 && order.Item != want || i == 5 && order.Item != 0 {
			t.Errorf("%q names item %d", name, order.Item)
		}
	}
	page, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{OrderFilter: match.OrderFilter{ItemID: 1}})
	must(t, err)
	if page.Total != 5 || len(page.Orders) != 5 || page.Orders[0].Item != 1 {
		t.Errorf("of the item %d requests are listed, %+v", page.Total, page.Orders)
	}
	if page, err = w.Match.BrowseOrders(t.Context(), match.OrderQuery{OrderFilter: match.OrderFilter{ItemID: 77}}); err != nil || page.Total != 0 {
		t.Errorf("of an item that is not there %d requests are listed, %v", page.Total, err)
	}
	for _, name := range append(names, "ÅNGSTRÖM–Öre", "ﬁsh", "İstanbul", "ŻÓŁĆ", "a\u0301b") {
		var key string
		must(t, connect(t, w.DSN).QueryRow(t.Context(), "select item_key($1)", name).Scan(&key))
		if want := coretest.Forms.FoldItem(name); key != want {
			t.Errorf("the database folds %q to %q, the market to %q", name, key, want)
		}
	}
}

func TestTheThirdRequestByASecondBuyerMakesANameProvisional(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	post := func(buyer core.Actor, name string, quantity int) trade.Order {
		order, err := w.Trade.PostOrder(t.Context(), buyer, coretest.OrderDraft(func(d *trade.OrderDraft) { d.ItemName, d.Quantity = name, quantity }))
		must(t, err)
		return order
	}
	for n := range 3 {
		if o := post(w.Ann, "Moon Pearl", n+1); o.Item != 0 {
			t.Errorf("request %d by one buyer names item %d", n+1, o.Item)
		}
	}
	if o := post(w.Bob, "moon pearl", 1); o.Item != 1 {
		t.Errorf("the request of a second buyer names item %d", o.Item)
	}
	item, err := w.Items.Item(t.Context(), 1)
	if must(t, err); item.State != items.Provisional || item.Name != "moon pearl" {
		t.Errorf("the item is %+v", item)
	}
}

func TestAnImportIsHeardByOtherReplicas(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	there := w.Another(postgres.Options{})
	market := market.New(there, market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures()})
	l := storetest.Listen(t, there)
	if items, err := market.Items.Complete(t.Context(), "iron"); err != nil || len(items) != 0 {
		t.Fatalf("listed are %v, %v", items, err)
	}
	w.Imports("name\nIron Ore\n")
	for !l.Next().Items {
	}
	if items, err := market.Items.Complete(t.Context(), "iron"); err != nil || len(items) != 1 {
		t.Errorf("after an import elsewhere, listed are %v, %v", items, err)
	}
}

func TestATypedNameIsCompletedByTrustAndGoesWithItsRequests(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	for n, buyer := range []core.Actor{w.Ann, w.Ann, w.Bob} {
		w.Post(buyer, func(d *trade.OrderDraft) { d.ItemName, d.Quantity = "Moon Pearl", n+1 })
	}
	// shows reads the items as a market that just started does.
	shows := func(when string, completed, waiting int) {
		t.Helper()
		m := market.New(w.Another(postgres.Options{}), market.Options{Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures()})
		found, err := m.Items.Complete(t.Context(), "moon")
		must(t, err)
		waits, err := m.Items.Provisional(t.Context(), w.Moderator(), 0, 10)
		must(t, err)
		if len(found) != completed || len(waits) != waiting {
			t.Errorf("%s: %d are completed and %d wait for a moderator, want %d and %d", when, len(found), len(waits), completed, waiting)
		}
	}
	shows("asked for by two people without trust", 0, 1)
	must(t, w.Trust.Vouch(t.Context(), w.Moderator(), w.Ann.UserID))
	shows("one of them is known", 0, 1)
	must(t, w.Trust.Vouch(t.Context(), w.Moderator(), w.Bob.UserID))
	shows("both are known", 1, 1)
	must(t, w.Moderation.BlockUser(t.Context(), w.Moderator(), w.Bob.UserID, "spam"))
	shows("one is blocked", 0, 1)
	must(t, w.Moderation.BlockUser(t.Context(), w.Moderator(), w.Ann.UserID, "spam"))
	shows("no visible request names it", 0, 0)
	must(t, w.Moderation.UnblockUser(t.Context(), w.Moderator(), w.Ann.UserID))
	must(t, w.Moderation.UnblockUser(t.Context(), w.Moderator(), w.Bob.UserID))
	shows("both are unblocked", 1, 1)
	w.Clock.Forward(31 * core.Day)
	shows("a month later", 0, 0)
}

func TestNamesOfTheOperatorAreCompletedForAll(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	for n, buyer := range []core.Actor{w.Ann, w.Ann, w.Bob} {
		w.Post(buyer, func(d *trade.OrderDraft) { d.ItemName, d.Quantity = "Moon Pearl", n+1 })
	}
	m := market.New(w.Another(postgres.Options{}), market.Options{
		Now: w.Clock.Now, Forms: coretest.Forms, Features: core.AllFeatures(), Items: []string{"moon pearl", "Moon Stone"},
	})
	_, err := m.Items.Seed(t.Context())
	must(t, err)
	for _, name := range []string{"Moon Pearl", "Moon Stone"} {
		if found, err := m.Items.Complete(t.Context(), name); err != nil || len(found) == 0 || !strings.EqualFold(found[0].Name, name) {
			t.Errorf("%s: completed are %v, %v", name, found, err)
		}
	}
}
