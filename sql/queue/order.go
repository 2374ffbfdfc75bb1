package queue

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core/notify"
	"tradepost/sql/internal/db"
)

const (
	orderEvery = time.Second
	orderBatch = 50_000
)

// order keeps the jobs of notices in the order of coretest.Job. River takes the lowest priority first, and of
// one priority the job that could run first.
type order struct {
	pool *pgxpool.Pool
	now  func() time.Time
	log  *slog.Logger
}

// run moves new jobs ahead of waiting jobs, until ctx ends.
func (o *order) run(ctx context.Context) {
	tick := time.NewTicker(orderEvery)
	defer tick.Stop()
	for {
		passed, err := db.New(o.pool).LetFreshJobsPass(ctx,
			db.LetFreshJobsPassParams{Queue: Notices, Before: o.now().Add(-notify.FreshFor),
				Priority: int16(notify.Waiting), Most: orderBatch})
		if err != nil && ctx.Err() == nil {
			o.log.Debug("queue: waiting jobs not put behind new ones", "error", err)
		}
		if err == nil && passed == orderBatch {
			continue
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
