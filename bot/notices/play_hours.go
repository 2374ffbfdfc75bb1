package notices

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/hours"
	msg "tradepost/core/text"
)

var presetNames = map[hours.Preset]msg.Key{
	hours.Mornings: msg.HoursMornings, hours.Afternoons: msg.HoursAfternoons,
	hours.Evenings:    msg.HoursEvenings,
	hours.WeekendDays: msg.HoursWeekendDays, hours.WeekendEvenings: msg.HoursWeekendEvenings,
	hours.Nights: msg.HoursNights,
}

// playHours shows when the actor plays, to the actor alone, with a list of what many people mean. Single
// hours are chosen on the page.
func (b Notices) playHours(
	ctx context.Context, in kernel.Input, note discord.Markdown,
) (kernel.Reply, error) {
	own, err := b.Market.People.PlayHours(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	wishes, _, err := b.Market.Notify.Settings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	options := make([]discordgo.SelectMenuOption, len(hours.Presets))
	for i, preset := range hours.Presets {
		options[i] = discordgo.SelectMenuOption{
			Label: in.Tr.Plain(presetNames[preset]), Value: string(preset),
			Default: preset.Of(wishes.TimeZone, b.Now()).In(own.Said),
		}
	}
	none := 0
	reply := kernel.Private(note)
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.HoursTitle)), Color: kernel.ColourUsual,
		Description: string(kernel.Joined(in.Tr.Text(msg.HoursAbout),
			in.Tr.Text(msg.HoursZone, "zone", kernel.OrElse(wishes.TimeZone, "UTC")))),
	}}
	reply.Rows = []discordgo.MessageComponent{
		kernel.Row(discordgo.SelectMenu{
			CustomID:    discord.NewCustomID("hours-picked").String(),
			Placeholder: in.Tr.Plain(msg.HoursNone), MinValues: &none, MaxValues: len(options),
			Options: options,
		}),
	}
	buttons := []discordgo.MessageComponent{}
	if !own.Week().Empty() {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("hours-erased"),
			discordgo.SecondaryButton, in.Tr.Plain(msg.HoursErase)))
	}
	buttons = append(buttons, kernel.WebLink(b.PageURL("/?dialog=data"), in.Tr.Plain(msg.OpenWeb))...)
	if len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	return reply, nil
}

func (b Notices) playHoursButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.playHours(ctx, in, "")
}

// playHoursPicked saves the hours of what is picked. Those of what is not picked go; others stay.
func (b Notices) playHoursPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	wishes, _, err := b.Market.Notify.Settings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	own, err := b.Market.People.PlayHours(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	var picked, offered hours.Week
	for _, preset := range hours.Presets {
		week := preset.Of(wishes.TimeZone, b.Now())
		if slices.Contains(in.Values, string(preset)) {
			picked = picked.With(week)
		}
		if week.In(own.Said) {
			offered = offered.With(week)
		}
	}
	list := own.Said.Without(offered).With(picked).List()
	if err := b.Market.People.SavePlayHours(ctx, in.Actor, list); err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.playHours(ctx, in, in.Tr.Text(msg.HoursSaved))
	reply.Redraw = true
	return reply, err
}

func (b Notices) playHoursErased(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.People.ErasePlayHours(ctx, in.Actor); err != nil {
		return kernel.Reply{}, err
	}
	reply, err := b.playHours(ctx, in, in.Tr.Text(msg.HoursErased))
	reply.Redraw = true
	return reply, err
}
