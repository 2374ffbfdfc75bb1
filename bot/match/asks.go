package match

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// showAsk shows a buyer's ask for a listing, with buttons to answer it.
func (b Match) showAsk(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	listings, err := b.Market.Match.OwnListings(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	for _, l := range listings {
		for _, a := range l.Asks {
			if a.ID != core.OrderID(in.ID.Number(0)) {
				continue
			}
			reply := kernel.Private(kernel.Joined(in.Tr.Text(msg.AskReceivedDM, "buyer", a.Buyer.DisplayName,
				"quantity", a.Quantity, "item", a.ItemName), in.Tr.Text(msg.AskReceivedNext,
				"time", kernel.Timestamp(a.ExpiresAt))))
			reply.Rows = []discordgo.MessageComponent{kernel.Row(
				kernel.Button(discord.NewCustomID("ask-yes", a.ID, a.Quantity), discordgo.SuccessButton,
					in.Tr.Plain(msg.AskYes, "quantity", a.Quantity)),
				kernel.Button(discord.NewCustomID("ask-no", a.ID), discordgo.SecondaryButton,
					in.Tr.Plain(msg.AskNo)))}
			return reply, nil
		}
	}
	return kernel.Reply{}, trade.OrderNotFound()
}

// askYes sells what a buyer asks for of a listing, as many as the button says.
func (b Match) askYes(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	done, err := b.Market.Match.AnswerAsk(ctx, in.Actor, core.OrderID(in.ID.Number(0)), match.AskAnswer{
		Accept: int(in.ID.Number(1)), Message: in.Tr.Plain(msg.OfferReady),
	})
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.AskSaidYes, "quantity", done.Sale.Quantity,
		"item", done.Sale.ItemName))
	reply.Redraw = true
	return reply, nil
}

// askNo ends what a buyer asks for of a listing.
func (b Match) askNo(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	_, err := b.Market.Match.AnswerAsk(ctx, in.Actor, core.OrderID(in.ID.Number(0)), match.AskAnswer{})
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.AskSaidNo))
	reply.Redraw = true
	return reply, nil
}
