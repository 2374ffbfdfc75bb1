package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

const (
	askStockEvery = 5 * time.Minute
	askStockLimit = 500 // entries in one step, which is one transaction
)

// askStock is the periodic job that runs Market.AskForStock.
type askStock struct{}

func (askStock) Kind() string { return "ask_stock" }

type stockWorker struct {
	river.WorkerDefaults[askStock]
	ask func(ctx context.Context, limit int) (asked, removed int, err error)
}

func (w *stockWorker) Work(ctx context.Context, _ *river.Job[askStock]) error {
	for w.ask != nil {
		asked, removed, err := w.ask(ctx, askStockLimit)
		if err != nil {
			return fmt.Errorf("ask for stock: %w", err)
		}
		if asked < askStockLimit && removed < askStockLimit {
			break
		}
	}
	return nil
}
