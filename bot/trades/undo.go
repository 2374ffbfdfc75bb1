package trades

import (
	"context"

	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// undoSaleButton undoes an accept or a logged sale.
func (b Trades) undoSaleButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	view := in.ID.Word(1)
	order, err := b.Market.Trade.UndoSale(ctx, in.Actor, core.SaleID(in.ID.Number(0)))
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	return b.Redraw(ctx, in, view, in.Tr.Text(msg.UndoneSale, order.ItemName, order.Remaining()))
}

// undoCloseButton undoes that the actor closed a request.
func (b Trades) undoCloseButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.OrderID(in.ID.Number(0))
	if _, err := b.Market.Trade.UndoClose(ctx, in.Actor, id); err != nil {
		return b.ErrorOn(ctx, in, kernel.OrderView(id), err)
	}
	return b.Redraw(ctx, in, kernel.OrderView(id), in.Tr.Text(msg.UndoneClose))
}

// undoOfferButton undoes that the actor declined or withdrew an offer.
func (b Trades) undoOfferButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	view := in.ID.Word(1)
	if err := b.Market.Trade.UndoOffer(ctx, in.Actor, core.OfferID(in.ID.Number(0))); err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	return b.Redraw(ctx, in, view, in.Tr.Text(msg.UndoneOffer))
}
