package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/trade"
)

// withTrades gives the market nine trades of an item from 290c to 310c, eight unfilled requests of it at 250c, and a bot.
func withTrades(t *testing.T, change ...func(*bot.Options)) *world {
	t.Helper()
	w := openWithoutBot(t)
	w.Invite("seller0", "seller1", "seller2")
	for i := range 9 {
		w.Invite(fmt.Sprint("buyer", i))
	}
	w.withItems("name,kind\nCaric Adathril Ore,Ore\nMasic Adathril Ore,Ore\nPlain Pebble,\n")
	post := func(i int, price core.Copper) trade.Order {
		return w.post(fmt.Sprint("buyer", i), item("Caric Adathril Ore"), func(d *trade.OrderDraft) { d.Quantity, d.MaxPrice = 1, price })
	}
	for i := range 9 {
		order := post(i, core.Copper(290+10*(i%3)))
		buyer, seller := fmt.Sprint("buyer", i), fmt.Sprint("seller", i/3)
		done, err := w.market.Trade.AcceptOffer(t.Context(), w.actor(buyer), w.offer(seller, order, 1).ID, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []string{buyer, seller} {
			if _, err := w.market.Trade.SayHandovers(t.Context(), w.actor(side), []core.SaleID{done.Sale.ID}, trade.SaidMet); err != nil {
				t.Fatal(err)
			}
			w.vouch(side)
		}
	}
	if err := w.market.Trust.FindTraders(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor(fmt.Sprint("buyer", i)), post(i, 250).ID); err != nil {
			t.Fatal(err)
		}
	}
	w.Advance(10 * 24 * time.Hour)
	w.bot = w.start(change...)
	w.WaitForBot(t)
	return w
}

// vouch has a moderator vouch for a player, unless one did before.
func (w *world) vouch(player string) {
	w.t.Helper()
	mod := w.actor("oldtamsin")
	mod.Moderator = true
	if err := w.market.Trust.Vouch(w.t.Context(), mod, w.actor(player).UserID); err != nil && core.KindOf(err) != core.Conflict {
		w.t.Fatal(err)
	}
}

// hintOf returns what a form says at a field.
func hintOf(form *discordtest.ModalView, label string) string {
	for _, part := range form.Components {
		if part.Label == label {
			return part.Description
		}
	}
	return ""
}

func TestThePriceOfRealTradesHelpsWhilePostingInDiscord(t *testing.T) {
	t.Parallel()
	w := withTrades(t)
	maple := w.Player(t, "maple")
	caric, german := discordtest.Str("item", "caric adathril ore"), w.Player(t, "rowan.ashdown").SetLocale("de")
	complete := func(by *discordtest.Player, typed string, filled ...discordtest.Option) (lines []string) {
		for _, c := range by.Complete("request post", "price", typed, filled...) {
			lines = append(lines, fmt.Sprint(c.Value, " = ", c.Name))
		}
		return lines
	}
	for _, tt := range []struct {
		by     *discordtest.Player
		typed  string
		filled []discordtest.Option
		want   string
	}{
		{maple, "", []discordtest.Option{caric}, "300c = 300c · median of 30 days (290c to 310c)"},
		{maple, "250c", []discordtest.Option{caric}, "250c = 250c · This is below every price paid so far. The lowest was 290c.\n300c = 300c · median of 30 days (290c to 310c)"},
		{maple, "290c", []discordtest.Option{caric}, "290c = 290c · about 73% of requests are filled within 2 days, 73% within 7 (9 buyers)\n300c = 300c · median of 30 days (290c to 310c)"},
		{maple, "9s", []discordtest.Option{caric}, "9s = 9s\n300c = 300c · median of 30 days (290c to 310c)"}, // nobody asked for so much
		{maple, "25", []discordtest.Option{caric}, "25 = 25\n300c = 300c · median of 30 days (290c to 310c)"},
		{maple, "250c", []discordtest.Option{discordtest.Str("item", "Masic Adathril Ore")}, "250c = 250c · about 35% of requests are filled within 2 days, 35% within 7 (9 buyers of its kind)\n" +
			"280c = 280c · 30c more: about 73% of requests are filled within 2 days, 73% within 7 (9 buyers of its kind)"},
		{maple, "250c", []discordtest.Option{discordtest.Str("item", "Plain Pebble")}, "250c = 250c"},
		{maple, "", []discordtest.Option{discordtest.Str("item", "Plain Pebble")}, ""},
		{maple, "250c", nil, "250c = 250c"},
		{german, "290c", []discordtest.Option{caric}, "290c = 290c · etwa 73 % der Gesuche in 2 Tagen erfüllt, 73 % in 7 (9 Käufer)\n300c = 300c · Median von 30 Tagen (290c bis 310c)"},
	} {
		if got := strings.Join(complete(tt.by, tt.typed, tt.filled...), "\n"); got != tt.want {
			t.Errorf("%q completes to\n%s\nwant\n%s", tt.typed, got, tt.want)
		}
	}

	post := func(item, price string) *discordtest.Reply {
		return maple.Slash("request post", discordtest.Str("item", item), discordtest.Int("quantity", 5), discordtest.Str("price", price))
	}
	preview := post("Caric Adathril Ore", "250c")
	wants(t, "a preview", preview.View, "Traded for **300c** (290c to 310c) in 30 days; 9 trades count, the median is most likely from 290c to 310c.",
		"This is below every price paid so far. The lowest was 290c.", "250c")
	asked := preview.Button("Use 300c").Press()
	wants(t, "with the median", asked.View, "300c", "Traded for", "At this price, about 73% of requests are filled within 2 days, 73% within 7 (9 buyers).")
	if text := asked.View.Text(); strings.Contains(text, "250c") || strings.Contains(text, "Use 300c") || strings.Contains(text, "this little") {
		t.Errorf("with the median the preview says\n%s", text)
	}
	form := asked.Button("Edit").Press().Modal
	if value, hint := form.Field("price").Value, hintOf(form, "Max price per unit"); value != "300c" || hint != "Traded for 300c (290c to 310c) in 30 days" {
		t.Errorf("the form has the price %q with %q", value, hint)
	}
	ofKind := post("Masic Adathril Ore", "250c")
	wants(t, "an item without a price", ofKind.View, "No price yet",
		"At this price, about 35% of requests are filled within 2 days, 35% within 7 (9 buyers of its kind). For 30c more: 73% and 73%.")
	if text := post("Plain Pebble", "250c").Text(); !strings.Contains(text, "No price yet") || strings.Contains(text, "At this price") || strings.Contains(text, "Use ") {
		t.Errorf("an item of which nothing is known says\n%s", text)
	}

	posted := post("Caric Adathril Ore", "250c").Button("Post").Press()
	wants(t, "posted as typed", posted.View, "250c")
	own := fmt.Sprint(w.openOrders()[0].ID)
	if got := maple.Complete("request edit", "price", "", discordtest.Str("request", own)); len(got) != 1 || got[0].Value != "300c" {
		t.Errorf("the price of a request that is edited completes to %+v", got)
	}
}

func TestWithoutPricesPostingSaysNothingOfThem(t *testing.T) {
	t.Parallel()
	w := withTrades(t, func(o *bot.Options) { o.Features.Prices = false })
	maple := w.Player(t, "maple")
	preview := maple.Slash("request post", discordtest.Str("item", "Caric Adathril Ore"), discordtest.Int("quantity", 5), discordtest.Str("price", "250c"))
	if text := preview.Text(); strings.Contains(text, "Traded") || strings.Contains(text, "At this price") || strings.Contains(text, "Use ") {
		t.Errorf("the preview says\n%s", text)
	}
	if got := hintOf(preview.Button("Edit").Press().Modal, "Max price per unit"); !strings.HasPrefix(got, "Such as") {
		t.Errorf("the form says %q", got)
	}
	for _, c := range w.Commands() {
		for _, command := range c.Options {
			for _, option := range command.Options {
				if option.Name == "price" && option.Autocomplete {
					t.Errorf("/%s %s completes prices", c.Name, command.Name)
				}
			}
		}
	}
}
