package bot_test

import (
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
)

func TestASellerSaysInDiscordWhatTheyHave(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\nTin Ore,Miner,20\n")
	w.bot = w.start(func(o *bot.Options) { o.Features = core.AllFeatures() })
	w.WaitForBot(t)
	rowan := w.Player(t, "rowan.ashdown")
	empty := rowan.Slash("have")
	wants(t, "no stock", empty.View, "Your stock is empty")
	form := empty.Button("Paste lines").Press().Modal
	if form == nil {
		t.Fatal("the button opens no form")
	}
	preview := form.Submit(map[string]string{"One line per item": "Iron Ore 600 100c\nTn Ore 5 4s"})
	wants(t, "the preview", preview.View, "We understood 1 of 2 lines", "600 × Iron Ore", "Did you mean Tin Ore?")
	saved := preview.Button("Save, shown to buyers").Press()
	wants(t, "saved", saved.View, "1 item is in your stock", "600 × Iron Ore", "shown to buyers")
	one := rowan.Slash("have", discordtest.Str("item", "tin ore"), discordtest.Int("quantity", 7), discordtest.Str("price", "4s"))
	wants(t, "a single item", one.View, "2 items are in your stock", "7 × Tin Ore", "not shown to buyers")
	rowan.Slash("have", discordtest.Str("item", "Tin Ore"), discordtest.Int("quantity", 7), discordtest.Str("price", "4s"), discordtest.Str("note", "In Ravenia"), discordtest.Bool("public", true))
	less := rowan.Slash("have", discordtest.Str("item", "tin ore"), discordtest.Int("quantity", 5), discordtest.Str("price", "4s"))
	wants(t, "what is left out stays", less.View, "5 × Tin Ore", "In Ravenia")
	if strings.Contains(less.View.Text(), "not shown to buyers") {
		t.Errorf("it is no longer shown to buyers: %s", less.View.Text())
	}
	near := rowan.Slash("have", discordtest.Str("item", "Tn Ore"), discordtest.Int("quantity", 7), discordtest.Str("price", "x"))
	wants(t, "what is wrong", near.View, "Did you mean Tin Ore?", "Invalid format")

	w.post("maple", item("IRON ore"))
	fill := rowan.Slash("fill")
	wants(t, "what can be filled", fill.View, "500 × IRON ore", "you have it")
	wants(t, "what was picked", fill.List("Offer on a request…").Choose("500 × IRON ore").View, "500 of 500 left")
	wants(t, "the settings of messages lead to it", w.at(rowan, "Settings").Button("My Stock").Press().View, "600 × Iron Ore")
	wants(t, "confirmed", rowan.Slash("have").Button("All still there").Press().View, "2 items stay in your stock")
}

func TestAChannelGetsOneReportAWeekAndNoneThatIsEmpty(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	w.bot = w.start(func(o *bot.Options) { o.Features = core.AllFeatures() })
	w.WaitForBot(t)
	maple := w.Player(t, "maple").In("request-board")
	wants(t, "set up", maple.Slash("board wanted", discordtest.Bool("on", true)).View, "Once a week this channel gets a report")
	week := func() {
		t.Helper()
		w.Advance(7 * 24 * time.Hour)
		w.until("the report of the week", func() bool {
			due, err := w.store.DueWantedChannels(t.Context(), w.Now())
			if err != nil {
				t.Fatal(err)
			}
			return len(due) == 0
		})
	}
	reports := func() (n int) {
		for _, m := range maple.Messages() {
			if holding("Wanted this week")(m) {
				n++
			}
		}
		return n
	}
	week()
	if n := reports(); n != 0 {
		t.Errorf("%d reports of a week without requests", n)
	}
	w.post("juniper_fox") // what the empty week did not report
	week()
	wants(t, "the report", maple.WaitMessage("the report", holding("Wanted this week")), "Miner 1–50", "500 × Iron Ore")
	w.post("maple", item("Coal"))
	week()
	if n := reports(); n != 2 {
		t.Errorf("%d reports of two weeks", n)
	}
	wants(t, "ended", maple.Slash("board wanted", discordtest.Bool("on", false)).View, "no longer gets the weekly report")
}

func TestOnePressOffersWhatASellerHas(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	w.bot = w.start(func(o *bot.Options) { o.Features = core.AllFeatures() })
	w.WaitForBot(t)
	rowan := w.Player(t, "rowan.ashdown")
	rowan.Slash("have", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 200), discordtest.Str("price", "250c"))
	w.Advance(time.Second)
	preview := w.Player(t, "maple").Slash("request post", discordtest.Str("item", "iron ore"), discordtest.Int("quantity", 500), discordtest.Str("price", "250c"),
		discordtest.Str("category", "Miner"))
	wants(t, "the preview of a request", preview.View, "1 seller has 200 at up to", "A few people will get a message.")
	order := w.post("maple")
	w.alertWatchers()
	alert := rowan.NextDM()
	wants(t, "the alert", alert, "Wanted: 500 × Iron Ore", "You have 200 of it")
	wants(t, "the offer", alert.Button("Offer 200 for 50s").Press().View, "200 × Iron Ore")
	if _, offers, err := w.market.Trade.Offers(t.Context(), w.actor("maple"), order.ID); err != nil || len(offers) != 1 || offers[0].Quantity != 200 || offers[0].Message != "I have these ready." {
		t.Errorf("offers: %+v, %v", offers, err)
	}

	// It leads to fewer of them.
	wants(t, "a snooze", alert.Button("Until tomorrow").Press().View, "Quiet until")
	wants(t, "my stock", rowan.Slash("have").View, "200 × Iron Ore", "quiet until")
	stopped := alert.Button("Stop").Press()
	wants(t, "a stop", stopped.View, "You won't get alerts about requests for **Iron Ore** any more")
	list := stopped.Button("My Stock").Press()
	wants(t, "my stock, stopped", list.View, "no alerts")
	w.Advance(time.Second)
	w.post("juniper_fox")
	w.alertWatchers()
	if n := len(rowan.DMs()); n != 1 {
		t.Errorf("%d messages after the stop", n)
	}
	wants(t, "turned on", list.Button("Alert me again").Press().View, "You get alerts for all of your stock again")
	w.Advance(time.Second)
	w.post("oldtamsin")
	w.alertWatchers()
	if alert := rowan.NextDM(); !strings.Contains(alert.Text(), "You have 200 of it") {
		t.Errorf("the next alert is %s", alert.Text())
	}
}

// The button of an alert says when less is free of a seller's stock by now, and offers that.
func TestOnePressSaysWhatIsFreeOfStock(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	w.bot = w.start(func(o *bot.Options) { o.Features = core.AllFeatures() })
	w.WaitForBot(t)
	rowan := w.Player(t, "rowan.ashdown")
	have := func(quantity int) {
		rowan.Slash("have", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", int64(quantity)), discordtest.Str("price", "250c"))
		w.Advance(time.Second)
	}
	have(200)
	w.post("maple")
	w.alertWatchers()
	first := rowan.NextDM()
	w.Advance(time.Second)
	w.post("juniper_fox")
	w.alertWatchers()
	second := rowan.NextDM()
	sent := first.Button("Offer 200 for 50s").Press()
	wants(t, "the offer", sent.View, "200 × Iron Ore")
	if none := second.Button("Offer 200 for 50s").Press(); none.Button("Offer to Fulfill") == nil {
		t.Error("no way to another offer")
	} else {
		wants(t, "nothing is free", none.View, "You have no Iron Ore left that is in no open offer")
	}
	have(230)
	less := second.Button("Offer 200 for 50s").Press()
	wants(t, "less is free", less.View, "You only have 30 Iron Ore left")
	wants(t, "the rest", less.Button("Offer 30 for 7s 500c").Press().View, "30 × Iron Ore")
	wants(t, "undone", sent.Button("Withdraw").Press().View, "Your offer of 200 × Iron Ore is withdrawn")
}
