package moderation

import (
	"context"

	"tradepost/bot/kernel"
	msg "tradepost/core/text"
)

// signedInOnly has only signed-in sellers offer, on every request, or visitors again, too.
func (b Moderation) signedInOnly(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	on := in.Yes("on")
	if err := b.Market.Trade.SetSignedInOnly(ctx, in.Actor, on, in.Text("reason")); err != nil {
		return kernel.Reply{}, err
	}
	if on {
		return kernel.Private(in.Tr.Text(msg.MarketSignedInOnlyOn)), nil
	}
	return kernel.Private(in.Tr.Text(msg.MarketSignedInOnlyOff)), nil
}
