package bot_test

import (
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
)

func TestTheInboxTellsWhatNoDirectMessageDid(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	wants(t, "an empty inbox", maple.Slash("notify inbox").View, "Nothing here yet")
	maple.CloseDMs()
	w.post("maple", item("Rope"))
	request := func() discordtest.Option { return rowan.Pick("offer send", "request", "Rope") }
	rowan.Slash("offer send", request(), discordtest.Int("quantity", 2), discordtest.Str("message", "tonight"))
	w.WaitRequests(t, "POST /channels/{channel_id}/messages", 1) // and is refused
	var waits *discordtest.View
	for waits == nil {
		answer := maple.Slash("request mine")
		for _, m := range maple.Messages() {
			if strings.Contains(m.Text(), "Discord doesn't let me write to you") {
				waits = m
			}
		}
		_ = answer
	}
	if !waits.Private() {
		t.Error("everyone reads that something waits")
	}
	inbox := waits.Button("Open the inbox").Press()
	wants(t, "the inbox", inbox.View, "Your inbox", "2 × Rope", "A direct message didn't reach you. Your Discord settings do not let this bot write to you")
	if !inbox.Private() {
		t.Error("everyone reads the inbox")
	}
	before := len(maple.Messages())
	maple.Slash("request mine")
	maple.Slash("request mine")
	if n := len(maple.Messages()); n != before+2 {
		t.Errorf("%d messages more after two commands: it was said again", n-before)
	}
	if page, err := w.market.Notices(t.Context(), w.actor("maple"), 0, 1); err != nil || page.Unread != 0 {
		t.Errorf("%d notices are unread, %v", page.Unread, err)
	}
}

func TestCommandsInTheMenuOfAMessage(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple").In("request-board"), w.Player(t, "rowan.ashdown").In("request-board")
	maple.Slash("board here")
	order := w.post("juniper_fox", item("Rope"))
	card := maple.WaitMessage("the card", holding("Rope"))
	form := rowan.UseOn(card, "Offer on this").Modal
	if form == nil {
		t.Fatal("no form opens")
	}
	wants(t, "the offer", form.Submit(map[string]string{"Quantity": "3", "Message": "tonight"}).View, "3 × Rope")
	if _, offers, err := w.market.Offers(t.Context(), w.actor("juniper_fox"), order.ID); err != nil || len(offers) != 1 {
		t.Errorf("offers: %+v, %v", offers, err)
	}
	report := rowan.UseOn(card, "Report").Modal
	wants(t, "the report", report.Submit(map[string]string{"Reason": "no rope"}).View, "Thank")
	other := maple.Say("500 ore, anyone?")
	wants(t, "on a message of a user", rowan.UseOn(other, "Offer on this").View, "That message shows no open request")
	wants(t, "on one's own request", w.Player(t, "juniper_fox").In("request-board").UseOn(card, "Offer on this").View, "You cannot offer on your own request")
}

func TestOnlyTheNamedServersAreServed(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	maple := w.Player(t, "maple")
	w.NewServer("Emberfall", "market", maple).InviteBot(0)
	w.start(func(o *bot.Options) { o.Servers = []string{w.HomeServer().ID()} })
	w.WaitForBot(t)
	refused := maple.In("market").Slash("request browse")
	wants(t, "in another server", refused.View, "I don't work in this server")
	if !refused.Private() {
		t.Error("everyone reads it")
	}
	if found := maple.In("market").Complete("request show", "request", "Rope"); len(found) != 0 {
		t.Errorf("it completes %v", found)
	}
	wants(t, "at home", maple.Slash("request mine").View, "request")
	wants(t, "in a direct message", maple.InDM().Slash("request mine").View, "request")
}

func TestStaffCommandsAreHiddenFromMembers(t *testing.T) {
	t.Parallel()
	w := open(t)
	for name, want := range map[string]bool{"rowan.ashdown": false, moderator: true} {
		list := " " + strings.Join(w.CommandsFor(w.Player(t, name)), " ") + " "
		if strings.Contains(list, " moderate ") != want {
			t.Errorf("%s sees %s", name, list)
		}
	}
}
