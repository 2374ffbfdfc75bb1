package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// lot is a description that no other request has: a buyer has each request open once.
func lot() string { return fmt.Sprintf("Lot %d", lots.Add(1)) }

var lots atomic.Int64

// post posts a request as a user, not through the bot.
func (w *world) post(who string, change ...func(*trade.OrderDraft)) trade.Order {
	w.t.Helper()
	order, err := w.market.Trade.PostOrder(w.t.Context(), w.actor(who), coretest.OrderDraft(append([]func(*trade.OrderDraft){
		func(d *trade.OrderDraft) { d.BuyerContact, d.Description = who, lot() },
	}, change...)...))
	if err != nil {
		w.t.Fatalf("%s posts: %v", who, err)
	}
	return order
}

// actor is a user who signs in on the web.
func (w *world) actor(who string) core.Actor {
	w.t.Helper()
	p := w.Player(w.t, who)
	user, err := w.market.People.SignIn(w.t.Context(), people.Profile{DiscordID: p.ID(), Username: p.Username(), DisplayName: p.Username()})
	if err != nil {
		w.t.Fatalf("%s signs in: %v", who, err)
	}
	return coretest.AlwaysFresh(user.Actor())
}

func item(name string) func(*trade.OrderDraft) {
	return func(d *trade.OrderDraft) { d.ItemName = name }
}

func in(category game.Category) func(*trade.OrderDraft) {
	return func(d *trade.OrderDraft) { d.Category = category }
}

func holding(text string) func(*discordtest.View) bool {
	return func(v *discordtest.View) bool { return strings.Contains(v.Text(), text) }
}

func TestABoardShowsNewRequestsAndFollowsThem(t *testing.T) {
	t.Parallel()
	w := open(t)
	before := w.post("juniper_fox", item("Old Boots"))
	w.Advance(time.Second)
	maple := w.Player(t, "maple").In("request-board")
	if set := maple.Slash("board here", discordtest.Bool("open", false)); !set.Private() {
		t.Errorf("the answer to the manager is public: %q", set.Text())
	}
	order := w.post("juniper_fox")
	card := maple.WaitMessage("the card", holding("Iron Ore"))
	if slices.ContainsFunc(maple.Messages(), holding("Old Boots")) {
		t.Errorf("a request from before the board is shown: %d", before.ID)
	}

	rowan := w.Player(t, "rowan.ashdown")
	form := card.Button("Offer to Fulfill").PressAs(rowan).Modal
	if form == nil {
		t.Fatal("the button opens no form")
	}
	sent := form.Submit(map[string]string{"Quantity": "200", "Message": "tonight"})
	if !sent.Private() || !strings.Contains(sent.Text(), "200 × Iron Ore") {
		t.Errorf("the offer is answered with %q, private: %v", sent.Text(), sent.Private())
	}
	_, offers, err := w.market.Trade.Offers(t.Context(), w.actor("juniper_fox"), order.ID)
	if err != nil || len(offers) != 1 || !offers[0].Verified() {
		t.Fatalf("offers: %+v, %v", offers, err)
	}
	if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("juniper_fox"), offers[0].ID, 200); err != nil {
		t.Fatal(err)
	}
	card = card.WaitFor("the sale to show", holding("300 of 500 left"))
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("juniper_fox"), order.ID); err != nil {
		t.Fatal(err)
	}
	card = card.WaitFor("the end to show", holding("closed early, 200 of 500"))
	if slices.Contains(card.Buttons(), "Offer to Fulfill") {
		t.Errorf("a closed request still has %q", card.Buttons())
	}
	if n := len(slices.DeleteFunc(maple.Messages(), func(v *discordtest.View) bool { return v.Private() })); n != 1 {
		t.Errorf("the channel has %d messages", n)
	}
}

func TestABoardOfOneCategoryShowsNoOther(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here", discordtest.Str("category", "Chef"))
	w.post("juniper_fox", item("Copper Ore"), in("Miner"))
	w.post("juniper_fox", item("Apple Pie"), in("Chef"))
	maple.WaitMessage("the pie", holding("Apple Pie"))
	if slices.ContainsFunc(maple.Messages(), holding("Copper Ore")) {
		t.Error("a request of another category is shown")
	}
}

func TestABoardSurvivesARestartAndADeletedMessage(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here")
	first := w.post("juniper_fox", item("First"))
	shown := maple.WaitMessage("the first card", holding("First"))
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	w.post("juniper_fox", item("Second"))
	w.DeleteMessage(shown.ID)
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("juniper_fox"), first.ID); err != nil {
		t.Fatal(err)
	}
	w.start()
	maple.WaitMessage("the second card", holding("Second"))
	w.post("juniper_fox", item("Third"))
	maple.WaitMessage("the third card", holding("Third"))
	for _, name := range []string{"Second", "Third"} {
		if n := len(slices.DeleteFunc(maple.Messages(), func(v *discordtest.View) bool { return !holding(name)(v) })); n != 1 {
			t.Errorf("%s is shown %d times", name, n)
		}
	}
	if slices.ContainsFunc(maple.Messages(), func(v *discordtest.View) bool { return !v.Deleted && holding("First")(v) }) {
		t.Error("a card that was deleted came back")
	}
}

func TestTheCreatorIsNotifiedOnceWhenABoardFails(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here")
	w.Channel("request-board").Mute()
	w.post("juniper_fox")
	dm := maple.WaitDM("the complaint", holding("can't be updated"))
	if !strings.Contains(dm.Text(), "Allow me to view it") {
		t.Errorf("the complaint does not say what to do: %q", dm.Text())
	}
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	w.ForgetRequests()
	w.start() // forgets when it tried last, and tries again
	w.WaitRequests(t, "POST /channels/{channel_id}/messages", 1)
	w.Channel("request-board").Open()
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	w.start()
	maple.WaitMessage("the card", holding("Iron Ore"))
	if n := len(maple.DMs()); n != 1 {
		t.Errorf("%d complaints", n)
	}
}

func TestABoardIsRefusedWhereItCannotBe(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple").In("request-board")
	if got := maple.Slash("board remove"); !strings.Contains(got.Text(), "There is no board in this channel") {
		t.Errorf("removing what is not there is answered %q", got.Text())
	}
	w.Channel("request-board").Mute()
	if got := maple.Slash("board here"); !strings.Contains(got.Text(), "I'm not allowed to post in this channel") {
		t.Errorf("a board where the bot may not write is answered %q", got.Text())
	}
}

func TestABoardInAThread(t *testing.T) {
	t.Parallel()
	w := open(t)
	thread := w.Channel("tavern").StartThread("Requests")
	maple := w.Player(t, "maple").In(thread.ID())
	w.Channel("tavern").DenyBot(discordgo.PermissionSendMessagesInThreads)
	wants(t, "without the permission", maple.Slash("board here").View, "to send messages in threads")
	w.Channel("tavern").Open().DenyBot(discordgo.PermissionSendMessages) // which threads do not need
	wants(t, "with it", maple.Slash("board here").View, "Every new request is shown here")
	order := w.post("juniper_fox", item("Rope"))
	card := maple.WaitMessage("the card", holding("Rope"))
	thread.Archive()
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("juniper_fox"), order.ID); err != nil {
		t.Fatal(err)
	}
	card.WaitFor("the end in an archived thread", holding("closed early"))
	thread.Lock()
	w.post("juniper_fox", item("Twine"))
	maple.WaitDM("the complaint", holding("can't be updated"))
}

func TestABoardEndsWithTheServer(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	away := w.NewServer("Emberfall", "market", maple).InviteBot(0)
	maple.In("market").Slash("board here")
	away.RemoveBot()
	w.post("juniper_fox")
	wants(t, "the notice", maple.WaitDM("the notice", holding("no longer in the server")), "Invite me again")
	if boards, err := w.store.Boards(t.Context()); err != nil || len(boards) != 0 {
		t.Errorf("boards: %+v, %v", boards, err)
	}
	w.ForgetRequests()
	w.post("juniper_fox", item("Rope"))
	maple.In("request-board").Slash("board here")
	w.Advance(time.Second)
	w.post("juniper_fox", item("Twine"))
	maple.In("request-board").WaitMessage("a card elsewhere", holding("Twine"))
	if tries := len(w.Requests("* /channels/" + w.Channel("market").ID() + "/**")); tries != 0 || len(maple.DMs()) != 1 {
		t.Errorf("%d more requests to the channel, %d messages", tries, len(maple.DMs()))
	}
}

// A version of the program cannot edit what a later one has sent.
func TestAnEditThatDiscordDoesNotTakeIsNotRepeated(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here")
	order := w.post("juniper_fox", item("Iron Ore"))
	card := maple.WaitMessage("the request", holding("Iron Ore"))
	w.Fail("PATCH /channels/{channel_id}/messages/{message_id}", 1, discordtest.RefusingWith(50035))
	quantity := 71
	order, err := w.market.Trade.EditOrder(t.Context(), w.actor("juniper_fox"), order.ID, trade.OrderEdit{Version: order.Version, Quantity: &quantity})
	if err != nil {
		t.Fatal(err)
	}
	w.post("rowan.ashdown", item("Rope"))
	maple.WaitMessage("what comes after it", holding("Rope"))
	w.WaitRequests(t, "PATCH /channels/{channel_id}/messages/{message_id}", 1) // new posts come before edits
	w.post("rowan.ashdown", item("Twine"))
	maple.WaitMessage("what comes after the edit", holding("Twine"))
	if n := len(w.Requests("PATCH /channels/{channel_id}/messages/{message_id}")); n != 1 {
		t.Errorf("it was edited %d times", n)
	}
	quantity = 72
	if _, err := w.market.Trade.EditOrder(t.Context(), w.actor("juniper_fox"), order.ID, trade.OrderEdit{Version: order.Version, Quantity: &quantity}); err != nil {
		t.Fatal(err)
	}
	card.WaitFor("the next change", holding("72"))
}

// ofMiners makes a request one that a board of miners with a lowest price of a silver shows.
func ofMiners(d *trade.OrderDraft) { d.Category, d.MaxPrice = "Miner", 2000 }

func TestAServerThatInvitesTheBotAgainIsOfferedWhatItHad(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	away := w.NewServer("Emberfall", "market", maple).InviteBot(discordgo.PermissionManageRoles)
	there := maple.In("market")
	there.Slash("board here", discordtest.Str("category", "Miner"), discordtest.Str("min-price", "1s"))
	there.Slash("board pings", discordtest.Bool("on", true), discordtest.Int("pause", 25))
	w.until("the role", func() bool {
		servers, err := w.store.PingServers(t.Context())
		return err == nil && len(servers) == 1 && len(servers[0].Roles) == 1 && servers[0].Roles[0].RoleID != ""
	})
	before, err := w.store.PingServers(t.Context())
	w.must(err)
	away.RemoveBot()
	w.post("juniper_fox", ofMiners)
	maple.WaitDM("that the board ended", holding("no longer in the server"))
	if got := w.notice("maple", notify.NoticeBoardEnded, notify.NoticeDelivered); got.Name != w.Channel("market").ID() {
		t.Errorf("the inbox has %+v", got)
	}

	away.InviteBot(discordgo.PermissionManageRoles)
	german := there.SetLocale("de").Slash("board list")
	wants(t, "the list in German", german.View, "Ich war schon einmal auf diesem Server")
	german.Button("Zurückholen")
	list, rowan := there.SetLocale("en-US").Slash("board list"), w.Player(t, "rowan.ashdown")
	wants(t, "the list", list.View, "no board yet", "I was in this server before", "Miner", "pings of a role", "You can have that back until")
	wants(t, "a press by one who does not manage the server", rowan.ForgePress(rowan.Slash("request browse").View, "1|return-boards").View, "Only members who may manage")
	back := list.Button("Bring it back").Press()
	wants(t, "what is back", back.View, "It's all back", "Miner", w.Channel("market").ID())
	order := w.post("juniper_fox", ofMiners, item("Coal"))
	there.WaitMessage("a request on the board", holding(order.ItemName))
	boards, err := w.store.Boards(t.Context())
	if err != nil || len(boards) != 1 || boards[0].Filter.MinPrice != 1000 || len(boards[0].Filter.Categories) != 1 {
		t.Errorf("the boards are %+v, %v", boards, err)
	}
	servers, err := w.store.PingServers(t.Context())
	if err != nil || len(servers) != 1 || servers[0].Pause != 25*time.Minute || len(servers[0].Roles) != 1 || servers[0].Roles[0].RoleID != before[0].Roles[0].RoleID {
		t.Errorf("the pings are %+v, %v", servers, err)
	}
	if text := there.Slash("board list").Text(); strings.Contains(text, "before") {
		t.Errorf("it is offered again:\n%s", text)
	}

	away.RemoveBot()
	w.post("juniper_fox", ofMiners, item("Slate"))
	w.until("the end", func() bool { boards, err := w.store.Boards(t.Context()); return err == nil && len(boards) == 0 })
	away.InviteBot(discordgo.PermissionManageRoles)
	w.Advance(channels.BoardsReturnFor)
	if text := there.Slash("board list").Text(); strings.Contains(text, "before") {
		t.Errorf("after 30 days it is offered:\n%s", text)
	}
}
