package bot_test

import (
	"slices"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/trade"
)

func TestAccountDataIsShownToItsUserAlone(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	maple := w.Player(t, "maple")
	summary := w.at(maple, "Settings").Button("My data").Press()
	wants(t, "what is stored", summary.View, "Your data", "@maple", "Requests: 1. Offers you sent: 0. Purchases and sales: 0. Notices: 1.")
	if got := summary.View.Buttons(); !slices.Equal(got, []string{"Download", "Delete my data…"}) {
		t.Errorf("buttons = %q", got)
	}
	if !summary.Private() {
		t.Error("everybody sees it")
	}
	wants(t, "in German", w.at(w.Player(t, "rowan.ashdown").SetLocale("de"), "Einstellungen").Button("Meine Daten").Press().View,
		"Deine Daten", "Gesuche: 0. Angebote von dir: 1.")
}

func TestLeavingAsksFirst(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")

	ask := w.at(maple, "Settings").Button("My data").Press().Button("Delete my data…").Press()
	wants(t, "the question", ask.View, "Delete all of my data", "open requests (1)", "deleted after 14 days", "for 90 more days")
	wants(t, "a second thought", ask.Button("Keep everything").Press().View, "Everything stays as it is.")
	if o := w.order("maple", order.ID); o.Status != trade.Active {
		t.Fatal("it was deleted without a yes")
	}
	left := w.at(maple, "Settings").Button("My data").Press().Button("Delete my data…").Press().Button("Delete everything").Press()
	wants(t, "the end", left.View, "Your data is hidden")
	wants(t, "the seller's message", rowan.WaitDM("that it lapsed", holding("has lapsed")), "20 × Iron Ore", "The request was deleted")
	if _, err := w.market.Trade.Order(t.Context(), core.Actor{}, order.ID); core.KindOf(err) != core.NotFound {
		t.Errorf("the request: %v", err)
	}
	refused := maple.SetLocale("de").Slash("market")
	wants(t, "in German", refused.View, "Dein Konto wird gelöscht", "gelöscht")
	if !refused.Private() {
		t.Error("everybody sees it")
	}
	refused = maple.SetLocale("en-US").Slash("request browse")
	wants(t, "a user who comes back", refused.View, "Your account will be deleted", "will be deleted on")
	if got := refused.View.Buttons(); !slices.Equal(got, []string{"Cancel leaving"}) {
		t.Errorf("they have the buttons %q", got)
	}
	wants(t, "who cancels", refused.Button("Cancel leaving").Press().View, "You're staying")
	if o := w.order("maple", order.ID); o.Hidden {
		t.Error("the request stays hidden")
	}
	wants(t, "a user who stayed", w.at(maple, "Settings").Button("My data").Press().View, "Requests: 1.")
	wants(t, "the seller", w.at(rowan, "Settings").Button("My data").Press().View, "Offers you sent: 1")
}

func TestADeletedRequestLeavesItsSalesToBothSides(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	offer := w.offer("rowan.ashdown", order, 20)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), offer.ID, 5); err != nil {
		t.Fatal(err)
	}
	maple.Slash("request delete", discordtest.Str("request", "1")).Button("Delete Request").Press()
	mine := rowan.Slash("offer mine").Button("Accepted (1)").Press().View
	wants(t, "the seller's offers", mine, "**20 × Iron Ore**", "partly accepted, lapsed", "5 of 20 accepted, ⚪ **1s** 🟤 250c in all · the request has since been deleted")
	if strings.Contains(mine.Text(), "maple") {
		t.Errorf("the buyer's contact is left: %s", mine.Text())
	}
	wants(t, "the seller's data", w.at(rowan, "Settings").Button("My data").Press().View, "Purchases and sales: 1.")
	wants(t, "the buyer's data", w.at(maple, "Settings").Button("My data").Press().View, "Requests: 0.", "Purchases and sales: 1.")
	wants(t, "in German", w.at(rowan.SetLocale("de"), "Einstellungen").Button("Meine Daten").Press().View, "Käufe und Verkäufe: 1.")
}

func TestAnArchivedRequestIsReadByItsOwner(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("maple"), order.ID); err != nil {
		t.Fatal(err)
	}
	maple := w.Player(t, "maple")
	if got := maple.Slash("request mine").View.Buttons(); strings.Contains(strings.Join(got, " "), "Archive") {
		t.Errorf("buttons before there is an archive: %q", got)
	}
	if _, err := w.store.Pool().Exec(t.Context(), "update orders set archived_at = closed_at"); err != nil {
		t.Fatal(err)
	}
	mine := maple.Slash("request mine")
	wants(t, "the archive", mine.Button("Archive (1)").Press().View, "Archive", "Iron Ore")
	wants(t, "by its name", maple.Slash("request mine", discordtest.Str("status", "archived")).View, "Iron Ore")
	wants(t, "what is completed", maple.Slash("request mine", discordtest.Str("status", "fulfilled")).View, "No completed requests yet")
	german := maple.SetLocale("de").Slash("request mine", discordtest.Str("status", "archived")).View
	if !slices.Contains(german.Buttons(), "Archiv (1)") {
		t.Errorf("in German the buttons are %q", german.Buttons())
	}
}
