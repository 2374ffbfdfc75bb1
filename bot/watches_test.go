package bot_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// watching opens the watches of a member from their panel.
func (w *world) watching(who *discordtest.Player) *discordtest.Reply {
	w.t.Helper()
	return w.at(who, "Settings").Button("Saved Searches").Press()
}

// triesWatch fills in the form of a watch, and does not save it.
func (w *world) triesWatch(who *discordtest.Player, fields map[string]string) *discordtest.Reply {
	w.t.Helper()
	return w.watching(who).Button("Save a search…").Press().Modal.Submit(fields)
}

// watches adds a watch.
func (w *world) watches(who *discordtest.Player, fields map[string]string) *discordtest.View {
	w.t.Helper()
	return w.triesWatch(who, fields).Button("Save with a bell").Press().View
}

// alertWatchers does what is due.
func (w *world) alertWatchers() {
	w.t.Helper()
	if _, err := w.market.Match.AlertWatchers(w.t.Context(), 100); err != nil {
		w.t.Fatal(err)
	}
}

// pending lists what a user is still owed.
func (w *world) pending(who string) []notify.Notice {
	w.t.Helper()
	page, err := w.market.Notify.Notices(w.t.Context(), w.actor(who), 0, 60)
	if err != nil {
		w.t.Fatal(err)
	}
	return slices.DeleteFunc(page.Notices, func(n notify.Notice) bool { return n.State != notify.NoticePending })
}

// hold waits until so many of a user's notices are held: a round of the bot's own may have taken a request first.
func (w *world) hold(who string, count int) {
	w.t.Helper()
	w.until(fmt.Sprint(count, " held notices of ", who), func() bool { return len(w.pending(who)) == count })
}

// deliverPending delivers what a user's notices wait for: River's clock is the database's. One waits while River sends another one
// to the same user.
func (w *world) deliverPending(who string) {
	w.t.Helper()
	w.until("what "+who+" is owed", func() bool {
		pending := w.pending(who)
		for _, n := range pending {
			err := w.market.Channels.DeliverNotice(w.t.Context(), w.bot.DMSender(), n.ID)
			if later := (*channels.RetryLater)(nil); err != nil && !errors.As(err, &later) {
				w.t.Fatal(err)
			}
		}
		return len(pending) == 0
	})
}

func TestAnAlertHasWhatOneNeedsToActInDiscord(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,kind,made_by,made_at_level\nIron Ore,Ore,Miner,20\n")
	w.bot = w.start()
	w.WaitForBot(t)
	rowan := w.Player(t, "rowan.ashdown")
	w.post("maple")
	tried := w.triesWatch(rowan, map[string]string{"Item": "Iron Ore", "Notify me by": "Inbox only"})
	wants(t, "a watch, tried", tried.View, "**Iron Ore** would have alerted you to 1 request in the last 30 days. Nothing is saved yet.")
	wants(t, "what is not saved", w.watching(rowan).View, "You have no saved searches yet")
	wants(t, "the watch", w.watches(rowan, map[string]string{"Item": "Iron Ore"}), "**Iron Ore** is saved, and its bell is on")
	found, err := w.market.Match.Searches(t.Context(), w.actor("rowan.ashdown"), match.BellOn)
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	paused := match.SearchDraft{Bell: match.BellOn, Items: found[0].Items, Pause: time.Hour}
	if _, err := w.market.Match.EditSearch(t.Context(), w.actor("rowan.ashdown"), found[0].ID, paused); err != nil {
		t.Fatal(err)
	}
	order := w.post("maple")
	w.alertWatchers()
	dm := rowan.NextDM()
	wants(t, "the alert", dm, "Wanted: 500 × Iron Ore", "Saved search: Iron Ore")
	if got := strings.Join(dm.Buttons(), ", "); got != "Offer to Fulfill, Open on the web, Snooze 1 hour, Until tomorrow, Mute this buyer, Stop, Message settings" {
		t.Errorf("its buttons are %s", got)
	}
	wants(t, "what it pays and how many are left", dm, "at up to", "500 of 500 left")
	form := dm.Button("Offer to Fulfill").Press().Modal
	if got := form.Field("Quantity").Value; got != "500" {
		t.Errorf("the form has %q of them", got)
	}
	form.Submit(map[string]string{"Quantity": "200", "Message": "I have them"})
	if o := w.order("maple", order.ID); o.Offers != 1 {
		t.Errorf("%d offers", o.Offers)
	}

	// What comes within the pause comes as one message.
	w.post("juniper_fox")
	w.post("oldtamsin")
	w.alertWatchers()
	w.hold("rowan.ashdown", 2)
	w.Advance(time.Hour + time.Minute)
	w.deliverPending("rowan.ashdown")
	many := rowan.WaitDM("both at once", func(v *discordtest.View) bool {
		return strings.Contains(v.Text(), "2 requests fit your saved searches")
	})
	if n := len(rowan.DMs()); n != 2 {
		t.Errorf("%d messages", n)
	}
	wants(t, "the one that is picked", many.List("Offer on one of them…").Choose(many.List("Offer on one of them…").Labels()[0]).View, "Iron Ore")

	snoozed := dm.Button("Until tomorrow").Press()
	wants(t, "a snooze", snoozed.View, "Quiet until")
	wants(t, "its end", snoozed.Button("Bell on").Press().View, "The bell of **Iron Ore** is on")
	dm.Button("Until tomorrow").Press()
	list := w.watching(rowan)
	wants(t, "the list", list.View, "Iron Ore", "quiet until")
	wants(t, "the pick", list.List("Choose a search…").Choose("Iron Ore").View, "Iron Ore")
	muted := dm.Button("Mute this buyer").Press()
	wants(t, "a mute", muted.View, "alerts about this buyer's requests any more")
	watches := muted.Button("Saved Searches").Press()
	wants(t, "the list, then", watches.View, "You have muted 1 buyer")
	watches.Button("Unmute all buyers").Press()
	stopped := dm.Button("Stop").Press()
	wants(t, "a stop", stopped.View, "The bell of **Iron Ore** is off")
	wants(t, "the list, paused", stopped.Button("Saved Searches").Press().View, "bell off")
	wants(t, "the settings of messages lead to it", dm.Button("Message settings").Press().Button("Saved Searches").Press().View, "Iron Ore", "bell off")
	picked := w.watching(rowan).List("Choose a search…").Choose("Iron Ore")
	wants(t, "a resume", picked.Button("Bell on").Press().View, "The bell of **Iron Ore** is on")
	picked = w.watching(rowan).List("Choose a search…").Choose("Iron Ore")
	wants(t, "the removal", picked.Button("Remove").Press().View, "**Iron Ore** is removed", "You have no saved searches yet")
}

// A search that was saved on the page, without a bell, is in the same list and gets its bell there.
func TestSavedSearchesWithoutABellAreInTheList(t *testing.T) {
	t.Parallel()
	w := open(t)
	rowan := w.Player(t, "rowan.ashdown")
	w.triesWatch(rowan, map[string]string{"Item": "oak"}) // signs them up
	for _, draft := range []match.SearchDraft{{Name: "Evening", Text: "coal"}, {Name: "Urgent"}} {
		if _, err := w.market.Match.AddSearch(t.Context(), w.actor("rowan.ashdown"), draft); err != nil {
			t.Fatal(err)
		}
	}
	w.watches(rowan, map[string]string{"Item": "oak"})
	list := w.watching(rowan)
	wants(t, "the list", list.View, "**Evening** · bell off", "**oak** · bell on", "**Urgent** · bell off")
	const without = "Choose one without a bell…"
	wants(t, "one that is too wide", list.List(without).Choose("Urgent").Button("Bell on").Press().View, "For a bell, say an item, a profession or a word")
	rung := w.watching(rowan).List(without).Choose("Evening").Button("Bell on").Press()
	wants(t, "its bell", rung.View, "The bell of **Evening** is on", "**Evening** · bell on")
	removed := w.watching(rowan).List(without).Choose("Urgent").Button("Remove").Press()
	wants(t, "the removal", removed.View, "**Urgent** is removed")
	found, err := w.market.Match.AllSearches(t.Context(), w.actor("rowan.ashdown"))
	if err != nil || len(found) != 2 || !found[0].Rings() || !found[1].Rings() {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestAnAlertOfARequestThatIsOverIsNotSent(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name\nIron Ore\n")
	w.bot = w.start()
	w.WaitForBot(t)
	rowan := w.Player(t, "rowan.ashdown")
	w.watches(rowan, map[string]string{"Item": "iron", "Notify me by": "One message a day"})
	order := w.post("maple")
	w.alertWatchers()
	w.hold("rowan.ashdown", 1)
	if err := w.market.Trade.DeleteOrder(t.Context(), w.actor("maple"), order.ID); err != nil {
		t.Fatal(err)
	}
	w.Advance(25 * time.Hour)
	w.deliverPending("rowan.ashdown")
	if n := w.notice("rowan.ashdown", notify.NoticeRequestWatched, notify.NoticeExpired); n.Reason == "" {
		t.Errorf("it ended without a reason: %+v", n)
	}
	if n := len(rowan.DMs()); n != 0 {
		t.Errorf("%d messages", n)
	}
}

// What is held when a buyer or the market blocks its reader is not sent, and does not say why.
func TestADelayedAlertFromABlockedBuyerIsNotSent(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name\nIron Ore\n")
	w.bot = w.start()
	w.WaitForBot(t)
	offer := w.offer("rowan.ashdown", w.post("maple"), 5) // before there are watches: one request alerts them
	blocks := map[string]func(){
		"rowan.ashdown": func() {
			if err := w.market.Trade.BlockSeller(t.Context(), w.actor("maple"), offer.ID); err != nil {
				t.Fatal(err)
			}
		},
		"juniper_fox": func() {
			if err := w.market.Moderation.BlockUser(t.Context(), coretest.AlwaysFresh(core.Actor{UserID: 999, Username: "mod", Moderator: true}), w.actor("juniper_fox").UserID, "Floods"); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name := range blocks {
		w.watches(w.Player(t, name), map[string]string{"Item": "iron", "Notify me by": "One message a day"})
	}
	w.post("maple")
	w.alertWatchers()
	for name := range blocks {
		w.hold(name, 1)
	}
	for _, block := range blocks {
		block()
	}
	w.Advance(25 * time.Hour)
	for name := range blocks {
		w.deliverPending(name)
		if n := w.notice(name, notify.NoticeRequestWatched, notify.NoticeExpired); n.Reason != "The request was over before the message went out" {
			t.Errorf("%s: it ended with %q", name, n.Reason)
		}
		for _, dm := range w.Player(t, name).DMs() {
			if strings.Contains(dm.Text(), "Wanted:") {
				t.Errorf("%s heard of it: %s", name, dm.Text())
			}
		}
	}
}

// What a buyer's reach does not cover sends no message, and the next one about other buyers' requests counts it.
func TestRequestsBeyondABuyersReachAreALineInTheNextMessage(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.AllFeatures(),
		Quotas: core.Quotas{Reach: core.Quota{Limit: 1, Per: core.Day}}})
	w.bot = w.start()
	w.WaitForBot(t)
	rowan, tamsin := w.Player(t, "rowan.ashdown"), w.Player(t, "oldtamsin")
	for _, reader := range []*discordtest.Player{rowan, tamsin} { // the first of them is messaged first
		w.watches(reader, map[string]string{"Item": "iron", "Notify me by": "Direct message"})
	}
	w.post("maple", item("Iron Anvil"))
	w.alertWatchers()
	wants(t, "within the reach", rowan.NextDM(), "Iron Anvil")
	if n := len(tamsin.DMs()); n != 0 {
		t.Fatalf("%d messages beyond the reach", n)
	}

	w.vouch("juniper_fox")
	w.Advance(time.Hour + time.Minute) // the bells pause for an hour
	w.post("juniper_fox", item("Iron Ore"))
	w.alertWatchers()
	told := tamsin.NextDM()
	wants(t, "the next message", told, "Iron Ore", "Also in your inbox: 1 request by maple")
	if strings.Contains(told.Text(), "Iron Anvil") {
		t.Errorf("the next message shows what maple typed: %s", told.Text())
	}
	if text := rowan.NextDM().Text(); strings.Contains(text, "Also in your inbox") {
		t.Errorf("the next message counts what was a message: %s", text)
	}

	w.Advance(time.Hour + time.Minute)
	w.post("juniper_fox", item("Iron Nail"))
	w.alertWatchers()
	if text := tamsin.NextDM().Text(); strings.Contains(text, "Also in your inbox") {
		t.Errorf("the message after it counts it again: %s", text)
	}
}

func TestASearchForMeIsNamedInTheLanguageOfItsUser(t *testing.T) {
	t.Parallel()
	w := open(t)
	rowan := w.Player(t, "rowan.ashdown").SetLocale("de")
	form := w.at(rowan, "Einstellungen").Button("Gespeicherte Suchen").Press().Button("Suche speichern …").Press().Modal
	saved := form.Submit(map[string]string{"category": "for-me"}).Button("Mit Glocke speichern").Press()
	wants(t, "the search", saved.View, "**Für mich** ist gespeichert")
}

// Price alerts are saved searches: what they lack beside the others is a form of their own, on an item.
func TestAPriceAlertIsSetOnAnItemAndRingsFromItsPriceOn(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,kind,made_by,made_at_level\nIron Ore,Ore,Miner,20\n")
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature()})
	w.bot = w.start(func(o *bot.Options) { o.Features = core.EveryFeature() })
	w.WaitForBot(t)
	rowan := w.Player(t, "rowan.ashdown")
	item := rowan.Slash("item look", discordtest.Str("item", "Iron Ore"))
	form := func() *discordtest.ModalView { return item.Button("Price alert…").Press().Modal }
	if got := form().Title; got != "Price alert for Iron Ore" {
		t.Errorf("the form is named %q", got)
	}
	wants(t, "no price", form().Submit(map[string]string{"Price per unit": "cheap"}).View, "Invalid format", "Nothing was saved")
	tried := form().Submit(map[string]string{"Tell me when it is": "for sale at this price or less", "Price per unit": "4s"})
	wants(t, "an alert, tried", tried.View, "**Iron Ore for sale up to 4s** would have alerted you to 0 listings in the last 30 days. Nothing is saved yet.")
	wants(t, "the alert", tried.Button("Save with a bell").Press().View, "**Iron Ore for sale up to 4s** is saved, and its bell is on")
	form().Submit(map[string]string{"Tell me when it is": "wanted at this price or more", "Price per unit": "6s"}).Button("Save with a bell").Press()
	wants(t, "the list", w.watching(rowan).View, "**Iron Ore for sale up to 4s** · bell on · for sale · up to", "**Iron Ore wanted from 6s** · bell on · from")
	found, err := w.market.Match.Searches(t.Context(), w.actor("rowan.ashdown"), match.BellOn)
	if err != nil || len(found) != 2 || found[0].MaxPrice != 4000 || found[0].Side != match.SaleSide || found[1].MinPrice != 6000 || found[1].Side != match.WantedSide {
		t.Fatalf("%+v, %v", found, err)
	}

	maple := w.actor("maple")
	maple.PriceConfirmed = true
	list := func(price core.Copper) {
		if _, err := w.market.Match.SaveStock(t.Context(), maple, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 20, Price: price, Public: true}}); err != nil {
			t.Fatal(err)
		}
		w.alertWatchers()
	}
	list(4001)
	list(4000)
	wants(t, "the listing", rowan.NextDM(), "For sale: 20 × Iron Ore, at", "Saved search: Iron Ore for sale up to 4s")
	for _, price := range []core.Copper{5999, 6000} {
		draft := trade.OrderDraft{ItemName: "Iron Ore", Quantity: 20, MaxPrice: price, BuyerContact: "juniper"}
		buyer := w.actor("juniper_fox")
		buyer.PriceConfirmed = true
		if _, err := w.market.Trade.PostOrder(t.Context(), buyer, draft); err != nil {
			t.Fatal(err)
		}
		w.alertWatchers()
	}
	wants(t, "the request", rowan.NextDM(), "Wanted: 20 × Iron Ore, at up to", "Saved search: Iron Ore wanted from 6s")
	if n := len(rowan.DMs()); n != 2 {
		t.Errorf("%d messages", n)
	}

	picked := w.watching(rowan).List("Choose a search…").Choose("Iron Ore for sale up to 4s")
	wants(t, "it is gone", picked.Button("Remove").Press().View, "**Iron Ore for sale up to 4s** is removed")
}

func TestWithoutListingsAnItemHasNoPriceAlert(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,kind,made_by,made_at_level\nIron Ore,Ore,Miner,20\n")
	w.bot = w.start()
	w.WaitForBot(t)
	item := w.Player(t, "rowan.ashdown").Slash("item look", discordtest.Str("item", "Iron Ore"))
	if got := strings.Join(item.View.Buttons(), ", "); strings.Contains(got, "Price alert") {
		t.Errorf("buttons %s", got)
	}
}
