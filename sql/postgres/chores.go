package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"tradepost/core"
)

const (
	expireEvery = 30 * time.Second
	expireLimit = 100
	tidyEvery   = 5 * time.Minute
	claimLife   = 24 * time.Hour
)

// chores come round on one replica: River elects a leader that enqueues them, and no second one is enqueued while there is
// one that has not ended.
func chores() []*river.PeriodicJob {
	opts := &river.InsertOpts{
		Queue:       choreQueue,
		MaxAttempts: 1, // it comes round again anyway
		UniqueOpts: river.UniqueOpts{ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateScheduled,
			rivertype.JobStateRetryable,
		}},
	}
	every := func(interval time.Duration, args river.JobArgs) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(interval),
			func() (river.JobArgs, *river.InsertOpts) { return args, opts }, &river.PeriodicJobOpts{RunOnStart: true})
	}
	return []*river.PeriodicJob{every(expireEvery, expireOrders{}), every(tidyEvery, tidy{})}
}

// expireOrders is the chore of Market.ExpireOrders.
type expireOrders struct{}

func (expireOrders) Kind() string { return "expire_orders" }

type expireWorker struct {
	river.WorkerDefaults[expireOrders]
	expire func(ctx context.Context, limit int) (expired, warned int, err error)
}

func (w *expireWorker) Work(ctx context.Context, _ *river.Job[expireOrders]) error {
	for {
		expired, warned, err := w.expire(ctx, expireLimit)
		if err != nil {
			return fmt.Errorf("expire orders: %w", err)
		}
		if expired < expireLimit && warned < expireLimit {
			return nil
		}
	}
}

// tidy is the chore of throwing away what has served its time, and of finding notices that nobody delivers.
type tidy struct{}

func (tidy) Kind() string { return "tidy" }

type tidyWorker struct {
	river.WorkerDefaults[tidy]
	store *Store
}

func (w *tidyWorker) Work(ctx context.Context, _ *river.Job[tidy]) error {
	if _, err := w.store.queries.PruneClaims(ctx, time.Now().Add(-claimLife)); err != nil {
		return fmt.Errorf("prune claims: %w", err)
	}
	if _, err := w.store.queries.PruneSessions(ctx); err != nil {
		return fmt.Errorf("prune sessions: %w", err)
	}
	found, err := w.store.requeueNotices(ctx, time.Now().Add(-time.Minute))
	if found > 0 {
		w.store.log.Warn("pending notices had no job and were given one", "count", found)
	}
	return err
}

// A notice and its job are stored together, so this finds nothing unless somebody has meddled with the jobs or one was
// thrown away after too many panics.
const forgottenNotices = `
select id from notices
where state = 'pending' and created_at < $1 and not exists (
    select from river_job
    where kind = 'deliver_notice' and finalized_at is null and args @> jsonb_build_object('notice', notices.id))
order by id limit 1000`

// requeueNotices gives a job to pending notices from before a time that have none.
func (s *Store) requeueNotices(ctx context.Context, before time.Time) (found int, err error) {
	err = s.Atomically(ctx, func(ct core.Tx) error {
		t := ct.(*tx)
		rows, err := t.Query(ctx, forgottenNotices, before)
		if err != nil {
			return fmt.Errorf("find forgotten notices: %w", err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[core.NoticeID])
		if err != nil {
			return fmt.Errorf("find forgotten notices: %w", err)
		}
		found = len(ids)
		return enqueueNotices(ctx, t.jobs, t.pipeline, ids)
	})
	return found, err
}
