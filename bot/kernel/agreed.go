package kernel

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// TimeNamed reads a time that was picked or typed, in the actor's time zone; zero for none.
func (k *Kernel) TimeNamed(ctx context.Context, in Input, field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	settings, _, err := k.Market.Notify.Settings(ctx, in.Actor)
	if err != nil {
		return time.Time{}, err
	}
	at, ok := trade.TimeNamed(text, settings.TimeZone, k.Now())
	if !ok {
		return time.Time{}, core.NewFieldError(field, core.NewText("date_unknown"))
	}
	return at, nil
}

// AskAgreedBy adds a list to the answer of an accept by which the buyer says by when the two meet.
func (r *Reply) AskAgreedBy(t Translator, sale core.SaleID, view string) {
	options := make([]discordgo.SelectMenuOption, 0, len(commands.AgreedChoices)+1)
	for _, name := range commands.AgreedChoices {
		options = append(options, discordgo.SelectMenuOption{Label: t.Choice(name), Value: name})
	}
	options = append(options, discordgo.SelectMenuOption{Label: t.Plain(msg.ADate), Value: "date"})
	r.Rows = append([]discordgo.MessageComponent{Choose(discord.NewCustomID("meet-by", sale, view),
		t.Plain(msg.AskAgreedBy), options)}, r.Rows...)
}

// AgreedLine says by when the sides of an accept meet, in a line of its own.
func (t Translator) AgreedLine(by time.Time) discord.Markdown {
	return t.Text(msg.ThreadAgreed, "date", Moment(by), "time", Timestamp(by))
}
