package match

import (
	"context"

	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

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
