package discordtest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// everywhere makes the commands of the little bot usable by both installations and in every context.
func everywhere(t *testing.T, s *discordgo.Session, d *discordtest.Discord) {
	t.Helper()
	list := commands()
	contexts := []discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM, discordgo.InteractionContextPrivateChannel}
	list[0].Contexts = &contexts
	list[0].IntegrationTypes = &[]discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall, discordgo.ApplicationIntegrationUserInstall}
	list = append(list, &discordgo.ApplicationCommand{Type: discordgo.MessageApplicationCommand, Name: "Offer on this", Contexts: &contexts, IntegrationTypes: list[0].IntegrationTypes})
	if _, err := s.ApplicationCommandBulkOverwrite(d.ClientID(), "", list); err != nil {
		t.Fatal(err)
	}
}

func TestTheBotIsInvitedAndRemoved(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	s.Identify.Intents = discordgo.IntentsGuilds
	seen := make(chan string, 10)
	s.AddHandler(func(_ *discordgo.Session, g *discordgo.GuildCreate) { seen <- "in " + g.Name })
	s.AddHandler(func(_ *discordgo.Session, g *discordgo.GuildDelete) { seen <- "out of " + g.ID })
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	maple, tamsin := d.Player(t, "maple"), d.Player(t, "oldtamsin")
	other := d.NewServer("Emberfall", "market", maple)
	tamsin.LeaveServer()
	other.Admit(tamsin)
	channel := d.Channel("market").ID()
	if _, err := s.ChannelMessageSend(channel, "x"); code(err) != 50001 {
		t.Errorf("writing in a server without the bot: %v", err)
	}
	if _, err := s.Guild(other.ID()); code(err) != 10004 {
		t.Errorf("reading one: %v", err)
	}
	if _, err := s.ChannelMessageSend(dm(t, s, tamsin), "x"); code(err) != 50278 {
		t.Errorf("a user without a server in common: %v", err)
	}
	other.InviteBot(discordgo.PermissionManageRoles)
	// The library calls a handler for each event by itself, so two that come at once may come in any order.
	if events := []string{<-seen, <-seen}; !slices.Contains(events, "in Harbourlight") || !slices.Contains(events, "in Emberfall") {
		t.Errorf("events: %s", events)
	}
	if _, err := s.ChannelMessageSend(channel, "x"); err != nil {
		t.Errorf("writing after the invitation: %v", err)
	}
	if _, err := s.ChannelMessageSend(dm(t, s, tamsin), "x"); err != nil {
		t.Errorf("a user with one: %v", err)
	}
	if mine, err := s.UserGuilds(100, "", "", false); err != nil || len(mine) != 2 || mine[1].Permissions&discordgo.PermissionManageRoles == 0 {
		t.Errorf("the bot's servers: %+v, %v", mine, err)
	}
	other.RemoveBot()
	if got := <-seen; got != "out of "+other.ID() {
		t.Errorf("event %s", got)
	}
	if _, err := s.ChannelMessageSend(channel, "x"); code(err) != 50001 {
		t.Errorf("writing after the removal: %v", err)
	}
}

func TestAUserInstallationWorksEverywhere(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	var last *discordgo.Interaction
	s := bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		last = i.Interaction
		say("here", 0)(s, i)
	}, "/Offer on this": say("offered", 0)})
	everywhere(t, s, d)
	maple, rowan, tamsin := d.Player(t, "maple"), d.Player(t, "rowan.ashdown"), d.Player(t, "oldtamsin")
	pair, group := d.Conversation(maple, rowan), d.Conversation(maple, rowan, tamsin)
	said := fails(t, func(tb discordtest.TB) { d.Player(tb, "rowan.ashdown").In(pair).Slash("request mine") })
	if !strings.Contains(said, "sees no command") {
		t.Errorf("without the installation: %s", said)
	}
	rowan.InstallForMyself()
	for name, where := range map[string]string{"a direct message of others": pair, "a group": group} {
		if reply := rowan.In(where).Slash("request mine"); reply.Content != "here" || last.Context != discordgo.InteractionContextPrivateChannel || last.User == nil ||
			last.AuthorizingIntegrationOwners[discordgo.ApplicationIntegrationUserInstall] != rowan.ID() || len(last.AuthorizingIntegrationOwners) != 1 {
			t.Errorf("%s: %q, %+v", name, reply.Content, last)
		}
		if len(maple.In(where).Messages()) == 0 {
			t.Errorf("%s: the other one does not see the answer", name)
		}
		if _, err := s.ChannelMessageSend(where, "x"); code(err) != 50001 {
			t.Errorf("%s: writing without an interaction: %v", name, err)
		}
	}
	other := d.NewServer("Emberfall", "market", maple).Admit(rowan)
	if reply := rowan.In("market").Slash("request mine"); reply.Private() || last.GuildID != other.ID() || last.AuthorizingIntegrationOwners[discordgo.ApplicationIntegrationGuildInstall] != "" {
		t.Errorf("in a server without the bot: private %v, %+v", reply.Private(), last.AuthorizingIntegrationOwners)
	}
	d.Channel("market").DenyRole(other.ID(), 1<<50)
	if reply := rowan.In("market").Slash("request mine"); !reply.Private() {
		t.Error("everyone sees the answer although the server does not want that")
	}
	on := maple.In("tavern").Say("500 ore, anyone?")
	if reply := d.Player(t, "juniper_fox").UseOn(on, "Offer on this"); reply.Content != "offered" {
		t.Errorf("a command on a message: %q", reply.Content)
	}
}

func TestAServerLimitsCommandsByItsIntegrations(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := bot(t, d, map[string]handler{"/request": say("x", 0), "/board": say("x", 0)})
	home, rowan := d.HomeServer(), d.Player(t, "rowan.ashdown")
	staff := home.AddRole("staff", 0)
	can := func(command string) bool {
		return slicesContain(d.CommandsFor(rowan), command)
	}
	if !can("request") || can("board") {
		t.Fatal("by default a member has the wrong commands")
	}
	home.Restrict("board", staff, true)
	if can("board") {
		t.Error("a role's command is for everyone")
	}
	rowan.SetRoles(staff)
	if !can("board") {
		t.Error("the role does not have it")
	}
	home.Restrict("request", rowan.ID(), false)
	if can("request") {
		t.Error("a user does not lose a command")
	}
	home.Restrict("board", home.AllChannels(), false)
	if can("board") {
		t.Error("no channel has it, but it is there")
	}
	home.Restrict("board", d.Channel("trading-post").ID(), true)
	if !can("board") {
		t.Error("one channel has it, but it is not there")
	}
	list, err := s.GuildApplicationCommandsPermissions(d.ClientID(), home.ID())
	if err != nil || len(list) != 2 {
		t.Errorf("the bot reads %d, %v", len(list), err)
	}
}

func slicesContain(list []string, what string) bool {
	return strings.Contains(" "+strings.Join(list, " ")+" ", " "+what+" ")
}
