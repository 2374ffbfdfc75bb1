package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// kindNames are what the kinds of notice are called.
var kindNames = map[core.NoticeKind]msg{
	core.OfferReceived: msgKindReceived, core.OfferTaken: msgKindTaken, core.OfferRefused: msgKindRefused,
	core.OfferTakenBack: msgKindTakenBack, core.OfferHasLapsed: msgKindLapsed, core.OrderFilled: msgKindFilled,
	core.OrderExpiring: msgKindExpiring,
}

// notifySettings shows which direct messages arrive, and lets one change it.
func (b *Bot) notifySettings(ctx context.Context, in Input) (Reply, error) {
	return b.settings(ctx, in, "")
}

func (b *Bot) settings(ctx context.Context, in Input, note safe) (Reply, error) {
	wishes, closed, err := b.market.NoticeSettings(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	options := make([]discordgo.SelectMenuOption, len(core.MutableKinds))
	for i, kind := range core.MutableKinds {
		options[i] = discordgo.SelectMenuOption{
			Label: in.say.plain(kindNames[kind]), Value: string(kind), Default: !slices.Contains(wishes.Muted, kind),
		}
	}
	none := 0
	kinds := discordgo.SelectMenu{
		CustomID: on("kinds").String(), Placeholder: in.say.plain(msgKindsNone), MinValues: &none, MaxValues: len(options), Options: options,
	}
	text := in.say.text(msgSettings)
	if closed != "" {
		text = joined(text, "\n⚠️ "+in.say.text(msgSettingsClosed, in.say.sentence(closed)))
	}
	quiet := in.say.text(msgNoQuiet)
	if wishes.QuietFrom != wishes.QuietTo {
		quiet = in.say.text(msgQuiet, clock(wishes.QuietFrom), clock(wishes.QuietTo), orElse(wishes.TimeZone, "UTC"))
	}
	reply := private(note)
	reply.embeds = []*discordgo.MessageEmbed{{
		Title: string(in.say.text(msgSettingsTitle)), Color: colourUsual, Description: string(joined(text, "\n"+quiet)),
	}}
	reply.rows = []discordgo.MessageComponent{
		row(kinds),
		row(
			button(on("quiet"), discordgo.SecondaryButton, in.say.plain(msgQuietButton)),
			button(on("test"), discordgo.SecondaryButton, in.say.plain(msgTestButton)),
		),
	}
	return reply, nil
}

// settingsPressed opens the settings from a direct message, below it.
func (b *Bot) settingsPressed(ctx context.Context, in Input) (Reply, error) {
	return b.settings(ctx, in, "")
}

// kindsPicked lets the kinds that were left chosen arrive, and no others.
func (b *Bot) kindsPicked(ctx context.Context, in Input) (Reply, error) {
	return b.changeSettings(ctx, in, func(s *core.NoticeSettings) error {
		s.Muted = nil
		for _, kind := range core.MutableKinds {
			if !slices.Contains(in.values, string(kind)) {
				s.Muted = append(s.Muted, kind)
			}
		}
		return nil
	})
}

// changeSettings changes the actor's wishes and shows them.
func (b *Bot) changeSettings(ctx context.Context, in Input, change func(*core.NoticeSettings) error) (Reply, error) {
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
	reply, err := b.settings(ctx, in, in.say.text(msgSettingsSaved))
	reply.redraw = true
	return reply, err
}

// quietForm asks for the quiet hours.
func (b *Bot) quietForm(ctx context.Context, in Input) (Reply, error) {
	wishes, _, err := b.market.NoticeSettings(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	from, to := "", ""
	if wishes.QuietFrom != wishes.QuietTo {
		from, to = clock(wishes.QuietFrom), clock(wishes.QuietTo)
	}
	return Reply{form: &form{press: on("quieted"), title: in.say.plain(msgQuietTitle), fields: []field{
		{name: "from", label: in.say.plain(msgFieldFrom), hint: in.say.plain(msgHintClock), value: from, optional: true, limit: 5},
		{name: "to", label: in.say.plain(msgFieldTo), hint: in.say.plain(msgHintClock), value: to, optional: true, limit: 5},
		{name: "zone", label: in.say.plain(msgFieldZone), hint: in.say.plain(msgHintZone), value: wishes.TimeZone, optional: true, limit: 60},
	}}}, nil
}

// quiet sets the quiet hours, from options or the form. Without hours there are none.
func (b *Bot) quiet(ctx context.Context, in Input) (Reply, error) {
	return b.changeSettings(ctx, in, func(s *core.NoticeSettings) error {
		var c core.Checks
		read := func(name, field, message string) int {
			if in.text(name) == "" {
				return 0
			}
			minutes, ok := parseClock(in.text(name))
			c.That(ok, field, message)
			return minutes
		}
		s.QuietFrom = read("from", "quietFrom", "Quiet hours start between 00:00 and 23:59")
		s.QuietTo = read("to", "quietTo", "Quiet hours end between 00:00 and 23:59")
		if in.has("zone") {
			s.TimeZone = in.text("zone")
		}
		return c.Err()
	})
}

// sendTest sends the actor a direct message.
func (b *Bot) sendTest(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.SendTestNotice(ctx, in.Actor); err != nil {
		return Reply{}, err
	}
	return private(in.say.text(msgTestSent)), nil
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

// zones are proposed to somebody who types a time zone; any other name that is one is understood too.
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

func suggestZones(_ context.Context, in Input) ([]choice, error) {
	var choices []choice
	for _, zone := range zones {
		if holdsWords(strings.ReplaceAll(zone, "_", " ")+" "+zone, in.text(in.focused)) {
			choices = append(choices, choice{Name: zone, Value: zone})
		}
	}
	return choices, nil
}
