package moderation

import (
	"context"

	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
	"tradepost/core/trade"
)

// vouchButton vouches for the buyer of the request that is shown.
func (b Moderation) vouchButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.Trust.Vouch(ctx, in.Actor, core.UserID(in.ID.Number(0))); err != nil {
		return kernel.Reply{}, err
	}
	return b.Redraw(ctx, in, in.ID.Word(1), in.Tr.Text(msg.Vouched))
}

// vouchNamed vouches for the buyer of a request that was named.
func (b Moderation) vouchNamed(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	if err := b.Market.Trust.Vouch(ctx, in.Actor, o.Owner); err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Private(in.Tr.Text(msg.Vouched)), nil
}
