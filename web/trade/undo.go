package trade

import (
	"context"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

type undoSaleInput struct {
	kernel.BySale
	kernel.Keyed
}

func (a orders) undoSale(ctx context.Context, in *undoSaleInput) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (trade.Order, error) {
		return a.Market.Trade.UndoSale(ctx, actor, in.ID)
	})
}

func (a orders) undoClose(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (trade.Order,
		error) {
		return a.Market.Trade.UndoClose(ctx, actor, in.ID)
	})
}

func (a offers) undoOffer(ctx context.Context, in *offerWrite) error {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.Market.Trade.UndoOffer(ctx, actor, in.ID)
}
