package match

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/items"
)

// askAboutStockPrice asks whether the price of /have is meant.
func (b Match) askAboutStockPrice(ctx context.Context, in kernel.Input, err error) (kernel.Reply, error) {
	prices := items.UnusualPricesOf(err)
	if len(prices) == 0 {
		return kernel.Reply{}, err
	}
	id, err := b.Keep(ctx, in, kernel.Draft{Command: "have", Options: in.Options})
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private("⚠️ " + discord.Escape(in.Tr.Core(prices[0].Question(b.Game))))
	reply.Rows = append(reply.Rows, in.Tr.PriceChoices(prices[0], "have-price", id))
	return reply, nil
}

// stockPrice repeats /have with the price of a button.
func (b Match) stockPrice(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	d, err := b.LoadDraft(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	in = in.With(d.Options)
	in.Options["price"] = b.Game.Format(core.Copper(in.ID.Number(1)))
	in.Actor.PriceConfirmed = true
	reply, err := b.have(ctx, in)
	reply.Redraw = true
	return reply, err
}
