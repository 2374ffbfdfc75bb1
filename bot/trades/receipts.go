package trades

import (
	"context"

	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// receiptsButton shows the receipts of an order below its card.
func (b Trades) receiptsButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.showReceipts(ctx, in, trade.Query{Orders: []core.OrderID{core.OrderID(in.ID.Number(0))}})
}

// receiptPicked shows the receipts of an offer that was picked from those the actor has sent.
func (b Trades) receiptPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.showReceipts(ctx, in, trade.Query{Offers: []core.OfferID{core.OfferID(in.Picked())}})
}

func (b Trades) showReceipts(
	ctx context.Context, in kernel.Input, q trade.Query,
) (kernel.Reply, error) {
	cards, err := b.Receipts(ctx, in, q)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(cards) == 0 {
		return kernel.Private(in.Tr.Text(msg.NoReceipts)), nil
	}
	return kernel.Reply{Cards: cards}, nil
}
