package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
)

func TestASlipOfACoinIsAskedAboutInDiscord(t *testing.T) {
	t.Parallel()
	w := withTrades(t)
	maple, german := w.Player(t, "maple"), w.Player(t, "rowan.ashdown").SetLocale("de")
	post := func(by *discordtest.Player, price string) *discordtest.Reply {
		return by.Slash("request post", discordtest.Str("item", "Caric Adathril Ore"), discordtest.Int("quantity", 5), discordtest.Str("price", price))
	}
	slip := post(maple, "310s")
	wants(t, "the preview", slip.View, "That is 1,033 times what it was traded for. Did you mean 310c?")
	wants(t, "in German", post(german, "310s").View, "Das ist das 1.033-Fache von dem, wofür es gehandelt wurde. Meintest du 310c?")
	meant := slip.Button("Use 310c").Press()
	if text := meant.View.Text(); strings.Contains(text, "Did you mean") {
		t.Errorf("the price that was meant is asked about:\n%s", text)
	}
	meant.Button("Post").Press()
	if orders := w.openOrders(); len(orders) != 1 || orders[0].MaxPrice != 310 {
		t.Fatalf("open are %+v", orders)
	}

	edited := maple.Slash("request edit", discordtest.Str("request", fmt.Sprint(w.openOrders()[0].ID)), discordtest.Str("price", "310s"))
	wants(t, "the edit", edited.View, "That is 1,033 times what it was traded for. Did you mean 310c?")
	edited.Button("Keep 310s").Press()
	if orders := w.openOrders(); len(orders) != 1 || orders[0].MaxPrice != 310_000 {
		t.Errorf("after the edit open are %+v", orders)
	}

	have := maple.Slash("have", discordtest.Str("item", "Caric Adathril Ore"), discordtest.Int("quantity", 5), discordtest.Str("price", "3g"))
	wants(t, "stock", have.View, "times what it was traded for. Did you mean 3")
	kept := have.Button("Keep 3g").Press()
	wants(t, "the stock that was kept", kept.View, "3g")
}

// Of several lines all are named in one question, and nothing is saved before it is answered.
func TestUnusualPricesOfSeveralLinesAreAskedAboutInDiscord(t *testing.T) {
	t.Parallel()
	w := withTrades(t)
	maple := w.Player(t, "maple")
	preview := maple.Slash("request several").Modal.Submit(map[string]string{
		"Name of the list": "Guild hall", "One request per line, up to 50": "5x Coal 1s\n\n5x Caric Adathril Ore 310s",
		"Category for items we don't know": "Miner", "Importance": "Medium", "In-game name": "",
	})
	asked := preview.Button("Post").Press()
	wants(t, "the list", asked.View, "Nothing is saved yet", "Line 3: **Caric Adathril Ore** · That is 1,033 times what it was traded for. Did you mean 310c?")
	if orders := w.openOrders(); len(orders) != 0 {
		t.Fatalf("before the answer open are %+v", orders)
	}
	wants(t, "the list that was kept", asked.Button("Post anyway").Press().View, "2 requests are posted")
	if orders := w.openOrders(); len(orders) != 2 {
		t.Errorf("open are %+v", orders)
	}

	lines := maple.Slash("have").Button("Paste lines").Press().Modal.Submit(map[string]string{"One line per item": "Caric Adathril Ore 5 310s"})
	asked = lines.Button("Save, shown to buyers").Press()
	wants(t, "stock", asked.View, "Nothing is saved yet", "**Caric Adathril Ore** · That is 1,033 times what it was traded for. Did you mean 310c?")
	wants(t, "nothing is in stock", maple.Slash("have").View, "Your stock is empty")
	wants(t, "stock that was kept", asked.Button("Save anyway").Press().View, "1 item is in your stock", "shown to buyers")
}
