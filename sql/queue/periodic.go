package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"tradepost/core"
)

const (
	expireEvery = 30 * time.Second
	expireLimit = 100 // orders of each sort in one step, which is one transaction
	// for one step; one that takes longer is retried with half as many orders
	expireStep    = 30 * time.Second
	expireLongest = 20 * time.Second // then the job yields to other periodic jobs, and continues

	cleanupEvery = 5 * time.Minute

	findTradersEvery = 2 * time.Minute

	retainEvery = 10 * time.Minute
	// retainLimit ends a run before its job is cancelled; the next run continues.
	retainLimit = 30 * time.Second
)

// periodicJobs run on one replica: River elects a leader that enqueues them, and none is enqueued while one
// of its kind has not ended.
func periodicJobs() []*river.PeriodicJob {
	opts := &river.InsertOpts{
		Queue:       periodicQueue,
		MaxAttempts: 1, // the next one comes soon
		UniqueOpts: river.UniqueOpts{ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateScheduled,
			rivertype.JobStateRetryable,
		}},
	}
	every := func(interval time.Duration, args river.JobArgs) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(interval),
			func() (river.JobArgs, *river.InsertOpts) { return args, opts },
			&river.PeriodicJobOpts{RunOnStart: true})
	}
	return []*river.PeriodicJob{every(expireEvery, expireOrders{}), every(cleanupEvery, cleanup{}),
		every(findTradersEvery, findTraders{}), every(retainEvery, retain{}),
		every(askStockEvery, askStock{})}
}

// expireOrders is the periodic job that runs Market.ExpireOrders, Market.NotifyClosings and
// Market.ProcessHandovers.
type expireOrders struct{}

func (expireOrders) Kind() string { return "expire_orders" }

type expireWorker struct {
	river.WorkerDefaults[expireOrders]
	expire        func(ctx context.Context, limit int) (expired, warned int, err error)
	closings      func(ctx context.Context, limit int) (ended int, err error)
	handovers     func(ctx context.Context, limit int) (done int, err error)
	step, longest time.Duration
	log           *slog.Logger
}

// Timeout is part of river.Worker. It leaves time for a step that begins at the end.
func (w *expireWorker) Timeout(*river.Job[expireOrders]) time.Duration { return w.longest + 2*w.step }

// Work ends closings and expires orders step by step until nothing is left to do or it has run for long:
// then the job goes back to the queue.
func (w *expireWorker) Work(ctx context.Context, _ *river.Job[expireOrders]) error {
	for started, limit := time.Now(), expireLimit; ; {
		more, err := w.expireSome(ctx, limit)
		switch {
		case errors.Is(err, errStepTooLong) && limit > 1:
			limit /= 2
			w.log.Info("expire_orders: step took too long", "next_limit", limit)
		case err != nil:
			return fmt.Errorf("expire orders: %w", err)
		case !more:
			return nil
		}
		if time.Since(started) >= w.longest {
			return river.JobSnooze(0)
		}
	}
}

var errStepTooLong = errors.New("the step took too long")

// expireSome does one step and reports whether more is left to do.
func (w *expireWorker) expireSome(ctx context.Context, limit int) (more bool, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, w.step, errStepTooLong)
	defer cancel()
	ended, endErr := 0, error(nil)
	if w.closings != nil {
		ended, endErr = w.closings(ctx, limit)
	}
	done, doneErr := 0, error(nil)
	if w.handovers != nil {
		done, doneErr = w.handovers(ctx, limit)
	}
	expired, warned, err := w.expire(ctx, limit)
	err = errors.Join(endErr, doneErr, err)
	if err != nil && errors.Is(context.Cause(ctx), errStepTooLong) {
		return true, fmt.Errorf("%w: %w", errStepTooLong, err)
	}
	return ended == limit || done == limit || expired == limit || warned == limit, err
}

// cleanup is the periodic job that runs Store.Cleanup.
type cleanup struct{}

// Kind is the stored name of the job, which is from the first version.
func (cleanup) Kind() string { return "tidy" }

type cleanupWorker struct {
	river.WorkerDefaults[cleanup]
	store Store
}

func (w *cleanupWorker) Work(ctx context.Context, _ *river.Job[cleanup]) error {
	return w.store.Cleanup(ctx)
}

// findTraders is the periodic job that runs Market.FindTraders.
type findTraders struct{}

func (findTraders) Kind() string { return "find_traders" }

type tradersWorker struct {
	river.WorkerDefaults[findTraders]
	find func(context.Context) error
}

func (w *tradersWorker) Work(ctx context.Context, _ *river.Job[findTraders]) error {
	if w.find == nil {
		return nil
	}
	return w.find(ctx)
}

// retain is the periodic job that runs Store.Retain.
type retain struct{}

func (retain) Kind() string { return "retain" }

type retainWorker struct {
	river.WorkerDefaults[retain]
	store   Store
	keep    core.Retention
	now     func() time.Time
	removed func(what string, rows int)
	log     *slog.Logger
}

func (w *retainWorker) Work(ctx context.Context, _ *river.Job[retain]) error {
	ctx, cancel := context.WithTimeout(ctx, retainLimit)
	defer cancel()
	done, err := w.store.Retain(ctx, w.keep, w.now(), sleep)
	for what, rows := range done {
		if rows > 0 {
			w.log.Info("retention: removed rows", "what", what, "rows", rows)
		}
		if w.removed != nil {
			w.removed(what, rows)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		w.log.Info("retention: time is up, more is left for the next run")
		return nil
	}
	return err
}

// sleep leaves the database to other clients for as long as a step has taken.
func sleep(ctx context.Context, took time.Duration) error {
	timer := time.NewTimer(took)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
