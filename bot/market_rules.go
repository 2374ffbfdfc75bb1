package bot

import (
	"context"

	msg "tradepost/bot/text"
)

// signedInOnly has only signed-in sellers offer, on every request, or visitors again, too.
func (b moderationBot) signedInOnly(ctx context.Context, in Input) (Reply, error) {
	on := in.yes("on")
	if err := b.market.SetSignedInOnly(ctx, in.Actor, on, in.text("reason")); err != nil {
		return Reply{}, err
	}
	if on {
		return private(in.tr.text(msg.MarketSignedInOnlyOn)), nil
	}
	return private(in.tr.text(msg.MarketSignedInOnlyOff)), nil
}
