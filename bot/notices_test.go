package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
)

func TestSeveralOffersAreOneMessage(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple")
	w.offer("rowan.ashdown", order, 20)
	dm := maple.NextDM()
	for i := range 5 {
		if _, err := w.market.SendOffer(t.Context(), core.Actor{}, order.ID, core.OfferDraft{
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
	w.Advance(core.GatherFor + time.Second)
	w.offer("juniper_fox", order, 9)
	wants(t, "the next message", maple.NextDM(), "You have a new offer: 9 × Iron Ore", `@juniper\_fox`)
}

func TestAMessageThatIsOutOfDateTellsTheTruth(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	offer := w.offer("rowan.ashdown", order, 20)
	maple := w.Player(t, "maple")
	dm := maple.NextDM()
	accept, part := dm.Button("Accept all 20"), dm.Button("Accept part…")
	form := part.Press().Modal
	if _, err := w.market.AcceptOffer(t.Context(), w.actor("maple"), offer.ID, 15); err != nil {
		t.Fatal(err)
	}
	stale := accept.Press()
	wants(t, "the message", stale.View, "Choose a quantity from 1 to 5", "5 × Iron Ore")
	if !stale.Updated() || !slices.Contains(stale.Buttons(), "Accept all 5") {
		t.Errorf("the message was not drawn anew: %q", stale.Buttons())
	}
	wants(t, "the form that was open", form.Submit(map[string]string{"Quantity": "20"}).View, "Choose a quantity from 1 to 5")
	if err := w.market.DeleteOffer(t.Context(), w.actor("rowan.ashdown"), offer.ID); err != nil {
		t.Fatal(err)
	}
	gone := maple.ForgePress(stale.View, accept.CustomID)
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
	accept := w.Player(t, "maple").NextDM().Button("Accept all 20")
	w.Gateway().DuplicateNext(2)
	first, second := accept.StartPress(), accept.StartPress()
	first.Reply()
	second.Reply()
	if o := w.order("maple", order.ID); o.Sold != 20 {
		t.Errorf("%d were sold", o.Sold)
	}
	if n := len(w.Player(t, "rowan.ashdown").DMs()); n > 1 {
		t.Errorf("the seller was told %d times", n)
	}
}

func TestAButtonWorksAfterARestart(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	dm := w.Player(t, "maple").NextDM()
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.Gateway().Wait(t, "the restart", func(c discordtest.Count) bool { return c.Ready == 1 })
	wants(t, "the message", dm.Button("Decline").Press().View, "Declined 20 × Iron Ore from rowan.ashdown, who is told")
}

func TestRenewingFromTheWarning(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	w.Advance(core.OrderLife - core.ExpiryWarning + time.Hour)
	if _, warned, err := w.market.ExpireOrders(t.Context(), 10); err != nil || warned > 1 {
		t.Fatal(warned, err)
	}
	dm := w.Player(t, "maple").WaitDM("the warning", holding("expires"))
	renewed := dm.Button("Renew").Press()
	wants(t, "the message", renewed.View, "Renewed: it ends <t:")
	if o := w.order("maple", order.ID); o.ExpiresAt.Before(w.Now().Add(core.OrderLife - time.Hour)) {
		t.Errorf("it ends %s", o.ExpiresAt)
	}
}

func TestMessagesCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple")
	w.offer("rowan.ashdown", order, 20)
	settings := maple.NextDM().Button("Message settings (/notify)").Press()
	wants(t, "the settings", settings.View, "Pick what you want to be told of", "Quiet hours: none")
	list := settings.List("Nothing is sent")
	if len(list.Labels()) != len(core.MutableKinds) {
		t.Errorf("the kinds are %q", list.Labels())
	}
	saved := list.Choose("My request is filled", "My request expires soon")
	wants(t, "the settings", saved.View, "Saved")
	wishes, _, err := w.market.NoticeSettings(t.Context(), w.actor("maple"))
	if err != nil || len(wishes.Muted) != len(core.MutableKinds)-2 || slices.Contains(wishes.Muted, core.OrderFilled) {
		t.Errorf("muted %q, %v", wishes.Muted, err)
	}

	quiet := saved.Button("Quiet hours…")
	wants(t, "a bad time", quiet.Press().Modal.Submit(map[string]string{"From": "25:00", "To": "7"}).View, "Quiet hours start between 00:00 and 23:59")
	wants(t, "the settings", quiet.Press().Modal.Submit(map[string]string{"From": "22:00", "To": "7", "Time zone": "Europe/Berlin"}).View, `Quiet hours: 22:00 to 07:00, Europe\/Berlin`)
	wants(t, "a bad zone", maple.Slash("notify quiet", discordtest.Str("from", "22"), discordtest.Str("to", "23"), discordtest.Str("zone", "Mars")).View,
		`Time zone must be a name such as Europe\/Berlin`)
	wants(t, "no quiet hours", maple.Slash("notify quiet").View, "Quiet hours: none")
	if got := maple.Complete("notify quiet", "zone", "ber"); len(got) != 1 || got[0].Name != "Europe/Berlin" {
		t.Errorf("zones: %+v", got)
	}
	wants(t, "the answer", maple.Slash("notify test").View, "A test message is on its way")
	wants(t, "the test", maple.WaitDM("the test", holding("It works")), "Tradepost can write to you")
}

func TestSomebodyWhoTakesNoMessagesIsToldWhereTheyLook(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple").CloseDMs()
	w.offer("rowan.ashdown", order, 20)
	refused := w.notice("maple", core.OfferReceived, core.NoticeRefused)
	if !strings.Contains(refused.Reason, "do not let this bot write to you") {
		t.Errorf("the reason is %q", refused.Reason)
	}
	wants(t, "the settings", maple.Slash("notify settings").View, "No message reaches you at present", "Allow direct messages")
	w.offer("juniper_fox", order, 10)
	w.ForgetRequests()
	maple.OpenDMs()
	maple.Slash("notify test")
	wants(t, "the test", maple.WaitDM("the test", holding("It works")), "It works")
}

// notice waits until somebody has a notice of a kind in a state.
func (w *world) notice(who string, kind core.NoticeKind, state core.NoticeState) core.Notice {
	w.t.Helper()
	deadline := time.After(patience)
	for {
		page, err := w.market.Notices(w.t.Context(), w.actor(who), 0, 50)
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
