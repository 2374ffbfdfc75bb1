package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/match"
	"tradepost/core/trade"
)

func TestAReportIsActedOnAndItsOwnerIsNotified(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple", item("Gold Sand"))
	rowan, maple, mod := w.Player(t, "rowan.ashdown"), w.Player(t, "maple"), w.Player(t, moderator)
	maple.InDM()

	card := rowan.Slash("request show", rowan.Pick("request show", "request", "Gold"))
	form := card.Button("Report…").Press().Modal
	thanks := form.Submit(map[string]string{"Reason": "It is *sand* @everyone"})
	wants(t, "the thanks", thanks.View, "The moderators will look at it")
	if !thanks.Private() {
		t.Error("everybody sees who reports")
	}
	again := card.Button("Report…").Press().Modal.Submit(map[string]string{"Reason": "Look!"})
	wants(t, "a second report", again.View, "You have reported this already")

	list := mod.Slash("moderate reports")
	wants(t, "the reports", list.View, "Request Gold Sand of <@"+maple.ID()+"> (@maple)", "reported by <@"+rowan.ID()+"> (@rowan.ashdown)", `It is \*sand\*`)
	report := list.List("Open a report…").Choose("Gold Sand · @maple")
	wants(t, "the report", report.View, "Gold Sand", `It is \*sand\*`)
	removed := report.Button("Remove request…").Press().Modal.Submit(map[string]string{"Reason": "No such item"})
	wants(t, "the removal", removed.View, "The request is removed", "No reports are waiting.")

	notice := maple.WaitDM("the removal", func(v *discordtest.View) bool { return strings.Contains(v.Text(), "removed your request") })
	wants(t, "the notice", notice, "A moderator has removed your request for", "No such item")
	if text := notice.Text(); strings.Contains(text, "rowan") || strings.Contains(text, moderator) {
		t.Errorf("the owner learns who: %q", text)
	}
	log := mod.Slash("moderate log")
	wants(t, "the log", log.View, "<@"+mod.ID()+"> (@oldtamsin) removed the request Gold Sand of <@"+maple.ID()+"> (@maple)", "No such item")
	undone := log.Button("Undo: Gold Sand").Press()
	wants(t, "the undo", undone.View, "Undone.", "(@oldtamsin) restored the request Gold Sand of <@"+maple.ID()+">")
	if labels := undone.View.Buttons(); slices.Contains(labels, "Undo: Gold Sand") {
		t.Errorf("it can be undone again: %v", labels)
	}
	wants(t, "the board", rowan.Slash("request browse").View, "Gold Sand")
	restored := maple.WaitDM("the undo", func(v *discordtest.View) bool { return strings.Contains(v.Text(), "restored your request") })
	wants(t, "the notice of the undo", restored, "A moderator has restored your request for", "Gold Sand")
}

func TestOnlyModeratorsAreGivenTheMeans(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple", item("Gold Sand"))
	rowan := w.Player(t, "rowan.ashdown")
	card := rowan.Slash("request show", rowan.Pick("request show", "request", "Gold"))
	for _, label := range card.Buttons() {
		if strings.HasPrefix(label, "Remove") || strings.HasPrefix(label, "Block") || strings.HasPrefix(label, "Vouch") {
			t.Errorf("anybody has the button %q", label)
		}
	}
	rowan.ManageMessages() // so the command is not hidden from them
	for name, reply := range map[string]*discordtest.Reply{
		"reports": rowan.Slash("moderate reports"), "log": rowan.Slash("moderate log"), "blocked": rowan.Slash("moderate blocked"),
		"remove":        rowan.Slash("moderate remove", discordtest.Str("request", "1"), discordtest.Str("reason", "Mine")),
		"block":         rowan.Slash("moderate block", discordtest.Str("request", "1"), discordtest.Str("reason", "Mine")),
		"unblock":       rowan.Slash("moderate unblock", discordtest.Str("user", "maple")),
		"new names":     rowan.Slash("moderate names"),
		"merge":         rowan.Slash("moderate merge", discordtest.Str("name", "Moon Perl"), discordtest.Str("into", "Moon Pearl")),
		"a forged name": rowan.ForgePress(card.View, "1|confirm-name|1|0"),
		"set aside":     rowan.ForgePress(card.View, "1|set-aside|1"),
		"leave a ring":  rowan.ForgePress(card.View, "1|leave-ring|1"),
		"rings":         rowan.Slash("moderate rings"),
		"reach":         rowan.Slash("moderate reach"),
		"vouch":         rowan.Slash("moderate vouch", discordtest.Str("request", "1")),
		"sign-in only":  rowan.Slash("moderate signed-in-only", discordtest.Bool("on", true), discordtest.Str("reason", "Mine")),
		"a forged form": rowan.ForgePress(card.View, "1|remove-order|1|o1"),
		"a forged end":  rowan.ForgePress(card.View, "1|dismiss|1"),
	} {
		if !strings.Contains(reply.Text(), "Only a moderator can do that") {
			t.Errorf("%s: %q", name, reply.Text())
		}
	}
	if page, err := w.market.Match.BrowseOrders(t.Context(), match.OrderQuery{}); err != nil || page.Total != 1 {
		t.Errorf("%d requests are left, %v", page.Total, err)
	}

	// A role makes a moderator where Discord shows it: in the server, for as long as they have it.
	rowan.SetRoles("1", moderatorRole)
	wants(t, "with the role", rowan.Slash("moderate log").View, "No entries yet.")
	wants(t, "the card of a moderator", rowan.Slash("request show", discordtest.Str("request", "1")).View, "Gold Sand")
	wants(t, "in a direct message", rowan.InDM().Slash("moderate log").View, "No entries yet.")
	rowan.SetRoles("1")
	wants(t, "in a direct message, without it", rowan.InDM().Slash("moderate log").View, "Only a moderator can do that")
	wants(t, "without it", rowan.In("trading-post").Slash("moderate log").View, "Only a moderator can do that")
}

// An interaction in a direct message has no roles: Discord is asked for them.
func TestAModeratorByRoleDecidesInADirectMessageForAsLongAsTheyHaveTheRole(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple", item("Gold Sand"))
	juniper := w.Player(t, "juniper_fox").SetRoles(moderatorRole).ManageMessages()
	juniper.Slash("moderate log") // so the market knows of the role
	w.ForgetRequests()
	w.reports("rowan.ashdown", order, "It is sand")
	notice := juniper.WaitDM("the report", holding("**Gold Sand** was reported"))
	list := notice.Button("Open Reports").Press()
	wants(t, "the reports", list.View, "Request Gold Sand of")
	if n := len(w.Requests("GET /guilds/{guild_id}/members/{user_id}")); n != 1 {
		t.Errorf("Discord was asked for the member %d times", n)
	}
	report := list.List("Open a report…").Choose("Gold Sand · @maple")
	form := report.Button("Remove request…").Press().Modal

	w.Fail("GET /guilds/*/members/*", 1, discordtest.Outage(503))
	wants(t, "while Discord does not say", report.Button("Dismiss").Press().View, "I couldn't check your roles in the server just now.")
	juniper.SetRoles()
	for name, answer := range map[string]*discordtest.Reply{
		"dismissing": report.Button("Dismiss").Press(), "the form that was open": form.Submit(map[string]string{"Reason": "Mine"}),
		"the command": juniper.InDM().Slash("moderate reports"),
	} {
		wants(t, name+" without the role", answer.View, "Only a moderator can do that")
	}
	w.ForgetRequests()
	juniper.InDM().Slash("moderate reports")
	if n := len(w.Requests("GET /guilds/{guild_id}/members/{user_id}")); n != 0 {
		t.Error("Discord is asked for the roles of who is known to have none")
	}
	if o := w.order("maple", order.ID); o.Status != trade.Active {
		t.Error("the request is gone")
	}
	juniper.SetRoles(moderatorRole).In("trading-post").Slash("moderate log")
	juniper.LeaveServer()
	wants(t, "who has left the server", juniper.ForgePress(notice, "1|reports|0").View, "Only a moderator can do that")
}

func TestABlockedUserReadsTheReasonAndCanBeUnblocked(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple", item("Gold Sand"))
	maple, mod := w.Player(t, "maple"), w.Player(t, moderator)
	card := mod.Slash("request show", mod.Pick("request show", "request", "Gold"))
	blank := card.Button("Block buyer…").Press().Modal.Submit(map[string]string{"Reason": "\u200b"})
	wants(t, "no reason", blank.View, "Reason is required")
	blocked := blank.Button("Edit again").Press().Modal.Submit(map[string]string{"Reason": "Sells sand as gold"})
	wants(t, "the block", blocked.View, "They are blocked and get a message with the reason.")
	notice := maple.WaitDM("the block", func(v *discordtest.View) bool { return strings.Contains(v.Text(), "blocked you") })
	wants(t, "the notice", notice, "Sells sand as gold")

	wants(t, "the board", w.Player(t, "juniper_fox").Slash("request browse").View, "No requests yet")
	post := maple.Slash("request post", discordtest.Str("item", "Tin"), discordtest.Int("quantity", 1), discordtest.Str("price", "1s"))
	wants(t, "posting", post.View, "A moderator has blocked you from trading here")
	wants(t, "who is blocked", mod.Slash("moderate blocked").View, "<@"+maple.ID()+"> (@maple)", "Sells sand as gold")
	maple.SetLocale("de")
	wants(t, "in German", maple.Slash("request post", discordtest.Str("item", "Tin"), discordtest.Int("quantity", 1), discordtest.Str("price", "1s")).View,
		"Die Moderation hat dich vom Handel hier ausgeschlossen")

	wants(t, "the way back", mod.Slash("moderate unblock", mod.Pick("moderate unblock", "user", "map")).View, "<@"+maple.ID()+"> (@maple) can trade again.")
	wants(t, "the board", w.Player(t, "juniper_fox").Slash("request browse").View, "Gold Sand")
	log := mod.Slash("moderate log").View
	wants(t, "the log", log, "(@oldtamsin) unblocked <@"+maple.ID()+">", "(@oldtamsin) blocked <@"+maple.ID()+">", "Sells sand as gold")
	mod.SetLocale("de")
	wants(t, "the log in German", mod.Slash("moderate log").View, "(@oldtamsin) hat <@"+maple.ID()+"> (@maple) freigegeben")
}

func TestABuyerBlocksASellerFromTheirOffer(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple", item("Iron Ore"))
	maple, rowan, mod := w.Player(t, "maple"), w.Player(t, "rowan.ashdown"), w.Player(t, moderator)
	sent := func() *discordtest.Reply {
		return rowan.Slash("offer send", rowan.Pick("offer send", "request", "Iron"), discordtest.Int("quantity", 2), discordtest.Str("message", "Mine"))
	}
	sent()
	list := maple.Slash("offer list", maple.Pick("offer list", "request", "Iron"))
	offer := list.List("Answer an offer…").Choose("2 from Rowan · @rowan.ashdown")
	more := offer.Button("More…").Press()
	more.Button("Report…").Press().Modal.Submit(map[string]string{"Reason": "He never comes"})
	gone := more.Button("Block seller").Press()
	wants(t, "the block", gone.View, "@rowan.ashdown is blocked and can't send you offers.")
	wants(t, "the seller", sent().View, "This buyer doesn't accept offers from you")
	report := mod.Slash("moderate reports")
	wants(t, "the report", report.View, "Offer on Iron Ore of <@"+rowan.ID()+">", "reported by <@"+maple.ID()+">")
	one := report.List("Open a report…").Choose("Iron Ore · @rowan.ashdown")
	wants(t, "an offer that is gone", one.View, "The reported request or offer is no longer there.")
	wants(t, "dismissed", one.Button("Dismiss").Press().View, "Report dismissed.")
	wants(t, "the way back", maple.Slash("offer unblock", maple.Pick("offer unblock", "seller", "row")).View, "@rowan.ashdown can offer on your requests again.")
	wants(t, "the seller", sent().View, "was sent, for")
	if n := w.order("maple", order.ID).Offers; n != 1 {
		t.Errorf("%d offers are open", n)
	}
}

func TestReportsAreGroupedByRequestAndHiddenFromItsOwner(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple", item("Gold Sand"))
	mod, rowan, juniper := w.Player(t, moderator), w.Player(t, "rowan.ashdown"), w.Player(t, "juniper_fox")
	report := func(by *discordtest.Player, request, reason string) {
		t.Helper()
		card := by.Slash("request show", by.Pick("request show", "request", request))
		card.Button("Report…").Press().Modal.Submit(map[string]string{"Reason": reason})
	}
	report(rowan, "Gold", "It is sand")
	report(juniper, "Gold", "It is not gold")
	list := mod.Slash("moderate reports")
	wants(t, "the reports", list.View, "(@maple)", "2 reports", "It is not gold")
	one := list.List("Open a report…").Choose("Gold Sand · @maple")
	wants(t, "the report", one.View, "reported by <@"+rowan.ID()+">", "It is sand", `(@juniper\_fox)`, "It is not gold")
	dismissed := one.Button("Dismiss").Press()
	wants(t, "dismissed together", dismissed.View, "Report dismissed.", "No reports are waiting.")

	w.post(moderator, item("Iron Ore"))
	report(rowan, "Iron", "He sells none")
	own := mod.Slash("moderate reports").List("Open a report…").Choose("Iron Ore · @" + moderator)
	wants(t, "a report about the moderator", own.View, "This is about you. Another moderator has to decide on it.")
	if labels := own.Buttons(); slices.Contains(labels, "Dismiss") || slices.Contains(labels, "Remove request…") {
		t.Error("it has buttons to settle it")
	}
}

func TestUnderAttackAModeratorHasOnlySignedInSellersOffer(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple", item("Gold Sand"))
	mod := w.Player(t, moderator)
	page, err := w.market.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	if err != nil {
		t.Fatal(err)
	}
	visitorOffers := func() error {
		_, err := w.market.Trade.SendOffer(t.Context(), core.Actor{Address: "::1"}, page.Orders[0].ID,
			trade.OfferDraft{SellerName: "Fern", SellerContact: "fern", Message: "I have it", Quantity: 1})
		return err
	}
	wants(t, "without a reason", mod.Slash("moderate signed-in-only", discordtest.Bool("on", true)).View, "Reason is required")
	on := mod.Slash("moderate signed-in-only", discordtest.Bool("on", true), discordtest.Str("reason", "A *flood*"))
	wants(t, "turned on", on.View, "only signed-in sellers can offer on any request")
	if !on.Private() {
		t.Error("everybody reads the answer")
	}
	if err := visitorOffers(); core.KindOf(err) != core.Unauthenticated {
		t.Errorf("a visitor offers: %v", err)
	}
	rowan := w.Player(t, "rowan.ashdown")
	wants(t, "an account's offer", rowan.Slash("offer send", discordtest.Str("request", "1"), discordtest.Int("quantity", 1), discordtest.Str("message", "I have it")).View, "Gold Sand")
	again := mod.Slash("moderate signed-in-only", discordtest.Bool("on", true), discordtest.Str("reason", "Again"))
	wants(t, "turned on again", again.View, "Only signed-in sellers can offer already")
	wants(t, "turned off", mod.Slash("moderate signed-in-only", discordtest.Bool("on", false)).View, "Visitors can offer again.")
	if err := visitorOffers(); err != nil {
		t.Errorf("a visitor offers: %v", err)
	}
	log := mod.Slash("moderate log")
	wants(t, "the log", log.View, "limited offers on every request to signed-in sellers", `A \*flood\*`, "let visitors offer again")
}

func TestAModeratorVouchesAndSetsARingAside(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple", item("Gold Sand"))
	rowan, mod := w.Player(t, "rowan.ashdown"), w.Player(t, "oldtamsin")
	rowan.Slash("request mine") // so that the market knows them
	card := mod.Slash("request show", discordtest.Str("request", "1"))
	wants(t, "vouching", card.Button("Vouch for buyer").Press().View, "This user is now an established trader")
	wants(t, "vouching again", mod.Slash("moderate vouch", discordtest.Str("request", "1")).View, "established trader already")
	wants(t, "no ring", mod.Slash("moderate rings").View, "No rings found", "No accounts are set aside")
	w.propose("maple")
	proposed := mod.Slash("moderate rings")
	left := proposed.Button("Not a ring").Press()
	wants(t, "leaving a ring", left.View, "We won't propose these accounts again", "No rings found")
	w.propose("maple", "rowan.ashdown")
	proposed = mod.Slash("moderate rings")
	wants(t, "the proposal", proposed.View, "Is this a ring?", "maple", "rowan.ashdown", "96% of their 25 trades are with each other",
		"20 of 24 trades between them were for", "1c")
	if text := proposed.View.Text(); strings.Contains(text, "within a minute") || strings.Contains(text, "younger") {
		t.Errorf("what applies to few is a reason: %s", text)
	}
	aside := proposed.Button("Set these 2 aside").Press()
	wants(t, "setting aside", aside.View, "Set aside:", "Their trades no longer count", "No rings found", "Accounts set aside", "96 % of their 25 trades")
	again := mod.ForgePress(proposed.View, "1|set-aside|99")
	wants(t, "setting aside again", again.View, "not proposed any more", "/moderate rings")
	wants(t, "counting again", mod.Slash("moderate rings").Button("Count again: maple …").Press().View, "Their trades count again", "No accounts are set aside")
	wants(t, "the log", mod.Slash("moderate log").View, "vouched for", "aside: their trades don't count", "count again", "isn't in a ring")
}

// propose stores players as a proposed ring.
func (w *world) propose(players ...string) {
	w.t.Helper()
	var ids []core.UserID
	for _, player := range players {
		ids = append(ids, w.actor(player).UserID)
	}
	if _, err := coretest.Propose(w.t.Context(), w.store.Atomically, w.store, ids...); err != nil {
		w.t.Fatal(err)
	}
}

func TestAModeratorVouchesForACandidateOfAYoungMarket(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	mod := w.Player(t, "oldtamsin")
	wants(t, "the first list", mod.Slash("moderate vouch").View, "This market is young", "0 of 3 people are established", "No candidates yet")
	for _, seller := range []string{"rowan.ashdown", "juniper_fox"} {
		w.Player(t, seller)
		sale := w.deal("maple", seller, 5, item("Gold Sand of "+seller))
		w.says("maple", trade.SaidMet, sale)
		w.says(seller, trade.SaidMet, sale)
	}
	if err := w.market.Trust.FindTraders(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := mod.Slash("moderate vouch")
	wants(t, "the list", list.View, "maple", "2 partners, 2 of them unrelated")
	wants(t, "the pressed list", list.Button("Vouch for maple").Press().View, "This user is now an established trader", "No candidates yet")
}

func TestAModeratorStopsWhoReachesTooMany(t *testing.T) {
	t.Parallel()
	w := open(t)
	rowan, mod, maple := w.Player(t, "rowan.ashdown"), w.Player(t, "oldtamsin"), w.Player(t, "maple")
	rowan.Slash("request mine") // so that the market knows them
	wants(t, "a quiet day", mod.Slash("moderate reach").View, "No user's requests, offers and names caused messages to 10 people or more today")
	for i := range 10 {
		buyer := fmt.Sprint("buyer", i)
		player := w.NewPlayer(t, buyer)
		w.offer("rowan.ashdown", w.post(buyer), 1)
		player.NextDM()
	}
	list := mod.Slash("moderate reach")
	wants(t, "a busy day", list.View, "rowan.ashdown", "reached 10 people today")
	stopped := list.Button("Stop: rowan.ashdown").Press()
	wants(t, "stopped", stopped.View, "rowan.ashdown no longer causes messages to others", "· stopped")
	w.offer("rowan.ashdown", w.post("maple"), 1)
	if n := len(maple.DMs()); n != 0 {
		t.Errorf("a stopped user's offer is %d messages", n)
	}
	wants(t, "allowed", stopped.Button("Allow again: rowan.ashdown").Press().View, "can cause messages to others again", "reached 10 people today")
	w.offer("rowan.ashdown", w.post("maple"), 2)
	told := maple.NextDM()
	wants(t, "the next offer", told, "Also in your inbox: 1 offer by rowan.ashdown")
	wants(t, "the log", mod.Slash("moderate log").View, "stopped messages caused by", "allowed messages caused by")
}
