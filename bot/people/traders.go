package people

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trust"
)

// lookAtTrader shows the public record of a trader: the user with a username, otherwise the actor.
func (b People) lookAtTrader(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	var (
		t   trust.TraderPage
		err error
	)
	if name := in.Text("name"); name != "" {
		t, err = b.Market.Trust.FindTrader(ctx, in.Actor, name)
	} else {
		t, err = b.Market.Trust.TraderPage(ctx, in.Actor, in.Actor.UserID)
	}
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
