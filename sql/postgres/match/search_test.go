package match_test

import (
	"slices"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

func (w *world) finds(text string, want ...string) match.OrderPage {
	w.T.Helper()
	page, err := w.Match.BrowseOrders(w.T.Context(), match.OrderQuery{OrderFilter: match.OrderFilter{Text: text}})
	must(w.T, err)
	var got []string
	for _, o := range page.Orders {
		got = append(got, o.ItemName)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || page.Total != len(want) {
		w.T.Errorf("%q finds %q of %d, want %q", text, got, page.Total, want)
	}
	return page
}

func (w *world) postItem(buyer core.Actor, item string, change ...func(*trade.OrderDraft)) trade.Order {
	w.T.Helper()
	return w.Post(buyer, append(change, func(d *trade.OrderDraft) { d.ItemName = item })...)
}

func TestASearchFindsBuyersByTheNamesOnTheCard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.postItem(w.Ann, "Iron Ore", func(d *trade.OrderDraft) { d.BuyerContact, d.InGameName = "Maple.Leaf", "Ashdown" })
	w.postItem(w.Bob, "Oak Log", func(d *trade.OrderDraft) { d.BuyerContact = "bramble" })
	w.finds("maple", "Iron Ore")
	w.finds("ASHDOWN iron", "Iron Ore")
	w.finds("ramb", "Oak Log")
	w.finds("ashdown oak")
}

func TestASearchFindsAProfessionByItsNameInAnyLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.postItem(w.Ann, "Tin", func(d *trade.OrderDraft) { d.Category = "Miner" })
	w.postItem(w.Bob, "Copper", func(d *trade.OrderDraft) { d.Category = "Miner" })
	w.postItem(w.Bob, "Trout", func(d *trade.OrderDraft) { d.Category = "Fisher" })
	w.finds("Bergmann", "Tin", "Copper")
	w.finds("bergm tin", "Tin")
	w.finds("miner", "Tin", "Copper")
	w.finds("FISCHER", "Trout")
	if page := w.finds("bergnann", "Tin", "Copper"); page.Also != "bergmann" {
		t.Errorf("a typo is searched as %q too", page.Also)
	}
}

func TestATypoIsForgivenWhereFewMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 5 {
		w.postItem(w.Ann, "Iron Ore")
	}
	w.postItem(w.Bob, "Irno Ore") // a buyer's own typo
	w.postItem(w.Bob, "Silver Trout", func(d *trade.OrderDraft) { d.Category, d.BuyerContact = "Fisher", "rowan" })
	for text, also := range map[string]string{
		"irno-ore": "iron ore", "iorn": "iron", "silver truot": "silver trout", "rowam": "rowan", "fissher": "fisher",
		"silver iorn": "", // nothing is both
		"iron":        "", // found as it is
		"xyzzy":       "",
	} {
		page, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{OrderFilter: match.OrderFilter{Text: text}})
		must(t, err)
		if page.Also != also {
			t.Errorf("%q is searched as %q too, want %q", text, page.Also, also)
		}
	}
	w.finds("irno", "Iron Ore", "Iron Ore", "Iron Ore", "Iron Ore", "Iron Ore", "Irno Ore")
	counts, err := w.Match.CountOrders(t.Context(), match.OrderFilter{Text: "irno"})
	must(t, err)
	if counts.All != 6 || counts.ByCategory["Miner"] != 6 {
		t.Errorf("the counts are %+v, want what the list has", counts)
	}
	fishers, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{OrderFilter: match.OrderFilter{Text: "irno", Categories: []game.Category{"Fisher"}}})
	must(t, err)
	if fishers.Total != 0 || fishers.Also != "iron" {
		t.Errorf("within another category it finds %d as %q", fishers.Total, fishers.Also)
	}
	// The correction holds on every page.
	if met := w.allPages(match.OrderQuery{OrderFilter: match.OrderFilter{Text: "irno"}, Limit: 2}, func(int) {}); len(met) != 6 {
		t.Errorf("its pages have %d orders, want 6", len(met))
	}

	// With five, what was written is meant.
	for range 4 {
		w.postItem(w.Cat, "Irno Bar")
	}
	if page := w.finds("irno", "Irno Ore", "Irno Bar", "Irno Bar", "Irno Bar", "Irno Bar"); page.Also != "" {
		t.Errorf("five are searched as %q too", page.Also)
	}
}

func TestAHiddenOrClosedRequestLendsNoWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.postItem(w.Ann, "Unmentionable Ore")
	closed := w.postItem(w.Bob, "Forgotten Ore")
	_, err := w.Trade.CloseOrder(t.Context(), w.Bob, closed.ID)
	must(t, err)
	w.postItem(w.Cat, "Tin Ore")
	must(t, w.SQL("update orders set hidden = true where user_id = $1", w.Ann.UserID))
	store := w.Another(postgres.Options{})
	storetest.Listen(t, store)
	words, err := store.Vocabulary(t.Context(), w.Clock.Now())
	must(t, err)
	for _, word := range []string{"unmentionable", "forgotten"} {
		if _, known := words[word]; known {
			t.Errorf("%q is among the words", word)
		}
	}
	if words["ore"].InNames != 1 || words["tin"].InNames != 1 {
		t.Errorf("the words are %v", words)
	}
	w.finds("unmentionble")
	w.finds("unmentionable")
}

func TestASearchReadsNoMoreThanItsIndexesFind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ManyOrders()
	must(t, w.SQL("update orders set buyer_contact = 'rowan', ign = 'Ashdown' where id % 4000 = 7"))
	must(t, w.SQL("vacuum analyze orders"))
	conn := connect(t, w.DSN)
	for name, f := range map[string]match.OrderFilter{
		"a rare buyer":       {Text: "ashdown"},
		"and a common word":  {Text: "ashdown common"},
		"a typo, forgiven":   {Text: "ashdonw", Means: match.Meaning{Typo: "ashdonw", Correction: "ashdown"}},
		"a rare profession":  {Text: "chef rare", Means: match.Meaning{Professions: game.Standard().Categories()}},
		"two rare spellings": {Text: "rar", Means: match.Meaning{Typo: "rar", Correction: "rowan"}},
	} {
		q := match.OrderQuery{OrderFilter: f, List: match.OpenOrders, Limit: core.PageSize, Now: w.Clock.Now()}
		if p := explain(t, conn, q, true, "force_custom_plan"); p.Read() > 100 || strings.Contains(p.String(), "Seq Scan") {
			t.Errorf("%s reads %.0f rows by %s", name, p.Read(), p)
		}
	}
	// The words of the market are read along an index.
	must(t, storetest.Exec(t, conn, "prepare words(timestamptz, integer) as "+statement(t, "orders", "NewestTexts", "now", "most")))
	if p := storetest.PlanOf(t, conn, "execute words(now(), 500)"); !strings.Contains(p.String(), "orders_newest") || strings.Contains(p.String(), "Seq Scan") {
		t.Errorf("the words are read by %s", p)
	}
}
