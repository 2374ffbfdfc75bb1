package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

func TestSeveralOffersAreOneMessage(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple")
	w.offer("rowan.ashdown", order, 20)
	dm := maple.NextDM()
	for i := range 5 {
		if _, err := w.market.Trade.SendOffer(t.Context(), core.Actor{}, order.ID, trade.OfferDraft{
			SellerName: fmt.Sprintf("Visitor %d", i), SellerContact: "visitor", Message: "hello", Quantity: 10 + i,
		}); err != nil {
			t.Fatal(err)
		}
	}
	dm = dm.WaitFor("all six offers", holding("You have 6 new offers"))
	if n := len(maple.DMs()); n != 1 {
		t.Errorf("%d messages", n)
	}
	list := dm.List("Answer an offer…")
	labels := list.Labels()
	i := slices.IndexFunc(labels, func(l string) bool { return strings.Contains(l, "Visitor 3") })
	one := list.Choose(labels[i])
	wants(t, "the offer", one.View, "13 × Iron Ore", "unverified contact")
	rest := one.Button("Accept all 13").Press()
	wants(t, "what is left", rest.View, "Accepted 13 × Iron Ore from Visitor 3", "20 from rowan.ashdown")
	if strings.Contains(rest.Text(), "13 from") {
		t.Error("the accepted offer is still offered")
	}
	// A later offer, after the message has gone stale, is a new ping.
	w.Advance(notify.BatchWindow + time.Second)
	w.offer("juniper_fox", order, 9)
	wants(t, "the next message", maple.NextDM(), "You have a new offer: 9 × Iron Ore", `@juniper\_fox`)
}

func TestAnOutdatedMessageShowsTheCurrentState(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple")
	offer := w.offer("rowan.ashdown", order, 20)
	dm := maple.NextDM()
	accept, part := dm.Button("Accept all 20"), dm.Button("Accept part…")
	form := part.Press().Modal
	if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), offer.ID, 15); err != nil {
		t.Fatal(err)
	}
	// The message follows changes that are made elsewhere. An outdated button may still be on the user's screen.
	showing := func(text string) *discordtest.View {
		return maple.FindDM("the message with "+text, func(v *discordtest.View) bool { return strings.Contains(v.Text(), text) })
	}
	stale := maple.ForgePress(showing("new offer: 5 × Iron Ore"), accept.CustomID)
	wants(t, "the message", stale.View, "Choose a quantity from 1 to 5", "5 × Iron Ore")
	if !stale.Updated() || !slices.Contains(stale.Buttons(), "Accept all 5") {
		t.Errorf("the message was not redrawn: %q", stale.Buttons())
	}
	wants(t, "the form that was open", form.Submit(map[string]string{"Quantity": "20"}).View, "Choose a quantity from 1 to 5")
	if err := w.market.Trade.DeleteOffer(t.Context(), w.actor("rowan.ashdown"), offer.ID); err != nil {
		t.Fatal(err)
	}
	gone := maple.ForgePress(showing("~~20 × Iron Ore~~"), accept.CustomID)
	wants(t, "the message", gone.View, "That offer is no longer here", "~~20 × Iron Ore~~")
	if o := w.order("maple", order.ID); o.Sold != 15 {
		t.Errorf("%d were sold", o.Sold)
	}
}

func TestPressedTwiceAcceptsOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	accept := w.Player(t, "maple").FindDM("a direct message", func(*discordtest.View) bool { return true }).Button("Accept all 20")
	w.Gateway().DuplicateNext(2)
	first, second := accept.StartPress(), accept.StartPress()
	first.Reply()
	second.Reply()
	if o := w.order("maple", order.ID); o.Sold != 20 {
		t.Errorf("%d were sold", o.Sold)
	}
	if n := len(w.Player(t, "rowan.ashdown").DMs()); n > 1 {
		t.Errorf("the seller was notified %d times", n)
	}
}

func TestAButtonWorksAfterARestart(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	dm := w.Player(t, "maple").FindDM("a direct message", func(*discordtest.View) bool { return true })
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.Gateway().Wait(t, "the restart", func(c discordtest.Count) bool { return c.Ready == 1 })
	wants(t, "the message", dm.Button("Decline").Press().View, "Declined 20 × Iron Ore from rowan.ashdown. We've told the seller")
}

func TestRenewingFromTheWarning(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.Advance(trade.OrderLifetime - trade.ExpiryWarning + time.Hour)
	if _, warned, err := w.market.Trade.ExpireOrders(t.Context(), 10); err != nil || warned > 1 {
		t.Fatal(warned, err)
	}
	dm := w.Player(t, "maple").FindDM("the warning", holding("expires"))
	renewed := dm.Button("Renew").Press()
	wants(t, "the message", renewed.View, "Renewed: it ends <t:")
	if o := w.order("maple", order.ID); o.ExpiresAt.Before(w.Now().Add(trade.OrderLifetime - time.Hour)) {
		t.Errorf("it ends %s", o.ExpiresAt)
	}
}

func TestMessagesCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple")
	w.offer("rowan.ashdown", order, 20)
	settings := maple.NextDM().Button("More…").Press().Button("Message settings").Press()
	wants(t, "the settings", settings.View, "Choose which notices you get as direct messages", "You always get a message when a moderator decides something about you or your posts", "Quiet hours: none")
	list := settings.List("Nothing is sent")
	mutable := notify.MutableKinds(core.AllFeatures(), false)
	if len(list.Labels()) != len(mutable) {
		t.Errorf("the kinds are %q", list.Labels())
	}
	saved := list.Choose("My request is filled", "My request expires soon")
	wants(t, "the settings", saved.View, "Saved")
	wishes, _, err := w.market.Notify.Settings(t.Context(), w.actor("maple"))
	if err != nil || len(wishes.Muted) != len(mutable)-2 || slices.Contains(wishes.Muted, notify.NoticeOrderFilled) {
		t.Errorf("muted %q, %v", wishes.Muted, err)
	}

	quiet := saved.Button("Quiet hours…")
	wants(t, "a bad time", quiet.Press().Modal.Submit(map[string]string{"From": "25:00", "To": "7"}).View, "Quiet hours start between 00:00 and 23:59")
	wants(t, "the settings", quiet.Press().Modal.Submit(map[string]string{"From": "22:00", "To": "7", "Time zone": "Europe/Berlin"}).View, `Quiet hours: 22:00 to 07:00, Europe\/Berlin`)
	wants(t, "a bad zone", quiet.Press().Modal.Submit(map[string]string{"From": "22", "To": "23", "Time zone": "Mars"}).View,
		`Time zone must be a name such as Europe\/Berlin`)
	wants(t, "no quiet hours", quiet.Press().Modal.Submit(map[string]string{"From": "", "To": ""}).View, "Quiet hours: none")
	wants(t, "the answer", w.at(maple, "Settings").Button("Send a test").Press().View, "A test message is on its way")
	wants(t, "the test", maple.WaitDM("the test", holding("It works")), "Tradepost can write to you")
}

func TestModeratorsTurnOffWhatOnlyTheyGet(t *testing.T) {
	t.Parallel()
	w := open(t)
	tamsin := w.Player(t, "oldtamsin")
	settings := w.at(tamsin, "Settings")
	wants(t, "the settings", settings.View, "As a moderator, you also always get a message")
	list := settings.List("Nothing is sent")
	if !slices.Contains(list.Labels(), "For moderators: something is reported") {
		t.Fatalf("the kinds are %q", list.Labels())
	}
	list.Choose("For moderators: a dispute to settle")
	wishes, _, err := w.market.Notify.Settings(t.Context(), w.actor("oldtamsin"))
	if err != nil || !slices.Contains(wishes.Muted, notify.NoticeReportReceived) || slices.Contains(wishes.Muted, notify.NoticeDisputeReceived) || slices.Contains(wishes.Muted, notify.NoticeManyRemovals) {
		t.Errorf("muted %q, %v", wishes.Muted, err)
	}
}

func TestAUserWithClosedMessagesReadsTheReasonInTheSettings(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple").CloseDMs()
	w.offer("rowan.ashdown", order, 20)
	refused := w.notice("maple", notify.NoticeOfferReceived, notify.NoticeRefused)
	if !strings.Contains(refused.Reason, "do not let this bot write to you") {
		t.Errorf("the reason is %q", refused.Reason)
	}
	wants(t, "the settings", w.at(maple, "Settings").View, "We can't message you right now", "Allow direct messages")
	w.offer("juniper_fox", order, 10)
	w.ForgetRequests()
	maple.OpenDMs()
	w.at(maple, "Settings").Button("Send a test").Press()
	wants(t, "the test", maple.WaitDM("the test", holding("It works")), "It works")
}

// notice waits until a user has a notice of a kind in a state.
func (w *world) notice(who string, kind notify.Kind, state notify.State) notify.Notice {
	w.t.Helper()
	deadline := time.After(patience)
	for {
		page, err := w.market.Notify.Notices(w.t.Context(), w.actor(who), 0, 50)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, n := range page.Notices {
			if n.Kind == kind && n.State == state {
				return n
			}
		}
		select {
		case <-deadline:
			w.t.Fatalf("%s has no %s %s notice but %+v", who, state, kind, page.Notices)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func TestManyWarningsAreOneMessageThatListsTheFirstFew(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	const many = 12
	for range many {
		w.offer("rowan.ashdown", w.post("maple"), 20)
	}
	w.Advance(trade.OrderLifetime - trade.ExpiryWarning + time.Hour)
	for range many { // in steps of one, while messages are delivered
		if _, _, err := w.market.Trade.ExpireOrders(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	dm := maple.WaitDM("the warnings", holding("12 of your requests expire soon"))
	wants(t, "the message", dm, "500 × Iron Ore", "…and 7 more")
	if n := strings.Count(dm.Text(), "Iron Ore"); n != 5 {
		t.Errorf("%d requests are listed, want 5", n)
	}
	w.Advance(trade.ExpiryWarning)
	for range many {
		if _, _, err := w.market.Trade.ExpireOrders(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	lapsed := rowan.WaitDM("the lapsed offers", holding("12 of your offers have lapsed"))
	wants(t, "the message", lapsed, "The request has expired", "…and 7 more")
	if n := len(rowan.DMs()); n != 1 {
		t.Errorf("the seller has %d messages, want 1", n)
	}
}

func TestAnAnsweredMessageIsNeverOverwritten(t *testing.T) {
	t.Parallel()
	w := open(t)
	iron, oak := w.post("maple"), w.post("maple", item("Oak Log"))
	maple := w.Player(t, "maple")
	w.offer("rowan.ashdown", iron, 20)
	answered := maple.NextDM().Button("Accept all 20").Press()
	w.offer("rowan.ashdown", oak, 5)
	wants(t, "the next message", maple.NextDM(), "You have a new offer: 5 × Oak Log")
	wants(t, "the answered message", answered.Now(), "Accepted 20 × Iron Ore", "@rowan.ashdown")

	// What is chosen from is not taken away under one's finger.
	w.offer("juniper_fox", oak, 6)
	two := maple.DMs()[1].WaitFor("both offers", holding("You have 2 new offers"))
	list := two.List("Answer an offer…")
	picked := list.Choose(list.Labels()[1])
	w.offer("juniper_fox", iron, 7)
	wants(t, "the message after that", maple.NextDM(), "You have a new offer: 7 × Iron Ore")
	wants(t, "the message that is being answered", picked.Now(), "6 × Oak Log")

	// What was answered on the page was answered.
	seven := maple.DMs()[2]
	_, offers, err := w.market.Trade.Offers(t.Context(), w.actor("maple"), iron.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), offers[0].ID, 1); err != nil {
		t.Fatal(err)
	}
	w.offer("rowan.ashdown", iron, 8)
	wants(t, "the message after an answer on the page", maple.NextDM(), "You have a new offer: 8 × Iron Ore")
	seven = seven.WaitFor("the answer on the page", holding("I accepted your offer: 1 × Iron Ore"))
	if strings.Contains(seven.Text(), "8 × Iron Ore") {
		t.Errorf("the message that was answered on the page has become\n%s", seven.Text())
	}
}

func TestAMessageThatCannotBeEditedIsFollowedByAnother(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("juniper_fox", order, 20)
	w.Player(t, "maple").FindDM("the first offer", holding("20 × Iron Ore"))
	w.Fail("PATCH /channels/{channel_id}/messages/{message_id}", 1, discordtest.RefusingWith(50035))
	w.offer("rowan.ashdown", order, 30)
	w.Player(t, "maple").FindDM("both offers", holding("2 new offers"))
	for _, n := range w.ended("maple") {
		if n.State != notify.NoticeDelivered {
			t.Errorf("a notice is %v: %s", n.State, n.Message)
		}
	}
	if n := len(w.Player(t, "maple").DMs()); n != 2 {
		t.Errorf("there are %d messages", n)
	}
}
