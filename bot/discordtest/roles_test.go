package discordtest_test

import (
	"fmt"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

func TestRolesAreGivenWithManageRoles(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, home, rowan := d.Session(t), d.HomeServer(), d.Player(t, "rowan.ashdown")
	if _, err := s.GuildRoleCreate(home.ID(), &discordgo.RoleParams{Name: "Miner"}); code(err) != 50013 {
		t.Errorf("without the permission: %v", err)
	}
	home.InviteBot(discordgo.PermissionManageRoles)
	role, err := s.GuildRoleCreate(home.ID(), &discordgo.RoleParams{Name: "Miner"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.GuildMemberRoleAdd(home.ID(), rowan.ID(), role.ID); err != nil {
		t.Fatal(err)
	}
	if m, err := s.GuildMember(home.ID(), rowan.ID()); err != nil || len(m.Roles) != 1 || m.Roles[0] != role.ID {
		t.Errorf("the member is %+v, %v", m, err)
	}
	if err := s.GuildMemberRoleRemove(home.ID(), rowan.ID(), role.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.GuildMemberRoleAdd(home.ID(), rowan.ID(), "17"); code(err) != 10011 {
		t.Errorf("a role of none: %v", err)
	}
	if err := s.GuildMemberRoleAdd(home.ID(), "17", role.ID); code(err) != 10007 {
		t.Errorf("a member of none: %v", err)
	}
	if err := s.GuildMemberRoleAdd(home.ID(), rowan.ID(), role.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.GuildRoleDelete(home.ID(), role.ID); err != nil {
		t.Fatal(err)
	}
	if m, err := s.GuildMember(home.ID(), rowan.ID()); err != nil || len(m.Roles) != 0 {
		t.Errorf("with the role deleted the member is %+v, %v", m, err)
	}
}

// A bot manages the roles below its own highest one, and gives none a permission that it lacks.
func TestRolesHaveAnOrder(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, home, rowan := d.Session(t), d.HomeServer(), d.Player(t, "rowan.ashdown")
	home.InviteBot(discordgo.PermissionManageRoles)
	none, all := int64(0), int64(discordgo.PermissionAdministrator)
	if _, err := s.GuildRoleCreate(home.ID(), &discordgo.RoleParams{Name: "Boss", Permissions: &all}); code(err) != 50013 {
		t.Errorf("a role with more than the bot's: %v", err)
	}
	role, err := s.GuildRoleCreate(home.ID(), &discordgo.RoleParams{Name: "Miner", Permissions: &none})
	if err != nil || role.Position != 1 || role.Permissions != 0 || role.Mentionable {
		t.Fatalf("the role is %+v, %v", role, err)
	}
	list, err := s.GuildRoles(home.ID())
	if err != nil || len(list) != 3 || !list[2].Managed || list[2].Position != 2 {
		t.Fatalf("the roles are %+v, %v", list, err)
	}
	if err := s.GuildMemberRoleAdd(home.ID(), rowan.ID(), list[2].ID); code(err) != 50013 {
		t.Errorf("giving the bot's own role: %v", err)
	}
	home.RaiseRole(role.ID)
	for name, err := range map[string]error{
		"giving": s.GuildMemberRoleAdd(home.ID(), rowan.ID(), role.ID), "taking": s.GuildMemberRoleRemove(home.ID(), rowan.ID(), role.ID),
		"deleting": s.GuildRoleDelete(home.ID(), role.ID),
	} {
		if code(err) != 50013 {
			t.Errorf("%s a role above the bot's: %v", name, err)
		}
	}
	home.LowerRole(role.ID)
	if err := s.GuildMemberRoleAdd(home.ID(), rowan.ID(), role.ID); err != nil {
		t.Errorf("giving one below: %v", err)
	}
	for i := range 247 {
		home.AddRole(fmt.Sprint("role ", i), 0)
	}
	if _, err := s.GuildRoleCreate(home.ID(), &discordgo.RoleParams{Name: "one more"}); code(err) != 30005 {
		t.Errorf("the 251st role: %v", err)
	}
}

// A message pings the roles that it names, that it is allowed to, and that are mentionable. An edit pings none.
func TestAMessagePingsRoles(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, home, channel := d.Session(t), d.HomeServer(), d.Channel("tavern").ID()
	open, closed := home.AddRole("open", 0), home.AddRole("closed", 0)
	home.SetMentionable(open, true)
	text := "<@&" + open + "> <@&" + closed + "> <@&17>"
	send := func(allowed *discordgo.MessageAllowedMentions) []string {
		m, err := s.ChannelMessageSendComplex(channel, &discordgo.MessageSend{Content: text, AllowedMentions: allowed})
		if err != nil {
			t.Fatal(err)
		}
		return m.MentionRoles
	}
	exactly := func(ids ...string) *discordgo.MessageAllowedMentions {
		return &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}, Roles: ids}
	}
	if got := send(nil); fmt.Sprint(got) != fmt.Sprint([]string{open}) {
		t.Errorf("by default it pings %v", got)
	}
	if got := send(exactly()); len(got) != 0 {
		t.Errorf("allowed to ping none it pings %v", got)
	}
	if got := send(exactly(closed)); len(got) != 0 {
		t.Errorf("one that is not mentionable is pinged: %v", got)
	}
	home.SetBotPermissions(discordgo.PermissionViewChannel | discordgo.PermissionSendMessages | discordgo.PermissionMentionEveryone)
	if got := send(exactly(closed)); fmt.Sprint(got) != fmt.Sprint([]string{closed}) {
		t.Errorf("with the permission it pings %v", got)
	}
	m, err := s.ChannelMessageSendComplex(channel, &discordgo.MessageSend{Content: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChannelMessageEdit(channel, m.ID, text); err != nil {
		t.Fatal(err)
	}
	for _, r := range home.Roles() {
		if r.Pings != 1 {
			t.Errorf("%s was pinged %d times", r.Name, r.Pings)
		}
	}
}
