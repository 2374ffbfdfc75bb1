package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/trade"
)

// reports has a user report a request.
func (w *world) reports(who string, order trade.Order, reason string) core.ReportID {
	w.t.Helper()
	id, err := w.market.Moderation.ReportOrder(w.t.Context(), w.actor(who), order.ID, reason)
	if err != nil {
		w.t.Fatalf("%s reports: %v", who, err)
	}
	return id
}

// public are the messages of a channel that everybody there sees.
func public(p *discordtest.Player) []*discordtest.View {
	return slices.DeleteFunc(p.Messages(), func(v *discordtest.View) bool { return v.Private() || v.Deleted })
}

// reportsArrive has the moderator make reports arrive in the tavern, and returns them there.
func reportsArrive(w *world) *discordtest.Player {
	w.t.Helper()
	mod := w.Player(w.t, moderator).In("tavern")
	set := mod.Slash("moderate here")
	wants(w.t, "the answer", set.View, "New reports arrive in this channel from now on")
	if !set.Private() {
		w.t.Error("everybody reads the answer")
	}
	w.Advance(time.Second)
	return mod
}

func TestReportsArriveInAChannelAndShowWhoDecidedWhat(t *testing.T) {
	t.Parallel()
	w := open(t)
	mod, maple := reportsArrive(w), w.Player(t, "maple")
	order := w.post("maple", item("Gold Sand"))
	w.reports("rowan.ashdown", order, "It is *sand* @everyone")
	message := mod.WaitMessage("the report", holding("**Gold Sand** was reported"))
	wants(t, "the report", message, "Request Gold Sand of <@"+maple.ID()+"> (@maple)", `It is \*sand\* \@everyone`, "Pays per unit")
	if text := message.Text(); strings.Contains(text, "rowan") {
		t.Errorf("the channel learns who reported: %q", text)
	}
	if len(message.Mentions) > 0 || message.MentionEveryone {
		t.Errorf("the message pings %v, everybody %v", message.Mentions, message.MentionEveryone)
	}
	w.reports("juniper_fox", order, "No such thing")
	message = message.WaitFor("the second report", holding("2 reports"))
	more := message.Button("Details").PressAs(mod)
	wants(t, "the details", more.View, "(@rowan.ashdown)", `(@juniper\_fox)`)
	if !more.Private() {
		t.Error("everybody reads who reported")
	}

	rowan := w.Player(t, "rowan.ashdown").In("tavern")
	for _, label := range []string{"Dismiss", "Remove request…", "Block @maple…", "Details"} {
		if got := message.Button(label).PressAs(rowan); !got.Private() || !strings.Contains(got.Text(), "Only a moderator can do that") {
			t.Errorf("%s for others: %q, private %v", label, got.Text(), got.Private())
		}
	}
	form := message.Button("Remove request…").Press().Modal
	blank := form.Submit(map[string]string{"Reason": "\u200b"})
	wants(t, "no reason", blank.View, "Reason is required")
	if !blank.Private() {
		t.Error("everybody reads what was typed")
	}
	removed := blank.Button("Edit again").Press().Modal
	removed.Submit(map[string]string{"Reason": "No such item"})
	message = message.WaitFor("the decision", holding("removed the request Gold Sand"))
	wants(t, "the decision", message, "<@"+mod.ID()+"> (@oldtamsin) removed the request Gold Sand of <@"+maple.ID()+">", "No such item")
	if len(message.Buttons()) > 0 {
		t.Errorf("it still has %q", message.Buttons())
	}
	wants(t, "the owner's message", maple.WaitDM("the removal", holding("removed your request")), "No such item")
	if n := len(public(mod)); n != 1 {
		t.Errorf("the channel has %d messages", n)
	}
}

func TestAReportThatIsDecidedElsewhereIsRedrawn(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string]bool{"stopped after its message was stored": true, "stopped before": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			decidedElsewhere(t, stored)
		})
	}
}

// decidedElsewhere has a report decided while the bot is stopped. It was stopped after it sent the report's message, and before it stored
// which one that is, or after that.
func decidedElsewhere(t *testing.T, stored bool) {
	w := open(t)
	mod := reportsArrive(w)
	order := w.post("maple", item("Gold Sand"))
	id := w.reports("rowan.ashdown", order, "It is sand")
	message := mod.WaitMessage("the report", holding("Gold Sand"))
	form := message.Button("Block @maple…").Press().Modal // open while another moderator decides on the page
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	if !stored {
		if _, err := w.store.Pool().Exec(t.Context(), "update report_posts set message_id = '', shown_reports = 0, shown_thing = 0"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.market.Moderation.DismissReport(t.Context(), w.moderator("juniper_fox"), id); err != nil {
		t.Fatal(err)
	}
	w.bot = w.start()
	w.Gateway().Wait(t, "the restart", func(c discordtest.Count) bool { return c.Ready == 1 })
	message = message.WaitFor("the decision", holding("dismissed a report"))
	wants(t, "the decision", message, `(@juniper\_fox) dismissed a report on Gold Sand of`)
	if len(message.Buttons()) > 0 {
		t.Errorf("it still has %q", message.Buttons())
	}
	late := form.Submit(map[string]string{"Reason": "Sells sand"})
	wants(t, "the form that was open", late.View, "This report is already settled")
	if u := w.actor("maple"); u.Blocked {
		t.Error("a report was decided on twice")
	}
	w.reports("rowan.ashdown", order, "It still is sand")
	again := mod.WaitMessage("the new report", holding("still is sand"))
	if again.ID == message.ID {
		t.Error("a new report changes the message of an old decision")
	}
}

// moderator returns a user as a moderator by role.
func (w *world) moderator(who string) core.Actor {
	actor := w.actor(who)
	actor.Moderator = true
	return actor
}

func TestOfSeveralModeratorsOneDecides(t *testing.T) {
	t.Parallel()
	w := open(t)
	mod := reportsArrive(w)
	order := w.post("maple", item("Gold Sand"))
	w.reports("rowan.ashdown", order, "It is sand")
	message := mod.WaitMessage("the report", holding("Gold Sand"))
	juniper := w.Player(t, "juniper_fox").SetRoles(moderatorRole).In("tavern")
	first, second := message.Button("Remove request…").Press().Modal, message.Button("Block @maple…").PressAs(juniper).Modal
	var both sync.WaitGroup
	answers := make([]*discordtest.Reply, 3)
	both.Go(func() { answers[0] = first.Submit(map[string]string{"Reason": "Sand"}) })
	both.Go(func() { answers[1] = second.Submit(map[string]string{"Reason": "Sells sand"}) })
	both.Go(func() { answers[2] = message.Button("Dismiss").PressAs(juniper) })
	both.Wait()
	entries, err := w.market.Moderation.AuditEntries(t.Context(), w.moderator(moderator), 0, 10)
	if err != nil || len(entries) != 1 {
		t.Errorf("%d decisions: %+v, %v", len(entries), entries, err)
	}
	told := 0
	for _, a := range answers {
		if slices.ContainsFunc(a.Said, func(s string) bool {
			return strings.Contains(s, "This report is already settled") || strings.Contains(s, "Order not found")
		}) {
			told++
		}
	}
	if told != 2 {
		t.Errorf("%d of the other two are told: %q", told, []any{answers[0].Said, answers[1].Said, answers[2].Said})
	}
	message.WaitFor("the decision", func(v *discordtest.View) bool { return len(v.Buttons()) == 0 })
}

func TestASideOfACaseDoesNotDecideIt(t *testing.T) {
	t.Parallel()
	w := open(t)
	mod := reportsArrive(w)
	own := w.post(moderator, item("Iron Ore"))
	w.reports("rowan.ashdown", own, "He sells none")
	message := mod.WaitMessage("the report about the moderator", holding("Iron Ore"))
	for _, label := range []string{"Dismiss", "Remove request…", "Block @oldtamsin…"} {
		wants(t, label, message.Button(label).Press().View, "This is about you. Another moderator has to decide on it.")
	}
	juniper := w.Player(t, "juniper_fox").SetRoles(moderatorRole).In("tavern")
	w.offer("juniper_fox", own, 3)
	wants(t, "a seller of the request", message.Button("Dismiss").PressAs(juniper).View, "This is about you.")
	block := message.Button("Block @oldtamsin…").PressAs(juniper).Modal
	wants(t, "a seller of the request", block.Submit(map[string]string{"Reason": "x"}).View, "This is about you.")
	juniper.SetRoles()
	wants(t, "without the role", message.Button("Dismiss").PressAs(juniper).View, "Only a moderator can do that")
}

func TestReportsCloseTogetherShareAMessage(t *testing.T) {
	t.Parallel()
	w := open(t)
	mod := reportsArrive(w)
	orders := make([]trade.Order, 4)
	for i := range orders {
		orders[i] = w.post("maple", item(fmt.Sprintf("Sand %d", i)))
		w.reports("rowan.ashdown", orders[i], fmt.Sprintf("Not number %d", i))
		mod.With(t).WaitMessage("the report", holding(fmt.Sprintf("Sand %d", i)))
	}
	all := public(mod)
	if len(all) != 2 {
		t.Fatalf("%d messages", len(all))
	}
	shared := all[slices.IndexFunc(all, holding("Sand 3"))].WaitFor("all of them", holding("Sand 1"))
	wants(t, "the shared message", shared, "3 reports came in.", "Sand 2", "Not number 1")
	list := shared.List("Open a report…")
	one := list.Choose("Sand 2 · @maple")
	if !one.Private() {
		t.Error("everybody reads the report that was picked")
	}
	wants(t, "dismissed", one.Button("Dismiss").Press().View, "Report dismissed.")
	shared = shared.WaitFor("the decision", holding("dismissed a report on Sand 2"))
	if labels := shared.List("Open a report…").Labels(); len(labels) != 2 {
		t.Errorf("it still offers %q", labels)
	}
	w.Advance(2 * channels.ReportBatchWindow)
	w.reports("rowan.ashdown", w.post("maple", item("Later")), "Late")
	later := mod.WaitMessage("the later report", holding("Later"))
	if !slices.Contains(later.Buttons(), "Dismiss") {
		t.Errorf("a report by itself has only %q", later.Buttons())
	}
}

func TestTheReportChannelMovesAndStops(t *testing.T) {
	t.Parallel()
	w := open(t)
	rowan := w.Player(t, "rowan.ashdown")
	wants(t, "for others", rowan.ManageMessages().Slash("moderate here").View, "Only a moderator can do that")
	mod := w.Player(t, moderator)
	wants(t, "in a direct message", mod.InDM().Slash("moderate here").View, "Reports belong in a channel of a server")
	w.Channel("tavern").Mute()
	wants(t, "where the bot may not post", mod.In("tavern").Slash("moderate here").View, "I'm not allowed to post in this channel")
	w.Channel("tavern").Open()
	set := mod.In("tavern").Slash("moderate here")
	wants(t, "in a channel for everybody", set.View, "New reports arrive in this channel from now on", "Everyone in this server can read this channel")
	w.Channel("tavern").Close().Show(mod)
	again := mod.In("tavern").Slash("moderate here")
	wants(t, "again", again.View, "New reports arrive in this channel already.")
	if strings.Contains(again.Text(), "Everyone") {
		t.Errorf("a private channel is called public: %q", again.Text())
	}
	moved := mod.In("request-board").Slash("moderate here")
	wants(t, "in another one", moved.View, "and no longer in <#"+w.Channel("tavern").ID()+">")
	w.Advance(time.Second)
	order := w.post("maple", item("Gold Sand"))
	w.reports("rowan.ashdown", order, "It is sand")
	mod.In("request-board").WaitMessage("the report", holding("Gold Sand"))
	wants(t, "the end", moved.Button("Stop").Press().View, "New reports no longer arrive in <#"+w.Channel("request-board").ID()+">")
	w.reports("rowan.ashdown", w.post("maple", item("Iron Ore")), "It is rust")
	id := w.reports("juniper_fox", order, "I think so, too")
	public(mod.In("request-board"))[0].WaitFor("the second report", holding("2 reports"))
	if err := w.market.Moderation.DismissReport(t.Context(), w.moderator(moderator), id); err != nil {
		t.Fatal(err)
	}
	message := public(mod.In("request-board"))[0].WaitFor("the decision after the end", holding("dismissed a report"))
	if n := len(public(mod.In("request-board"))); n != 1 || strings.Contains(message.Text(), "Iron Ore") {
		t.Errorf("%d messages: %q", n, message.Text())
	}
}

func TestModeratorsAreNotifiedWhenTheReportChannelEnds(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*discordtest.ServerChannel){
		"may not write there any more": func(c *discordtest.ServerChannel) { c.Mute() },
		"channel was deleted":          func(c *discordtest.ServerChannel) { c.Delete() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			reportsArrive(w)
			channel := w.Channel("tavern")
			lose(channel)
			w.reports("rowan.ashdown", w.post("maple", item("Gold Sand")), "It is sand")
			told := w.Player(t, moderator).FindDM("the end", holding("New reports no longer arrive in"))
			wants(t, "the message", told, "<#"+channel.ID()+">", name, "brings them back")
			if _, err := w.store.ReportChannel(t.Context()); core.KindOf(err) != core.NotFound {
				t.Errorf("reports still arrive there: %v", err)
			}
		})
	}
}

// A crash after a message was sent and before that was stored makes no second one: soon after, its nonce tells, and later the
// message itself.
func TestAReportIsShownOnceAcrossARestart(t *testing.T) {
	t.Parallel()
	w := open(t)
	mod := reportsArrive(w)
	send := "POST /channels/" + w.Channel("tavern").ID() + "/messages"
	report := func(name string) {
		t.Helper()
		w.reports("rowan.ashdown", w.post("maple", item(name)), "No such item")
		mod.WaitMessage("the report", holding(name))
	}
	w.Fail(send, 1, discordtest.Losing())
	report("Gold Sand")
	w.Advance(2 * time.Second)
	report("Iron Ore") // after the first was tried again
	w.Fail(send, 1, discordtest.Losing())
	w.Advance(2 * channels.ReportBatchWindow)
	report("Tin")
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	w.Advance(10 * time.Minute) // the nonce is forgotten
	w.bot = w.start()
	report("Coal")
	all := public(mod)
	if len(all) != 4 {
		t.Errorf("the channel has %d messages", len(all))
	}
}

func TestAReportMessageThatWasDeletedComesBackOnlyWithANewReport(t *testing.T) {
	t.Parallel()
	w := open(t)
	mod := reportsArrive(w)
	order := w.post("maple", item("Gold Sand"))
	w.reports("rowan.ashdown", order, "It is sand")
	w.DeleteMessage(mod.WaitMessage("the report", holding("Gold Sand")).ID)
	if _, err := w.market.Trade.RenewOrder(t.Context(), w.actor("maple"), order.ID); err != nil { // so its message is to be edited
		t.Fatal(err)
	}
	w.Advance(2 * channels.ReportBatchWindow)
	w.reports("rowan.ashdown", w.post("maple", item("Iron Ore")), "It is rust")
	mod.WaitMessage("a report after that", holding("Iron Ore"))
	w.reports("rowan.ashdown", w.post("maple", item("Tin")), "It is lead")
	mod.WaitMessage("another one", holding("Tin"))
	if n := len(public(mod)); n != 2 {
		t.Errorf("the channel has %d messages", n)
	}
	w.reports("juniper_fox", order, "I think so, too")
	mod.WaitMessage("the new report", holding("I think so, too"))
}
