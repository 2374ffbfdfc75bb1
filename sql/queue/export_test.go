package queue

import (
	"context"
	"log/slog"
	"time"
)

// ExpireWork is the job expire_orders with limits on the time of a step and of a run.
func ExpireWork(expire func(ctx context.Context, limit int) (expired, warned int, err error), step, longest time.Duration, log *slog.Logger) func(context.Context) error {
	w := &expireWorker{expire: expire, step: step, longest: longest, log: log}
	return func(ctx context.Context) error { return w.Work(ctx, nil) }
}
