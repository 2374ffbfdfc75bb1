package web

import (
	"context"

	"tradepost/core"
)

type undoSaleInput struct {
	BySale
	Keyed
}

func (a *api) undoSale(ctx context.Context, in *undoSaleInput) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) {
		return a.market.UndoSale(ctx, actor, in.ID)
	})
}

func (a *api) undoClose(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) { return a.market.UndoClose(ctx, actor, in.ID) })
}

func (a *api) undoOffer(ctx context.Context, in *offerWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.UndoOffer(ctx, actor, in.ID)
}
