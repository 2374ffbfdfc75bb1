package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
)

// openForSaleModerated opens a market with the feature listings and a moderator, and a board that shows what
// is for sale.
func openForSaleModerated(t *testing.T) *world {
	t.Helper()
	w := openWithoutBot(t)
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature(),
		Moderators: people.Moderators{Accounts: []string{w.Player(t, moderator).ID()}}})
	w.bot = w.start(func(o *bot.Options) { o.Features = w.market.Features })
	w.WaitForBot(t)
	w.Player(t, "maple").In("request-board").Slash("board here", discordtest.Str("shows", "sale"), discordtest.Bool("open", false))
	w.Advance(time.Second)
	return w
}

func TestAListingIsReportedFromItsCardAndTakenOffSaleInTheReportChannel(t *testing.T) {
	t.Parallel()
	w := openForSaleModerated(t)
	mod, rowan, maple := reportsArrive(w), w.Player(t, "rowan.ashdown"), w.Player(t, "maple").In("request-board")
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Gold Sand", Quantity: 200, Note: "Best *before* noon"})
	card := maple.WaitMessage("the card", holding("Gold Sand"))
	if buttons := card.Buttons(); !slices.Equal(buttons, []string{"Ask for it", "Open on the web", "Report…"}) {
		t.Errorf("its buttons are %q", buttons)
	}
	wants(t, "the seller's own report", card.Button("Report…").PressAs(rowan).Modal.Submit(map[string]string{"Reason": "Mine"}).View, "You can't report your own listing")
	thanks := card.Button("Report…").Press().Modal.Submit(map[string]string{"Reason": "It is sand @everyone"})
	wants(t, "the thanks", thanks.View, "The moderators will look at it")
	if !thanks.Private() || len(thanks.View.Buttons()) > 0 {
		t.Errorf("the thanks: private %v, %q", thanks.Private(), thanks.View.Buttons())
	}
	again := maple.UseOn(card, "Report").Modal.Submit(map[string]string{"Reason": "Look!"})
	wants(t, "a second report, by the menu of the message", again.View, "You have reported this already")

	message := mod.WaitMessage("the report", holding("**Gold Sand** was reported"))
	wants(t, "the report", message, "For sale: Gold Sand of <@"+rowan.ID()+"> (@rowan.ashdown)", "It is sand", "200 × Gold Sand", "250c", `Best \*before\* noon`)
	if strings.Contains(message.Text(), "maple") {
		t.Errorf("the channel learns who reported: %q", message.Text())
	}
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Gold Sand", Quantity: 150, Note: "Cheaper", Price: 200})
	message = message.WaitFor("the present state", holding("150 × Gold Sand"))
	list := mod.Slash("moderate reports").List("Open a report…").Choose("Gold Sand · @rowan.ashdown")
	wants(t, "the report in the queue", list.View, "For sale: Gold Sand of", "reported by <@"+maple.ID()+">", "150 × Gold Sand", "Cheaper")

	stranger := w.Player(t, "juniper_fox").In("tavern")
	wants(t, "removing it, for others", message.Button("Take off sale…").PressAs(stranger).View, "Only a moderator can do that")
	asked := message.Button("Take off sale…").PressAs(mod).Modal
	if asked.Title != "Take this off sale" {
		t.Errorf("the form is %q", asked.Title)
	}
	asked.Submit(map[string]string{"Reason": "There is no such item"})
	message = message.WaitFor("the decision", holding("took Gold Sand of"))
	wants(t, "the decision", message, "<@"+mod.ID()+"> (@oldtamsin) took Gold Sand of <@"+rowan.ID()+">", "off sale", "There is no such item")
	card = card.WaitFor("its end", holding("no longer for sale"))
	if buttons := card.Buttons(); slices.Contains(buttons, "Report…") {
		t.Errorf("the ended listing has the buttons %q", buttons)
	}
	told := rowan.WaitDM("the removal", holding("off sale"))
	wants(t, "the seller's message", told, "A moderator has taken your 150 × Gold Sand off sale", "There is no such item")
	if strings.Contains(told.Text(), moderator) || strings.Contains(told.Text(), "maple") {
		t.Errorf("the seller learns who: %q", told.Text())
	}
	stock, err := w.market.Match.Stock(t.Context(), w.actor("rowan.ashdown"))
	if err != nil || len(stock) != 1 || stock[0].Public || stock[0].Quantity != 150 {
		t.Errorf("the seller has %+v, %v", stock, err)
	}

	log := mod.Slash("moderate log")
	undone := log.Button("Undo: Gold Sand").Press()
	wants(t, "the undo", undone.View, "Undone.", "put Gold Sand of <@"+rowan.ID()+"> (@rowan.ashdown) on sale again")
	wants(t, "the seller's message of the undo", rowan.WaitDM("the undo", holding("for sale again")), "150 × Gold Sand")
	maple.WaitMessage("the card again", func(v *discordtest.View) bool {
		return strings.Contains(v.Text(), "150 of 150 left")
	})
}

func TestAModeratorTakesAListingOffSaleFromTheirOwnReport(t *testing.T) {
	t.Parallel()
	w := openForSaleModerated(t)
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Gold Sand", Quantity: 200})
	mod := w.Player(t, moderator).In("request-board")
	card := mod.WaitMessage("the card", holding("Gold Sand"))
	thanks := mod.UseOn(card, "Report").Modal.Submit(map[string]string{"Reason": "Sand"})
	form := thanks.View.Button("Take off sale…").Press().Modal
	blank := form.Submit(map[string]string{"Reason": "\u200b"})
	wants(t, "no reason", blank.View, "Reason is required")
	removed := blank.Button("Edit again").Press().Modal.Submit(map[string]string{"Reason": "Sand"})
	wants(t, "the removal", removed.View, "It is off sale, and stays in its seller's stock")
	wants(t, "the queue", mod.Slash("moderate reports").View, "No reports are waiting.")

	// Or by the command that removes requests.
	w.post("maple", item("Gold Ore"))
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Gold Dust", Quantity: 5})
	choices := mod.Complete("moderate remove", "request", "gold")
	if len(choices) != 2 || !strings.Contains(choices[0].Name, "Gold Ore") || choices[1].Name != "For sale: Gold Dust of @rowan.ashdown" {
		t.Errorf("to remove are %+v", choices)
	}
	dust := mod.Pick("moderate remove", "request", "Gold Dust")
	wants(t, "a removal by others", w.Player(t, "maple").ManageMessages().Slash("moderate remove", dust, discordtest.Str("reason", "Mine")).View, "Only a moderator can do that")
	wants(t, "the removal by command", mod.Slash("moderate remove", dust, discordtest.Str("reason", "Dust")).View, "It is off sale")
	wants(t, "a second one", mod.Slash("moderate remove", dust, discordtest.Str("reason", "Dust")).View, "no longer for sale")
	forged := w.Player(t, "maple").In("request-board").ForgePress(card, "1|remove-listing|1|")
	wants(t, "a forged press", forged.View, "Only a moderator can do that")
}

func TestOneOfSeveralListingsInAMessageIsReported(t *testing.T) {
	t.Parallel()
	w := openForSaleModerated(t)
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Gold Sand", Quantity: 200}, match.StockDraft{ItemName: "Gold Dust", Quantity: 5},
		match.StockDraft{ItemName: "Gold Ring", Quantity: 2})
	maple := w.Player(t, "maple").In("request-board")
	message := maple.WaitMessage("two in one message", func(v *discordtest.View) bool {
		return strings.Contains(v.Text(), "Gold Dust") && strings.Contains(v.Text(), "Gold Ring")
	})
	which := maple.UseOn(message, "Report")
	wants(t, "the question", which.View, "Which one do you report?")
	if !which.Private() {
		t.Error("everybody sees who reports")
	}
	form := which.View.List("Report…").Choose("Gold Dust · @rowan.ashdown").Modal
	wants(t, "the thanks", form.Submit(map[string]string{"Reason": "Dust"}).View, "The moderators will look at it")
	reports, err := w.market.Moderation.Reports(t.Context(), w.actor(moderator), 0, 10)
	if err != nil || len(reports) != 1 || reports[0].ItemName != "Gold Dust" {
		t.Errorf("reported %+v, %v", reports, err)
	}
	report := w.Player(t, moderator).In("tavern").Slash("moderate reports").List("Open a report…").Choose("Gold Dust · @rowan.ashdown")
	removed := report.Button("Take off sale…").Press().Modal.Submit(map[string]string{"Reason": "Dust"})
	wants(t, "the removal in the queue", removed.View, "It is off sale, and stays in its seller's stock", "No reports are waiting.")
}
