package bot_test

import (
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/trade"
)

func TestACrossingIsToldToBothAndUndoneByButton(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature(),
		Moderators: people.Moderators{Accounts: []string{w.Player(t, moderator).ID()}}})
	w.bot = w.start(func(o *bot.Options) { o.Features = w.market.Features })
	w.WaitForBot(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	wants(t, "the stock", rowan.Slash("have", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 200),
		discordtest.Str("price", "200c"), discordtest.Int("unasked", 60)).View, "200 × Iron Ore", "for sale at", "at most 60 in 24 hours")
	wants(t, "the stock with another price", rowan.Slash("have", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 100),
		discordtest.Str("price", "210c")).View, "at most 60 in 24 hours")
	order := w.post("maple")
	if _, err := w.market.Trade.SetStanding(t.Context(), w.actor("maple"), order.ID, trade.StandingDraft{
		Sellers: trade.SellersAnybody, FromOthers: order.Quantity, Until: w.Now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	bought := maple.WaitDM("what was bought", holding("Accepted for you"))
	wants(t, "the message to the buyer", bought, "Iron Ore", "@rowan.ashdown", "meet by <t:")
	sold := rowan.WaitDM("what was sold", holding("Sold for you"))
	wants(t, "the message to the seller", sold, "Iron Ore", "@maple", "meet by <t:")
	traded := w.order("maple", 1).Sold
	if traded == 0 {
		t.Fatal("nothing was traded")
	}
	sold.Button("Undo").Press()
	if left := w.order("maple", 1).Sold; left != 0 {
		t.Errorf("%d of %d are sold after the undo", left, traded)
	}
	w.until("the message to the buyer says that it was undone", func() bool { return w.dmsHolding("maple", "was undone") == 1 })
	if again := w.dmsHolding("maple", "Accepted for you"); again != 0 {
		t.Errorf("%d messages still say that it was bought", again)
	}
}

func TestARequestStandsFromItsPostOn(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature(),
		Moderators: people.Moderators{Accounts: []string{w.Player(t, moderator).ID()}}})
	w.bot = w.start(func(o *bot.Options) { o.Features = w.market.Features })
	w.WaitForBot(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	wants(t, "the stock", rowan.Slash("have", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 200),
		discordtest.Str("price", "200c"), discordtest.Int("unasked", 60)).View, "at most 60 in 24 hours")
	preview := maple.Slash("request post", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 100),
		discordtest.Str("price", "250c"), discordtest.Str("as-they-come", "anybody")).View
	wants(t, "the preview", preview, "accepts offers up to this price as they come, from anybody")
	wants(t, "the answer", preview.Button("Post").Press().View, "Your request is posted", "It bought 60 at once")
	wants(t, "the message to the seller", rowan.WaitDM("what was sold", holding("Sold for you")), "Iron Ore", "@maple")
}
