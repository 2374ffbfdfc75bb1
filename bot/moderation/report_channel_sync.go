package moderation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
)

// reportPostsPause is the key of channelSync.notBefore for the report channel. No channel is called like
// that.
const reportPostsPause = "report channel"

// reportSync brings the report channel in line with the reports.
type reportSync struct {
	Moderation
	*channelsync.Sync
}

// NewReportSync returns the loop of the channel for reports.
func NewReportSync(k *kernel.Kernel, posts ReportChannels, s *channelsync.Sync) reportSync {
	return reportSync{New(k, posts), s}
}

// KeepReports brings the report channel in line with the reports. It returns the first error; the next pass
// goes on from there.
func (k reportSync) KeepReports(ctx context.Context) error {
	if k.Paused(reportPostsPause) {
		return nil
	}
	if err := k.startReportPosts(ctx); err != nil {
		return err
	}
	stale, err := k.posts.StaleReportPosts(ctx, k.Edits.Held(k.Now()), channelsync.PassBatch)
	if err != nil {
		return fmt.Errorf("stale report posts: %w", err)
	}
	drawn := map[int64]bool{}
	for _, p := range stale {
		if drawn[p.MessageOf] {
			continue
		}
		drawn[p.MessageOf] = true
		if err := k.showReports(ctx, p.MessageOf); err != nil {
			if err := k.reportsFailed(ctx, p, err); err != nil {
				return err
			}
		}
		if k.Paused(reportPostsPause) {
			return nil
		}
	}
	return nil
}

// startReportPosts stores for each new report in which message it will be shown.
func (k reportSync) startReportPosts(ctx context.Context) error {
	fresh, err := k.posts.ReportsToShow(ctx, channelsync.PassBatch)
	if err != nil {
		return fmt.Errorf("reports to show: %w", err)
	}
	if len(fresh) == 0 {
		return nil
	}
	channel, err := k.posts.ReportChannel(ctx)
	if core.KindOf(err) == core.NotFound {
		return nil // it was ended meanwhile
	}
	if err != nil {
		return fmt.Errorf("report channel: %w", err)
	}
	for _, r := range fresh {
		if err := k.posts.StartReportPost(ctx, channel, r, k.Now()); err != nil {
			return fmt.Errorf("start post of report %d: %w", r.ID, err)
		}
	}
	return nil
}

// showReports sends or edits a message and stores the state that it shows.
func (k reportSync) showReports(ctx context.Context, messageOf int64) error {
	all, err := k.posts.ReportPostsOf(ctx, messageOf)
	if err != nil {
		return fmt.Errorf("report posts: %w", err)
	}
	var (
		cases     []ReportCase
		over      []channels.ReportPost // decided before they were shown, or in a message that is gone
		messageID string
	)
	for _, p := range all {
		c, err := k.reportCase(ctx, p)
		if err != nil {
			return err
		}
		switch {
		case p.Gone && (c.Open == nil || c.Open.ID > p.ReportID), p.MessageID == "" && c.Open == nil:
			over = append(over, p)
		case !p.Gone:
			messageID = cmp.Or(messageID, p.MessageID)
			cases = append(cases, c)
		}
	}
	if len(over) > 0 {
		if err := k.posts.RemoveReportPosts(ctx, over); err != nil {
			return fmt.Errorf("remove report posts: %w", err)
		}
	}
	if len(cases) == 0 {
		return nil
	}
	return k.drawReports(ctx, cases, messageID)
}

// drawReports sends or edits a message about some cases, and stores the state that it shows of each.
func (k reportSync) drawReports(ctx context.Context, cases []ReportCase, messageID string) (err error) {
	first := cases[0].Post
	body := k.ReportMessage(cases, k.casePeople(ctx, cases)).Message()
	sent, gone := messageID != "", false
	if sent {
		// Where a user deleted it on purpose, what it showed is not sent again; a new report is.
		if gone, err = k.Edit(ctx, first.ChannelID, messageID, body); err != nil && discord.IsRefusal(err) {
			return err // the channel's
		}
		if err != nil {
			defer k.Edits.Stays(messageID)
			return k.EditFailed(messageID, err)
		}
	} else {
		messageID, err = k.sendReports(ctx, first, body)
	}
	if err != nil {
		return err
	}
	open := false
	posts := make([]channels.ReportPost, len(cases))
	for i, c := range cases {
		p := c.Post
		p.MessageID, p.Gone = messageID, gone
		if gone {
			p.ReportID = c.shown
		}
		if !sent && p.Shared {
			// an earlier attempt may have sent fewer of them: the next pass edits the message
			p.ShownReports = 0
		}
		open = open || c.Open != nil
		posts[i] = p
	}
	if !open {
		return k.posts.RemoveReportPosts(ctx, posts)
	}
	for _, p := range posts {
		if err := k.posts.SaveReportPost(ctx, p); err != nil {
			return fmt.Errorf("note report post %d: %w", p.ID, err)
		}
	}
	return nil
}

// sendReports sends a message once, even when an earlier attempt may have sent it without our learning of it.
func (k reportSync) sendReports(
	ctx context.Context, p channels.ReportPost, body discord.Message,
) (messageID string, err error) {
	if k.Now().Sub(p.StartedAt) > channelsync.NonceLifetime {
		sent, err := k.Discord.FindMessage(ctx, p.ChannelID, openReportsID(p.MessageOf), time.Time{})
		if err != nil && !discord.HasCode(err, discordgo.ErrCodeMissingPermissions,
			discordgo.ErrCodeMissingAccess) {
			return "", err
		}
		if sent != "" {
			return sent, k.Discord.EditMessage(ctx, p.ChannelID, sent, body)
		}
	}
	return k.Discord.SendMessage(ctx, p.ChannelID, body, p.Nonce())
}

// reportsFailed decides what an error means. Reports end to arrive in a channel that is gone or in which
// the bot may not write, and the moderators are notified.
func (k reportSync) reportsFailed(ctx context.Context, p channels.ReportPost, why error) error {
	var failed *discordgo.RESTError
	wait, limit := channelsync.PassEvery, discord.RetryAfter(why)
	deleted := discord.HasCode(why, discordgo.ErrCodeUnknownChannel)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limit > 0:
		wait = max(wait, limit)
	case !errors.As(why, &failed):
	case deleted || discord.HasCode(why, discordgo.ErrCodeMissingAccess, discordgo.ErrCodeMissingPermissions,
		discord.CodeThreadLocked):
		k.Log.Warn("report channel: ended", "channel", p.ChannelID, "error", why)
		if err := k.Market.Channels.EndReportChannel(ctx, p.ChannelID, deleted); err != nil {
			return err
		}
		return k.giveUpReports(ctx, p.MessageOf)
	case failed.Response.StatusCode < 500: // this message only: the reports behind it do not wait for it
		k.Log.Error("report channel: message rejected", "channel", p.ChannelID, "error", why)
		return k.giveUpReports(ctx, p.MessageOf)
	}
	k.Log.Warn("report channel: sync failed", "channel", p.ChannelID, "error", why, "wait", wait)
	k.Pause(reportPostsPause, wait)
	return nil
}

// giveUpReports notes that a message cannot be sent or edited any more.
func (k reportSync) giveUpReports(ctx context.Context, messageOf int64) error {
	posts, err := k.posts.ReportPostsOf(ctx, messageOf)
	if err != nil {
		return fmt.Errorf("report posts: %w", err)
	}
	for _, p := range posts {
		p.Gone = true
		if err := k.posts.SaveReportPost(ctx, p); err != nil {
			return fmt.Errorf("note report post %d: %w", p.ID, err)
		}
	}
	return nil
}
