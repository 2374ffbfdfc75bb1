package bot_test

import (
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
)

func TestTheInboxShowsNoticesThatWereNotDelivered(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	wants(t, "an empty inbox", w.at(maple, "Settings").Button("Open the inbox").Press().View, "Nothing here yet")
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
	if page, err := w.market.Notify.Notices(t.Context(), w.actor("maple"), 0, 1); err != nil || page.Unread != 0 {
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
	if _, offers, err := w.market.Trade.Offers(t.Context(), w.actor("juniper_fox"), order.ID); err != nil || len(offers) != 1 {
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
	wants(t, "in another server", refused.View, "This bot works only for")
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

// TestOutsideServersOnlyMembersOfTheNamedServersAreServed checks direct messages where SERVERS names servers: Discord is asked once a day,
// its last answer is used for a week while it gives none, and without one the command is refused.
func TestOutsideServersOnlyMembersOfTheNamedServersAreServed(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.start(func(o *bot.Options) { o.Servers = []string{w.HomeServer().ID()} })
	w.WaitForBot(t)
	const membersOnly, notKnown, route = "Only members of", "Discord can't tell me right now", "GET /guilds/*/members/*"
	member, outsider := w.Player(t, "maple"), w.NewPlayer(t, "stranger")
	asked := func(who *discordtest.Player) (n int) {
		for _, r := range w.Requests() {
			if r.Method == "GET" && strings.HasSuffix(r.Path, "/members/"+who.ID()) {
				n++
			}
		}
		return n
	}
	outsider.LeaveServer().InstallForMyself()
	later := func(by string) { // the answers grow older
		t.Helper()
		if _, err := w.store.Pool().Exec(t.Context(), "update memberships set answered_at = answered_at - $1::interval, tried_at = tried_at - $1::interval", by); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		wants(t, "a member", member.InDM().Slash("request mine").View, "request")
		wants(t, "one who is no member", outsider.InDM().Slash("request mine").View, membersOnly)
	}
	if found := outsider.InDM().Complete("request show", "request", "Rope"); len(found) != 0 {
		t.Errorf("it completes %v", found)
	}
	if m, o := asked(member), asked(outsider); m != 1 || o != 1 {
		t.Errorf("Discord was asked %d times about the member and %d times about the other, want once each", m, o)
	}
	var accounts int
	err := w.store.Pool().QueryRow(t.Context(), "select count(*) from users where username = 'stranger'").Scan(&accounts)
	if err != nil || accounts != 0 {
		t.Error("one who is no member has an account", err)
	}

	w.Fail(route, discordtest.Always, discordtest.Outage(503))
	later("6 days")
	wants(t, "a member while Discord is away", member.InDM().Slash("request mine").View, "request")
	wants(t, "another while Discord is away", outsider.InDM().Slash("request mine").View, membersOnly)
	unknown := w.NewPlayer(t, "newcomer")
	wants(t, "one of whom nothing is known", unknown.InDM().Slash("request mine").View, notKnown)
	later("24 hours")
	wants(t, "a member after a week", member.InDM().Slash("request mine").View, notKnown)
	w.LiftFaults()
	later("2 minutes")
	wants(t, "a member once Discord answers", member.InDM().Slash("request mine").View, "request")
	wants(t, "one of whom nothing was known", unknown.InDM().Slash("request mine").View, "request")
	later("23 hours")
	before := asked(member)
	wants(t, "a member within the day", member.InDM().Slash("request mine").View, "request")
	if asked(member) != before {
		t.Error("Discord was asked twice within a day")
	}
}
