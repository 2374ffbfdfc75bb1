package trade

import (
	"context"

	"tradepost/core"
	"tradepost/web/kernel"
)

type undoInput struct {
	Kind core.UndoKind `path:"kind" doc:"What was done"`
	actInput
}

// actInput is part of every undo.
type actInput struct {
	ID int64 `path:"id" doc:"The number of the sale, offer, request, stock or log entry" example:"12"`
	kernel.Keyed
}

type undoneView struct {
	Order kernel.OrNull[kernel.OrderView] `json:"order" doc:"The request that it was about, as it is now; null for what is about none"`
}

func (a orders) undo(ctx context.Context, in *undoInput) (*kernel.Answer[undoneView], error) {
	order, err := a.Market.Undo(ctx, in.By, in.Kind, in.ID)
	if err != nil {
		return nil, err
	}
	var view undoneView
	if order.ID != 0 {
		now := kernel.ViewOrder(order, a.Now())
		view.Order.Value = &now
	}
	return &kernel.Answer[undoneView]{Body: view}, nil
}

// The acts that could be undone before there was one address for all have an address of their own, too.

func (a orders) undoOf(kind core.UndoKind) func(context.Context, *actInput) (*orderAnswer, error) {
	return func(ctx context.Context, in *actInput) (*orderAnswer, error) {
		order, err := a.Market.Undo(ctx, in.By, kind, in.ID)
		if err != nil {
			return nil, err
		}
		return answerOrder(kernel.ViewOrder(order, a.Now())), nil
	}
}

func (a orders) undoSilently(kind core.UndoKind) func(context.Context, *actInput) error {
	return func(ctx context.Context, in *actInput) error {
		_, err := a.Market.Undo(ctx, in.By, kind, in.ID)
		return err
	}
}
