package bot_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
)

var aDate = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

// drawnForm writes a form down as one reads it.
func drawnForm(form *discordtest.ModalView) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s]\n", form.Title)
	for _, part := range form.Components {
		c := part.Component
		fmt.Fprintf(&b, "| %s\n", part.Label)
		if hint := aDate.ReplaceAllString(part.Description, "(today)"); hint != "" {
			fmt.Fprintf(&b, "|   %s\n", hint)
		}
		if c.Value != "" {
			fmt.Fprintf(&b, "|   > %s\n", strings.ReplaceAll(c.Value, "\n", "\n|   > "))
		}
		for _, o := range c.Options {
			if o.Default {
				fmt.Fprintf(&b, "|   (%s)\n", o.Label)
			}
		}
	}
	return b.String()
}

// aForm is what opens a form, and for whom.
type aForm struct {
	what, who, press string
	picked           []string
}

func TestFormsReadAsTheyShould(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,kind,made_by\nIron Ore,Ore,Miner\n")
	w.bot = w.start(func(o *bot.Options) { o.Features, o.Features.Listings = core.AllFeatures(), true })
	w.WaitForBot(t)
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Iron Ore", Quantity: 200})
	listed, err := w.market.Match.Listings(t.Context(), w.actor("maple"), match.ListingQuery{})
	if err != nil || len(listed.Listings) != 1 {
		t.Fatalf("listings %+v, %v", listed, err)
	}
	order := w.post("maple", func(d *trade.OrderDraft) {
		d.Quantity, d.Description, d.InGameName = 120, "For {2} of us", "Maple_of_Harbour"
	})
	offer := w.offer("rowan.ashdown", order, 20)
	open := w.offer("juniper_fox", order, 30)
	sale, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), offer.ID, 20)
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.market.Trade.PostList(t.Context(), w.actor("maple"), trade.ListDraft{Name: "Guild hall", Text: "50x Iron Ore 10s\n3x Tin 1g", BuyerContact: "maple"})
	if err != nil {
		t.Fatal(err)
	}
	report := w.reports("juniper_fox", order, "A scam")
	reportOffer, err := w.market.Moderation.ReportOffer(t.Context(), w.actor("maple"), open.ID, "Spam")
	if err != nil {
		t.Fatal(err)
	}
	w.Typed("For {2} of us")
	rowan := w.actor("rowan.ashdown").UserID
	items, err := w.market.Items.Complete(t.Context(), "Iron Ore")
	if err != nil {
		t.Fatal(err)
	}

	wrong := w.Player(t, "maple").Slash("request several").Modal.Submit(map[string]string{
		"name": "Guild hall", "lines": "50x Iron Ore", "category": "Miner", "importance": "High", "ign": "",
	})
	again := strings.TrimPrefix(wrong.Button("Edit").CustomID, "1|")

	forms := []aForm{
		{"a new request", "juniper_fox", "compose|0|1", nil},
		{"a new request's details", "juniper_fox", "compose|0|2", nil},
		{"a request for an item", "juniper_fox", fmt.Sprintf("request-item|%d", items[0].ID), nil},
		{"several requests", "maple", again, nil},
		{"editing a request", "maple", fmt.Sprintf("menu|%d|edit", order.ID), nil},
		{"editing a request's details", "maple", fmt.Sprintf("edit|%d|2", order.ID), nil},
		{"sales", "maple", fmt.Sprintf("sell|%d", order.ID), nil},
		{"an offer", "oldtamsin", fmt.Sprintf("make-offer|%d", order.ID), nil},
		{"changing an offer", "juniper_fox", fmt.Sprintf("make-offer|%d", order.ID), nil},
		{"offers on a list", "oldtamsin", fmt.Sprintf("list-offer|%d", list.ID), nil},
		{"earnings", "oldtamsin", fmt.Sprintf("earn|%d", order.ID), nil},
		{"accepting part of an offer", "maple", fmt.Sprintf("part|%d|w0.0", open.ID), nil},
		{"a date to meet", "maple", fmt.Sprintf("meet-by|%d|w0.0", sale.Sale.ID), []string{"date"}},
		{"when to meet", "maple", fmt.Sprintf("meet-at|%d|w0.0", sale.Sale.ID), nil},
		{"where to meet", "maple", fmt.Sprintf("slip-place|%d", rowan), nil},
		{"a name in the game", "maple", fmt.Sprintf("slip-name|%d", rowan), nil},
		{"a report", "juniper_fox", fmt.Sprintf("report|order|%d", order.ID), nil},
		{"a report of one of several listings", "juniper_fox", "report-listing", []string{"1"}},
		{"removing a request", moderator, fmt.Sprintf("remove-order|%d|x", order.ID), nil},
		{"taking something off sale", moderator, "remove-listing|1|", nil},
		{"removing an offer", moderator, fmt.Sprintf("remove-offer|%d|x", open.ID), nil},
		{"blocking a user", moderator, fmt.Sprintf("block|%d|x", rowan), nil},
		{"deciding to remove a request", moderator, fmt.Sprintf("decide|%d|remove|x", report), nil},
		{"deciding to remove an offer", moderator, fmt.Sprintf("decide|%d|remove|x", reportOffer), nil},
		{"deciding to block", moderator, fmt.Sprintf("decide|%d|block|x", report), nil},
		{"settling a dispute", moderator, fmt.Sprintf("rule|%d", sale.Sale.ID), []string{"0"}},
		{"a request from the panel", "juniper_fox", "panel-post", nil},
		{"a search", "juniper_fox", "find|0|0|0|2|7|rs|0|ore", nil},
		{"a watch", "juniper_fox", "watch-new", nil},
		{"a price alert", "juniper_fox", fmt.Sprintf("price-alert|%d", items[0].ID), nil},
		{"offers that are accepted automatically", "maple", fmt.Sprintf("standing|%d", order.ID), nil},
		{"who may offer", "maple", fmt.Sprintf("least|%d", order.ID), nil},
		{"a name in the game, from the settings", "maple", "game-name", nil},
		{"stock", "juniper_fox", "have-form|0", nil},
		{"asking for a listing", "juniper_fox", fmt.Sprintf("ask-listing|%d", listed.Listings[0].ID), nil},
		{"quiet hours", "juniper_fox", "quiet", nil},
	}
	for _, locale := range []string{"en-US", "de"} {
		var all strings.Builder
		for _, f := range forms {
			reader := w.Player(t, f.who).SetLocale(locale)
			answered := reader.ForgePress(reader.Slash("request browse").View, "1|"+f.press, f.picked...)
			if answered.Modal == nil {
				t.Fatalf("%s: %s opens no form, but answers %q", locale, f.what, answered.View.Text())
			}
			fmt.Fprintf(&all, "=== %s\n%s\n", f.what, drawnForm(answered.Modal))
		}
		bot.Golden(t, "forms."+locale+".txt", all.String())
	}
	for _, action := range w.bot.OpensForms() {
		if !slices.ContainsFunc(forms, func(f aForm) bool { return strings.HasPrefix(f.press+"|", action+"|") }) {
			t.Errorf("no form of %q is read here", action)
		}
	}
}
