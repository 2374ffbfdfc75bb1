package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
	"tradepost/core/channels"
	"tradepost/core/trade"
)

// pinging opens a market whose home server has a board for miners and chefs, in which pings are on.
func pinging(t *testing.T) (*world, *discordtest.Player) {
	t.Helper()
	w := open(t)
	w.HomeServer().InviteBot(discordgo.PermissionManageRoles)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here", discordtest.Str("category", "Miner"), discordtest.Str("category-2", "Chef"))
	wants(t, "the answer", maple.Slash("board pings", discordtest.Bool("on", true)).View, "Miner", "Chef", "10 minutes")
	maple.WaitMessage("the message with the buttons", holding("Be pinged"))
	return w, maple
}

// role is a role of the home server by its name, of which there must be one.
func (w *world) role(name string) discordtest.Role {
	w.t.Helper()
	all := slices.DeleteFunc(w.HomeServer().Roles(), func(r discordtest.Role) bool { return r.Name != name })
	if len(all) != 1 {
		w.t.Fatalf("there are %d roles called %s", len(all), name)
	}
	return all[0]
}

func TestPingsNeedAnInvitationOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here", discordtest.Str("category", "Miner"))
	refused := maple.Slash("board pings", discordtest.Bool("on", true))
	link := ""
	for _, c := range refused.View.Components {
		for _, b := range c.Components {
			link += b.URL
		}
	}
	const bits = discordgo.PermissionViewChannel | discordgo.PermissionSendMessages | discordgo.PermissionSendMessagesInThreads | discordgo.PermissionEmbedLinks |
		discordgo.PermissionReadMessageHistory | discordgo.PermissionCreatePrivateThreads | discordgo.PermissionManageRoles
	if want := fmt.Sprintf("client_id=%s&scope=bot+applications.commands&permissions=%d", w.ClientID(), int64(bits)); !strings.HasSuffix(link, want) {
		t.Errorf("the link is %q, want %s", link, want)
	}
	wants(t, "the answer", refused.View, "Manage Roles")
	wants(t, "the members' command", w.at(maple, "Settings").Button("Pings here").Press().View, "Pings are off in this server")
	w.HomeServer().InviteBot(discordgo.PermissionManageRoles)
	wants(t, "a member", w.at(w.Player(t, "rowan.ashdown").In("request-board"), "Settings").Button("Pings here").Press().View, "Pings are off in this server")
	maple.Slash("board remove")
	wants(t, "without a board of a profession", maple.Slash("board pings", discordtest.Bool("on", true)).View, "names a profession")
	maple.Slash("board here")
	wants(t, "with a board of everything", maple.Slash("board pings", discordtest.Bool("on", true)).View, "names a profession")
	if roles := w.HomeServer().Roles(); len(roles) != 0 {
		t.Errorf("there are roles: %+v", roles)
	}
}

func TestMembersTakeAndDropPingRoles(t *testing.T) {
	t.Parallel()
	w, maple := pinging(t)
	miner := w.role("Miner")
	if miner.Permissions != 0 || miner.Hoist || !miner.Mentionable {
		t.Errorf("the role is %+v", miner)
	}
	rowan := w.Player(t, "rowan.ashdown").In("request-board")
	board := rowan.WaitMessage("the buttons", holding("Be pinged"))
	taken := board.Button("Miner").Press()
	wants(t, "the answer", taken.View, "You'll be pinged", "Miner")
	if !taken.Private() || !slices.Equal(w.role("Miner").Members, []string{"rowan.ashdown"}) {
		t.Errorf("private %v, members %v", taken.Private(), w.role("Miner").Members)
	}
	own := taken.View.Button("✓ Miner").Press()
	wants(t, "dropped", own.View, "won't be pinged")
	if len(w.role("Miner").Members) != 0 || !own.Updated() {
		t.Errorf("members %v", w.role("Miner").Members)
	}
	own.View.Now().Button("Chef").Press()
	board.Button("Miner").Press()
	if got := w.at(rowan, "Settings").Button("Pings here").Press().View.Buttons(); !slices.Equal(got, []string{"✓ Chef", "✓ Miner"}) {
		t.Errorf("the command shows %q", got)
	}
	board.Button("Miner").Press() // pressed again on the message it is dropped
	if len(w.role("Miner").Members) != 0 || len(w.role("Chef").Members) != 1 {
		t.Errorf("miners %v, chefs %v", w.role("Miner").Members, w.role("Chef").Members)
	}
	if buttons := w.at(rowan.InDM(), "Settings").View.Buttons(); slices.Contains(buttons, "Pings here") {
		t.Errorf("in a direct message there are %q", buttons)
	}
	wants(t, "the list of boards", maple.Slash("board list").View, "Pings: ", "Miner", "10 minutes")
}

func TestARequestPingsItsRoleOnce(t *testing.T) {
	t.Parallel()
	w, maple := pinging(t)
	order := w.post("juniper_fox", item("Copper Ore"), in("Miner"))
	card := maple.WaitMessage("the request", holding("Copper Ore"))
	miner, chef := w.role("Miner"), w.role("Chef")
	wants(t, "the message", card, "<@&"+miner.ID+">")
	if miner.Pings != 1 || chef.Pings != 0 {
		t.Fatalf("miners were pinged %d times, chefs %d", miner.Pings, chef.Pings)
	}
	sent := w.Requests("POST /channels/{channel_id}/messages")
	if body := string(sent[len(sent)-1].Body); !strings.Contains(body, `"allowed_mentions":{"parse":[],"roles":["`+miner.ID+`"]`) {
		t.Errorf("the request was %s", body)
	}
	quantity := 70
	if _, err := w.market.Trade.EditOrder(t.Context(), w.actor("juniper_fox"), order.ID, trade.OrderEdit{Version: order.Version, Quantity: &quantity}); err != nil {
		t.Fatal(err)
	}
	card.WaitFor("the edit", holding("70"))
	wants(t, "the edited message", card.Now(), "<@&"+miner.ID+">")
	w.Advance(time.Minute + time.Second)
	w.post("rowan.ashdown", item("Iron Ore"), in("Miner")) // within the pause
	maple.WaitMessage("another one", holding("Iron Ore"))
	w.post("juniper_fox", item("Apple Pie"), in("Chef")) // a role of its own has a pause of its own
	maple.WaitMessage("for chefs", holding("Apple Pie"))
	w.post("juniper_fox", item("Plank"), in("Carpenter"))
	if m, c := w.role("Miner").Pings, w.role("Chef").Pings; m != 1 || c != 1 {
		t.Errorf("miners were pinged %d times, chefs %d", m, c)
	}
	w.Advance(channels.PingPause)
	w.post("rowan.ashdown", item("Silver Ore"), in("Miner"))
	maple.WaitMessage("after the pause", holding("Silver Ore"))
	if n := w.role("Miner").Pings; n != 2 {
		t.Errorf("miners were pinged %d times", n)
	}
}

// What one buyer posts shares messages; one that pings has its own, as an edit would ping no one.
func TestAPingIsNoEdit(t *testing.T) {
	t.Parallel()
	w, maple := pinging(t)
	w.post("juniper_fox", item("Copper Ore"), in("Miner"))
	maple.WaitMessage("the first", holding("Copper Ore"))
	w.post("juniper_fox", item("Tin Ore"), in("Miner"))
	maple.WaitMessage("the second", holding("Tin Ore"))
	w.post("juniper_fox", item("Apple Pie"), in("Chef"))
	maple.WaitMessage("the third", holding("Apple Pie"))
	if m, c := w.role("Miner").Pings, w.role("Chef").Pings; m != 1 || c != 1 {
		t.Errorf("miners were pinged %d times, chefs %d", m, c)
	}
}

func TestAPingIsSentOnceAlthoughItsAnswerIsLost(t *testing.T) {
	t.Parallel()
	w, maple := pinging(t)
	w.Fail("POST /channels/{channel_id}/messages", 1, discordtest.Losing())
	w.post("juniper_fox", item("Copper Ore"), in("Miner"))
	w.WaitRequests(t, "POST /channels/{channel_id}/messages", 3) // that of the buttons is one
	maple.WaitMessage("the request", holding("Copper Ore"))
	if n := w.role("Miner").Pings; n != 1 {
		t.Errorf("it was pinged %d times", n)
	}
}

func TestAPostOfAForumPings(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.HomeServer().InviteBot(discordgo.PermissionManageRoles)
	forum := w.HomeServer().AddChannel("requests", discordtest.ForumChannel)
	old := w.post("juniper_fox", item("Old Ore"), in("Miner"))
	w.Advance(time.Second)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here", discordtest.Str("category", "Miner"), discordtest.ChannelOption("forum", "requests"))
	maple.Slash("board pings", discordtest.Bool("on", true), discordtest.Int("pause", 1))
	maple.WaitMessage("the buttons", holding("Be pinged"))
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 1)
	if n := w.role("Miner").Pings; n != 0 {
		t.Errorf("request %d that was open before pinged", old.ID)
	}
	w.Fail("POST /channels/{channel_id}/threads", 1, discordtest.Losing())
	w.post("juniper_fox", item("Rope"), in("Miner"))
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 2)
	w.Advance(time.Second) // after so long an earlier attempt is looked for
	w.WaitRequests(t, "GET /guilds/{guild_id}/threads/active", 1)
	w.post("rowan.ashdown", item("Twine"), in("Miner")) // within the pause
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 3)
	if n := w.role("Miner").Pings; n != 1 || len(forum.Threads()) != 3 {
		t.Errorf("%d pings, %d posts", n, len(forum.Threads()))
	}
}

func TestARoleThatIsThereIsAdopted(t *testing.T) {
	t.Parallel()
	w := open(t)
	home := w.HomeServer()
	adopted := home.AddRole("miner", 0)
	home.AddRole("Chef", discordgo.PermissionManageMessages) // gives something
	secret := home.AddRole("Carpenter", 0)
	w.Channel("tavern").AllowRole(secret, discordgo.PermissionViewChannel) // opens something
	home.InviteBot(discordgo.PermissionManageRoles)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here", discordtest.Str("category", "Miner"), discordtest.Str("category-2", "Chef"), discordtest.Str("category-3", "Carpenter"))
	maple.Slash("board pings", discordtest.Bool("on", true))
	maple.WaitMessage("the buttons", holding("Be pinged"))
	maple.WaitDM("that it can't be mentioned", holding("can't be mentioned"))
	if n := len(home.Roles()); n != 5 {
		t.Errorf("there are %d roles: %+v", n, home.Roles())
	}
	rowan := w.Player(t, "rowan.ashdown").In("request-board")
	for _, name := range []string{"Miner", "Chef", "Carpenter"} {
		rowan.WaitMessage("the buttons", holding("Be pinged")).Button(name).Press()
	}
	for _, r := range home.Roles() {
		if open := r.Permissions != 0 || r.ID == secret; open == slices.Contains(r.Members, "rowan.ashdown") {
			t.Errorf("%+v opens something: %v", r, open)
		}
	}
	wants(t, "the end", maple.Slash("board pings", discordtest.Bool("on", false)).View, "stay")
	w.WaitRequests(t, "DELETE /channels/{channel_id}/messages/{message_id}", 1)
	for _, r := range home.Roles() {
		if r.Name == "miner" && r.ID != adopted {
			t.Error("another miner")
		}
	}
	if n := len(home.Roles()); n != 3 {
		t.Errorf("%d roles are left: %+v", n, home.Roles())
	}
	wants(t, "once more", maple.Slash("board pings", discordtest.Bool("on", false)).View, "Pings are off in this server")
}

func TestAProblemWithPingRolesIsReportedOnce(t *testing.T) {
	t.Parallel()
	w, maple := pinging(t)
	home, rowan := w.HomeServer(), w.Player(t, "rowan.ashdown").In("request-board")
	buttons := rowan.WaitMessage("the buttons", holding("Be pinged"))
	miner, chef := w.role("Miner").ID, w.role("Chef").ID

	home.RaiseRole(miner)
	wants(t, "a role above the bot's", buttons.Button("Miner").Press().View, "above my own")
	buttons.Button("Miner").Press()
	maple.WaitDM("who made the board is told", holding("above my own"))
	wants(t, "the list", maple.Slash("board list").View, "above my own")
	home.LowerRole(miner)

	home.DeleteRole(chef)
	w.post("juniper_fox", item("Apple Pie"), in("Chef"))
	card := maple.WaitMessage("the request", holding("Apple Pie"))
	if strings.Contains(card.Text(), "<@&") {
		t.Errorf("it names the role that was deleted: %s", card.Text())
	}
	maple.WaitDM("that it was deleted", holding("was deleted"))
	buttons.WaitFor("no button for it", func(v *discordtest.View) bool { return !slices.Contains(v.Buttons(), "Chef") })
	home.DeleteRole(miner)
	wants(t, "one that is gone", buttons.Button("Miner").Press().View, "no role for that")
	wants(t, "once more", buttons.Button("Miner").Press().View, "no role for that")
	maple.WaitDM("that the other was deleted, too", func(v *discordtest.View) bool {
		return holding("was deleted")(v) && holding("Miner")(v) // the answer to the press may come before it
	})
	told := 0
	for _, v := range maple.DMs() {
		told += strings.Count(v.Text(), "above my own") + strings.Count(v.Text(), "was deleted")
	}
	if told != 3 {
		t.Errorf("told %d times", told)
	}

	maple.Slash("board pings", discordtest.Bool("on", true)) // makes them again
	w.WaitRequests(t, "POST /guilds/{guild_id}/roles", 4)
	again := rowan.WaitMessage("the buttons", func(v *discordtest.View) bool {
		return holding("Be pinged")(v) && v.ID != buttons.ID && len(v.Buttons()) == 2
	})
	w.SetBotPermissions(discordgo.PermissionViewChannel | discordgo.PermissionSendMessages | discordgo.PermissionEmbedLinks | discordgo.PermissionReadMessageHistory)
	wants(t, "without the permission", again.Button("Chef").Press().View, "not allowed to manage roles")
	maple.Slash("board pings", discordtest.Bool("on", false))
	maple.WaitDM("which roles are left", holding("not allowed to delete"))
}

func TestPingsEndWithTheServer(t *testing.T) {
	t.Parallel()
	w, maple := pinging(t)
	other := w.NewServer("Emberfall", "market", maple).InviteBot(discordgo.PermissionManageRoles)
	away := w.Player(t, "maple").In("market")
	away.Slash("board here", discordtest.Str("category", "Miner"))
	away.Slash("board pings", discordtest.Bool("on", true))
	away.WaitMessage("the buttons", holding("Be pinged"))
	other.RemoveBot()
	w.post("juniper_fox", item("Rope"), in("Miner"))
	maple.WaitDM("that the board ended", holding("no longer in the server"))
	servers, err := w.store.PingServers(t.Context())
	if err != nil || len(servers) != 1 || servers[0].GuildID != w.HomeServer().ID() {
		t.Errorf("pings are on in %+v, %v", servers, err)
	}
}

func TestAServerWithTooManyRolesGetsNone(t *testing.T) {
	t.Parallel()
	w := open(t)
	home := w.HomeServer().InviteBot(discordgo.PermissionManageRoles)
	for i := range 248 {
		home.AddRole(fmt.Sprint("role ", i), 0)
	}
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here", discordtest.Str("category", "Miner"))
	wants(t, "the answer", maple.Slash("board pings", discordtest.Bool("on", true)).View, "250")
}
