package web

import (
	"context"

	"tradepost/core"
)

type undoSaleInput struct {
	BySale
	Keyed
}

func (a orders) undoSale(ctx context.Context, in *undoSaleInput) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) {
		return a.market.UndoSale(ctx, actor, in.ID)
	})
}

func (a orders) undoClose(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) { return a.market.UndoClose(ctx, actor, in.ID) })
}

func (a offers) undoOffer(ctx context.Context, in *offerWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.UndoOffer(ctx, actor, in.ID)
}
