package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// kindNames are what the kinds of notice are called.
var kindNames = map[core.NoticeKind]msg.Key{
	core.NoticeOfferReceived: msg.KindReceived, core.NoticeOfferAccepted: msg.KindAccepted, core.NoticeOfferDeclined: msg.KindDeclined,
	core.NoticeOfferWithdrawn: msg.KindWithdrawn, core.NoticeOfferLapsed: msg.KindLapsed, core.NoticeOrderFilled: msg.KindFilled,
	core.NoticeOrderExpiring:  msg.KindExpiring,
	core.NoticeStockStale:     msg.KindStockStale,
	core.NoticeRequestWatched: msg.KindWatched,

	core.NoticeOfferTimedOut: msg.KindTimedOut, core.NoticeStandingAccepted: msg.KindStanding, core.NoticeHandoverPrompt: msg.KindHandoverPrompt,
	core.NoticeHandoverCancelled: msg.KindHandoverCancelled, core.NoticeHandoverDisputed: msg.KindHandoverDisputed,
	core.NoticeHandoverSettled: msg.KindHandoverSettled,

	core.NoticeOfferReopened: msg.KindReopened, core.NoticeLookAlike: msg.KindLookAlike,
	core.NoticeReportReceived: msg.KindReport, core.NoticeDisputeReceived: msg.KindDispute, // for moderators
}

// notifySettings shows which direct messages are sent, with controls to change it.
func (b noticesBot) notifySettings(ctx context.Context, in Input) (Reply, error) {
	return b.settings(ctx, in, "")
}

func (b noticesBot) settings(ctx context.Context, in Input, note discord.Markdown) (Reply, error) {
	wishes, closed, err := b.market.NoticeSettings(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	mutable := b.features.MutableNoticeKinds(in.Actor.Moderator)
	options := make([]discordgo.SelectMenuOption, len(mutable))
	for i, kind := range mutable {
		options[i] = discordgo.SelectMenuOption{
			Label: in.tr.plain(kindNames[kind]), Value: string(kind), Default: !slices.Contains(wishes.Muted, kind),
		}
	}
	none := 0
	kinds := discordgo.SelectMenu{
		CustomID: discord.NewCustomID("kinds").String(), Placeholder: in.tr.plain(msg.KindsNone), MinValues: &none, MaxValues: len(options), Options: options,
	}
	text := joined(in.tr.text(msg.Settings), in.tr.text(msg.SettingsAlways))
	if in.Actor.Moderator {
		text = joined(text, in.tr.text(msg.SettingsAlwaysModerator))
	}
	if closed != "" {
		text = joined(text, "\n⚠️ "+in.tr.text(msg.SettingsClosed, in.tr.stored(closed, reasonClosed, reasonNoServer, reasonGone)))
	}
	quiet := in.tr.text(msg.NoQuiet)
	if wishes.QuietFrom != wishes.QuietTo {
		quiet = in.tr.text(msg.Quiet, clock(wishes.QuietFrom), clock(wishes.QuietTo), orElse(wishes.TimeZone, "UTC"))
	}
	reply := private(note)
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.SettingsTitle)), Color: colourUsual, Description: string(joined(text, "\n"+quiet)),
	}}
	reply.rows = []discordgo.MessageComponent{
		row(kinds),
		row(
			button(discord.NewCustomID("quiet"), discordgo.SecondaryButton, in.tr.plain(msg.QuietButton)),
			button(discord.NewCustomID("test"), discordgo.SecondaryButton, in.tr.plain(msg.TestButton)),
		),
	}
	var sources []discordgo.MessageComponent
	if b.features.Watches {
		sources = append(sources, button(discord.NewCustomID("watches"), discordgo.SecondaryButton, in.tr.plain(msg.WatchesButton)))
	}
	if b.features.Stock {
		sources = append(sources, button(discord.NewCustomID("have-list"), discordgo.SecondaryButton, in.tr.plain(msg.StockTitle)))
	}
	if len(sources) > 0 {
		reply.rows = append(reply.rows, row(sources...))
	}
	return reply, nil
}

// settingsButton opens the settings from a direct message, below it.
func (b noticesBot) settingsButton(ctx context.Context, in Input) (Reply, error) {
	if in.id.Word(1) == moreOnOffer {
		return moreAboutOffer(in), nil
	}
	return b.settings(ctx, in, "")
}

// kindsPicked enables the selected kinds of messages and disables the others. Kinds that are not shown stay as they are.
func (b noticesBot) kindsPicked(ctx context.Context, in Input) (Reply, error) {
	return b.changeSettings(ctx, in, func(s *core.NoticeSettings) error {
		for _, kind := range b.features.MutableNoticeKinds(in.Actor.Moderator) {
			s.Muted = slices.DeleteFunc(s.Muted, func(k core.NoticeKind) bool { return k == kind })
			if !slices.Contains(in.values, string(kind)) {
				s.Muted = append(s.Muted, kind)
			}
		}
		return nil
	})
}

// changeSettings changes the actor's wishes and shows them.
func (b noticesBot) changeSettings(ctx context.Context, in Input, change func(*core.NoticeSettings) error) (Reply, error) {
	wishes, _, err := b.market.NoticeSettings(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	if err := change(&wishes); err != nil {
		return Reply{}, err
	}
	if _, err := b.market.SetNoticeSettings(ctx, in.Actor, wishes); err != nil {
		return Reply{}, err
	}
	reply, err := b.settings(ctx, in, in.tr.text(msg.SettingsSaved))
	reply.redraw = true
	return reply, err
}

// quietForm asks for the quiet hours.
func (b noticesBot) quietForm(ctx context.Context, in Input) (Reply, error) {
	wishes, _, err := b.market.NoticeSettings(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	from, to := "", ""
	if wishes.QuietFrom != wishes.QuietTo {
		from, to = clock(wishes.QuietFrom), clock(wishes.QuietTo)
	}
	return Reply{form: &discord.Modal{ID: discord.NewCustomID("quieted"), Title: in.tr.plain(msg.QuietTitle), Fields: []discord.Field{
		{Name: "from", Label: in.tr.plain(msg.FieldFrom), Hint: in.tr.plain(msg.HintClock), Value: from, Optional: true, MaxLength: 5},
		{Name: "to", Label: in.tr.plain(msg.FieldTo), Hint: in.tr.plain(msg.HintClock), Value: to, Optional: true, MaxLength: 5},
		{Name: "zone", Label: in.tr.plain(msg.FieldZone), Hint: in.tr.plain(msg.HintZone), Value: wishes.TimeZone, Optional: true, MaxLength: 60},
	}}}, nil
}

// quiet sets the quiet hours, from options or the form. Without hours there are none.
func (b noticesBot) quiet(ctx context.Context, in Input) (Reply, error) {
	return b.changeSettings(ctx, in, func(s *core.NoticeSettings) error {
		var c core.Checks
		read := func(name, field string, text core.Text) int {
			if in.text(name) == "" {
				return 0
			}
			minutes, ok := parseClock(in.text(name))
			c.That(ok, field, text)
			return minutes
		}
		s.QuietFrom = read("from", "quietFrom", core.NewText("quiet_hours_start", "Quiet hours start between 00:00 and 23:59"))
		s.QuietTo = read("to", "quietTo", core.NewText("quiet_hours_end", "Quiet hours end between 00:00 and 23:59"))
		if in.has("zone") {
			s.TimeZone = in.text("zone")
		}
		return c.Err()
	})
}

// sendTest sends the actor a direct message.
func (b noticesBot) sendTest(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.SendTestNotice(ctx, in.Actor); err != nil {
		return Reply{}, err
	}
	return private(in.tr.text(msg.TestSent)), nil
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

// zones are proposed to a user who types a time zone; every other name of one is accepted too.
var zones = strings.Fields(`
	UTC Europe/London Europe/Dublin Europe/Lisbon Europe/Berlin Europe/Vienna Europe/Zurich Europe/Paris Europe/Amsterdam
	Europe/Brussels Europe/Madrid Europe/Rome Europe/Copenhagen Europe/Oslo Europe/Stockholm Europe/Helsinki Europe/Warsaw
	Europe/Prague Europe/Budapest Europe/Bucharest Europe/Athens Europe/Istanbul Europe/Kyiv Europe/Moscow
	America/New_York America/Toronto America/Chicago America/Winnipeg America/Denver America/Edmonton America/Phoenix
	America/Los_Angeles America/Vancouver America/Anchorage Pacific/Honolulu America/Halifax America/St_Johns
	America/Mexico_City America/Bogota America/Lima America/Santiago America/Sao_Paulo America/Argentina/Buenos_Aires
	Africa/Casablanca Africa/Lagos Africa/Cairo Africa/Nairobi Africa/Johannesburg
	Asia/Jerusalem Asia/Riyadh Asia/Dubai Asia/Tehran Asia/Karachi Asia/Kolkata Asia/Dhaka Asia/Bangkok Asia/Jakarta
	Asia/Singapore Asia/Manila Asia/Hong_Kong Asia/Taipei Asia/Shanghai Asia/Seoul Asia/Tokyo
	Australia/Perth Australia/Adelaide Australia/Brisbane Australia/Sydney Pacific/Auckland`)

func suggestZones(_ context.Context, in Input) ([]*choice, error) {
	var choices []*choice
	for _, zone := range zones {
		if containsWords(strings.ReplaceAll(zone, "_", " ")+" "+zone, in.text(in.focused)) {
			choices = append(choices, &choice{Name: zone, Value: zone})
		}
	}
	return choices, nil
}
