package notices

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/notify"
	msg "tradepost/core/text"
)

// kindNames maps the kinds of notice to their names.
var kindNames = map[notify.Kind]msg.Key{
	notify.NoticeOfferReceived: msg.KindReceived, notify.NoticeOfferAccepted: msg.KindAccepted,
	notify.NoticeOfferDeclined:  msg.KindDeclined,
	notify.NoticeOfferWithdrawn: msg.KindWithdrawn, notify.NoticeOfferLapsed: msg.KindLapsed,
	notify.NoticeOrderFilled:    msg.KindFilled,
	notify.NoticeOrderExpiring:  msg.KindExpiring,
	notify.NoticeStockStale:     msg.KindStockStale,
	notify.NoticeRequestWatched: msg.KindWatched,

	notify.NoticeOfferTimedOut: msg.KindTimedOut, notify.NoticeStandingAccepted: msg.KindStanding,
	notify.NoticeHandoverPrompt:    msg.KindHandoverPrompt,
	notify.NoticeHandoverCancelled: msg.KindHandoverCancelled,
	notify.NoticeHandoverDisputed:  msg.KindHandoverDisputed,
	notify.NoticeHandoverSettled:   msg.KindHandoverSettled,
	notify.NoticeMeetingTime:       msg.KindMeetingTime,

	notify.NoticeAskReceived: msg.KindAskReceived, notify.NoticeAskAccepted: msg.KindAskAccepted,
	notify.NoticeAskEnded:    msg.KindAskEnded,
	notify.NoticeListingSold: msg.KindListingSold, notify.NoticeCrossingUndone: msg.KindCrossingUndone,

	notify.NoticeOfferReopened: msg.KindReopened, notify.NoticeLookAlike: msg.KindLookAlike,
	// for moderators
	notify.NoticeReportReceived: msg.KindReport, notify.NoticeDisputeReceived: msg.KindDispute,
}

// settings shows which direct messages are sent, with controls to change it, and leads to the other settings
// of a member.
func (b Notices) settings(ctx context.Context, in kernel.Input, note discord.Markdown) (kernel.Reply, error) {
	wishes, closed, err := b.Market.Notify.Settings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	mutable := notify.MutableKinds(b.Features, in.Actor.Moderator)
	options := make([]discordgo.SelectMenuOption, len(mutable))
	for i, kind := range mutable {
		options[i] = discordgo.SelectMenuOption{
			Label: in.Tr.Plain(kindNames[kind]), Value: string(kind),
			Default: !slices.Contains(wishes.Muted, kind),
		}
	}
	none := 0
	kinds := discordgo.SelectMenu{
		CustomID: discord.NewCustomID("kinds").String(), Placeholder: in.Tr.Plain(msg.KindsNone),
		MinValues: &none, MaxValues: len(options), Options: options,
	}
	text := kernel.Joined(in.Tr.Text(msg.Settings), in.Tr.Text(msg.SettingsAlways))
	if in.Actor.Moderator {
		text = kernel.Joined(text, in.Tr.Text(msg.SettingsAlwaysModerator))
	}
	if closed != "" {
		text = kernel.Joined(text, "\n⚠️ "+in.Tr.Text(msg.SettingsClosed,
			"reason", in.Tr.Stored(closed, reasonClosed, reasonNoServer, reasonGone)))
	}
	quiet := in.Tr.Text(msg.NoQuiet)
	if wishes.QuietFrom != wishes.QuietTo {
		quiet = in.Tr.Text(msg.Quiet, "from", clock(wishes.QuietFrom), "to", clock(wishes.QuietTo),
			"zone", kernel.OrElse(wishes.TimeZone, "UTC"))
	}
	gathering, gather := msg.NotGathering, msg.GatherButton
	if wishes.GatherOffers {
		gathering, gather = msg.Gathering, msg.GatherEndButton
	}
	quiet = kernel.Joined(quiet, in.Tr.Text(gathering))
	reply := kernel.Private(note)
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.SettingsTitle)), Color: kernel.ColourUsual,
		Description: string(kernel.Joined(text, "\n"+quiet)),
	}}
	reply.Rows = []discordgo.MessageComponent{
		kernel.Row(kinds),
		kernel.Row(
			kernel.Button(discord.NewCustomID("quiet"), discordgo.SecondaryButton,
				in.Tr.Plain(msg.QuietButton)),
			kernel.Button(discord.NewCustomID("gather-offers", !wishes.GatherOffers),
				discordgo.SecondaryButton, in.Tr.Plain(gather)),
			kernel.Button(discord.NewCustomID("test"), discordgo.SecondaryButton,
				in.Tr.Plain(msg.TestButton)),
			kernel.Button(discord.NewCustomID("inbox-open"), discordgo.SecondaryButton,
				in.Tr.Plain(msg.InboxButton)),
		),
	}
	sources, own := []discordgo.MessageComponent{}, []discordgo.MessageComponent{}
	add := func(to *[]discordgo.MessageComponent, on bool, action string, label msg.Key) {
		if on {
			*to = append(*to, kernel.Button(discord.NewCustomID(action), discordgo.SecondaryButton,
				in.Tr.Plain(label)))
		}
	}
	add(&sources, b.Features.Watches, "watches", msg.WatchesButton)
	add(&sources, b.Features.Stock, "have-list", msg.StockTitle)
	add(&sources, in.Interaction.GuildID != "", "ping-choices", msg.PingsButton)
	add(&own, b.Features.Handover, "game-name", msg.SlipSayName)
	add(&own, b.Features.Hours, "play-hours", msg.HoursTitle)
	add(&own, b.Features.Records, "record", msg.RecordButton)
	add(&own, true, "blocked-sellers", msg.BlockedSellersButton)
	add(&own, true, "data", msg.DataButton)
	for _, row := range [][]discordgo.MessageComponent{sources, own} {
		if len(row) > 0 {
			reply.Rows = append(reply.Rows, kernel.Row(row...))
		}
	}
	return reply, nil
}

// settingsButton opens the settings from a direct message, below it.
func (b Notices) settingsButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if in.ID.Word(1) == kernel.MoreOnOffer {
		return kernel.MoreAboutOffer(in), nil
	}
	return b.settings(ctx, in, "")
}

// kindsPicked enables the selected kinds of messages and disables the others. Kinds that are not shown stay
// as they are.
func (b Notices) kindsPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.changeSettings(ctx, in, func(s *notify.Settings) error {
		for _, kind := range notify.MutableKinds(b.Features, in.Actor.Moderator) {
			s.Muted = slices.DeleteFunc(s.Muted, func(k notify.Kind) bool { return k == kind })
			if !slices.Contains(in.Values, string(kind)) {
				s.Muted = append(s.Muted, kind)
			}
		}
		return nil
	})
}

// gatherOffers has a busy reader's offers come together, or ends that, as the button says.
func (b Notices) gatherOffers(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.changeSettings(ctx, in, func(s *notify.Settings) error {
		s.GatherOffers = in.ID.Word(0) == "true"
		return nil
	})
}

// changeSettings changes the actor's wishes and shows them.
func (b Notices) changeSettings(
	ctx context.Context, in kernel.Input, change func(*notify.Settings) error,
) (kernel.Reply, error) {
	wishes, _, err := b.Market.Notify.Settings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	if err := change(&wishes); err != nil {
		return kernel.Reply{}, err
	}
	if _, err := b.Market.Notify.SetSettings(ctx, in.Actor, wishes); err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.settings(ctx, in, in.Tr.Text(msg.SettingsSaved))
	reply.Redraw = true
	return reply, err
}

// quietForm asks for the quiet hours.
func (b Notices) quietForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	wishes, _, err := b.Market.Notify.Settings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	from, to := "", ""
	if wishes.QuietFrom != wishes.QuietTo {
		from, to = clock(wishes.QuietFrom), clock(wishes.QuietTo)
	}
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("quieted"),
		Title: in.Tr.Plain(msg.QuietTitle), Fields: []discord.Field{
			{Name: "from", Label: in.Tr.Plain(msg.FieldFrom), Hint: in.Tr.Plain(msg.HintClock), Value: from,
				Optional: true, MaxLength: 5},
			{Name: "to", Label: in.Tr.Plain(msg.FieldTo), Hint: in.Tr.Plain(msg.HintClock), Value: to,
				Optional: true, MaxLength: 5},
			{Name: "zone", Label: in.Tr.Plain(msg.FieldZone), Hint: in.Tr.Plain(msg.HintZone),
				Value: wishes.TimeZone, Optional: true, MaxLength: 60},
		}}}, nil
}

// quiet sets the quiet hours from the form. Without hours there are none.
func (b Notices) quiet(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.changeSettings(ctx, in, func(s *notify.Settings) error {
		var c core.Checks
		read := func(name, field string, text core.Text) int {
			if in.Text(name) == "" {
				return 0
			}
			minutes, ok := parseClock(in.Text(name))
			c.That(ok, field, text)
			return minutes
		}
		s.QuietFrom = read("from", "quietFrom", core.NewText("quiet_hours_start"))
		s.QuietTo = read("to", "quietTo", core.NewText("quiet_hours_end"))
		if in.Has("zone") {
			s.TimeZone = in.Text("zone")
		}
		return c.Err()
	})
}

// sendTest sends the actor a direct message.
func (b Notices) sendTest(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.Notify.SendTest(ctx, in.Actor); err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Private(in.Tr.Text(msg.TestSent)), nil
}

// clock shows minutes after midnight.
func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// parseClock reads "22:00", "22.00" or "22".
func parseClock(text string) (minutes int, ok bool) {
	h, m, _ := strings.Cut(strings.Replace(strings.TrimSpace(text), ".", ":", 1), ":")
	hours, err := strconv.Atoi(h)
	if err != nil || hours < 0 || hours > 23 {
		return 0, false
	}
	if m == "" {
		return hours * 60, true
	}
	rest, err := strconv.Atoi(m)
	if err != nil || len(m) != 2 || rest < 0 || rest > 59 {
		return 0, false
	}
	return hours*60 + rest, true
}
