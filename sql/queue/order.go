package queue

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/internal/db"
)

const (
	// freshFor is how long the job of a notice may wait before new ones come first.
	freshFor   = time.Second
	orderEvery = time.Second
	orderBatch = 50_000
)

// order keeps the jobs of notices in their order. River takes the lowest priority first: 1 is a new notice, 2
// a notice for a reader who waits for another already (AddNotice decides that), 3 a notice that has waited
// for freshFor. So a notice waits only for notices as new as itself, however many others are left to deliver.
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
			db.LetFreshJobsPassParams{Queue: Notices, Before: o.now().Add(-freshFor), Most: orderBatch})
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
