package bot_test

import (
	"strconv"
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// A trade from the request to its deletion, with a mistake in every form: nothing that the bot sends has an English word, but for names
// and what people typed. Texts are named by their keys, so that a better translation breaks nothing.
func TestAWholeTradeInGerman(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.AllFeatures()})
	w.bot = w.start(func(o *bot.Options) { o.Features = core.AllFeatures() })
	w.WaitForBot(t)
	w.HomeServer().SetLocale("de")
	maple, rowan := w.Player(t, "maple").SetLocale("de"), w.Player(t, "rowan.ashdown").SetLocale("de")
	de := text.For("de").Sprint
	label := func(key text.Key, pairs ...any) string { return strings.ReplaceAll(de(key, pairs...), "*", "") }
	maple.In("trading-post").Slash("board here")

	// Maple posts a request.
	wrong := maple.Slash("request post", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 30), discordtest.Str("price", "viel"))
	wants(t, "a wrong price", wrong.View, "Ungültiges Format")
	preview := maple.Slash("request post", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 30), discordtest.Str("price", "1p 500g"),
		discordtest.Str("importance", "urgent"), discordtest.Str("description", "Bitte am Abend"))
	wants(t, "the preview", preview.View, de(text.Preview))
	wants(t, "the answer", preview.Button(label(text.Post)).Press().View, "30 von 30")

	// Rowan offers, after a mistake.
	request := rowan.Pick("offer send", "request", "Iron")
	wants(t, "too many", rowan.Slash("offer send", request, discordtest.Int("quantity", 31), discordtest.Str("message", "Heute Abend")).View, "30")
	sent := rowan.Slash("offer send", request, discordtest.Int("quantity", 20), discordtest.Str("message", "Heute Abend"))
	wants(t, "the answer to the seller", sent.View, "20 × Iron Ore")

	// Maple accepts a part of it, after a mistake.
	dm := maple.NextDM()
	form := dm.Button(label(text.AcceptPart)).Press().Modal
	many := form.Submit(map[string]string{label(text.FieldQuantity): "99"})
	wants(t, "more than was offered", many.View, "Menge")
	done := many.Button(label(text.AcceptPart)).Press().Modal.Submit(map[string]string{label(text.FieldQuantity): "5"})
	wants(t, "the receipt of the buyer", done.View, "15 × Iron Ore", "5 × Iron Ore von Rowan")
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 1)
	thread := w.Channel("trading-post").Threads()[0].ID()
	receipt := rowan.In(thread).WaitMessage("the receipt of both", holding("5 × Iron Ore"))

	// Both say that they met.
	sales, err := w.market.Trade.Handovers(t.Context(), w.actor("maple"), trade.Query{Limit: 9})
	if err != nil || len(sales) != 1 {
		t.Fatalf("%d trades, %v", len(sales), err)
	}
	wants(t, "the answer to the seller's word", receipt.Button(label(text.WeMet)).Press().View, "Jetzt ist die andere Seite dran")
	trades := w.at(maple, "Meine Geschäfte")
	wants(t, "the trades of the buyer", trades.View, "Iron Ore", "@rowan.ashdown")
	list := trades.List(label(text.PickTrade))
	wants(t, "the answer to the buyer's word", list.Choose(list.Labels()[0]).Button(label(text.WeMet)).Press().View, "Iron Ore")
	if state := w.stateOf(sales[0].Sale); state != trust.HandoverMet {
		t.Errorf("after both words the trade is %s", state)
	}

	// Maple changes the request and logs a sale, each after a mistake.
	mine := maple.Slash("request mine")
	open := mine.List(label(text.PickOrder))
	card := open.Choose(open.Labels()[0])
	edit := card.Button(label(text.MenuEdit)).Press().Modal
	low := edit.Submit(map[string]string{label(text.FieldQuantity): "2"})
	wants(t, "less than was sold", low.View, "5")
	changed := low.Button(label(text.EditAgain)).Press().Modal.Submit(map[string]string{label(text.FieldQuantity): "40"})
	wants(t, "the changed request", changed.View, "35 von 40")
	over := changed.Button(label(text.UpdateSales)).Press().Modal.Submit(map[string]string{label(text.FieldSold): "36"})
	wants(t, "more than is left", over.View, "35")
	sold := over.Button(label(text.UpdateSales)).Press().Modal.Submit(map[string]string{label(text.FieldSold): "35", label(text.FieldNotes): "der Rest"})
	wants(t, "the last sale", sold.View, label(text.Completed))
	wants(t, "the message that it is filled", maple.WaitDM("it", holding("ist erfüllt")), "Iron Ore")
	wants(t, "the history", maple.Slash("sales history", discordtest.Str("request", "iron")).View, "der Rest")

	// Another is closed, and a third deleted.
	for _, act := range []struct{ command, button, done string }{
		{"request close", label(text.MenuClose), "geschlossen"},
		{"request delete", label(text.MenuDelete), "gelöscht"},
	} {
		order := w.post("maple")
		w.offer("rowan.ashdown", order, 3)
		asked := maple.Slash(act.command, discordtest.Str("request", strconv.Itoa(int(order.ID))))
		wants(t, act.command, asked.View, "Iron Ore")
		wants(t, act.command, asked.Button(act.button).Press().View, act.done)
		w.undoWindowPasses()
		rowan.FindDM("the end of the offer", holding("Das Gesuch wurde "+act.done))
	}

	for _, found := range englishIn(t, w.Requests(), "Iron Ore", "maple", "rowan.ashdown", "Rowan", "Maple", "Tradepost", "trading-post", "I have plenty", "Lot") {
		t.Errorf("English words in German: %s", found)
	}
	for _, v := range w.Violations() {
		t.Errorf("not as Discord describes it: %+v", v)
	}
}
