package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// badge opens a market whose home server may give roles, and returns the server's manager and the ID of a role.
func badge(t *testing.T) (w *world, maple *discordtest.Player, role string) {
	t.Helper()
	w = open(t)
	w.HomeServer().InviteBot(discordgo.PermissionManageRoles)
	role = w.HomeServer().AddRole("Trusted", 0)
	return w, w.Player(t, "maple").In("request-board"), role
}

// falls ends that a player is an established trader.
func (w *world) falls(player string) {
	w.t.Helper()
	if _, err := w.store.Pool().Exec(w.t.Context(), "delete from traders where user_id = $1", int64(w.actor(player).UserID)); err != nil {
		w.t.Fatal(err)
	}
}

// haveRole waits until these players have the role.
func (w *world) haveRole(name string, players ...string) {
	w.t.Helper()
	w.until("the role of "+strings.Join(players, ", "), func() bool {
		have := w.role(name).Members
		slices.Sort(have)
		return slices.Equal(have, players)
	})
}

func TestAServerGivesARoleToEstablishedTraders(t *testing.T) {
	t.Parallel()
	w, maple, role := badge(t)
	w.establish("rowan.ashdown")
	rowan := w.Player(t, "rowan.ashdown") // before a message can come
	wants(t, "before", maple.Slash("board role").View, "gives no role")
	given := maple.Slash("board role", discordtest.RoleOption("role", role))
	wants(t, "the answer", given.View, "get <@&"+role+"> from now on")
	if !given.Private() {
		t.Error("everyone reads the answer")
	}
	w.haveRole("Trusted", "rowan.ashdown")
	wants(t, "the message", rowan.WaitDM("that the role was given", holding("gave you the role")), "You're an established trader.", "**Trusted**")
	w.establishMore("juniper_fox")
	w.haveRole("Trusted", "juniper_fox", "rowan.ashdown")
	w.until("both roles to be stored", func() bool { return w.count("select count(*) from held_roles where given") == 2 })
	wants(t, "the list of boards", maple.Slash("board list").View, "<@&"+role+">", "2 members have it")

	w.falls("rowan.ashdown")
	w.haveRole("Trusted", "juniper_fox")
	wants(t, "the message", rowan.WaitDM("that the role was taken", holding("took the role")), "not an established trader at the moment")
	if err := w.bot.stop(); err != nil { // nothing is told again after a restart
		t.Fatal(err)
	}
	w.bot = w.start()
	w.WaitForBot(t)
	w.establishMore("rowan.ashdown")
	w.haveRole("Trusted", "juniper_fox", "rowan.ashdown")
	w.until("the second message", func() bool { return w.dmsHolding("rowan.ashdown", "gave you the role") == 2 })
	if n := w.dmsHolding("juniper_fox", "gave you the role"); n != 1 {
		t.Errorf("juniper has %d messages", n)
	}

	w.must(w.block("juniper_fox"))
	w.haveRole("Trusted", "rowan.ashdown")
	w.until("the end to be stored", func() bool { return w.count("select count(*) from held_roles where given") == 1 })
	shown := maple.Slash("board role")
	wants(t, "the role", shown.View, "1 member has it")
	wants(t, "ended", shown.Button("Take it from everyone").Press().View, "get no role here any more")
	w.haveRole("Trusted")
	w.until("the role to be forgotten", func() bool { return w.count("select count(*) from trader_roles") == 0 })
	if n := w.dmsHolding("rowan.ashdown", "took the role"); n != 1 {
		t.Errorf("a manager ended it, and rowan was told %d times that it was taken", n)
	}
}

// A trader who is no member gets the role within a day of joining; who leaves the server and comes back has it again.
func TestMembersGetTheRoleWhenTheyJoin(t *testing.T) {
	t.Parallel()
	w, maple, role := badge(t)
	rowan := w.Player(t, "rowan.ashdown")
	w.establish("rowan.ashdown")
	rowan.LeaveServer()
	maple.Slash("board role", discordtest.RoleOption("role", role))
	w.until("rowan to be asked for", func() bool { return w.count("select count(*) from held_roles where not given") == 1 })
	rowan.JoinServer()
	if n := w.dmsHolding("rowan.ashdown", "role"); n != 0 || len(w.role("Trusted").Members) != 0 {
		t.Errorf("%d messages, members %v", n, w.role("Trusted").Members)
	}
	w.Advance(channels.RoleCheckedEvery + time.Minute)
	w.haveRole("Trusted", "rowan.ashdown")
	rowan.WaitDM("that the role was given", holding("gave you the role"))
	w.must(w.exec("update held_roles set due_at = $1", w.Now()))
	rowan.LeaveServer()
	w.until("rowan to be missed", func() bool { return w.count("select count(*) from held_roles where not given") == 1 })
}

// A lost answer, a rate limit and an outage are repeated until the role is there, and tell of it once.
func TestARoleIsGivenOnceWhateverDiscordDoes(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]*discordtest.Fault{
		"lost": discordtest.Losing(), "limited": discordtest.RateLimiting(time.Second, "user"), "broken": discordtest.Outage(503),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, maple, role := badge(t)
			w.establish("rowan.ashdown")
			w.Fail("PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}", 1, fault)
			maple.Slash("board role", discordtest.RoleOption("role", role))
			w.haveRole("Trusted", "rowan.ashdown")
			w.Player(t, "rowan.ashdown").FindDM("that the role was given", holding("gave you the role"))
			w.until("the step to be settled", func() bool { return w.count("select count(*) from held_roles where given") == 1 })
			if n := w.count("select count(*) from notices where kind = 'role_given'"); n != 1 {
				t.Errorf("%d notices", n)
			}
		})
	}
}

func TestAManagerReadsWhyARoleCannotBeGiven(t *testing.T) {
	t.Parallel()
	w, maple, role := badge(t)
	home := w.HomeServer()
	refuses := func(what, id, want string) {
		t.Helper()
		wants(t, what, maple.Slash("board role", discordtest.RoleOption("role", id)).View, want)
	}
	home.SetBotPermissions(discordgo.PermissionViewChannel | discordgo.PermissionSendMessages | discordgo.PermissionEmbedLinks)
	refuses("without the permission", role, "Manage Roles")
	home.InviteBot(discordgo.PermissionManageRoles)
	refuses("a role with powers", home.AddRole("Boss", discordgo.PermissionBanMembers), "manage the server or other members")
	home.RaiseRole(role)
	refuses("a role above the bot's", role, "above my own")
	home.LowerRole(role)
	wants(t, "a member", w.Player(t, "rowan.ashdown").In("request-board").ForgePress(w.Player(t, "rowan.ashdown").In("request-board").Slash("market").View, "1|end-role").View, "Only members who may manage")

	w.establish("rowan.ashdown")
	home.RaiseRole(role)
	w.must(w.saveRole(maple, role))
	wants(t, "the message", maple.WaitDM("that it cannot be given", holding("I can't give the role")), "**Trusted**", "Drag my role above it")
	wants(t, "the role", maple.Slash("board role").View, "⚠️ The role is above my own")
	if n := w.count("select count(*) from notices where kind = 'role_given'"); n != 0 {
		t.Errorf("%d notices", n)
	}
	home.LowerRole(role)
	if err := w.bot.stop(); err != nil { // a pause ends with the program
		t.Fatal(err)
	}
	w.bot = w.start()
	w.WaitForBot(t)
	w.haveRole("Trusted", "rowan.ashdown")
	w.until("the problem to be over", func() bool { return w.count("select count(*) from trader_roles where trouble = ''") == 1 })

	home.DeleteRole(role)
	w.establishMore("juniper_fox")
	wants(t, "the message", maple.WaitDM("that it was deleted", holding("was deleted")), "**Trusted**", "/board role")
	w.until("the role to be forgotten", func() bool { return w.count("select count(*) from trader_roles") == 0 })
	if n := len(w.noticesOf("maple", notify.NoticeRoleTrouble)); n != 2 {
		t.Errorf("%d notices of trouble", n)
	}
}

func TestAnotherRoleTakesThePlaceOfTheFirst(t *testing.T) {
	t.Parallel()
	w, maple, role := badge(t)
	w.establish("rowan.ashdown")
	maple.Slash("board role", discordtest.RoleOption("role", role))
	w.haveRole("Trusted", "rowan.ashdown")
	maple.Slash("board role", discordtest.RoleOption("role", w.HomeServer().AddRole("Known", 0)))
	w.haveRole("Known", "rowan.ashdown")
	w.haveRole("Trusted")
	w.HomeServer().RemoveBot()
	w.falls("rowan.ashdown")
	w.until("the role to be forgotten", func() bool { return w.count("select count(*) from trader_roles") == 0 })
}

// saveRole stores a role that the command would refuse, as one that was moved since.
func (w *world) saveRole(manager *discordtest.Player, role string) error {
	return w.store.SaveTraderRole(w.t.Context(), channels.TraderRole{
		GuildID: w.HomeServer().ID(), RoleID: role, ServerName: "Home", RoleName: "Trusted", NamedBy: w.actor("maple").UserID,
	})
}

// establishMore makes another player an established trader.
func (w *world) establishMore(player string) {
	w.t.Helper()
	w.must(w.exec("insert into traders (user_id, established_at, origin) values ($1, now(), 'moderator')", int64(w.actor(player).UserID)))
}

// block blocks a player, as a moderator does.
func (w *world) block(player string) error {
	return w.exec("update users set blocked_at = now(), blocked_for = 'spam' where id = $1", int64(w.actor(player).UserID))
}

func (w *world) exec(sql string, args ...any) error {
	_, err := w.store.Pool().Exec(w.t.Context(), sql, args...)
	return err
}

func (w *world) count(sql string) (n int) {
	w.t.Helper()
	w.must(w.store.Pool().QueryRow(w.t.Context(), sql).Scan(&n))
	return n
}

func (w *world) noticesOf(who string, kind notify.Kind) []notify.Notice {
	w.t.Helper()
	page, err := w.market.Notify.Notices(w.t.Context(), w.actor(who), 0, 50)
	w.must(err)
	return slices.DeleteFunc(page.Notices, func(n notify.Notice) bool { return n.Kind != kind })
}
