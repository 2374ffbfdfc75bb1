package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
)

// What people type in Discord, by the classes of docs/threat-model.md. The rules are the core's; here it is seen that the
// bot hands everything to them, and that nothing is posted that they refuse.

// posting is a request whose options are right but for those that are given.
func posting(change map[string]discordtest.Option) []discordtest.Option {
	right := map[string]discordtest.Option{
		"item": discordtest.Str("item", "Iron Ore"), "quantity": discordtest.Int("quantity", 5), "price": discordtest.Str("price", "1g"),
	}
	options := make([]discordtest.Option, 0, len(right)+len(change))
	for name, option := range right {
		if _, changed := change[name]; !changed {
			options = append(options, option)
		}
	}
	for _, option := range change {
		options = append(options, option)
	}
	return options
}

func (w *world) nothingPosted() {
	w.t.Helper()
	if n := len(w.openOrders()); n != 0 {
		w.t.Errorf("%d requests were posted", n)
	}
}

// Class 1.
func TestPricesThatAreNoneInDiscord(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	for name, price := range map[string]string{
		"a bare number": "250", "a sign": "-5g", "a fraction": "1.5g", "a tier twice": "1g 2g", "an unknown letter": "5x", "digits of another script": "٥g",
		"a full-width letter": "5ｇ", "an invisible space": "1\u200bg5", "dozens of digits": strings.Repeat("9", 58) + "p", "words": "a lot", "a letter alone": "p",
	} {
		answer := maple.ForgeSlash("request post", posting(map[string]discordtest.Option{"price": discordtest.Str("price", price)})...)
		text := answer.View.Text()
		if !strings.Contains(text, "Invalid format. Use: 1p 500g 250s 100c") && !strings.Contains(text, "Max price must be") {
			t.Errorf("%s (%s) is answered with %q", name, price, text)
		}
	}
	for _, price := range []string{"0c", "1000p", "999p 999g 999s 1000c"} {
		answer := maple.ForgeSlash("request post", posting(map[string]discordtest.Option{"price": discordtest.Str("price", price)})...)
		wants(t, price, answer.View, "Max price must be")
	}
	w.nothingPosted()
}

// Class 2.
func TestQuantitiesThatAreNoneInDiscord(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	for _, quantity := range []int64{0, -1, -1 << 53, 1_000_001, 1 << 53} {
		answer := maple.ForgeSlash("request post", posting(map[string]discordtest.Option{"quantity": discordtest.Int("quantity", quantity)})...)
		wants(t, fmt.Sprint(quantity), answer.View, "Quantity must be")
	}
	for _, level := range []int64{0, -5, 501, 1 << 40} {
		answer := maple.ForgeSlash("request post", posting(map[string]discordtest.Option{"level": discordtest.Int("level", level)})...)
		wants(t, fmt.Sprint(level), answer.View, "Level requirement must be between 1 and 500")
	}
	w.nothingPosted()
	order := w.post("maple")
	rowan := w.Player(t, "rowan.ashdown")
	for _, quantity := range []int64{0, -3, 501, 1_000_000, 1 << 53} {
		answer := rowan.ForgeSlash("offer send", discordtest.Str("request", fmt.Sprint(order.ID)), discordtest.Int("quantity", quantity), discordtest.Str("message", "soon"))
		wants(t, fmt.Sprint(quantity), answer.View, "Choose a quantity from 1 to 500")
	}
	if o := w.order("maple", order.ID); o.Offers != 0 {
		t.Errorf("%d offers were sent", o.Offers)
	}
}

// Class 3.
func TestTextThatIsNoneInDiscord(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	for name, text := range map[string]string{
		"blank": "   ", "invisible": "\u200b\u2060\ufeff\u00ad", "wide blanks": "\u3000\u2003\u00a0", "fillers": "\u3164\u115f\u2800",
		"directions": "\u202e\u2066\u2069", "only NUL": "\x00", "marks on nothing": "\u0301\u0301",
	} {
		answer := maple.ForgeSlash("request post", posting(map[string]discordtest.Option{"item": discordtest.Str("item", text)})...)
		if !strings.Contains(answer.View.Text(), "Item name is required") {
			t.Errorf("%s is answered with %q", name, answer.View.Text())
		}
	}
	for name, text := range map[string]string{
		"plain": "free money", "in capitals": "CLICK HERE", "wide": "ｕｒｇｅｎｔ", "with invisible characters between": "lim\u200bited ti\u2060me",
		"with an invisible character for the space": "free\u200bmoney", "over two fields": "click",
	} {
		answer := maple.ForgeSlash("request post", posting(map[string]discordtest.Option{
			"item": discordtest.Str("item", text), "description": discordtest.Str("description", "here"),
		})...)
		if !strings.Contains(answer.View.Text(), "Your post contains suspicious content. Please revise.") {
			t.Errorf("spam %s is answered with %q", name, answer.View.Text())
		}
	}
	w.nothingPosted()
	for sent, want := range map[string]string{
		"Iron \u202eerO": "Iron erO", "\x1b[31mIron\x07": "[31mIron", "Iron \u00a0  Ore": "Iron Ore", "Cafe\u0301": "Café", "Iro\u200bn": "Iron",
	} {
		maple.ForgeSlash("request post", posting(map[string]discordtest.Option{"item": discordtest.Str("item", sent)})...).Button("Post").Press()
		if got := w.openOrders()[0].ItemName; got != want {
			t.Errorf("%q is stored as %q, want %q", sent, got, want)
		}
	}
}

// Class 8.
func TestMarkupShowsAsItWasTypedInEveryField(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	// A heading needs the start of a line, and a card never pings a user.
	onlyElsewhere := []string{"@everyone", "# big", "-# small"}
	for _, hostile := range append(onlyElsewhere,
		"<@1>", "[free](https://evil.example)", "```sh", "<t:0:R>", "<:x:123456789012345678>", "||hidden||", "~~gone~~", "</request:1>",
	) {
		posted := maple.ForgeSlash("request post", posting(map[string]discordtest.Option{
			"item": discordtest.Str("item", "A "+hostile), "description": discordtest.Str("description", hostile),
			"contact": discordtest.Str("contact", hostile), "ign": discordtest.Str("ign", hostile),
		})...).Button("Post").Press()
		order := w.openOrders()[0]
		sent := rowan.ForgeSlash("offer send", discordtest.Str("request", fmt.Sprint(order.ID)), discordtest.Int("quantity", 1),
			discordtest.Str("message", hostile), discordtest.Str("name", hostile))
		for what, view := range map[string]*discordtest.View{"the card": posted.View, "the offer": sent.View} {
			if !slices.Contains(onlyElsewhere, hostile) && strings.Contains(strings.ReplaceAll(view.Text(), "\\", "\x00"), " "+hostile) {
				t.Errorf("%s shows %q as it was typed: %s", what, hostile, view.Text())
			}
			if len(view.Mentions) > 0 || view.MentionEveryone {
				t.Errorf("%s with %q pings", what, hostile)
			}
		}
	}
}
