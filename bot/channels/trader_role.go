package channels

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	msg "tradepost/core/text"
)

// TraderRoles stores which role a server gives to established traders.
type TraderRoles interface {
	TraderRoles(ctx context.Context) ([]channels.TraderRole, error)
	// SaveTraderRole stores the role of a server. Another one that it had is taken away.
	SaveTraderRole(ctx context.Context, r channels.TraderRole) error
	// EndTraderRole begins to take the role of a server away. It reports whether there was one.
	EndTraderRole(ctx context.Context, guildID string) (was bool, err error)
	RemoveTraderRole(ctx context.Context, guildID string) error
	// HeldRoles returns how many users have the role of a server.
	HeldRoles(ctx context.Context, guildID string) (int, error)
	// RoleSteps returns the next steps about the role of a server: first those that take it, then those that
	// give it, then those that ask whether its holders are still members.
	RoleSteps(ctx context.Context, guildID string, now time.Time, most int) ([]channels.RoleStep, error)
}

// Errors of the role for traders.
var (
	roleNotYours = core.NewText("role_not_yours")
	roleUnknown  = core.NewText("role_unknown")
)

// boardRole has a server give a role to established traders, or shows the role that it gives.
func (b Channels) boardRole(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	id := in.Text("role")
	if id == "" {
		return b.shownRole(ctx, in)
	}
	roles, err := b.Discord.ServerRoles(ctx, in.Interaction.GuildID)
	if err != nil {
		b.Log.Warn("role of traders: roles not read", "server", in.Interaction.GuildID, "error", err)
		return kernel.Reply{}, core.NewUnavailable(rolesUnreachable)
	}
	if !roles.Manages {
		return b.roleInvitation(in, msg.RoleInvite), nil
	}
	role, there := roles.Find(id)
	if !there {
		return kernel.Reply{}, core.NewError(core.NotFound, roleUnknown)
	}
	if problem := roleProblem(roles, id); problem.Code != "" {
		return kernel.Reply{}, core.NewError(core.Invalid, problem)
	}
	if !roles.MayGive(in.Interaction.Member.Permissions, in.Interaction.Roles(), role) {
		return kernel.Reply{}, core.NewError(core.Forbidden, roleNotYours)
	}
	name, err := discord.ServerName(ctx, b.Discord, in.Interaction.GuildID)
	if err != nil {
		b.Log.Warn("role of traders: server not read", "server", in.Interaction.GuildID, "error", err)
		return kernel.Reply{}, core.NewUnavailable(rolesUnreachable)
	}
	if err := b.given.SaveTraderRole(ctx, channels.TraderRole{
		GuildID: in.Interaction.GuildID, RoleID: id, ServerName: name, RoleName: role.Name,
		NamedBy: in.Actor.UserID,
	}); err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	return kernel.Private(in.Tr.Text(msg.RoleOn, "role", mentionRole(id))), nil
}

// roleProblem returns why the bot cannot give a role of a server; its Code is empty when it can.
func roleProblem(roles discord.ServerRoles, id string) core.Text {
	role, there := roles.Find(id)
	switch {
	case !there:
		return channels.RoleDeleted
	case role.Powerful():
		return channels.RolePowerful
	case !roles.Manages:
		return channels.RoleNeedsPermission
	case !roles.Below(role):
		return channels.RoleAbove
	}
	return core.Text{}
}

// shownRole shows the role that a server gives to established traders, and lets a manager end that.
func (b Channels) shownRole(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	role, on, err := b.traderRole(ctx, in.Interaction.GuildID)
	if err != nil {
		return kernel.Reply{}, err
	}
	if !on {
		return kernel.Private(in.Tr.Text(msg.RoleNone)), nil
	}
	line, err := b.roleLine(ctx, in, role)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(line)
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("end-role"),
		discordgo.DangerButton, in.Tr.Plain(msg.RoleEnd))))
	return reply, nil
}

// roleLine shows the role of a server, with how many have it and what keeps it from being given.
func (b Channels) roleLine(
	ctx context.Context, in kernel.Input, role channels.TraderRole,
) (discord.Markdown, error) {
	have, err := b.given.HeldRoles(ctx, role.GuildID)
	line := in.Tr.Text(msg.RoleListed, "role", mentionRole(role.RoleID), "count", have)
	if role.Problem != "" {
		line += "\n  ⚠️ " + discord.Escape(in.Tr.Stored(role.Problem, channels.RoleProblems...))
	}
	return line, err
}

// endRole ends that a server gives a role: those who got it from the bot lose it.
func (b Channels) endRole(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	was, err := b.given.EndTraderRole(ctx, in.Interaction.GuildID)
	if err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	text := in.Tr.Text(msg.RoleNone)
	if was {
		text = in.Tr.Text(msg.RoleEnded)
	}
	return kernel.Reply{Text: text, Redraw: true}, nil
}

// traderRole returns the role of a server. It returns false where there is none.
func (b Channels) traderRole(ctx context.Context, guildID string) (channels.TraderRole, bool, error) {
	all, err := b.given.TraderRoles(ctx)
	for _, r := range all {
		if r.GuildID == guildID && !r.Ended {
			return r, true, err
		}
	}
	return channels.TraderRole{}, false, err
}

func mentionRole(id string) discord.Markdown { return discord.Markdown("<@&" + id + ">") }
