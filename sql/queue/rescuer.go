package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/rivertype"

	"tradepost/core/notify"
	"tradepost/sql/internal/db"
	"tradepost/sql/pgconnect"
)

const (
	workerLocks = 0x74726164 // "trad"; the second half of the lock is the worker's number
	rescueEvery = time.Second
	// deadAfter is for how long a lock must be free. A restart of the server releases all locks for a moment.
	deadAfter = 2 * time.Second
	// A job that this process has finished and that still counts as running was not stored as finished:
	// River gives up trying to after some seconds without the server.
	unstoredAfter = 5 * time.Second
	storedWithin  = 3 * time.Second
)

// Worker identifies a process that works on jobs.
type Worker int32

// NewWorker returns a random one.
func NewWorker() Worker { return Worker(rand.Int32()) }

func (w Worker) String() string { return workerPrefix + strconv.Itoa(int(w)) }

const workerPrefix = "tradepost-"

// runningJobs are the jobs that this process works on: by ID, with when they finished. Finished ones are
// kept for a moment.
type runningJobs struct {
	mu       sync.Mutex
	finished map[int64]time.Time // zero while the job runs
}

// work notes a job for as long as it runs; it is River's worker middleware.
func (r *runningJobs) work(ctx context.Context, job *rivertype.JobRow, do func(context.Context) error) error {
	r.set(job.ID, time.Time{})
	defer func() { r.set(job.ID, time.Now()) }()
	return do(ctx)
}

func (r *runningJobs) set(job int64, finished time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finished[job] = finished
}

// list returns the running jobs and the jobs that have just finished.
func (r *runningJobs) list() []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	jobs := make([]int64, 0, len(r.finished))
	for id, finished := range r.finished {
		if !finished.IsZero() && time.Since(finished) > storedWithin {
			delete(r.finished, id)
			continue
		}
		jobs = append(jobs, id)
	}
	return jobs
}

// rescuer makes the jobs of a worker that died available again, within seconds.
//
// Every worker has a number, and holds an advisory lock of that number on a connection of its own for as long
// as it lives (see pgconnect.OpenLockSession for a hanging worker). Each rescuer polls every second for
// running jobs of a worker that does not hold its lock, and makes them available again. To rescue a job too
// early does no harm: the same message carries the same nonce.
type rescuer struct {
	pool    *pgxpool.Pool
	direct  *pgxpool.Pool
	worker  Worker
	log     *slog.Logger
	now     func() time.Time
	running *runningJobs
	missing map[string]time.Time // workers without their lock, since when
}

func newRescuer(store Store, running *runningJobs, opts Options) *rescuer {
	return &rescuer{pool: store.Pool(), direct: store.Direct(), worker: store.Worker(), log: opts.Log,
		now: store.Now, running: running}
}

// run holds the lock of this worker, and rescues jobs, until ctx ends.
func (r *rescuer) run(ctx context.Context) {
	for attempt := 1; ctx.Err() == nil; attempt++ {
		began := time.Now()
		err := r.runConnected(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > deadAfter {
			attempt = 1
		}
		r.log.Info("rescuer: connection cut, reconnecting", "error", err)
		pgconnect.Pause(ctx, min(attempt, pgconnect.MaxAttempts-1))
	}
}

func (r *rescuer) runConnected(ctx context.Context) error {
	conn, err := pgconnect.OpenLockSession(ctx, r.direct, "tradepost worker")
	if err != nil {
		return err
	}
	defer pgconnect.Close(ctx, conn)
	mine, err := db.New(conn).TryWorkerLock(ctx, workerLocks, int(r.worker))
	if err != nil {
		return fmt.Errorf("take the worker's lock: %w", err)
	}
	if !mine {
		return errors.New("our own old session still has the worker's lock")
	}
	r.missing = map[string]time.Time{}
	for {
		rescuing, cancel := context.WithTimeout(ctx, deadAfter)
		err := r.rescue(rescuing, conn)
		cancel()
		if err != nil {
			return err
		}
		if err := pgconnect.WaitForNotification(ctx, conn, rescueEvery); err != nil {
			return err
		}
	}
}

// deadWorkers finds workers that have running jobs and do not hold their lock. It is not among the generated
// queries: sqlc does not know pg_locks.
const deadWorkers = `
select distinct attempted_by[cardinality(attempted_by)] from river_job
where state = 'running' and queue = any($1) and attempted_by[cardinality(attempted_by)] not in (
    select $2 || objid::bigint from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2 and classid::bigint = $3
        and database = (select oid from pg_database where datname = current_database()))`

// A start of a session that seems to be ahead of now, or that the role may not read, counts as long ago.
const works = `
select exists (select from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid::bigint = $3
        and l.database = (select oid from pg_database where datname = current_database())
        and (a.backend_start is null or a.backend_start < $1 or a.backend_start > $2))`

// Works reports whether a worker has held its lock for a while.
func Works(ctx context.Context, tx pgx.Tx, now time.Time, while time.Duration) (long bool, err error) {
	if err = tx.QueryRow(ctx, works, now.Add(-while), now, workerLocks).Scan(&long); err != nil {
		err = fmt.Errorf("find workers: %w", err)
	}
	return long, err
}

func (r *rescuer) rescue(ctx context.Context, conn *pgx.Conn) error {
	if err := r.rescueOwn(ctx, db.New(conn)); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, deadWorkers, queues, workerPrefix, workerLocks)
	if err != nil {
		return fmt.Errorf("find dead workers: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("find dead workers: %w", err)
	}
	missing := map[string]time.Time{}
	for _, worker := range found {
		since, known := r.missing[worker]
		if !known {
			since = time.Now()
		}
		missing[worker] = since
		if time.Since(since) >= deadAfter {
			if err := r.rescueFrom(ctx, db.New(conn), worker); err != nil {
				return err
			}
		}
	}
	r.missing = missing
	return nil
}

// rescueFrom makes the jobs of a dead worker available again.
func (r *rescuer) rescueFrom(ctx context.Context, queries *db.Queries, worker string) error {
	n, err := queries.RescueJobsOf(ctx, db.RescueJobsOfParams{Now: r.now(), Queues: queues, Worker: worker})
	if err != nil {
		return fmt.Errorf("rescue the jobs of a dead worker: %w", err)
	}
	if n > 0 {
		r.log.Warn("rescuer: rescued jobs of a dead worker", "worker", worker, "count", n)
	}
	return nil
}

// rescueOwn makes jobs available again that this worker has finished without being able to store it.
func (r *rescuer) rescueOwn(ctx context.Context, queries *db.Queries) error {
	now := r.now()
	before := now.Add(-unstoredAfter)
	n, err := queries.RescueOwnJobs(ctx, db.RescueOwnJobsParams{
		Now: now, Queues: queues, Worker: r.worker.String(), Running: r.running.list(), Before: &before,
	})
	if err != nil {
		return fmt.Errorf("rescue unstored jobs: %w", err)
	}
	if n > 0 {
		r.log.Warn("rescuer: rescued jobs whose end was not stored", "count", n)
	}
	return nil
}

// wakeNotices makes the jobs of all pending notices available now.
func (r *rescuer) wakeNotices(ctx context.Context) error {
	if err := db.New(r.pool).WakeNotices(ctx, r.now(), int16(notify.Waiting)); err != nil {
		return fmt.Errorf("wake the notices: %w", err)
	}
	return nil
}
