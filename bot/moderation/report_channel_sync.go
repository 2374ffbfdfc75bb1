package moderation

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
)

// reportSync brings the report channel in line with the reports.
type reportSync struct {
	Moderation
	*channelsync.Sync
}

// ReportLoop returns the loop of the channel for reports. Its messages are never posted again: moderators
// have read them.
func ReportLoop(k *kernel.Kernel, posts ReportChannels, s *channelsync.Sync) channelsync.Loop {
	return channelsync.Loop{
		Name: "report channel", Channels: channelsync.Everything(reportSync{New(k, posts), s}.stale),
	}
}

// stale starts the messages of new reports, and returns the messages that do not show their reports as they
// are.
func (k reportSync) stale(
	ctx context.Context, held channels.HeldEdits,
) (things []channelsync.Thing, err error) {
	if err := k.startReportPosts(ctx); err != nil {
		return nil, err
	}
	stale, err := k.posts.StaleReportPosts(ctx, held, channelsync.PassBatch)
	if err != nil {
		return nil, fmt.Errorf("stale report posts: %w", err)
	}
	drawn := map[int64]bool{}
	for _, p := range stale {
		if drawn[p.MessageOf] {
			continue
		}
		drawn[p.MessageOf] = true
		m := &reportMessage{reportSync: k, of: p.MessageOf}
		things = append(things, channelsync.Thing{Unsent: p.MessageID == "",
			Desired: m.desired, Send: m.send, Edit: m.edit, Shown: m.shown, End: m.end})
	}
	return things, nil
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

// reportMessage keeps a message of the report channel in step.
type reportMessage struct {
	reportSync
	of        int64 // the post for which the message was started
	cases     []ReportCase
	messageID string // empty before it was sent
	open      bool   // something is left to decide
}

func (m *reportMessage) desired(ctx context.Context) (*channelsync.Desired, error) {
	all, err := m.posts.ReportPostsOf(ctx, m.of)
	if err != nil {
		return nil, fmt.Errorf("report posts: %w", err)
	}
	var over []channels.ReportPost // decided before they were shown, or in a message that is gone
	for _, p := range all {
		c, err := m.reportCase(ctx, p)
		if err != nil {
			return nil, err
		}
		if p.MessageID == "" && c.Open == nil && !p.Gone { // a stop may have kept us from storing it
			if p.MessageID, err = m.Sent(ctx, onceOf(p)); err != nil && !discord.IsRefusal(err) {
				return nil, err
			}
			c.Post.MessageID = p.MessageID
		}
		switch {
		case p.Gone && (c.Open == nil || c.Open.ID > p.ReportID), p.MessageID == "" && c.Open == nil:
			over = append(over, p)
		case !p.Gone:
			m.messageID, m.open = cmp.Or(m.messageID, p.MessageID), m.open || c.Open != nil
			m.cases = append(m.cases, c)
		}
	}
	if len(over) > 0 {
		if err := m.posts.RemoveReportPosts(ctx, over); err != nil {
			return nil, fmt.Errorf("remove report posts: %w", err)
		}
	}
	if len(m.cases) == 0 {
		return nil, nil
	}
	body := m.ReportMessage(m.cases, m.casePeople(ctx, m.cases)).Message()
	return &channelsync.Desired{MessageID: m.messageID, Body: body, Over: !m.open, Turns: true}, nil
}

func onceOf(p channels.ReportPost) channelsync.Once {
	return channelsync.Once{
		ChannelID: p.ChannelID, Nonce: p.Nonce(), Press: openReportsID(p.MessageOf), StartedAt: p.StartedAt,
	}
}

func (m *reportMessage) send(ctx context.Context, body discord.Message) (messageID string, err error) {
	p := m.cases[0].Post
	messageID, err = m.SendOnce(ctx, onceOf(p), body)
	if discord.IsRefusal(err) {
		return "", errors.Join(m.refused(ctx, err), m.end(ctx, true))
	}
	for i := range m.cases {
		if p.Shared { // an earlier attempt may have sent fewer of them: the next pass edits the message
			m.cases[i].Post.ShownReports = 0
		}
	}
	return messageID, err
}

func (m *reportMessage) edit(ctx context.Context, body discord.Message) (gone bool, err error) {
	gone, err = m.EditMessage(ctx, m.cases[0].Post.ChannelID, m.messageID, body, nil)
	if discord.IsRefusal(err) {
		return true, m.refused(ctx, err)
	}
	return gone, err
}

func (m *reportMessage) shown(ctx context.Context, messageID string) error {
	for _, c := range m.cases {
		c.Post.MessageID = messageID
		if err := m.posts.SaveReportPost(ctx, c.Post); err != nil {
			return fmt.Errorf("note report post %d: %w", c.Post.ID, err)
		}
	}
	return nil
}

// end forgets a message with nothing left to decide. What a message showed that is gone is not sent again; a
// new report is.
func (m *reportMessage) end(ctx context.Context, gone bool) error {
	var posts []channels.ReportPost
	for i, c := range m.cases {
		m.cases[i].Post.Gone, m.cases[i].Post.ReportID = gone, c.shown
		posts = append(posts, c.Post)
	}
	if !m.open {
		return m.posts.RemoveReportPosts(ctx, posts)
	}
	return m.shown(ctx, m.messageID)
}

// refused handles that Discord does not take a message. Reports end to arrive in a channel that is gone or
// in which the bot may not write, and the moderators are notified. Any other message goes on.
func (m *reportMessage) refused(ctx context.Context, why error) error {
	channel, deleted := m.cases[0].Post.ChannelID, channelsync.ChannelGone(why)
	if !deleted && !discord.HasCode(why, discordgo.ErrCodeMissingAccess, discordgo.ErrCodeMissingPermissions,
		discord.CodeThreadLocked) {
		m.Log.Error("report channel: message rejected", "channel", channel, "error", why)
		return nil
	}
	m.Log.Warn("report channel: ended", "channel", channel, "error", why)
	return m.Market.Channels.EndReportChannel(ctx, channel, deleted)
}
