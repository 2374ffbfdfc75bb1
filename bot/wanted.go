package bot

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// WantedChannels stores which channels get a report of unmet demand once a week.
type WantedChannels interface {
	SaveWantedChannel(ctx context.Context, c core.WantedChannel) error
	// RemoveWantedChannel reports whether the channel got reports.
	RemoveWantedChannel(ctx context.Context, channelID string) (bool, error)
	DueWantedChannels(ctx context.Context, now time.Time) ([]core.WantedChannel, error)
	// StartWanted stores that a report is about to be sent, the first time only.
	StartWanted(ctx context.Context, channelID string, now time.Time) error
	// FinishWanted stores when the next report is due.
	FinishWanted(ctx context.Context, channelID string, due time.Time) error
}

// boardWanted has the channel get a report of unmet demand once a week, or ends that.
func (b channelsBot) boardWanted(ctx context.Context, in Input) (Reply, error) {
	if err := mayManage(in); err != nil {
		return Reply{}, err
	}
	if !in.yes("on") {
		if _, err := b.wanted.RemoveWantedChannel(ctx, in.i.ChannelID); err != nil {
			return Reply{}, err
		}
		return private(in.tr.text(msg.WantedOff)), nil
	}
	if !discord.HasPermissions(in.i.AppPermissions, discord.InvitedPermissions()) {
		return Reply{}, core.NewError(core.Unavailable, cannotPostHere)
	}
	c := core.WantedChannel{ChannelID: in.i.ChannelID, GuildID: in.i.GuildID, Locale: in.i.GuildLanguage(), DueAt: core.NextWanted(b.now())}
	if err := b.wanted.SaveWantedChannel(ctx, c); err != nil {
		return Reply{}, err
	}
	return private(in.tr.text(msg.WantedOn, timestamp(c.DueAt))), nil
}

// wantedReports sends the reports that are due. In a week in which there is nothing to report none is sent.
func (k boardSync) wantedReports(ctx context.Context) error {
	if !k.features.Stock {
		return nil
	}
	now := k.now()
	due, err := k.wanted.DueWantedChannels(ctx, now)
	if err != nil {
		return fmt.Errorf("channels whose report is due: %w", err)
	}
	for _, c := range due {
		if k.paused("wanted " + c.ChannelID) {
			continue
		}
		if err := k.wantedReportTo(ctx, c, now); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			wait := max(troublePause, discord.RetryAfter(err))
			if discord.HasCode(err, discordgo.ErrCodeUnknownChannel) {
				_, err = k.wanted.RemoveWantedChannel(ctx, c.ChannelID)
			}
			if err != nil {
				k.log.Warn("report of unmet demand not sent", "channel", c.ChannelID, "error", err, "wait", wait)
			}
			k.pause("wanted "+c.ChannelID, wait)
		}
	}
	return nil
}

// wantedReportTo sends the report that was due at now once, also when an earlier attempt may have sent it without our learning
// of it. The next is the first after now: a week that begins while this one is made is not skipped.
func (k boardSync) wantedReportTo(ctx context.Context, c core.WantedChannel, now time.Time) error {
	w, err := k.market.Wanted(ctx)
	if err != nil {
		return err
	}
	if !w.Empty() || !c.StartedAt.IsZero() {
		if err := k.wanted.StartWanted(ctx, c.ChannelID, now); err != nil {
			return err
		}
		if err := k.sendWanted(ctx, c, w); err != nil {
			return err
		}
	}
	return k.wanted.FinishWanted(ctx, c.ChannelID, core.NextWanted(now))
}

func (k boardSync) sendWanted(ctx context.Context, c core.WantedChannel, w core.Wanted) error {
	if !c.StartedAt.IsZero() && k.now().Sub(c.StartedAt) > nonceLifetime {
		sent, err := k.discord.FindMessage(ctx, c.ChannelID, wantedID(c.DueAt), time.Time{})
		if err != nil || sent != "" {
			return err
		}
	}
	reply := k.wantedReport(k.translator(c.Locale), w, c.DueAt)
	nonce := "w" + strconv.FormatInt(c.DueAt.Unix()/3600, 36) + "-" + shortID(c.ChannelID)
	_, err := k.discord.SendMessage(ctx, c.ChannelID, reply.message(), nonce)
	return err
}

// shortID writes a Discord id so that it fits into a nonce.
func shortID(id string) string {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return discord.Clip(id, 13)
	}
	return strconv.FormatUint(n, 36)
}

// wantedID is the button of the report of one week: by it the message is found again.
func wantedID(due time.Time) discord.CustomID { return discord.NewCustomID("wanted", due.Unix()) }

// wantedReport is a report of unmet demand.
func (b channelsBot) wantedReport(t translator, w core.Wanted, due time.Time) Reply {
	name := func(item string) string { return discord.Clip(item, stockNameShown) }
	var text discord.Markdown
	title := func(key msg.Key, lines int) {
		if lines > 0 {
			text = joined(text, "**"+t.text(key)+"**")
		}
	}
	title(msg.WantedUnmet, len(w.Unmet))
	for _, g := range w.Unmet {
		who := t.category(g.Category)
		if g.From > 0 {
			who = fmt.Sprintf("%s %d–%d", who, g.From, g.To)
		}
		line := "- " + t.text(msg.WantedGroup, who, g.Requests, g.Value)
		for _, i := range g.Items {
			line += " · " + t.text(msg.OfferTitle, i.Quantity, name(i.Name))
		}
		text = joined(text, line)
	}
	title(msg.WantedFastest, len(w.Fastest))
	for _, f := range w.Fastest {
		text = joined(text, "- "+t.text(msg.WantedFast, name(f.Name), f.Requests, wait(t, core.RoundUp(f.Median))))
	}
	title(msg.WantedPrices, len(w.Moved))
	for _, m := range w.Moved {
		text = joined(text, "- "+t.text(msg.WantedMoved, name(m.Name), m.Before, m.Now))
	}
	reply := Reply{public: true, cards: []*discord.Card{{
		Title: string(t.text(msg.WantedTitle)), URL: b.pageURL("/wanted"), Color: colourUsual, Description: string(discord.ClipMarkdown(text, 3900)) + "\n\n-# " + string(t.text(msg.WantedFewer)),
	}}}
	reply.rows = append(reply.rows, row(append([]discordgo.MessageComponent{
		button(wantedID(due), discordgo.PrimaryButton, t.plain(msg.WantedFill)),
	}, webLink(b.pageURL("/wanted"), t.plain(msg.OpenWeb))...)...))
	return reply
}

// wait writes a length of time.
func wait(t translator, w core.WaitTime) string { return t.plain(msg.Key("wait_"+w.Unit), w.Count) }
