package channels

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
)

// KeepPings makes the roles and the message of the servers in which pings are on, and deletes them where
// they were turned off.
func (k boardSync) KeepPings(ctx context.Context) error {
	servers, err := k.pings.PingServers(ctx)
	if err != nil || len(servers) == 0 {
		return err
	}
	boards, err := k.boards.Boards(ctx)
	if err != nil {
		return fmt.Errorf("list boards: %w", err)
	}
	for _, s := range servers {
		if k.Paused(pingsPause(s.GuildID, "")) {
			continue
		}
		if s.Ended {
			err = k.endPings(ctx, s)
		} else {
			err = k.pingsOf(ctx, s, channels.PingedCategories(k.Game, boards, s.GuildID))
		}
		if err == nil {
			continue
		}
		if err := k.pingsFailed(ctx, s, err); err != nil {
			return err
		}
	}
	return nil
}

// pingsPause is the key of channelSync.notBefore for the pings of a server or, with a problem, for trying
// whether that is over.
func pingsPause(guildID, problem string) string { return "pings " + guildID + problem }

// troubled stores the problem of a server's pings, and the time of the next check.
func (k boardSync) troubled(ctx context.Context, s channels.PingServer, problem core.Text) error {
	k.Pause(pingsPause(s.GuildID, problem.English), channelsync.TroublePause)
	return k.pingTrouble(ctx, s, problem)
}

// pingsOf makes the roles that a server lacks, and sends or draws again its message.
func (k boardSync) pingsOf(ctx context.Context, s channels.PingServer, named []game.Category) error {
	waits := s.Problem != "" && k.Paused(pingsPause(s.GuildID, s.Problem))
	lacks := s.Lacks(named)
	looks := !waits && (len(lacks) > 0 || s.Problem != "")
	if len(lacks) > 0 && looks {
		made, err := k.makeRoles(ctx, &s, lacks)
		if err != nil || !made {
			return err
		}
	}
	var problem core.Text
	if looks {
		var err error
		if problem, _, err = k.lookAtRoles(ctx, s); err != nil {
			return err
		}
	}
	if !waits || s.Problem != kernel.CannotPostHere.English {
		if err := k.pingMessage(ctx, s, s.Works(named)); err != nil {
			return err
		}
	}
	switch {
	case problem.Code != "":
		return k.troubled(ctx, s, problem)
	case looks && s.Problem != "":
		_, err := k.pings.SetPingTrouble(ctx, s.GuildID, "")
		return err
	}
	return nil
}

// makeRoles gives professions a role: a role that an earlier attempt has made, an existing role of their
// name, or a new role. It returns false where the bot lacks the permission.
func (k boardSync) makeRoles(
	ctx context.Context, s *channels.PingServer, lacks []game.Category,
) (bool, error) {
	roles, err := k.Discord.ServerRoles(ctx, s.GuildID)
	if err != nil {
		return false, err
	}
	if !roles.Manages {
		return false, k.troubled(ctx, *s, pingsNeedRoles)
	}
	inChannels, err := k.Discord.RolesOfChannels(ctx, s.GuildID)
	if err != nil {
		return false, err
	}
	t := k.Translator(s.Locale)
	for _, c := range lacks {
		role := channels.PingRole{Category: c}
		begun := slices.IndexFunc(s.Roles, func(r channels.PingRole) bool { return r.Category == c })
		if begun >= 0 {
			role = s.Roles[begun]
		} else if err := k.pings.StartPingRole(ctx, s.GuildID, c, k.Now()); err != nil {
			return false, err
		}
		for _, r := range roles.Roles {
			named := strings.EqualFold(r.Name, t.Category(c)) || strings.EqualFold(r.Name, string(c))
			// A role that opens anything is not for everyone who presses a button.
			if named && r.Harmless() && !inChannels[r.ID] && roles.Below(r) && r.ID != s.GuildID {
				role.RoleID, role.Made = r.ID, !role.StartedAt.IsZero() && r.MadeSince(role.StartedAt)
				break
			}
		}
		if role.RoleID == "" {
			if role.RoleID, err = k.Discord.CreateRole(ctx, s.GuildID, t.Category(c)); err != nil {
				return false, err
			}
			role.Made = true
		}
		if err := k.pings.SavePingRole(ctx, s.GuildID, role); err != nil {
			return false, err
		}
		if begun >= 0 {
			s.Roles[begun] = role
		} else {
			s.Roles = append(s.Roles, role)
		}
	}
	return true, nil
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

// pingMessage sends the message with the buttons, or draws it again where other professions have a role.
func (k boardSync) pingMessage(ctx context.Context, s channels.PingServer, works []game.Category) error {
	shown := fmt.Sprint(works)
	m := &s.Message
	if m.Gone || len(works) == 0 || m.MessageID != "" && m.Shown == shown {
		return nil
	}
	t := k.Translator(s.Locale)
	reply := kernel.Reply{Public: true, Text: t.Text(msg.PingsMessage, int(s.Pause.Minutes()))}
	var buttons []discordgo.MessageComponent
	for _, c := range works {
		buttons = append(buttons, kernel.Button(pingID(c), discordgo.SecondaryButton, t.Category(c)))
	}
	reply.Rows = rowsOf(buttons)
	var err error
	if m.MessageID == "" {
		m.MessageID, err = k.sendPingMessage(ctx, s, works, reply.Message())
	} else {
		if m.Gone, err = k.Edit(ctx, m.ChannelID, m.MessageID, reply.Message()); err != nil &&
			!discord.IsRefusal(err) {
			return k.EditFailed(m.MessageID, err)
		}
	}
	if discord.HasCode(err, discordgo.ErrCodeUnknownMessage, discordgo.ErrCodeUnknownChannel) {
		m.Gone, err = true, nil // a user deleted it on purpose: /notify pings has the same buttons
	}
	if err != nil {
		return err
	}
	m.Shown = shown
	return k.pings.SavePingMessage(ctx, s)
}

func pingID(c game.Category) discord.CustomID { return discord.NewCustomID("ping", c) }

// sendPingMessage sends the message once, also when an earlier attempt may have sent it without our
// learning of it.
func (k boardSync) sendPingMessage(
	ctx context.Context, s channels.PingServer, works []game.Category, body discord.Message,
) (string, error) {
	m := s.Message
	if m.StartedAt.IsZero() {
		m.StartedAt = k.Now()
		if err := k.pings.StartPingMessage(ctx, s, m.StartedAt); err != nil {
			return "", err
		}
	}
	if k.Now().Sub(m.StartedAt) > channelsync.NonceLifetime {
		sent, err := k.Discord.FindMessage(ctx, m.ChannelID, pingID(works[0]), m.StartedAt)
		if err != nil || sent != "" {
			return sent, err
		}
	}
	return k.Discord.SendMessage(ctx, m.ChannelID, body,
		"g"+shortID(m.ChannelID)+"-"+strconv.FormatInt(m.StartedAt.UnixMicro(), 36))
}

// endPings deletes the roles that the bot has made in a server, and its message, and forgets them. Those
// that were there before stay.
func (k boardSync) endPings(ctx context.Context, s channels.PingServer) error {
	var left []game.Category
	for _, r := range s.Roles {
		if !r.Made || r.RoleID == "" || r.Gone {
			continue
		}
		err := k.Discord.DeleteRole(ctx, s.GuildID, r.RoleID)
		if discord.IsRefusal(err) {
			k.Log.Info("pings: role not deleted", "server", s.GuildID, "role", r.RoleID, "error", err)
			left, err = append(left, r.Category), nil
		}
		if err != nil {
			return err
		}
	}
	if m := s.Message; m.MessageID != "" && !m.Gone {
		if err := k.Discord.DeleteMessage(ctx, m.ChannelID, m.MessageID); err != nil &&
			!discord.IsRefusal(err) {
			return err
		}
	}
	if len(left) > 0 {
		k.notifyManager(ctx, s, "e-"+s.GuildID,
			func(t kernel.Translator) discord.Markdown { return t.Text(msg.PingRolesLeft, listed(t, left)) })
	}
	return k.pings.RemovePingServer(ctx, s.GuildID)
}

// pingsFailed decides when a server is tried again after an error.
func (k boardSync) pingsFailed(ctx context.Context, s channels.PingServer, why error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	wait := max(channelsync.PassEvery, discord.RetryAfter(why))
	k.Log.Warn("pings: sync failed", "server", s.GuildID, "error", why, "wait", wait)
	k.Pause(pingsPause(s.GuildID, ""), wait)
	if !discord.IsRefusal(why) {
		return nil
	}
	if in, err := k.Discord.IsInServer(ctx, s.GuildID); err == nil && !in { // its boards tell of it
		return k.serverLeft(ctx, s.GuildID)
	}
	problem := kernel.CannotPostHere
	if discord.HasCode(why, discord.CodeMaxRoles) {
		problem = tooManyRoles
	}
	return k.troubled(ctx, s, problem)
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
