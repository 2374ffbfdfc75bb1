package channels

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

// PingRoles stores in which servers new requests ping a role of their profession, and the roles.
type PingRoles interface {
	// PingServers returns the servers in which pings are on or being ended, the oldest first.
	PingServers(ctx context.Context) ([]channels.PingServer, error)
	// SavePingServer turns pings on. Where they are on already the roles stay, and those that were deleted
	// by hand are made again.
	SavePingServer(ctx context.Context, s channels.PingServer) error
	// EndPings begins to turn pings off. It reports whether they were on.
	EndPings(ctx context.Context, guildID string) (was bool, err error)
	RemovePingServer(ctx context.Context, guildID string) error
	// SetPingTrouble stores why roles cannot be given or pinged, and reports whether that is new.
	SetPingTrouble(ctx context.Context, guildID, trouble string) (news bool, err error)
	StartPingMessage(ctx context.Context, s channels.PingServer, now time.Time) error
	SavePingMessage(ctx context.Context, s channels.PingServer) error
	StartPingRole(ctx context.Context, guildID string, c game.Category, now time.Time) error
	SavePingRole(ctx context.Context, guildID string, r channels.PingRole) error
	// LosePingRole stores that a role was deleted by hand, and reports whether that is new.
	LosePingRole(ctx context.Context, guildID, roleID string) (news bool, err error)
}

// Errors of pings.
var (
	pingsNeedRoles    = core.NewText("pings_need_manage_roles")
	pingRoleAbove     = core.NewText("ping_role_above")
	pingsNotMentioned = core.NewText("ping_role_not_mentionable")
	tooManyRoles      = core.NewText("pings_too_many_roles")
	pingsNeedBoard    = core.NewText("pings_need_board")
	pingsOff          = core.NewText("pings_off")
	pingRoleGone      = core.NewText("ping_role_gone")
	rolesUnreachable  = core.NewText("roles_unreachable")
)

// boardPings turns it on or off that new requests ping a role of their profession.
func (b Channels) boardPings(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	if !in.Yes("on") {
		was, err := b.pings.EndPings(ctx, in.Interaction.GuildID)
		if err == nil && !was {
			err = core.NewError(core.Invalid, pingsOff)
		}
		if err != nil {
			return kernel.Reply{}, err
		}
		b.WakeSync()
		return kernel.Private(in.Tr.Text(msg.PingsEnded)), nil
	}
	roles, err := b.Discord.ServerRoles(ctx, in.Interaction.GuildID)
	if err != nil {
		b.Log.Warn("pings: roles not read", "server", in.Interaction.GuildID, "error", err)
		return kernel.Reply{}, core.NewUnavailable(rolesUnreachable)
	}
	if !roles.Manages {
		return b.roleInvitation(in, msg.PingsInvite), nil
	}
	boards, err := b.boards.Boards(ctx)
	if err != nil {
		return kernel.Reply{}, err
	}
	named := channels.PingedCategories(b.Game, boards, in.Interaction.GuildID)
	before, _, err := b.pingServer(ctx, in.Interaction.GuildID)
	switch {
	case err != nil:
		return kernel.Reply{}, err
	case len(named) == 0:
		return kernel.Reply{}, core.NewError(core.Invalid, pingsNeedBoard)
	case !in.Interaction.BotMayPost():
		return kernel.Reply{}, core.NewError(core.Unavailable, kernel.CannotPostHere)
	case len(roles.Roles)+len(before.Lacks(named)) > discord.MaxRoles:
		return kernel.Reply{}, core.NewError(core.Unavailable, tooManyRoles)
	}
	s := channels.PingServer{
		GuildID: in.Interaction.GuildID, Locale: in.Interaction.GuildLanguage(), CreatedAt: b.Now(),
		Pause:   channels.PingPause,
		Message: channels.PingMessage{ChannelID: in.Interaction.ChannelID},
	}
	if minutes := in.Level("pause"); minutes != nil {
		s.Pause = time.Duration(*minutes) * time.Minute
	}
	if err := b.pings.SavePingServer(ctx, s); err != nil {
		return kernel.Reply{}, err
	}
	if before.Message.MessageID != "" {
		if err := b.Discord.DeleteMessage(ctx, before.Message.ChannelID,
			before.Message.MessageID); err != nil {
			// its buttons go on working
			b.Log.Warn("pings: earlier message not deleted", "server", in.Interaction.GuildID, "error", err)
		}
	}
	b.WakeSync()
	return kernel.Private(in.Tr.Text(msg.PingsOn, "categories", listed(in.Tr, named),
		"minutes", int(s.Pause.Minutes()))), nil
}

// roleInvitation names the missing permission, with the link that asks for it.
func (b Channels) roleInvitation(in kernel.Input, text msg.Key) kernel.Reply {
	reply := kernel.Private(in.Tr.Text(text))
	reply.Rows = append(reply.Rows, kernel.Row(kernel.WebLink(discord.PingInviteURL(in.Interaction.AppID,
		b.Features.Threads), in.Tr.Plain(msg.PingsInviteLink))...))
	return reply
}

// listed names professions one after the other.
func listed(t kernel.Translator, categories []game.Category) string {
	names := make([]string, len(categories))
	for i, c := range categories {
		names[i] = t.Category(c)
	}
	return strings.Join(names, ", ")
}

// pingServer returns the stored pings of a server. It returns false where they are off.
func (b Channels) pingServer(ctx context.Context, guildID string) (channels.PingServer, bool, error) {
	all, err := b.pings.PingServers(ctx)
	i := slices.IndexFunc(all, func(s channels.PingServer) bool { return s.GuildID == guildID && !s.Ended })
	if err != nil || guildID == "" || i < 0 {
		return channels.PingServer{}, false, err
	}
	return all[i], true, nil
}

// pingChoices shows a member which roles there are and which they have.
func (b Channels) pingChoices(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	s, on, err := b.pingServer(ctx, in.Interaction.GuildID)
	if err == nil && !on {
		err = core.NewError(core.NotFound, pingsOff)
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	return b.pingMenu(ctx, in, s, in.Interaction.Roles(), "")
}

func (b Channels) pingMenu(
	ctx context.Context, in kernel.Input, s channels.PingServer, has []string, note discord.Markdown,
) (kernel.Reply, error) {
	boards, err := b.boards.Boards(ctx)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(kernel.Joined(note, in.Tr.Text(msg.PingsYours)))
	var buttons []discordgo.MessageComponent
	for _, c := range s.Works(channels.PingedCategories(b.Game, boards, s.GuildID)) {
		id, style, label := discord.NewCustomID("ping-take", c), discordgo.SecondaryButton, in.Tr.Category(c)
		if slices.Contains(has, s.Role(c).RoleID) {
			id, style, label = discord.NewCustomID("ping-drop", c), discordgo.SuccessButton, "✓ "+label
		}
		buttons = append(buttons, kernel.Button(id, style, label))
	}
	if len(buttons) == 0 {
		return kernel.Reply{}, core.NewError(core.NotFound, pingRoleGone)
	}
	reply.Rows = rowsOf(buttons)
	return reply, nil
}

// rowsOf puts buttons into rows of five.
func rowsOf(buttons []discordgo.MessageComponent) (rows []discordgo.MessageComponent) {
	for some := range slices.Chunk(buttons, 5) {
		rows = append(rows, kernel.Row(some...))
	}
	return rows
}

// pingPressed gives a member the role of a profession from the message for all, or takes it where they have
// it.
func (b Channels) pingPressed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.setPing(ctx, in, func(has bool) bool { return !has })
}

// pingTaken gives a member a role.
func (b Channels) pingTaken(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.setPing(ctx, in, func(bool) bool { return true })
}

// pingDropped takes a role from a member.
func (b Channels) pingDropped(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.setPing(ctx, in, func(bool) bool { return false })
}

func (b Channels) setPing(
	ctx context.Context, in kernel.Input, wants func(has bool) bool,
) (kernel.Reply, error) {
	category := game.Category(in.ID.Word(0))
	s, on, err := b.pingServer(ctx, in.Interaction.GuildID)
	switch {
	case err != nil:
		return kernel.Reply{}, err
	case !on:
		return kernel.Reply{}, core.NewError(core.NotFound, pingsOff)
	case s.Role(category) == nil:
		return kernel.Reply{}, core.NewError(core.NotFound, pingRoleGone)
	}
	role := s.Role(category).RoleID
	has := slices.DeleteFunc(slices.Clone(in.Interaction.Roles()), func(id string) bool { return id == role })
	take := wants(len(has) < len(in.Interaction.Roles()))
	note := in.Tr.Text(msg.PingDropped, "category", in.Tr.Category(category))
	if take {
		has, note = append(has, role), in.Tr.Text(msg.PingTaken, "category", in.Tr.Category(category))
	}
	if err := b.Discord.SetRole(ctx, s.GuildID, in.Interaction.Author().ID, role, take, ""); err != nil {
		return kernel.Reply{}, b.roleRefused(ctx, s, role, err)
	}
	reply, err := b.pingMenu(ctx, in, s, has, note)
	reply.Redraw = in.Interaction.Message != nil &&
		in.Interaction.Message.Flags&discordgo.MessageFlagsEphemeral != 0
	return reply, err
}

// roleRefused finds out why a role could not be given, and says so. The creator of the boards is notified
// once.
func (b Channels) roleRefused(ctx context.Context, s channels.PingServer, role string, why error) error {
	b.Log.Warn("pings: role not given", "server", s.GuildID, "role", role, "error", why)
	switch {
	case discord.HasCode(why, discordgo.ErrCodeUnknownRole):
		if err := b.roleDeleted(ctx, s, role); err != nil {
			return err
		}
		return core.NewError(core.NotFound, pingRoleGone)
	case discord.HasCode(why, discordgo.ErrCodeMissingPermissions, discordgo.ErrCodeMissingAccess):
		problem := pingsNeedRoles
		if roles, err := b.Discord.ServerRoles(ctx, s.GuildID); err == nil && roles.Manages {
			problem = pingRoleAbove
		}
		if err := b.pingTrouble(ctx, s, problem); err != nil {
			return err
		}
		return core.NewError(core.Unavailable, problem)
	}
	return core.NewUnavailable(rolesUnreachable)
}

// roleDeleted notes that a role was deleted by hand, and tells the creator of the boards once.
func (b Channels) roleDeleted(ctx context.Context, s channels.PingServer, role string) error {
	news, err := b.pings.LosePingRole(ctx, s.GuildID, role)
	if err != nil || !news {
		return err
	}
	b.WakeSync() // the message with the buttons is drawn again
	for _, r := range s.Roles {
		if r.RoleID == role {
			b.notifyManager(ctx, s, "l-"+role,
				func(t kernel.Translator) discord.Markdown {
					return t.Text(msg.PingRoleDeleted,
						"category", t.Category(r.Category))
				})
		}
	}
	return nil
}

// pingTrouble notes why roles cannot be given or pinged, and tells the creator of the boards once.
func (b Channels) pingTrouble(ctx context.Context, s channels.PingServer, problem core.Text) error {
	news, err := b.pings.SetPingTrouble(ctx, s.GuildID, problem.String())
	if err == nil && news {
		b.notifyManager(ctx, s, "p-"+s.GuildID,
			func(t kernel.Translator) discord.Markdown {
				return t.Text(msg.PingsTrouble, "problem", t.Core(problem))
			})
	}
	return err
}

// notifyManager sends a message to the creator of the server's boards: the user who turned the pings on is
// not stored.
func (b Channels) notifyManager(
	ctx context.Context, s channels.PingServer, nonce string, text func(kernel.Translator) discord.Markdown,
) {
	boards, err := b.boards.Boards(ctx)
	if err != nil {
		b.Log.Warn("pings: creator of the boards not notified", "server", s.GuildID, "error", err)
		return
	}
	for _, board := range boards {
		if board.GuildID == s.GuildID && len(board.Filter.Categories) > 0 {
			b.notifyOwner(ctx, board, nonce, text)
			return
		}
	}
}
