package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"tradepost/core"
)

const (
	noticeQueue = "notices"
	choreQueue  = "chores"

	fetchCooldown = 20 * time.Millisecond
	// A ring of River's own bell may be swallowed when another came just before, so it also looks now and then.
	fetchInterval = time.Second
	// An attempt that takes longer is given up; one whose process was killed is taken over soon after.
	attemptLimit = 40 * time.Second
	rescueAfter  = 50 * time.Second
)

// deliverNotice is the job that brings one notice to its reader.
type deliverNotice struct {
	Notice core.NoticeID `json:"notice"`
}

func (deliverNotice) Kind() string { return "deliver_notice" }

func (deliverNotice) InsertOpts() river.InsertOpts {
	// Whatever comes of a delivery makes the job wait without counting as an attempt; what is left are panics.
	return river.InsertOpts{Queue: noticeQueue, MaxAttempts: 1000}
}

type jobInserter interface {
	InsertManyFastTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) (int, error)
}

func driver(pool *pgxpool.Pool) *riverpgxv5.Driver { return riverpgxv5.New(pool) }

func insertOnly(pool *pgxpool.Pool, log *slog.Logger) (*river.Client[pgx.Tx], error) {
	return river.NewClient(driver(pool), &river.Config{Logger: slog.New(aside{log.Handler()}), FetchCooldown: fetchCooldown})
}

func enqueueNotices(ctx context.Context, jobs jobInserter, tx pgx.Tx, ids []core.NoticeID) error {
	if len(ids) == 0 {
		return nil
	}
	params := convert(ids, func(id core.NoticeID) river.InsertManyParams {
		return river.InsertManyParams{Args: deliverNotice{Notice: id}}
	})
	if _, err := jobs.InsertManyFastTx(ctx, tx, params); err != nil {
		return fmt.Errorf("enqueue notices: %w", err)
	}
	return nil
}

// Work is what a Queue does.
type Work struct {
	// Deliver brings a notice to its reader: Market.DeliverNotice. A *core.Later it returns is obeyed; any other error makes
	// it try again. Only nil ends the job.
	Deliver func(context.Context, core.NoticeID) error
	// Expire deals with up to limit orders that end, and with as many that will soon: Market.ExpireOrders.
	Expire func(ctx context.Context, limit int) (expired, warned int, err error)
}

// Queue delivers notices and does the chores that come round. Any number of them may run on one database: a notice is
// worked on by one at a time, and a chore by one of them.
type Queue struct {
	client *river.Client[pgx.Tx]
	watch  *watch

	watched chan struct{} // closed when watching has ended
}

// NewQueue returns a queue that is not started yet.
func (s *Store) NewQueue(work Work) (*Queue, error) {
	workers := river.NewWorkers()
	hands := &hands{jobs: map[int64]time.Time{}}
	river.AddWorker(workers, &noticeWorker{deliver: work.Deliver, hands: hands, log: s.log})
	river.AddWorker(workers, &expireWorker{expire: work.Expire})
	river.AddWorker(workers, &tidyWorker{store: s})
	client, err := river.NewClient(driver(s.pool), &river.Config{
		ID:      s.worker.String(),
		Logger:  slog.New(aside{s.log.Handler()}),
		Workers: workers,
		Queues: map[string]river.QueueConfig{
			noticeQueue: {MaxWorkers: 20},
			choreQueue:  {MaxWorkers: 1, FetchPollInterval: 5 * time.Second},
		},
		ErrorHandler:                failures{s.log},
		PeriodicJobs:                chores(),
		FetchCooldown:               fetchCooldown,
		FetchPollInterval:           fetchInterval,
		JobTimeout:                  attemptLimit,
		RescueStuckJobsAfter:        rescueAfter,
		RetryPolicy:                 retryPolicy{},
		SoftStopTimeout:             5 * time.Second,
		CompletedJobRetentionPeriod: time.Hour,
	})
	if err != nil {
		return nil, fmt.Errorf("make the queue: %w", err)
	}
	return &Queue{client: client, watch: &watch{Store: s, hands: hands}}, nil
}

// Start begins to work. Ending ctx stops the queue as Stop does.
func (q *Queue) Start(ctx context.Context) error {
	if err := q.watch.wakeNotices(ctx); err != nil {
		return err
	}
	if err := q.client.Start(ctx); err != nil {
		return fmt.Errorf("start the queue: %w", err)
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	q.watched = make(chan struct{})
	go func() {
		defer close(q.watched)
		q.watch.run(watching)
	}()
	go func() {
		<-q.client.Stopped()
		stop()
	}()
	return nil
}

// Stop takes no more jobs and waits for those at hand, which are cancelled after 5 seconds.
func (q *Queue) Stop(ctx context.Context) error {
	if err := q.client.Stop(ctx); err != nil {
		return fmt.Errorf("stop the queue: %w", err)
	}
	<-q.watched
	return nil
}

// Stopped is closed when the queue has stopped.
func (q *Queue) Stopped() <-chan struct{} { return q.client.Stopped() }

type noticeWorker struct {
	river.WorkerDefaults[deliverNotice]
	deliver func(context.Context, core.NoticeID) error
	hands   *hands
	log     *slog.Logger
}

func (w *noticeWorker) Work(ctx context.Context, job *river.Job[deliverNotice]) error {
	w.hands.take(job.ID)
	defer w.hands.finish(job.ID)
	err := w.deliver(ctx, job.Args.Notice)
	if err == nil {
		return nil
	}
	wait := retryIn(time.Since(job.CreatedAt))
	var later *core.Later
	if errors.As(err, &later) {
		// A little more for each, so that not everybody comes at once.
		wait = max(later.After, 0) + rand.N(max(later.After/8, time.Millisecond))
	}
	if later == nil || later.Because != nil {
		w.log.Warn("notice not delivered yet", "notice", job.Args.Notice, "again_in", wait, "error", err)
	}
	return river.JobSnooze(wait)
}

// retryIn grows with the age of the job, from a second to a minute, and is never twice the same: after an outage not
// everybody comes at once.
func retryIn(age time.Duration) time.Duration {
	longest := min(max(age/2, time.Second), time.Minute)
	return longest/2 + rand.N(longest/2)
}

// retryPolicy is for jobs that panicked or failed; see retryIn.
type retryPolicy struct{}

func (retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(retryIn(time.Since(job.CreatedAt)))
}
