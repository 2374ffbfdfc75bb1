package channels

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

// pingServers lists the servers in which pings are on, to make their roles and message, and those in which
// they were turned off, to delete them. The message is never posted again: /notify pings has its buttons.
func (k boardSync) pingServers(ctx context.Context) ([]channelsync.Channel, error) {
	servers, err := k.pings.PingServers(ctx)
	if err != nil || len(servers) == 0 {
		return nil, err
	}
	boards, err := k.boards.Boards(ctx)
	if err != nil {
		return nil, fmt.Errorf("list boards: %w", err)
	}
	all := make([]channelsync.Channel, len(servers))
	for i, s := range servers {
		p := &pingSync{boardSync: k, s: s, named: channels.PingedCategories(k.Game, boards, s.GuildID)}
		all[i] = channelsync.Channel{ID: s.GuildID, Stale: p.stale, Refused: p.refused, Synced: p.synced}
	}
	return all, nil
}

// pingSync keeps the roles and the message of one server in step.
type pingSync struct {
	boardSync
	s       channels.PingServer
	named   []game.Category // by boards of the server
	looked  bool            // at the roles, in the present pass
	problem core.Text       // found then
}

// problemPause names the pause before the next check whether a problem of a server is over.
func problemPause(guildID, problem string) string { return "ping problem " + guildID + problem }

// troubled stores the problem of a server's pings, and the time of the next check.
func (p *pingSync) troubled(ctx context.Context, problem core.Text) error {
	p.Pause(problemPause(p.s.GuildID, problem.String()), channelsync.TroublePause)
	return p.pingTrouble(ctx, p.s, problem)
}

// stale makes the roles that a server lacks, and returns its message where it is not as it should be.
func (p *pingSync) stale(ctx context.Context, _ channels.HeldEdits) (_ []channelsync.Thing, err error) {
	if p.s.Ended {
		return []channelsync.Thing{{Unsent: true, Desired: p.desired, End: p.endPings}}, nil
	}
	waits := p.s.Problem != "" && p.Paused(problemPause(p.s.GuildID, p.s.Problem))
	lacks := p.s.Lacks(p.named)
	looks := !waits && (len(lacks) > 0 || p.s.Problem != "")
	if len(lacks) > 0 && looks {
		if err := p.makeRoles(ctx, lacks); err != nil || p.problem.Code != "" {
			return nil, err
		}
	}
	if looks {
		if p.problem, _, err = p.lookAtRoles(ctx, p.s); err != nil {
			return nil, err
		}
		p.looked = true
	}
	if waits && p.s.Problem == kernel.CannotPostHere.String() {
		return nil, nil
	}
	return []channelsync.Thing{{Unsent: p.s.Message.MessageID == "",
		Desired: p.desired, Send: p.send, Edit: p.edit, Shown: p.shown, End: p.gone}}, nil
}

// synced stores the problem that was found, or that the one there was is over.
func (p *pingSync) synced(ctx context.Context) error {
	switch {
	case p.problem.Code != "":
		return p.troubled(ctx, p.problem)
	case p.looked && p.s.Problem != "":
		_, err := p.pings.SetPingTrouble(ctx, p.s.GuildID, "")
		return err
	}
	return nil
}

// makeRoles gives professions a role: a role that an earlier attempt has made, an existing role of their
// name, or a new role. It is a problem where the bot lacks the permission.
func (p *pingSync) makeRoles(ctx context.Context, lacks []game.Category) error {
	s := &p.s
	roles, err := p.Discord.ServerRoles(ctx, s.GuildID)
	if err != nil {
		return err
	}
	if !roles.Manages {
		p.problem = pingsNeedRoles
		return nil
	}
	inChannels, err := p.Discord.RolesOfChannels(ctx, s.GuildID)
	if err != nil {
		return err
	}
	t := p.Translator(s.Locale)
	for _, c := range lacks {
		begun := slices.IndexFunc(s.Roles, func(r channels.PingRole) bool { return r.Category == c })
		if begun < 0 {
			if err := p.pings.StartPingRole(ctx, s.GuildID, c, p.Now()); err != nil {
				return err
			}
			begun, s.Roles = len(s.Roles), append(s.Roles, channels.PingRole{Category: c})
		}
		role := &s.Roles[begun]
		for _, r := range roles.Roles {
			named := strings.EqualFold(r.Name, t.Category(c)) || strings.EqualFold(r.Name, string(c))
			// A role that opens anything is not for everyone who presses a button.
			if named && r.Harmless() && !inChannels[r.ID] && roles.Below(r) && r.ID != s.GuildID {
				role.RoleID, role.Made = r.ID, !role.StartedAt.IsZero() && r.MadeSince(role.StartedAt)
				break
			}
		}
		if role.RoleID == "" {
			if role.RoleID, err = p.Discord.CreateRole(ctx, s.GuildID, t.Category(c)); err != nil {
				return err
			}
			role.Made = true
		}
		if err := p.pings.SavePingRole(ctx, s.GuildID, *role); err != nil {
			return err
		}
	}
	return nil
}

// lookAtRoles returns the problem that keeps the roles of a server from being given or pinged, and the roles
// that were deleted by hand: it stores their loss and notifies the manager.
func (k boardSync) lookAtRoles(
	ctx context.Context, s channels.PingServer,
) (problem core.Text, lost []string, err error) {
	roles, err := k.Discord.ServerRoles(ctx, s.GuildID)
	if err != nil {
		return core.Text{}, nil, err
	}
	if !roles.Manages {
		problem = pingsNeedRoles
	}
	for _, own := range s.Roles {
		if own.RoleID == "" || own.Gone {
			continue
		}
		role, there := roles.Find(own.RoleID)
		switch {
		case !there:
			lost = append(lost, own.RoleID)
			if err := k.roleDeleted(ctx, s, own.RoleID); err != nil {
				return core.Text{}, nil, err
			}
		case problem.Code != "":
		case !roles.Below(role):
			problem = pingRoleAbove
		case !role.Mentionable && !roles.MentionsAll:
			problem = pingsNotMentioned
		}
	}
	return problem, lost, nil
}

// desired draws the message again where other professions have a role.
func (p *pingSync) desired(context.Context) (*channelsync.Desired, error) {
	works, m := p.s.Works(p.named), p.s.Message
	if p.s.Ended {
		return &channelsync.Desired{Over: true}, nil
	}
	if m.Gone || len(works) == 0 || m.MessageID != "" && m.Shown == fmt.Sprint(works) {
		return nil, nil
	}
	t := p.Translator(p.s.Locale)
	reply := kernel.Reply{Public: true, Text: t.Text(msg.PingsMessage, "minutes", int(p.s.Pause.Minutes()))}
	var buttons []discordgo.MessageComponent
	for _, c := range works {
		buttons = append(buttons, kernel.Button(pingID(c), discordgo.SecondaryButton, t.Category(c)))
	}
	reply.Rows = rowsOf(buttons)
	return &channelsync.Desired{MessageID: m.MessageID, Body: reply.Message(), Turns: true}, nil
}

func pingID(c game.Category) discord.CustomID { return discord.NewCustomID("ping", c) }

func (p *pingSync) send(ctx context.Context, body discord.Message) (messageID string, err error) {
	m := &p.s.Message
	if m.StartedAt.IsZero() {
		m.StartedAt = p.Now()
		if err := p.pings.StartPingMessage(ctx, p.s, m.StartedAt); err != nil {
			return "", err
		}
	}
	messageID, err = p.SendOnce(ctx, channelsync.Once{
		ChannelID: m.ChannelID, Press: pingID(p.s.Works(p.named)[0]),
		StartedAt: m.StartedAt, Since: m.StartedAt,
		Nonce: "g" + shortID(m.ChannelID) + "-" + strconv.FormatInt(m.StartedAt.UnixMicro(), 36),
	}, body)
	if channelsync.ChannelGone(err) {
		return "", p.gone(ctx, true)
	}
	return messageID, err
}

func (p *pingSync) edit(ctx context.Context, body discord.Message) (gone bool, err error) {
	m := p.s.Message
	return p.EditMessage(ctx, m.ChannelID, m.MessageID, body, channelsync.ChannelGone)
}

func (p *pingSync) shown(ctx context.Context, messageID string) error {
	p.s.Message.MessageID, p.s.Message.Shown = messageID, fmt.Sprint(p.s.Works(p.named))
	return p.pings.SavePingMessage(ctx, p.s)
}

// gone stores that a user has deleted the message, or its channel.
func (p *pingSync) gone(ctx context.Context, _ bool) error {
	p.s.Message.Gone = true
	return p.shown(ctx, p.s.Message.MessageID)
}

// endPings deletes the roles that the bot has made in a server, and its message, and forgets them. Those
// that were there before stay.
func (p *pingSync) endPings(ctx context.Context, _ bool) error {
	s := p.s
	var left []game.Category
	for _, r := range s.Roles {
		if !r.Made || r.RoleID == "" || r.Gone {
			continue
		}
		err := p.Discord.DeleteRole(ctx, s.GuildID, r.RoleID)
		if discord.IsRefusal(err) {
			p.Log.Info("pings: role not deleted", "server", s.GuildID, "role", r.RoleID, "error", err)
			left, err = append(left, r.Category), nil
		}
		if err != nil {
			return err
		}
	}
	if m := s.Message; m.MessageID != "" && !m.Gone {
		if err := p.Discord.DeleteMessage(ctx, m.ChannelID, m.MessageID); err != nil &&
			!discord.IsRefusal(err) {
			return err
		}
	}
	if len(left) > 0 {
		p.notifyManager(ctx, s, "e-"+s.GuildID,
			func(t kernel.Translator) discord.Markdown {
				return t.Text(msg.PingRolesLeft, "roles", listed(t, left))
			})
	}
	return p.pings.RemovePingServer(ctx, s.GuildID)
}

// refused stores the problem of a server in which Discord refuses what its pings need.
func (p *pingSync) refused(ctx context.Context, why error) (wait time.Duration, err error) {
	if in, err := p.Discord.IsInServer(ctx, p.s.GuildID); err == nil && !in { // its boards tell of it
		return channelsync.PassEvery, p.serverLeft(ctx, p.s.GuildID)
	}
	problem := kernel.CannotPostHere
	if discord.HasCode(why, discord.CodeMaxRoles) {
		problem = tooManyRoles
	}
	return channelsync.PassEvery, p.troubled(ctx, problem)
}

// pinged are the servers' roles that messages of boards may name, by ID.
func (k boardSync) pinged(ctx context.Context) (map[string]channels.PingServer, error) {
	servers, err := k.pings.PingServers(ctx)
	if err != nil {
		return nil, fmt.Errorf("servers that ping: %w", err)
	}
	found := map[string]channels.PingServer{}
	for _, s := range servers {
		for _, r := range s.Roles {
			if r.RoleID != "" && !r.Gone && !s.Ended {
				found[r.RoleID] = s
			}
		}
	}
	return found, nil
}

// pingsIn returns the roles that the message of some posts names. It checks them before the message is sent,
// and leaves out roles that were deleted by hand.
func (k boardSync) pingsIn(ctx context.Context, posts ...channels.BoardPost) (roles []string) {
	for _, p := range posts {
		s, known := k.roles[p.PingRole]
		if !known || slices.Contains(roles, p.PingRole) || p.MessageID == "" && !p.ShownOpen {
			continue
		}
		if p.MessageID == "" {
			problem, lost, err := k.lookAtRoles(ctx, s)
			if err == nil && problem.Code != "" {
				err = k.pingTrouble(ctx, s, problem)
			}
			if err != nil { // the request is shown and pings all the same
				k.Log.Warn("pings: roles not looked at", "server", s.GuildID, "error", err)
			}
			if slices.Contains(lost, p.PingRole) {
				continue
			}
		}
		roles = append(roles, p.PingRole)
	}
	return roles
}

// pingLine names roles. Whether that pings them is decided by the message.
func pingLine(roles []string) (line discord.Markdown) {
	for _, id := range roles {
		line += discord.Markdown("<@&" + id + "> ")
	}
	return line
}
