package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// at opens a place from a member's panel, whatever is counted on its button.
func (w *world) at(who *discordtest.Player, place string) *discordtest.Reply {
	w.t.Helper()
	return w.press(who.Slash("market").View, place)
}

func (w *world) press(panel *discordtest.View, place string) *discordtest.Reply {
	w.t.Helper()
	for _, label := range panel.Buttons() {
		if label == place || strings.HasPrefix(label, place+" · ") {
			return panel.Button(label).Press()
		}
	}
	w.t.Fatalf("the panel has no %s, only %q", place, panel.Buttons())
	return nil
}

func TestThePanelSaysWhatWaitsAndCountsThePlaces(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple := w.Player(t, "maple")
	empty := maple.Slash("market")
	if !empty.Private() {
		t.Error("everybody sees it")
	}
	wants(t, "a panel of a new member", empty.View, "Your market", "Nothing waits for you.", "as of <t:")
	if got := empty.View.Buttons(); !slices.Equal(got, []string{"Post", "Find work", "My requests", "My offers", "My trades", "Settings"}) {
		t.Errorf("the buttons are %q", got)
	}

	order := w.post("maple", item("Gold Sand"))
	w.offer("juniper_fox", order, 5)
	w.offer("rowan.ashdown", order, 20)
	sale := w.trade(30)
	ending := w.post("maple", item("Cow Leather"))
	if _, err := w.store.Pool().Exec(t.Context(), "update orders set expires_at = $1 where id = $2", w.Now().Add(50*time.Hour), ending.ID); err != nil {
		t.Fatal(err)
	}
	w.offer("maple", w.post("rowan.ashdown"), 3)
	panel := maple.Slash("market").View
	wants(t, "the panel", panel, "2 offers to answer · 1 trade to confirm · 1 request ends <t:",
		"**2 offers on Gold Sand**", "rowan.ashdown: 20 for", "**Meet rowan.ashdown by <t:", "30 × Iron Ore, you pay", "**Cow Leather ends <t:")
	if got := panel.Buttons(); !slices.Equal(got, []string{"Answer", "We met", "Renew", "Post", "Find work", "My requests · 3", "My offers · 1", "My trades · 1", "Settings"}) {
		t.Errorf("the buttons are %q", got)
	}
	wants(t, "in German", maple.SetLocale("de").Slash("market").View, "2 Angebote zu beantworten · 1 Geschäft zu bestätigen · 1 Gesuch endet <t:", "30 × Iron Ore, du zahlst")
	maple.SetLocale("en-US")

	offers := panel.Button("Answer").Press()
	wants(t, "the offers", offers.View, "Gold Sand", "rowan.ashdown", "juniper")
	if !offers.Private() || offers.Updated() {
		t.Error("the offers are in place of the panel")
	}
	met := panel.Button("We met").Press()
	wants(t, "the panel after that", met.View, "Noted", "2 offers to answer · 1 request ends")
	if found, err := w.market.Trade.Handovers(t.Context(), w.actor("maple"), trade.Query{Limit: 1}); err != nil || found[0].Sale != sale || found[0].Buyer.Word != trade.SaidMet {
		t.Errorf("the trade is %+v, %v", found, err)
	}
	renewed := met.View.Button("Renew").Press()
	wants(t, "the panel after that", renewed.View, "2 offers to answer", "Your market")
	if text := renewed.View.Text(); strings.Contains(text, "Cow Leather ends") {
		t.Errorf("it still ends: %s", text)
	}
}

func TestThePanelShowsThreeThingsAndCountsTheRest(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	for _, name := range []string{"Gold Sand", "Oak Log", "Iron Ore", "Blue Dye"} {
		w.offer("rowan.ashdown", w.post("maple", item(name)), 5)
	}
	for range 3 {
		w.trade(1)
	}
	panel := w.Player(t, "maple").Slash("market").View
	wants(t, "the panel", panel, "4 offers to answer · 3 trades to confirm", "…and 4 more · as of <t:")
	if got := panel.Buttons()[:4]; !slices.Equal(got, []string{"Answer", "Answer", "We met", "Post"}) {
		t.Errorf("the buttons are %q", got)
	}
}

func TestATradeIsDoneFromThePanelWithoutTypingACommand(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown").InDM()
	buyer, seller := maple.Slash("market").View, rowan.Slash("market").View

	preview := w.press(buyer, "Post").Modal.Submit(map[string]string{"Item": "Iron Ore", "Quantity": "20", "Max price per unit": "2s"})
	if preview.Updated() || !preview.Private() {
		t.Error("the preview takes the place of the panel")
	}
	wants(t, "what is posted", preview.Button("Post").Press().View, "Iron Ore")
	work := w.press(seller, "Find work")
	wants(t, "work", work.View, "For me")
	found := work.Button("For me ✕").Press().Button("Search…").Press().Modal.Submit(map[string]string{"Words": "iron", "Minimum price per unit": "1s"})
	wants(t, "the search", found.View, "“iron”", "Iron Ore")
	if got := found.View.Buttons(); !slices.Contains(got, "From 1s ✕") {
		t.Errorf("the buttons are %q", got)
	}
	found.Button("Offer").Press().Modal.Submit(map[string]string{"Quantity": "20", "Message": "Tonight"})
	wants(t, "the seller's offers", w.press(seller, "My offers").View, "20 × Iron Ore")

	offers := maple.Slash("market").Button("Answer").Press()
	picked := offers.List("Answer an offer…").Choose(offers.List("Answer an offer…").Labels()[0])
	wants(t, "the accept", picked.Button("Accept all 20").Press().View, "Accepted 20 × Iron Ore")
	maple.Slash("market").Button("We met").Press()
	wants(t, "the seller's panel", rowan.Slash("market").View, "says you met.", "20 × Iron Ore, you get")
	rowan.Slash("market").Button("We met").Press()
	wants(t, "the buyer's trades", w.press(buyer, "My trades").View, "met")
	if found, err := w.market.Trade.Handovers(t.Context(), w.actor("maple"), trade.Query{Limit: 1}); err != nil || found[0].State != trust.HandoverMet {
		t.Errorf("the trade is %+v, %v", found, err)
	}
}

func TestManagersSendThePanelToAChannelAndItsButtonsAnswerEachMember(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("rowan.ashdown")
	w.actor("juniper_fox")
	rowan, juniper := w.Player(t, "rowan.ashdown").In("request-board"), w.Player(t, "juniper_fox").In("request-board")
	wants(t, "a manager", w.Player(t, "maple").In("request-board").Slash("board panel").View, "Pin the message")
	pinned := rowan.WaitMessage("the panel", holding("Trade here"))
	if got := pinned.Buttons(); !slices.Equal(got, []string{"Post", "Find work", "My requests", "My offers", "My trades", "Settings"}) {
		t.Errorf("the buttons are %q", got)
	}
	wants(t, "one's own requests", pinned.Button("My requests").Press().View, "Iron Ore")
	seen := juniper.WaitMessage("the panel", holding("Trade here"))
	for _, place := range []string{"Find work", "My requests", "My offers", "My trades", "Settings"} {
		if reply := seen.Button(place).Press(); !reply.Private() || reply.Updated() {
			t.Errorf("%s changes the message of all", place)
		}
	}
	preview := seen.Button("Post").Press().Modal.Submit(map[string]string{"Item": "Iron Ore", "Quantity": "20", "Max price per unit": "2s"})
	if !preview.Private() || preview.Updated() {
		t.Error("everybody sees the preview")
	}
	wants(t, "the message of all", pinned.Now(), "Trade here")
}

// The custom IDs of a message that a manager has pinned never change.
func TestTheButtonsOfAPinnedPanelGoOnWorking(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple")
	maple := w.Player(t, "maple")
	old := maple.Slash("request browse").View
	for _, id := range []string{"1|panel-work", "1|panel-requests", "1|panel-offers", "1|panel-trades", "1|settings", "1|panel-received"} {
		if text := maple.ForgePress(old, id).Text(); strings.Contains(text, "out of date") {
			t.Errorf("%s is not answered: %s", id, text)
		}
	}
	if maple.ForgePress(old, "1|panel-post").Modal == nil {
		t.Error("1|panel-post opens no form")
	}
}

func TestACommandThatMovedSaysWhereItWent(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	for command, tt := range map[string]struct{ text, button, opens string }{
		"data":   {"under *Settings*", "My data", "Your data"},
		"notify": {"under *Settings*", "Settings", "Direct messages"},
		"report": {"press *Report*", "Find work", "For me"},
		"trade":  {"My trades", "My trades", "no open trades"},
		"trader": {"on a person", "My record", "New here"},
		"watch":  {"under *Settings*", "Saved Searches", "You have no saved searches yet"},
	} {
		reply := maple.Slash(command)
		wants(t, "/"+command, reply.View, tt.text)
		if command != "trade" {
			wants(t, "its button", reply.Button(tt.button).Press().View, tt.opens)
		}
		if !reply.Private() {
			t.Errorf("everybody sees the answer to /%s", command)
		}
	}
}

func TestABuyerSetsTermsAndUnblocksSellersByButton(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	maple := w.Player(t, "maple")
	mine := w.at(maple, "My requests")
	card := mine.List("Open a request…").Choose(mine.List("Open a request…").Labels()[0])
	set := card.Button("Accept automatically").Press().Modal.Submit(map[string]string{"Whose offers": "Established sellers", "Total quantity you accept": "200", "Quantity from everybody else": "20"})
	wants(t, "what is accepted", set.View, "up to 200 from established sellers, up to 20 from others", "Iron Ore")
	ended := set.Button("Accept automatically").Press().Modal.Submit(map[string]string{"Total quantity you accept": ""})
	wants(t, "its end", ended.View, "wait for your answer again")
	least := ended.Button("Who can offer").Press().Modal.Submit(map[string]string{"Who can offer any quantity": "People you have met", "Quantity others can offer": "5"})
	wants(t, "who may offer", least.View, "Only people you have met", "up to 5")
	wants(t, "everybody again", least.Button("Who can offer").Press().Modal.Submit(map[string]string{"Who can offer any quantity": "Everybody"}).View, "Every seller can offer")

	wants(t, "no seller is blocked", w.at(maple, "Settings").Button("Blocked sellers").Press().View, "You haven't blocked any sellers")
	maple.NextDM().Button("More…").Press().Button("Block seller").Press()
	blocked := w.at(maple, "Settings").Button("Blocked sellers").Press()
	wants(t, "the seller again", blocked.List("Unblock a seller…").Choose("@rowan.ashdown").View, "can offer on your requests again", "You haven't blocked any sellers")
}
