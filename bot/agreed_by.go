package bot

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// The times that a list offers, by their names in custom IDs and options; see core.TimeNamed.
var (
	agreedChoices = []string{"today", "tomorrow", "weekend", "72h", "week"}
	goodChoices   = []string{"today", "tomorrow", "weekend", "72h", "week"}
)

func timeChoices(names []string) []*namedChoice {
	choices := make([]*namedChoice, len(names))
	for i, name := range names {
		choices[i] = fixedChoice(name)
	}
	return choices
}

// timeNamed reads a time that was picked or typed, in the actor's time zone; zero for none.
func (k *Kernel) timeNamed(ctx context.Context, in Input, field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	settings, _, err := k.market.NoticeSettings(ctx, in.Actor)
	if err != nil {
		return time.Time{}, err
	}
	at, ok := core.TimeNamed(text, settings.TimeZone, k.now())
	if !ok {
		return time.Time{}, core.NewFieldError(field, core.NewText("date_unknown", "Write a date such as 2026-11-30"))
	}
	return at, nil
}

// askAgreedBy adds a list to the answer of an accept by which the buyer says by when the two meet.
func (r *Reply) askAgreedBy(t translator, sale core.SaleID, view string) {
	options := make([]discordgo.SelectMenuOption, 0, len(agreedChoices)+1)
	for _, name := range agreedChoices {
		options = append(options, discordgo.SelectMenuOption{Label: t.choice(name), Value: name})
	}
	options = append(options, discordgo.SelectMenuOption{Label: t.plain(msg.ADate), Value: "date"})
	r.rows = append([]discordgo.MessageComponent{choose(discord.NewCustomID("meet-by", sale, view), t.plain(msg.AskAgreedBy), options)}, r.rows...)
}

// picksDate reports whether the answer asks for a date.
func picksDate(in Input) bool { return in.word() == "date" }

// agreedByPicked changes by when the two of an accept meet.
func (b tradesBot) agreedByPicked(ctx context.Context, in Input) (Reply, error) {
	if picksDate(in) {
		return Reply{form: &discord.Modal{
			ID: discord.NewCustomID("meet-on", in.id.Number(0), in.id.Word(1)).OpenedBy(in.i), Title: in.tr.plain(msg.AskAgreedBy),
			Fields: []discord.Field{{Name: "date", Label: in.tr.plain(msg.ADate), Hint: b.now().Format(time.DateOnly), MaxLength: len(time.DateOnly)}},
		}}, nil
	}
	return b.agreeBy(ctx, in, in.word())
}

func (b tradesBot) agreedOnSubmitted(ctx context.Context, in Input) (Reply, error) {
	return b.agreeBy(ctx, in, in.text("date"))
}

func (b tradesBot) agreeBy(ctx context.Context, in Input, text string) (Reply, error) {
	view := in.id.Word(1)
	by, err := b.timeNamed(ctx, in, "date", text)
	if err != nil {
		return Reply{}, err
	}
	h, err := b.market.AgreeHandover(ctx, in.Actor, core.SaleID(in.id.Number(0)), by)
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, in.tr.agreedLine(h.AgreedBy))
}
