package trade

import (
	"context"

	"tradepost/core"
	"tradepost/web/kernel"
)

type undoSaleInput struct {
	kernel.BySale
	kernel.Keyed
}

func (a orders) undoSale(ctx context.Context, in *undoSaleInput) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) {
		return a.Market.UndoSale(ctx, actor, in.ID)
	})
}

func (a orders) undoClose(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order,
		error) {
		return a.Market.UndoClose(ctx, actor, in.ID)
	})
}

func (a offers) undoOffer(ctx context.Context, in *offerWrite) error {
	actor, err := a.Actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.Market.UndoOffer(ctx, actor, in.ID)
}
