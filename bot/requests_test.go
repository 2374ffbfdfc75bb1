package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
)

func TestBrowsingTurnsPagesAndNarrows(t *testing.T) {
	t.Parallel()
	w := open(t)
	rowan := w.Player(t, "rowan.ashdown")
	wants(t, "an empty market", rowan.Slash("request browse").View, "No requests yet")
	for i := range 14 {
		w.post("maple", item(fmt.Sprintf("Ore %02d", i)), in("Miner"), func(d *trade.OrderDraft) { d.MaxPrice = core.Copper(100 + i) })
		w.Advance(time.Second)
	}
	w.post("maple", item("Apple Pie"), in("Chef"), func(d *trade.OrderDraft) { d.MaxPrice, d.Importance = 1, game.Urgent })

	first := rowan.Slash("request browse")
	wants(t, "the first page", first.View, "All Requests", "Showing 15 active requests", "Apple Pie", "Ore 13", "Ore 09")
	if !first.Private() || strings.Contains(first.Text(), "Ore 08") || first.Button("◀").Disabled == false {
		t.Errorf("the first page, private %v: %q", first.Private(), first.Text())
	}
	second := first.Button("▶").Press()
	wants(t, "the second page", second.View, "Ore 08", "Ore 03")
	last := second.Button("▶").Press()
	wants(t, "the last page", last.View, "Ore 02", "Ore 00")
	if !last.Updated() || !last.Button("▶").Disabled || !slices.Contains(last.Buttons(), "3 of 3") {
		t.Errorf("the last page has %q", last.Buttons())
	}
	before := last.Button("◀").Press()
	wants(t, "the page before it", before.View, "Ore 08")

	chef := before.List("Category…").Choose("Chef (1)")
	wants(t, "one category", chef.View, "### [Chef](", "Showing 1 active request", "Apple Pie")
	all := chef.List("Category…").Choose("All (15)")
	dear := all.List("Sort…").Choose("Best unit price")
	if text := dear.Text(); strings.Index(text, "Ore 13") > strings.Index(text, "Ore 12") || strings.Contains(text, "Apple Pie") {
		t.Errorf("sorted by price: %q", text)
	}
	card := dear.List("Open a request…").Choose(dear.List("Open a request…").Labels()[0])
	wants(t, "the card", card.View, "Ore 13", "(@maple)")
	if card.Updated() || !card.Private() {
		t.Error("the card took the place of the list, or is public")
	}

	none := rowan.Slash("request browse", discordtest.Str("search", "pie | 100%"), discordtest.Str("importance", "urgent"))
	wants(t, "a search without hits", none.View, "No requests match")
	if buttons := none.Buttons(); !slices.Contains(buttons, "“pie | 100%” ✕") || !slices.Contains(buttons, "Urgent ✕") {
		t.Errorf("the filters are not shown: %q", buttons)
	}
	without := none.Button("“pie | 100%” ✕").Press()
	wants(t, "the list without the search", without.View, "Showing 1 active request", "Apple Pie")
	wants(t, "the list without filters", without.Button("Urgent ✕").Press().View, "Showing 15 active requests")
	wants(t, "a search", rowan.Slash("request browse", discordtest.Str("search", "PIE")).View, "Apple Pie", "“PIE”")
	wants(t, "a search with a typo", rowan.Slash("request browse", discordtest.Str("search", "aplpe-pie")).View, "Apple Pie", "Showing results for apple pie too")
	unset := rowan.Slash("request browse", discordtest.Bool("for-me", true), discordtest.Int("level", 5))
	wants(t, "for me without stock and skills", unset.View, "We don't know yet what you have or can make")
	if err := w.market.People.SetSkills(t.Context(), w.actor("rowan.ashdown"), []people.Skill{{Category: "Chef", Level: 500}}); err != nil {
		t.Fatal(err)
	}
	mine := rowan.Slash("request browse", discordtest.Bool("for-me", true))
	wants(t, "for me", mine.View, "Showing 1 active request", "Apple Pie")
	if _, err := w.market.Match.SaveStock(t.Context(), w.actor("rowan.ashdown"), []match.StockDraft{{ItemName: "Ore 03", Quantity: 5, Price: 1}}); err != nil {
		t.Fatal(err)
	}
	mine = rowan.Slash("request browse", discordtest.Bool("for-me", true))
	wants(t, "for me", mine.View, "Showing 2 active requests")
	had, made := strings.Index(mine.View.Text(), "Ore 03"), strings.Index(mine.View.Text(), "Apple Pie")
	if had < 0 || made < had {
		t.Errorf("what one has does not come first: %s", mine.View.Text())
	}
	if filled := rowan.Slash("fill").View.Text(); !strings.Contains(filled, "Ore 03") || !strings.Contains(filled, "Apple Pie") {
		t.Errorf("/fill has something else: %s", filled)
	}
	sorted := mine.List("Sort…").Choose("Best unit price")
	wants(t, "for me, sorted", sorted.View, "Showing 2 active requests")
	wants(t, "for me, narrowed", rowan.Slash("request browse", discordtest.Bool("for-me", true), discordtest.Str("search", "sword")).View, "No requests match", "Remove a filter")
	wants(t, "for all", sorted.Button("For me ✕").Press().View, "Showing 15 active requests")
	wants(t, "a price", rowan.Slash("request browse", discordtest.Str("max-price", "50c")).View, "Apple Pie", "Showing 1 ")
	wants(t, "an importance", rowan.Slash("request browse", discordtest.Str("importance", "urgent")).View, "Apple Pie", "Showing 1 ")
	wants(t, "a bad price", rowan.Slash("request browse", discordtest.Str("min-price", "much")).View, "Invalid format. Use: 1p 500g 250s 100c")
}

func TestAPageThatIsGoneShowsTheLast(t *testing.T) {
	t.Parallel()
	w := open(t)
	var orders []trade.Order
	for i := range 7 {
		orders = append(orders, w.post("maple", item(fmt.Sprintf("Ore %d", i))))
		w.Advance(time.Second)
	}
	rowan := w.Player(t, "rowan.ashdown")
	first := rowan.Slash("request browse")
	next := first.Button("▶")
	if err := w.market.Trade.DeleteOrder(t.Context(), w.actor("maple"), orders[0].ID); err != nil {
		t.Fatal(err)
	}
	wants(t, "the page", next.Press().View, "Showing 6 active requests", "Ore 6", "Ore 1")
	forged := rowan.ForgePress(first.View, "1|browse|99|7|9|9|9999|zz|-1|ore")
	wants(t, "a forged page", forged.View, "“ore”")
}

func TestOldAndForgedButtonsAreAnsweredKindly(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	offer := w.offer("rowan.ashdown", order, 20)
	juniper := w.Player(t, "juniper_fox")
	list := juniper.Slash("request browse")
	for id, want := range map[string]string{
		"0|accept|1":                             "This is out of date",
		"something else":                         "This is out of date",
		"1|nothing":                              "This is out of date",
		"1|accept":                               "That offer is no longer here",
		"1|accept|999999|5|":                     "That offer is no longer here",
		"1|show|999999":                          "Order not found",
		"1|menu|1":                               "This is out of date",
		fmt.Sprintf("1|accept|%d|20|", offer.ID): "Only the buyer can do that",
		fmt.Sprintf("1|decline|%d|", offer.ID):   "Only the buyer can do that",
		fmt.Sprintf("1|withdraw|%d", offer.ID):   "Only the buyer can do that",
		fmt.Sprintf("1|close|%d", order.ID):      "Only the buyer can do that",
		fmt.Sprintf("1|delete|%d", order.ID):     "Only the buyer can do that",
		fmt.Sprintf("1|renew|%d", order.ID):      "Only the buyer can do that",
		fmt.Sprintf("1|sell|%d", order.ID):       "Only the buyer can do that",
		fmt.Sprintf("1|edit|%d|1|0", order.ID):   "Only the buyer can do that",
		fmt.Sprintf("1|offers|%d|0", order.ID):   "Only the buyer can do that",
		"1|back|l1.0":                            "Only the buyer can do that",
		"1|settings|d1":                          "Direct messages",
		"1|back":                                 "This is out of date",
		"1|back|":                                "This is out of date",
		"1|back|z1":                              "This is out of date",
		"1|back|l":                               "This is out of date",
		"1|back|l-1.0":                           "This is out of date",
		"1|back|o1.x":                            "This is out of date",
		"1|back|c1":                              "Only a moderator can do that",
		"1|back|q1":                              "Only a moderator can do that",
		"1|back|r1":                              "Only a moderator can do that",
		"1|back|d999999":                         "",
		"1|back|w9223372036854775807.1":          "",
		"1|back|s9223372036854775807.77":         "",
	} {
		got := juniper.ForgePress(list.View, id)
		if !strings.Contains(got.Text(), want) {
			t.Errorf("%s is answered %q, want %q", id, got.Text(), want)
		}
		if got.Modal != nil {
			t.Errorf("%s opens a form", id)
		}
	}
	if o := w.order("maple", order.ID); o.Version != 1 || o.Offers != 1 {
		t.Errorf("the order has changed: %+v", o)
	}
}

func TestRequestsAreFoundByNameAndNumber(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple", item("Iron Ore"))
	w.post("maple", item("Iron Bar"))
	w.post("juniper_fox", item("Iron Nail"))
	rowan := w.Player(t, "rowan.ashdown")
	wants(t, "an unknown name", rowan.Slash("request show", discordtest.Str("request", "mithril")).View, "No open request is called “mithril”", "/request browse")
	wants(t, "an exact name", rowan.Slash("request show", discordtest.Str("request", "iron bar")).View, "Iron Bar", "Contact")
	wants(t, "a number", rowan.Slash("request show", discordtest.Str("request", "#2")).View, "Iron Bar", "Contact")
	wants(t, "an unknown number", rowan.Slash("request show", discordtest.Str("request", "99")).View, "Order not found", "/request browse")

	ask := rowan.Slash("offer send", discordtest.Str("request", "iron"), discordtest.Int("quantity", 3), discordtest.Str("message", "soon"))
	wants(t, "several", ask.View, "Several requests fit “iron”. Which one do you mean?")
	labels := ask.List("Pick one…").Labels()
	if len(labels) != 3 {
		t.Fatalf("the choice is %q", labels)
	}
	i := slices.IndexFunc(labels, func(l string) bool { return strings.HasPrefix(l, "Iron Nail") })
	sent := ask.List("Pick one…").Choose(labels[i])
	wants(t, "the offer", sent.View, "3 × Iron Nail")
	dm := w.Player(t, "juniper_fox").FindDM("a direct message", func(*discordtest.View) bool { return true })
	wants(t, "the message", dm, "> soon")

	shared := rowan.Slash("request show", discordtest.Str("request", "iron"), discordtest.Bool("share", true)).List("Pick one…").Choose(labels[0])
	if shared.Private() || shared.Updated() {
		t.Error("what was picked to be shared is not shared")
	}

	for _, label := range labels {
		if !strings.Contains(label, "#") || !strings.Contains(label, "250c") {
			t.Errorf("%q does not tell things apart", label)
		}
	}
	if choices := rowan.Complete("request post", "item", "iron"); len(choices) != 0 {
		t.Errorf("what one other person asks for is suggested: %+v", choices)
	}
	if choices := w.Player(t, "maple").Complete("request post", "item", "iron"); len(choices) != 2 {
		t.Errorf("one's own items: %+v", choices)
	}
	maple := w.Player(t, "maple")
	if choices := maple.Complete("offer send", "request", "iron"); len(choices) != 1 || !strings.HasPrefix(choices[0].Name, "Iron Nail") {
		t.Errorf("requests to offer on: %+v", choices)
	}
	if choices := maple.Complete("request edit", "request", ""); len(choices) != 2 {
		t.Errorf("own requests: %+v", choices)
	}
	w.post("rowan.ashdown", item("iron nail"))
	if choices := maple.Complete("request post", "item", "nail"); len(choices) != 0 {
		t.Errorf("a name from two people without trust: %+v", choices)
	}
	w.vouch("juniper_fox")
	w.vouch("rowan.ashdown")
	if choices := maple.Complete("request post", "item", "nail"); len(choices) != 1 || choices[0].Name != "Iron Nail" {
		t.Errorf("what two traders ask for: %+v", choices)
	}
}

func TestSharingACardLetsEverybodyOffer(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple")
	shared := w.Player(t, "maple").Slash("request show", discordtest.Str("request", "iron"), discordtest.Bool("share", true))
	if shared.Private() {
		t.Error("the card is private")
	}
	button := shared.Button("Offer to Fulfill")
	wants(t, "the owner's own press", button.Press().View, "You cannot offer on your own request")
	form := button.PressAs(w.Player(t, "rowan.ashdown")).Modal
	if got := form.Field("Quantity").Value; got != "500" {
		t.Errorf("the form proposes %q", got)
	}
	refused := form.Submit(map[string]string{"Quantity": "501", "Message": "all of it"})
	wants(t, "the error", refused.View, "Choose a quantity from 1 to 500")
	again := refused.Button("Edit again").Press().Modal
	if got := again.Field("Message").Value; got != "all of it" {
		t.Errorf("what was typed is lost: %q", got)
	}
	sent := again.Submit(map[string]string{"Quantity": "500"})
	wants(t, "the answer", sent.View, "500 × Iron Ore")
	if !sent.Private() || shared.Now().Text() != shared.Text() {
		t.Error("the offer shows in the channel")
	}
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("maple"), 1); err != nil {
		t.Fatal(err)
	}
	wants(t, "a press on what is closed", button.PressAs(w.Player(t, "oldtamsin")).View, "closed early")
}

func TestEditing(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple", func(d *trade.OrderDraft) {
		level := 50
		d.LevelRequirement, d.InGameName, d.Description = &level, "Maple", "old"
	})
	maple := w.Player(t, "maple")
	saved := maple.Slash("request edit", maple.Pick("request edit", "request", "Iron"), discordtest.Int("level", 0), discordtest.Str("ign", "-"),
		discordtest.Str("price", "2g"), discordtest.Str("description", "new *words*"))
	wants(t, "the card", saved.View, "Saved", "🟡 **2g**", "Any level", `new \*words\*`)
	if o := w.order("maple", order.ID); o.LevelRequirement != nil || o.InGameName != "" || o.MaxPrice != 2*coretest.Gold || o.Version != 2 || o.Quantity != 500 {
		t.Errorf("saved %+v", o.Order)
	}

	card := maple.Slash("request edit", discordtest.Str("request", "1"))
	wants(t, "the menu", card.View, "Press a button to change something")
	form := card.Button("Edit Request").Press().Modal
	for name, want := range map[string]string{"Item": "Iron Ore", "Quantity": "500", "Max price per unit": "2g", "Description": "new *words*"} {
		if got := form.Field(name).Value; got != want {
			t.Errorf("the form has %s %q, want %q", name, got, want)
		}
	}
	// Meanwhile some is sold, and the version moves on.
	if _, err := w.market.Trade.LogSale(t.Context(), w.actor("maple"), order.ID, trade.SaleDraft{Quantity: 100}); err != nil {
		t.Fatal(err)
	}
	conflict := form.Submit(map[string]string{"Quantity": "50", "Description": "newest"})
	wants(t, "the conflict", conflict.View, "This request has changed since you opened it", "400 of 500 left")
	form = conflict.Button("Edit again").Press().Modal
	if got := form.Field("Description").Value; got != "newest" {
		t.Errorf("what was typed is lost: %q", got)
	}
	below := form.Submit(nil)
	wants(t, "the error", below.View, "Quantity cannot be less than the 100 already sold")
	done := below.Button("Edit again").Press().Modal.Submit(map[string]string{"Quantity": "100"})
	wants(t, "the card", done.View, "Saved", "Request Completed!", "100 of 100 sold")

	second := w.post("maple", item("Rope"))
	details := maple.Slash("request show", discordtest.Str("request", "Rope")).Button("Edit Details").Press().Modal
	got := details.Submit(map[string]string{"Importance": "High", "Level requirement": "501"})
	wants(t, "the error", got.View, "Level requirement must be between 1 and 500")
	got = got.Button("Details again").Press().Modal.Submit(map[string]string{"Level requirement": "500", "Discord username": ""})
	wants(t, "the card", got.View, "level 500+", "@maple")
	if o := w.order("maple", second.ID); o.Importance != game.High || o.BuyerContact != "maple" {
		t.Errorf("saved %+v", o.Order)
	}
}

func TestClosingAndDeletingAskFirst(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	ask := maple.Slash("request close", maple.Pick("request close", "request", "Iron"))
	wants(t, "the question", ask.View, "Close Order", "0 of 500 sold", "open offers (1) lapse")
	card := ask.Button("Keep it").Press()
	wants(t, "the card", card.View, "500 of 500 left")
	if o := w.order("maple", order.ID); o.Status != trade.Active {
		t.Fatal("it was closed without a yes")
	}
	confirm := card.Button("Close Request").Press().Button("Close Request")
	closed := confirm.Press()
	wants(t, "the card", closed.View, "Request closed", "closed early, 0 of 500")
	w.undoWindowPasses()
	wants(t, "the seller's message", rowan.WaitDM("that it lapsed", holding("has lapsed")), "20 × Iron Ore", "The request was closed")
	wants(t, "closing again", maple.Slash("request close", discordtest.Str("request", "1")).View, "This request is already closed", "closed early")

	ask = closed.Button("Delete Request").Press()
	wants(t, "the question", ask.View, "Delete Order", "associated offers (0) are lost",
		"Sales stay in the other trader's history, without your texts.")
	gone := ask.Button("Delete Request").Press()
	wants(t, "the end", gone.View, "Request deleted")
	again := maple.ForgePress(gone.View, "1|delete|1")
	wants(t, "deleting again", again.View, "Order not found")
	wants(t, "what is left", maple.Slash("request mine", discordtest.Str("status", "fulfilled")).View, "No completed requests yet")
}

func TestRenewing(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	renewIn := func(card *discordtest.View) int { return card.Button("Renew").Style }
	card := maple.Slash("request show", discordtest.Str("request", "1"))
	wants(t, "the card", card.View, fmt.Sprintf("Expires <t:%d:D> (<t:%[1]d:R>)", order.ExpiresAt.Unix()))
	if renewIn(card.View) != discordtest.StyleSecondary {
		t.Error("renewing is marked a year before the end")
	}
	w.Advance(trade.OrderLifetime - 29*24*time.Hour)
	if renewIn(maple.Slash("request show", discordtest.Str("request", "1")).View) != discordtest.StylePrimary {
		t.Error("renewing is not marked in the last 30 days")
	}
	w.Advance(29*24*time.Hour + time.Hour)
	wants(t, "the list", rowan.Slash("request browse").View, "No requests yet")
	wants(t, "the request", rowan.Slash("request show", discordtest.Str("request", "1")).View, "Order not found")
	mine := maple.Slash("request mine")
	expired := mine.Button("Expired (1)").Press()
	card = expired.List("Open a request…").Choose(expired.List("Open a request…").Labels()[0])
	wants(t, "the card", card.View, fmt.Sprintf("Expired <t:%d:D>", order.ExpiresAt.Unix()))
	wants(t, "a sale on it", maple.Slash("sales log", discordtest.Str("request", "1"), discordtest.Int("quantity", 1)).View, "This request has expired")
	renewed := card.Button("Renew").Press()
	wants(t, "the card", renewed.View, "Renewed: it ends <t:")
	wants(t, "the list", rowan.Slash("request browse").View, "Iron Ore")
	if o := w.order("maple", order.ID); !o.ExpiresAt.Equal(o.UpdatedAt.Add(trade.OrderLifetime)) {
		t.Errorf("it ends %s", o.ExpiresAt)
	}
	wants(t, "another user's attempt", rowan.Slash("request renew", discordtest.Str("request", "1")).View, "Only the buyer can do that", "/request mine")
}

func TestABuyerTurnsOffersOfVisitorsOff(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	preview := maple.Slash("request post", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 10),
		discordtest.Str("price", "5s"), discordtest.Bool("signed-in-only", true))
	wants(t, "the preview", preview.View, "Signed-in sellers only")
	card := preview.Button("Post").Press()
	wants(t, "the card", card.View, "Signed-in sellers only")
	visitorOffers := func() error {
		page, err := w.market.Match.BrowseOrders(t.Context(), match.OrderQuery{})
		if err != nil {
			return err
		}
		_, err = w.market.Trade.SendOffer(t.Context(), core.Actor{Address: "::1"}, page.Orders[0].ID,
			trade.OfferDraft{SellerName: "Fern", SellerContact: "fern", Message: "I have it", Quantity: 1})
		return err
	}
	if err := visitorOffers(); core.KindOf(err) != core.Unauthenticated {
		t.Errorf("a visitor offers: %v", err)
	}
	open := card.Button("Visitors, Too").Press()
	if text := open.Text(); strings.Contains(text, "Signed-in sellers only") {
		t.Errorf("switched off in the menu: %q", text)
	}
	if err := visitorOffers(); err != nil {
		t.Errorf("a visitor offers: %v", err)
	}
	again := open.Button("Signed-in Sellers Only").Press()
	wants(t, "switched on in the menu", again.View, "Signed-in sellers only")
	off := maple.Slash("request edit", maple.Pick("request edit", "request", "Iron"), discordtest.Bool("signed-in-only", false))
	if text := off.Text(); strings.Contains(text, "Signed-in sellers only") {
		t.Errorf("switched off by a command: %q", text)
	}
}

func TestAnAddressThatDiscordRefusesIsNotLinked(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *bot.Options) { o.PublicURL = "http://localhost:8080" })
	w.post("maple", item("Apple Pie"))
	rowan := w.Player(t, "rowan.ashdown")
	list := rowan.Slash("request browse")
	wants(t, "the list", list.View, "Apple Pie")
	if text := list.Text(); strings.Contains(text, "localhost") || slices.Contains(list.Buttons(), "Open on the web") {
		t.Errorf("the list links to the site: %q, %q", text, list.Buttons())
	}
	card := list.List("Open a request…").Choose(list.List("Open a request…").Labels()[0])
	if wants(t, "the card", card.View, "Apple Pie"); strings.Contains(card.Text(), "localhost") {
		t.Errorf("the card links to the site: %q", card.Text())
	}
}
