package bot_test

import (
	"slices"
	"testing"

	"tradepost/core"
)

func TestOnesDataAreToldToOneselfAlone(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	maple := w.Player(t, "maple")
	told := maple.Slash("data download")
	wants(t, "what is kept", told.View, "What is kept about you", "@maple", "Requests: 1. Offers you sent: 0. Notices: 1.")
	if got := told.View.Buttons(); !slices.Equal(got, []string{"Download"}) {
		t.Errorf("buttons = %q", got)
	}
	if !told.Private() {
		t.Error("everybody sees it")
	}
	wants(t, "in German", w.Player(t, "rowan.ashdown").SetLocale("de").Slash("data download").View,
		"Was über dich gespeichert ist", "Gesuche: 0. Angebote von dir: 1.")
}

func TestLeavingAsksFirst(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")

	ask := maple.Slash("data delete")
	wants(t, "the question", ask.View, "Delete everything of mine", "open requests (1)", "cannot be undone")
	wants(t, "a second thought", ask.Button("Keep everything").Press().View, "Everything stays as it is.")
	if o := w.order("maple", order.ID); o.Status != core.Active {
		t.Fatal("it was deleted without a yes")
	}
	left := maple.Slash("data delete").Button("Delete everything").Press()
	wants(t, "the end", left.View, "Everything of yours is deleted")
	wants(t, "the seller's message", rowan.WaitDM("that it lapsed", holding("has lapsed")), "20 × Iron Ore", "The request was deleted")
	if _, err := w.market.Order(t.Context(), core.Actor{}, order.ID); core.KindOf(err) != core.NotFound {
		t.Errorf("the request: %v", err)
	}
	wants(t, "whoever comes back", maple.Slash("data download").View, "Requests: 0. Offers you sent: 0. Notices: 0.")
	wants(t, "the seller", rowan.Slash("data download").View, "Offers you sent: 1")
}
