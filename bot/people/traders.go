package people

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trust"
)

// recordOfPerson shows the public record of the person that the command was used on.
func (b People) recordOfPerson(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	t, err := b.Market.Trust.FindTrader(ctx, in.Actor, in.Interaction.TargetUser().ID)
	return b.record(in, t, err)
}

// ownRecord shows the actor's record as others see it.
func (b People) ownRecord(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	t, err := b.Market.Trust.TraderPage(ctx, in.Actor, in.Actor.UserID)
	return b.record(in, t, err)
}

func (b People) record(in kernel.Input, t trust.TraderPage, err error) (kernel.Reply, error) {
	if err != nil {
		return kernel.Reply{}, err
	}
	text := in.Tr.Record(t.Record)
	if t.Established {
		text += "\n" + in.Tr.Text(msg.TraderEstablished)
	}
	text += "\n" + in.Tr.Text(msg.TraderSince, "month", t.Since.Format("2006-01"))
	return kernel.Reply{Cards: []*discord.Card{{
		Title: string(discord.Escape(t.Name)), URL: b.traderURL(t.User), Color: kernel.ColourUsual,
		Description: string(text),
	}}}, nil
}

func (b People) traderURL(id core.UserID) string { return b.PageURL("/traders/" + kernel.IDText(id)) }
