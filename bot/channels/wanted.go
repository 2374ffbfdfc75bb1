package channels

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

// WantedChannels stores which channels get a report of unmet demand once a week.
type WantedChannels interface {
	SaveWantedChannel(ctx context.Context, c channels.WantedChannel) error
	// RemoveWantedChannel reports whether the channel got reports.
	RemoveWantedChannel(ctx context.Context, channelID string) (bool, error)
	DueWantedChannels(ctx context.Context, now time.Time) ([]channels.WantedChannel, error)
	// StartWanted stores that a report is about to be sent, the first time only.
	StartWanted(ctx context.Context, channelID string, now time.Time) error
	// FinishWanted stores when the next report is due.
	FinishWanted(ctx context.Context, channelID string, due time.Time) error
}

// boardWanted has the channel get a report of unmet demand once a week, or ends that.
func (b Channels) boardWanted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	if !in.Yes("on") {
		if _, err := b.wanted.RemoveWantedChannel(ctx, in.Interaction.ChannelID); err != nil {
			return kernel.Reply{}, err
		}
		return kernel.Private(in.Tr.Text(msg.WantedOff)), nil
	}
	if !discord.HasPermissions(in.Interaction.AppPermissions, discord.InvitedPermissions()) {
		return kernel.Reply{}, core.NewError(core.Unavailable, kernel.CannotPostHere)
	}
	c := channels.WantedChannel{ChannelID: in.Interaction.ChannelID, GuildID: in.Interaction.GuildID,
		Locale: in.Interaction.GuildLanguage(), DueAt: channels.NextWanted(b.Now())}
	if err := b.wanted.SaveWantedChannel(ctx, c); err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Private(in.Tr.Text(msg.WantedOn, "time", kernel.Timestamp(c.DueAt))), nil
}

// dueWanted lists the channels in which a report is due. It is sent once and not edited; a week in which
// there is nothing to report has none.
func (k boardSync) dueWanted(ctx context.Context) (all []channelsync.Channel, err error) {
	if !k.Features.Stock {
		return nil, nil
	}
	now := k.Now()
	due, err := k.wanted.DueWantedChannels(ctx, now)
	for _, c := range due {
		w := &wantedMessage{k, c, now}
		all = append(all, channelsync.Channel{ID: c.ChannelID, Stale: w.stale, Refused: w.refused})
	}
	return all, err
}

// wantedMessage is the report that is due in a channel.
type wantedMessage struct {
	boardSync
	to  channels.WantedChannel
	now time.Time
}

func (w *wantedMessage) stale(context.Context, channels.HeldEdits) ([]channelsync.Thing, error) {
	return []channelsync.Thing{{Unsent: true, Desired: w.desired, Send: w.send, Shown: w.finish}}, nil
}

func (w *wantedMessage) refused(ctx context.Context, why error) (wait time.Duration, err error) {
	if channelsync.ChannelGone(why) {
		_, err = w.wanted.RemoveWantedChannel(ctx, w.to.ChannelID)
	}
	return channelsync.TroublePause, err
}

func (w *wantedMessage) desired(ctx context.Context) (*channelsync.Desired, error) {
	found, err := w.Market.Match.Wanted(ctx)
	if err != nil {
		return nil, err
	}
	if found.Empty() && w.to.StartedAt.IsZero() {
		return nil, w.finish(ctx, "")
	}
	body := w.wantedReport(w.Translator(w.to.Locale), found, w.to.DueAt).Message()
	return &channelsync.Desired{Body: body}, nil
}

func (w *wantedMessage) send(ctx context.Context, body discord.Message) (messageID string, err error) {
	if err := w.wanted.StartWanted(ctx, w.to.ChannelID, w.now); err != nil {
		return "", err
	}
	return w.SendOnce(ctx, channelsync.Once{
		ChannelID: w.to.ChannelID, Press: wantedID(w.to.DueAt), StartedAt: w.to.StartedAt,
		Nonce: "w" + strconv.FormatInt(w.to.DueAt.Unix()/3600, 36) + "-" + shortID(w.to.ChannelID),
	}, body)
}

// finish stores when the next report is due: the first after this pass, so that a week that begins
// meanwhile is not skipped.
func (w *wantedMessage) finish(ctx context.Context, _ string) error {
	return w.wanted.FinishWanted(ctx, w.to.ChannelID, channels.NextWanted(w.now))
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
func (b Channels) wantedReport(t kernel.Translator, w match.Wanted, due time.Time) kernel.Reply {
	name := func(item string) string { return discord.Clip(item, kernel.StockNameShown) }
	var text discord.Markdown
	title := func(key msg.Key, lines int) {
		if lines > 0 {
			text = kernel.Joined(text, "**"+t.Text(key)+"**")
		}
	}
	title(msg.WantedUnmet, len(w.Unmet))
	for _, g := range w.Unmet {
		who := t.Category(g.Category)
		if g.From > 0 {
			who = fmt.Sprintf("%s %d–%d", who, g.From, g.To)
		}
		line := "- " + t.Text(msg.WantedGroup, "name", who, "requests", g.Requests, "sum", g.Value)
		for _, i := range g.Items {
			line += " · " + t.Text(msg.OfferTitle, "quantity", i.Quantity, "item", name(i.Name))
		}
		text = kernel.Joined(text, line)
	}
	title(msg.WantedFastest, len(w.Fastest))
	for _, f := range w.Fastest {
		text = kernel.Joined(text, "- "+t.Text(msg.WantedFast, "name", name(f.Name), "requests", f.Requests,
			"wait", core.RoundUp(f.Median).In(t.Printer)))
	}
	title(msg.WantedPrices, len(w.Moved))
	for _, m := range w.Moved {
		text = kernel.Joined(text, "- "+t.Text(msg.WantedMoved, "name", name(m.Name), "before", m.Before,
			"now", m.Now))
	}
	reply := kernel.Reply{Public: true, Cards: []*discord.Card{{
		Title: string(t.Text(msg.WantedTitle)), URL: b.PageURL("/wanted"), Color: kernel.ColourUsual,
		Description: string(discord.ClipMarkdown(text, 3900)) + "\n\n-# " + string(t.Text(msg.WantedFewer)),
	}}}
	reply.Rows = append(reply.Rows, kernel.Row(append([]discordgo.MessageComponent{
		kernel.Button(wantedID(due), discordgo.PrimaryButton, t.Plain(msg.WantedFill)),
	}, kernel.WebLink(b.PageURL("/wanted"), t.Plain(msg.OpenWeb))...)...))
	return reply
}
