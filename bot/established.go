package bot

import (
	"context"

	msg "tradepost/bot/text"
	"tradepost/core"
)

// vouchButton vouches for the buyer of the request that is shown.
func (b moderationBot) vouchButton(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.Vouch(ctx, in.Actor, core.UserID(in.id.Number(0))); err != nil {
		return Reply{}, err
	}
	return b.redraw(ctx, in, in.id.Word(1), in.tr.text(msg.Vouched))
}

// vouchNamed vouches for the buyer of a request that was named.
func (b moderationBot) vouchNamed(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	if err := b.market.Vouch(ctx, in.Actor, order.Owner); err != nil {
		return Reply{}, err
	}
	return private(in.tr.text(msg.Vouched)), nil
}
