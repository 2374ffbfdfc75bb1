package kernel

import (
	"context"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
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

// MeetingLine is the one time that is proposed to both sides of a trade, as one of them reads it; empty for
// none. In a thread, which both read, reader is zero.
func (k *Kernel) MeetingLine(t Translator, h trade.Trade, reader core.UserID) discord.Markdown {
	if !k.Features.Hours || !h.ReadsMeeting(k.Now()) || h.Meets.At.IsZero() {
		return ""
	}
	mine, theirs := h.Meets.Buyer, h.Meets.Seller
	if h.SideOf(reader) == trust.SellerSide {
		mine, theirs = theirs, mine
	}
	key := msg.MeetingProposed
	switch {
	case h.SideOf(reader) == "" && !h.Meets.Agreed():
	case h.Meets.Agreed():
		key = msg.MeetingAgreed
	case mine:
		key = msg.MeetingYours
	case theirs:
		key = msg.MeetingTheirs
	}
	return t.Text(key, "date", Moment(h.Meets.At), "time", Timestamp(h.Meets.At))
}

// AskHours adds to rows, where no time is proposed to the sides of a trade, the press with which their reader
// says when they could come.
func (k *Kernel) AskHours(
	t Translator, h trade.Trade, rows []discordgo.MessageComponent,
) []discordgo.MessageComponent {
	if !k.Features.Hours || !h.ReadsMeeting(k.Now()) || !h.Meets.At.IsZero() {
		return rows
	}
	button := Button(discord.NewCustomID("play-hours"), discordgo.SecondaryButton, t.Plain(msg.HoursAsk))
	if last := len(rows) - 1; last >= 0 { // beside "Choose a time"
		if row, ok := rows[last].(discordgo.ActionsRow); ok && len(row.Components) < 5 {
			row.Components = append(slices.Clone(row.Components), button)
			return append(slices.Clone(rows[:last]), row)
		}
	}
	return append(rows, Row(button))
}

// MeetingRow returns the presses with which a side takes the proposed time or changes it. In a thread, where
// both press, reader is zero.
func (k *Kernel) MeetingRow(
	t Translator, h trade.Trade, reader core.UserID, view string,
) []discordgo.MessageComponent {
	if !k.Features.Hours || !h.ReadsMeeting(k.Now()) {
		return nil
	}
	at := h.Meets.At
	works := h.Meets.Buyer && h.BoughtBy(reader) || h.Meets.Seller && !h.BoughtBy(reader) && reader != 0 ||
		h.Meets.Agreed()
	var buttons []discordgo.MessageComponent
	if h.Meets.Ahead(k.Now()) && !works {
		buttons = append(buttons, Button(discord.NewCustomID("meet-works", h.Sale, view, at.Unix()),
			discordgo.SuccessButton, t.Plain(msg.MeetingWorks)))
	}
	left := h.Meets.Left(h.BoughtBy(reader))
	if reader == 0 { // one of both has some left
		left = max(h.Meets.Left(true), h.Meets.Left(false))
	}
	if !at.IsZero() && left > 0 {
		buttons = append(buttons, Button(discord.NewCustomID("meet-other", h.Sale, view, at.Unix()),
			discordgo.SecondaryButton, t.Plain(msg.MeetingOther)))
	}
	if left > 0 {
		buttons = append(buttons, Button(discord.NewCustomID("meet-at", h.Sale, view),
			discordgo.SecondaryButton, t.Plain(msg.MeetingChoose)))
	}
	if len(buttons) == 0 {
		return nil
	}
	return []discordgo.MessageComponent{Row(buttons...)}
}
