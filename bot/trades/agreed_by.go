package trades

import (
	"context"
	"time"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
)

// picksDate reports whether the answer asks for a date.
func picksDate(in kernel.Input) bool { return in.Word() == "date" }

// agreedByPicked changes by when the two of an accept meet.
func (b Trades) agreedByPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if picksDate(in) {
		return kernel.Reply{Form: &discord.Modal{
			ID:    discord.NewCustomID("meet-on", in.ID.Number(0), in.ID.Word(1)).OpenedBy(in.Interaction),
			Title: in.Tr.Plain(msg.AskAgreedBy),
			Fields: []discord.Field{{Name: "date", Label: in.Tr.Plain(msg.ADate),
				Hint: b.Now().Format(time.DateOnly), MaxLength: len(time.DateOnly)}},
		}}, nil
	}
	return b.agreeBy(ctx, in, in.Word())
}

func (b Trades) agreedOnSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.agreeBy(ctx, in, in.Text("date"))
}

func (b Trades) agreeBy(ctx context.Context, in kernel.Input, text string) (kernel.Reply, error) {
	view := in.ID.Word(1)
	by, err := b.TimeNamed(ctx, in, "date", text)
	if err != nil {
		return kernel.Reply{}, err
	}
	h, err := b.Market.Trade.AgreeHandover(ctx, in.Actor, core.SaleID(in.ID.Number(0)), by)
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	return b.Redraw(ctx, in, view, in.Tr.AgreedLine(h.AgreedBy))
}
