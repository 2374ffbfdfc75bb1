package bot_test

import (
	"fmt"
	"slices"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
)

func TestASellerAnswersAsksByButton(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	w.market.Features = core.EveryFeature()
	w.bot = w.start(func(o *bot.Options) { o.Features = w.market.Features })
	w.WaitForBot(t)
	rowan, maple := w.Player(t, "rowan.ashdown"), w.actor("maple")
	wants(t, "listed", rowan.Slash("have", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 200), discordtest.Str("price", "250c"),
		discordtest.Bool("public", true)).View, "200 × Iron Ore", "for sale at")
	page, err := w.market.Match.Listings(t.Context(), maple, match.ListingQuery{})
	if err != nil || len(page.Listings) != 1 {
		t.Fatalf("listings %+v, %v", page, err)
	}
	ask := func(quantity int) trade.Order {
		t.Helper()
		order, err := w.market.Match.Ask(t.Context(), maple, page.Listings[0].ID, match.AskDraft{Quantity: quantity})
		if err != nil {
			t.Fatal(err)
		}
		return order
	}
	refused := ask(5)
	dm := rowan.NextDM()
	wants(t, "the message", dm, "asks for 5 × **Iron Ore**", "Yes sells it at your price")
	wants(t, "a no", dm.Button("No").Press().View, "You said no")
	if _, err := w.market.Trade.Order(t.Context(), maple, refused.ID); core.KindOf(err) != core.NotFound {
		t.Errorf("the ask after a no: %v", err)
	}
	sold := ask(150)
	// Its buyer can withdraw it, and nothing else.
	card := w.Player(t, "maple").Slash("request show", discordtest.Str("request", fmt.Sprint(sold.ID)))
	wants(t, "the buyer's card", card.View, "Only you and the seller see this request")
	if buttons := card.View.Buttons(); !slices.Equal(buttons, []string{"Delete Request"}) {
		t.Errorf("an ask has the buttons %q", buttons)
	}
	panel := rowan.Slash("market")
	wants(t, "the panel", panel.View, "1 buyer asks for what you sell", "asks for 150 × **Iron Ore**", "**37s**")
	wants(t, "the ask from the panel", panel.View.Button("Answer").Press().View, "asks for 150 × **Iron Ore**", "Without an answer, the request ends")
	if own := w.Player(t, "maple").Slash("market").View.Buttons(); slices.Contains(own, "Renew") {
		t.Errorf("what the buyer asked for can be renewed: %q", own)
	}
	dm = rowan.NextDM()
	wants(t, "a yes", dm.Button("Yes, 150").Press().View, "Sold: 150 × Iron Ore")
	if order, err := w.market.Trade.Order(t.Context(), maple, sold.ID); err != nil || order.Sold != 150 {
		t.Errorf("the ask after a yes: %+v, %v", order, err)
	}
}

func TestABellTellsOfListingsByMessage(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\nOak Log,Woodcutter,1\n")
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature()})
	w.bot = w.start(func(o *bot.Options) { o.Features, o.PublicURL = w.market.Features, "https://market.example" })
	w.WaitForBot(t)
	seller, buyer := w.Player(t, "rowan.ashdown"), w.Player(t, "maple")
	if _, err := w.market.Match.AddSearch(t.Context(), w.actor("maple"), match.SearchDraft{Bell: match.BellOn, Name: "Ore", Items: []core.ItemID{1, 2}, Side: match.SaleSide}); err != nil {
		t.Fatal(err)
	}
	lists := func(item string, quantity int64) {
		t.Helper()
		seller.Slash("have", discordtest.Str("item", item), discordtest.Int("quantity", quantity), discordtest.Str("price", "250c"), discordtest.Bool("public", true))
	}
	alert := func() {
		t.Helper()
		if _, err := w.market.Match.AlertWatchers(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
	}
	lists("Iron Ore", 200)
	alert()
	dm := buyer.NextDM()
	wants(t, "the message", dm, "For sale: 200 × Iron Ore, at", "**250c**", "Saved search: Ore")
	if buttons := dm.Buttons(); !slices.Contains(buttons, "Ask for it on the web") || !slices.Contains(buttons, "Mute this seller") {
		t.Errorf("its buttons are %q", buttons)
	}
	wants(t, "muted", dm.Button("Mute this seller").Press().View, "alerts")
	lists("Oak Log", 3)
	alert()
	if dms := buyer.DMs(); len(dms) != 1 {
		t.Errorf("who has muted the seller has %d messages", len(dms))
	}
}
