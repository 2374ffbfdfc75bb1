// Package queue delivers notices and runs periodic jobs, on River. Any number of processes may run it on
// one database: a job is worked on by one of them at a time.
package queue

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/pgconnect"
	"tradepost/sql/waits"
)

const (
	// Notices is the queue of the jobs that deliver them; see order.
	Notices = "notices"
	// NoticeAttempts is how often such a job is tried. A delivery that must be tried again snoozes the job,
	// which does not count as an attempt; what counts are panics.
	NoticeAttempts = 1000
	// noticeWorkers deliver at once: more than Discord's limit of 50 messages a second asks for, and fewer
	// than the connections to the database, so that interactions never wait for one.
	noticeWorkers = 10

	// Its stored name is from the first version: an older program may run beside this one.
	periodicQueue = "chores"

	fetchCooldown = 20 * time.Millisecond
	// River drops a notification that comes right after another, so it also polls.
	fetchInterval         = time.Second
	periodicFetchInterval = 5 * time.Second
	// An attempt that takes longer is cancelled. Jobs of a dead worker are rescued by the rescuer here.
	// River's own compares the host's clock with the database's, and jobs with nothing but their age, so it
	// gets an hour. See decision 48.
	attemptLimit     = 40 * time.Second
	riverRescueAfter = time.Hour
)

// Queues are the names of River's queues that this program works on.
var queues = []string{Notices, periodicQueue}

// Inserter enqueues jobs in the transaction of the write that causes them.
type Inserter struct {
	// insert is a method of River's client. The client has a generic type, and the compiler would compile
	// its methods again in each package that imports the store; see decision 352.
	insert func(context.Context, pgx.Tx, []river.InsertManyParams) (int, error)

	mu       sync.Mutex
	notified time.Time
}

// NewInserter returns an inserter. The pool is not used before the first job.
func NewInserter(pool *pgxpool.Pool, log *slog.Logger) (*Inserter, error) {
	client, err := river.NewClient(riverpgxv5.New(pool),
		&river.Config{Logger: riverLog(log), FetchCooldown: fetchCooldown})
	if err != nil {
		return nil, fmt.Errorf("make a client of the queue: %w", err)
	}
	return &Inserter{insert: client.InsertManyFastTx}, nil
}

// DeliverNotices enqueues a job for each notice.
func (i *Inserter) DeliverNotices(ctx context.Context, tx pgx.Tx, ids []core.NoticeID) error {
	if len(ids) == 0 {
		return nil
	}
	params := make([]river.InsertManyParams, len(ids))
	for n, id := range ids {
		params[n].Args = deliverNotice{Notice: id}
	}
	if _, err := i.insert(ctx, tx, params); err != nil {
		return fmt.Errorf("enqueue notices: %w", err)
	}
	return nil
}

// NoticesAdded wakes the workers once the transaction of the queries is committed, but not more often than
// they look.
func (i *Inserter) NoticesAdded(ctx context.Context, queries *db.Queries) error {
	i.mu.Lock()
	due := time.Since(i.notified) >= fetchCooldown
	if due {
		i.notified = time.Now()
	}
	i.mu.Unlock()
	if !due {
		return nil
	}
	return queries.NotifyJobs(ctx, Notices)
}

// Store is the part of the store that the queue needs; *postgres.Store implements it.
type Store interface {
	Pool() *pgxpool.Pool
	// Direct returns connections that can LISTEN and hold locks beyond a transaction. Pool's connections need
	// not.
	Direct() *pgxpool.Pool
	// Worker identifies this process, in its jobs and in the mailboxes that it leases.
	Worker() Worker
	// Now is the store's clock. Jobs are scheduled by it too.
	Now() time.Time
	// Cleanup deletes expired rows, and inserts jobs for pending notices without one.
	Cleanup(context.Context) error
	// Retain removes rows older than their retention; see core.Retention. Between two steps it calls pause.
	Retain(ctx context.Context, keep core.Retention, now time.Time,
		pause func(context.Context, time.Duration) error) (map[string]int, error)
}

// Options configures a Queue. Deliver and Expire are required.
type Options struct {
	// Deliver brings a notice to its reader: Market.DeliverNotice. A *core.RetryLater it returns says when
	// to try again; after any other error the queue decides that. Only nil ends the job.
	Deliver func(context.Context, core.NoticeID) error
	// Redraw draws the message of a notice again: Market.RedrawNotice. It returns the same errors as Deliver.
	// May be nil.
	Redraw func(ctx context.Context, id core.NoticeID, except string) error
	// Expire deals with up to limit orders that end, and with as many that will soon: Market.ExpireOrders.
	Expire func(ctx context.Context, limit int) (expired, warned int, err error)
	// Closings ends up to limit closings that can no longer be undone: Market.NotifyClosings. May be nil.
	Closings func(ctx context.Context, limit int) (ended int, err error)
	// Alerts alerts watchers to up to limit requests: Market.AlertWatchers. May be nil.
	Alerts func(ctx context.Context, limit int) (done int, err error)
	// AlertsAgain does so for requests that failed before: Market.AlertWatchersAgain. May be nil.
	AlertsAgain func(ctx context.Context, limit int) (done int, err error)
	// Handovers processes up to limit due handovers and offers: Market.ProcessHandovers. May be nil.
	Handovers func(ctx context.Context, limit int) (done int, err error)
	// Traders finds established traders: Market.FindTraders. May be nil.
	Traders func(context.Context) error
	// Stock asks sellers about up to limit entries of their stock, and removes as many: Market.AskForStock.
	// May be nil.
	Stock func(ctx context.Context, limit int) (asked, removed int, err error)
	// Retention sets how long data are kept; its zero value keeps everything but drafts and the answers of
	// keys.
	Retention core.Retention
	// Removed is called with how many rows of a kind retention has removed, or archived; may be nil.
	Removed func(what string, rows int)

	// BroughtBack is called with how many times of a column were further ahead than they may be; may be nil.
	BroughtBack func(column string, rows int)

	Clock Clock        // of the store's Now; nil for a clock that never steps
	Log   *slog.Logger // slog.Default when nil
}

// Clock tells of steps of the time: *pgconnect.Clock is one.
type Clock interface {
	// Steady returns for how long nothing irreversible may be done.
	Steady() time.Duration
	// Steps counts the steps.
	Steps() int64
}

// client is the part of River's client that the queue uses; see Inserter.
type client interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	Stopped() <-chan struct{}
	PeriodicJobs() *river.PeriodicJobBundle
}

// Queue works on jobs.
type Queue struct {
	client      client
	rescuer     *rescuer
	order       *order
	alerts      *alerts
	alertsAgain *alertsAgain
	times       *times

	rescuerEnded chan struct{}
}

// New returns a queue that is not started yet.
func New(store Store, opts Options) (*Queue, error) {
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	if opts.Clock == nil {
		opts.Clock = neverSteps{}
	}
	workers := river.NewWorkers()
	running := &runningJobs{finished: map[int64]time.Time{}}
	river.AddWorker(workers, &noticeWorker{deliver: opts.Deliver, redraw: opts.Redraw, now: store.Now,
		log: opts.Log})
	river.AddWorker(workers, &expireWorker{expire: opts.Expire, closings: opts.Closings,
		handovers: opts.Handovers, step: expireStep, longest: expireLongest, log: opts.Log})
	river.AddWorker(workers, &cleanupWorker{store: store})
	river.AddWorker(workers, &tradersWorker{find: opts.Traders})
	river.AddWorker(workers, &stockWorker{ask: opts.Stock})
	river.AddWorker(workers, &retainWorker{store: store, keep: opts.Retention, now: store.Now,
		removed: opts.Removed, log: opts.Log})
	client, err := river.NewClient(driver{riverpgxv5.New(store.Pool()), riverpgxv5.New(store.Direct())},
		&river.Config{
			ID:      store.Worker().String(),
			Logger:  riverLog(opts.Log),
			Workers: workers,
			Queues: map[string]river.QueueConfig{
				Notices:       {MaxWorkers: noticeWorkers},
				periodicQueue: {MaxWorkers: 1, FetchPollInterval: periodicFetchInterval},
			},
			ErrorHandler:         errorLog{opts.Log},
			PeriodicJobs:         periodicJobs(),
			FetchCooldown:        fetchCooldown,
			FetchPollInterval:    fetchInterval,
			JobTimeout:           attemptLimit,
			RescueStuckJobsAfter: riverRescueAfter,
			RetryPolicy:          retryPolicy{store.Now},
			Middleware: []rivertype.Middleware{river.WorkerMiddlewareFunc(running.work),
				river.WorkerMiddlewareFunc(whenSteady{opts.Clock}.work)},
			// River has no other place for a clock
			Test:                        river.TestConfig{Time: riverClock{store.Now}},
			SoftStopTimeout:             5 * time.Second,
			CompletedJobRetentionPeriod: time.Hour,
			ReindexerIndexNames:         keptIndexes(),
		})
	if err != nil {
		return nil, fmt.Errorf("make the queue: %w", err)
	}
	return &Queue{
		client: client, rescuer: newRescuer(store, running, opts),
		order:       &order{pool: store.Pool(), now: store.Now, log: opts.Log},
		alerts:      &alerts{opts.Alerts, opts.Log},
		alertsAgain: &alertsAgain{opts.AlertsAgain, opts.Log},
		times: &times{pool: store.Pool(), now: store.Now, clock: opts.Clock, jobs: client,
			brought: opts.BroughtBack, log: opts.Log},
	}, nil
}

// driver is River's, which listens on connections of their own. Its leader is elected by a row, and needs
// no session.
type driver struct {
	*riverpgxv5.Driver
	direct *riverpgxv5.Driver
}

// GetListener implements riverdriver.Driver.
func (d driver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return d.direct.GetListener(params)
}

// keptIndexes are River's indexes without those that the schema drops.
func keptIndexes() []string {
	return slices.DeleteFunc(river.ReindexerIndexNamesDefault(), func(name string) bool {
		return name == "river_job_kind" || name == "river_job_metadata_index"
	})
}

// Start begins to work. Ending ctx stops the queue as Stop does. All pending notices are tried at once:
// what they waited for may have changed with the restart, such as the token. While the database is
// unavailable, it tries again until ctx ends.
func (q *Queue) Start(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		err := q.start(ctx)
		if err == nil {
			break
		}
		if !pgconnect.ConnectionFailed(err) {
			return err
		}
		q.rescuer.log.Warn("queue: start failed, trying again", "attempt", attempt, "error", err)
		if !pgconnect.Pause(ctx, min(attempt, pgconnect.MaxAttempts-1)) {
			return err
		}
	}
	rescuing, stop := context.WithCancel(context.WithoutCancel(ctx))
	q.rescuerEnded = make(chan struct{})
	go func() {
		defer close(q.rescuerEnded)
		var both sync.WaitGroup
		both.Go(func() { q.order.run(rescuing) })
		both.Go(func() { q.alerts.run(rescuing) })
		both.Go(func() { q.alertsAgain.run(rescuing) })
		both.Go(func() { q.times.run(rescuing) })
		q.rescuer.run(rescuing)
		both.Wait()
	}()
	go func() {
		<-q.client.Stopped()
		stop()
	}()
	return nil
}

func (q *Queue) start(ctx context.Context) error {
	if err := q.rescuer.wakeNotices(ctx); err != nil {
		return err
	}
	bringing, cancel := context.WithTimeout(ctx, timesAtStart)
	err := q.times.bringBack(bringing, waits.All)
	cancel()
	if err != nil && ctx.Err() == nil {
		q.times.log.Warn("queue: times not brought back at start", "error", err)
	}
	if err := q.client.Start(ctx); err != nil {
		return fmt.Errorf("start the queue: %w", err)
	}
	return nil
}

// Stop takes no more jobs and waits for the running ones, which are cancelled after 5 seconds.
func (q *Queue) Stop(ctx context.Context) error {
	if err := q.client.Stop(ctx); err != nil {
		return fmt.Errorf("stop the queue: %w", err)
	}
	<-q.rescuerEnded
	return nil
}

// riverClock is the clock that River computes times with. Where River leaves a time to the database's
// now(), it stays there: NowOrNil is only for tests that stub it.
type riverClock struct{ now func() time.Time }

// Now returns the time.
func (c riverClock) Now() time.Time { return c.now() }

// NowOrNil returns nil: PostgreSQL's own time is used.
func (riverClock) NowOrNil() *time.Time { return nil }
