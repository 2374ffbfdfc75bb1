package web

import (
	"context"

	"tradepost/core"
)

type snoozeStockInput struct {
	ID core.NoticeID `path:"id" doc:"The alert" example:"31"`
	Keyed
	Body sent[watchSnooze]
}

// oneStock is an answer with one entry.
func oneStock(s core.Stock, err error) (*answer[stockView], error) {
	if err != nil {
		return nil, err
	}
	return &answer[stockView]{Body: viewStock([]core.Stock{s})[0]}, nil
}

func (a matchOperations) snoozeStock(ctx context.Context, in *snoozeStockInput) (*answer[stockView], error) {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	return oneStock(a.market.SnoozeStock(ctx, actor, in.ID, core.Snooze(in.Body.Fields.For)))
}

type stopStockInput struct {
	ID core.NoticeID `path:"id" doc:"The alert" example:"31"`
	Keyed
}

func (a matchOperations) stopStock(ctx context.Context, in *stopStockInput) (*answer[stockView], error) {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	return oneStock(a.market.StopStock(ctx, actor, in.ID))
}

type stockAlerts struct {
	On bool `json:"on" doc:"Whether requests that fit alert you"`
}

type alertStockInput struct {
	ID core.StockID `path:"id" doc:"The entry of your stock" example:"9"`
	Keyed
	Body sent[stockAlerts]
}

func (a matchOperations) alertStock(ctx context.Context, in *alertStockInput) (*answer[stockView], error) {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	return oneStock(a.market.AlertStock(ctx, actor, in.ID, in.Body.Fields.On))
}
