package channels

import (
	"context"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/core/channels"
)

// traderRoles lists the servers that give a role to established traders.
func (k boardSync) traderRoles(ctx context.Context) ([]channelsync.Channel, error) {
	roles, err := k.given.TraderRoles(ctx)
	if err != nil {
		return nil, fmt.Errorf("roles of traders: %w", err)
	}
	all := make([]channelsync.Channel, len(roles))
	for i, r := range roles {
		s := roleSync{k, r}
		all[i] = channelsync.Channel{ID: r.GuildID, Stale: s.stale, Refused: s.refused}
	}
	return all, nil
}

// roleSync gives and takes the role of one server.
type roleSync struct {
	boardSync
	role channels.TraderRole
}

// stale takes the next steps. A step whose answer was lost is taken again, which makes no difference.
func (s roleSync) stale(ctx context.Context, _ channels.HeldEdits) ([]channelsync.Thing, error) {
	nothing := fmt.Sprintf("no steps %s %s %t", s.role.GuildID, s.role.RoleID, s.role.Ended)
	if s.Paused(nothing) {
		return nil, nil
	}
	began := time.Now()
	steps, err := s.given.RoleSteps(ctx, s.role.GuildID, s.Now(), channelsync.PassBatch)
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	if len(steps) == 0 && s.role.Ended {
		return nil, s.given.RemoveTraderRole(ctx, s.role.GuildID)
	}
	if len(steps) < channelsync.PassBatch {
		// The statement compares all traders: it may take a hundredth of the time.
		s.Pause(nothing, min(max(100*time.Since(began), channelsync.PassEvery), time.Minute))
	}
	if len(steps) == 0 && s.role.Problem == "" {
		return nil, nil
	}
	if works, err := s.works(ctx); err != nil || !works {
		return nil, err
	}
	for _, step := range steps {
		if err := s.take(ctx, step); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// works stores why the role cannot be given, or that it can be again.
func (s roleSync) works(ctx context.Context) (bool, error) {
	if s.role.Ended {
		return true, nil
	}
	roles, err := s.Discord.ServerRoles(ctx, s.role.GuildID)
	if err != nil {
		return false, err
	}
	problem := roleProblem(roles, s.role.RoleID)
	if problem.Code != "" {
		s.Pause("roles of traders "+s.role.GuildID, channelsync.TroublePause)
	}
	return problem.Code == "", s.Market.Channels.SetRoleProblem(ctx, s.role.GuildID, s.role.RoleID, problem)
}

// auditReason is the reason that the server's audit log shows. It has no reader of a known language.
const auditReason = "Established trader of %s"

// take takes one step and stores its result.
func (s roleSync) take(ctx context.Context, step channels.RoleStep) (err error) {
	member := true
	if step.Act == channels.CheckRole {
		member, err = s.Discord.MemberOfAny(ctx, []string{step.GuildID}, step.DiscordID)
	} else {
		err = s.Discord.SetRole(ctx, step.GuildID, step.DiscordID, step.RoleID,
			step.Act == channels.GiveRole, fmt.Sprintf(auditReason, s.SiteName))
	}
	if discord.IsNoMember(err) {
		member, err = false, nil
	}
	if step.Act == channels.TakeRole && discord.HasCode(err, discordgo.ErrCodeUnknownRole) {
		member, err = false, nil // it was deleted, and with it taken from everyone
	}
	if err != nil {
		return err
	}
	return s.Market.Channels.SettleRole(ctx, step, member)
}

// refused finds out why Discord refuses to give or take a role.
func (s roleSync) refused(ctx context.Context, why error) (wait time.Duration, err error) {
	if in, err := s.Discord.IsInServer(ctx, s.role.GuildID); err == nil && !in {
		return channelsync.PassEvery, s.serverLeft(ctx, s.role.GuildID)
	}
	roles, err := s.Discord.ServerRoles(ctx, s.role.GuildID)
	if err != nil {
		return channelsync.TroublePause, nil
	}
	problem := roleProblem(roles, s.role.RoleID)
	if problem.Code == "" && discord.HasCode(why, discordgo.ErrCodeUnknownRole) {
		return channelsync.PassEvery, nil // another role was named meanwhile
	}
	if s.role.Ended && problem.Code == channels.RoleDeleted.Code {
		return channelsync.PassEvery, s.given.RemoveTraderRole(ctx, s.role.GuildID)
	}
	return channelsync.TroublePause,
		s.Market.Channels.SetRoleProblem(ctx, s.role.GuildID, s.role.RoleID, problem)
}
