package match

import (
	"context"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

type snoozeStockInput struct {
	ID core.NoticeID `path:"id" doc:"The alert" example:"31"`
	kernel.Keyed
	Body kernel.Sent[watchSnooze]
}

// oneStock is an answer with one entry.
func oneStock(s match.Stock, err error) (*kernel.Answer[StockView], error) {
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[StockView]{Body: ViewStock([]match.Stock{s})[0]}, nil
}

func (a operations) snoozeStock(
	ctx context.Context, in *snoozeStockInput,
) (*kernel.Answer[StockView], error) {
	return oneStock(a.Market.Match.SnoozeStock(ctx, in.By, in.ID, match.Snooze(in.Body.Fields.For)))
}

type stopStockInput struct {
	ID core.NoticeID `path:"id" doc:"The alert" example:"31"`
	kernel.Keyed
}

func (a operations) stopStock(ctx context.Context, in *stopStockInput) (*kernel.Answer[StockView], error) {
	return oneStock(a.Market.Match.StopStock(ctx, in.By, in.ID))
}

type stockAlerts struct {
	On bool `json:"on" doc:"Whether requests that fit alert you"`
}

type alertStockInput struct {
	ID core.StockID `path:"id" doc:"The entry of your stock" example:"9"`
	kernel.Keyed
	Body kernel.Sent[stockAlerts]
}

func (a operations) alertStock(ctx context.Context, in *alertStockInput) (*kernel.Answer[StockView], error) {
	return oneStock(a.Market.Match.AlertStock(ctx, in.By, in.ID, in.Body.Fields.On))
}
