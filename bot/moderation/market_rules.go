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

// programs lets programs trade for people who let them, or no longer.
func (b Moderation) programs(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	on := in.Yes("on")
	if err := b.Market.Trade.SetProgramsTrade(ctx, in.Actor, on); err != nil {
		return kernel.Reply{}, err
	}
	if on {
		return kernel.Private(in.Tr.Text(msg.MarketProgramsOn)), nil
	}
	return kernel.Private(in.Tr.Text(msg.MarketProgramsOff)), nil
}
