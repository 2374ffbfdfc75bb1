package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// How notices are not left lying when the process that had them in hand is killed. Every process with a queue is known by
// a number and holds a lock of that number, on a connection of its own, for as long as it lives; see lock.go for how the
// server misses one that hangs. Each of them looks now and then for jobs in the hands of a worker whose lock nobody
// holds, lets go of what they had reserved, and puts them back. To take over too early does no harm: the same message
// carries the same nonce.
const (
	workerLocks = 0x74726164 // "trad"; the second half of the lock is the worker's number
	lookEvery   = time.Second
	// goneAfter is for how long a lock must be missing. A restart of the server takes away all locks for a moment.
	goneAfter = 2 * time.Second
	// A job that this process has finished and that still counts as running was not stored as finished: River gives up
	// trying to after some seconds without the server.
	forgottenAfter = 5 * time.Second
	storedWithin   = 3 * time.Second
)

// worker is a process that delivers.
type worker int32

func newWorker() worker { return worker(rand.Int32()) }

func (w worker) String() string { return workerPrefix + strconv.Itoa(int(w)) }

const workerPrefix = "tradepost-"

// hands are the jobs that a process works on, by number. Those finished are kept for a moment, with the time.
type hands struct {
	mu   sync.Mutex
	jobs map[int64]time.Time
}

func (h *hands) take(job int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.jobs[job] = time.Time{}
}

func (h *hands) finish(job int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.jobs[job] = time.Now()
}

// full lists the jobs at hand and those just finished.
func (h *hands) full() []int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	jobs := make([]int64, 0, len(h.jobs))
	for id, finished := range h.jobs {
		if !finished.IsZero() && time.Since(finished) > storedWithin {
			delete(h.jobs, id)
			continue
		}
		jobs = append(jobs, id)
	}
	return jobs
}

// watch is one process's part in it.
type watch struct {
	*Store
	hands  *hands
	missed map[string]time.Time // workers without a lock, since when
}

// run keeps the lock of this worker, and looks after the others, until ctx ends.
func (w *watch) run(ctx context.Context) {
	for attempt := 1; ctx.Err() == nil; attempt++ {
		began := time.Now()
		err := w.attend(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > goneAfter {
			attempt = 1
		}
		w.log.Info("watching over the workers was cut, trying again", "error", err)
		pause(ctx, min(attempt, maxAttempts-1))
	}
}

func (w *watch) attend(ctx context.Context) error {
	conn, err := w.connectToLock(ctx, "tradepost worker")
	if err != nil {
		return err
	}
	defer closeSoon(ctx, conn)
	var mine bool
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock($1, $2)", workerLocks, int32(w.worker)).Scan(&mine); err != nil {
		return fmt.Errorf("take the worker's lock: %w", err)
	}
	if !mine {
		return errors.New("our own old session still has the worker's lock")
	}
	w.missed = map[string]time.Time{}
	for {
		looking, cancel := context.WithTimeout(ctx, goneAfter)
		err := w.look(looking, conn)
		cancel()
		if err != nil {
			return err
		}
		if err := waitForNothing(ctx, conn, lookEvery); err != nil {
			return err
		}
	}
}

const findGoneWorkers = `
select distinct attempted_by[cardinality(attempted_by)] from river_job
where state = 'running' and queue = any($1) and attempted_by[cardinality(attempted_by)] not in (
    select $2 || objid::bigint from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2 and classid::bigint = $3
        and database = (select oid from pg_database where datname = current_database()))`

// look asks who has gone and takes up what was forgotten, in one round trip.
func (w *watch) look(ctx context.Context, conn *pgx.Conn) error {
	var gone []string
	batch := &pgx.Batch{}
	batch.Queue(findGoneWorkers, []string{noticeQueue, choreQueue}, workerPrefix, workerLocks).Query(func(rows pgx.Rows) (err error) {
		gone, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	batch.Queue(takeUpJobs, noticeQueue, w.worker.String(), w.hands.full(), forgottenAfter.Seconds()).Exec(w.tookUp)
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("look for workers that have gone, and for forgotten jobs: %w", err)
	}
	missed := map[string]time.Time{}
	for _, name := range gone {
		since, known := w.missed[name]
		if !known {
			since = time.Now()
		}
		missed[name] = since
		if time.Since(since) >= goneAfter {
			if err := w.takeOver(ctx, conn, name); err != nil {
				return err
			}
		}
	}
	w.missed = missed
	return nil
}

const takeOverJobs = `
with freed as (update mailboxes set busy_until = null, busy_by = '' where busy_by = $2)
update river_job set state = 'available', scheduled_at = now()
where state = 'running' and queue = any($1) and attempted_by[cardinality(attempted_by)] = $2`

// takeOver puts back what a worker that has gone had in its hands.
func (w *watch) takeOver(ctx context.Context, conn *pgx.Conn, name string) error {
	tag, err := conn.Exec(ctx, takeOverJobs, []string{noticeQueue, choreQueue}, name)
	if err != nil {
		return fmt.Errorf("take over from a worker that has gone: %w", err)
	}
	if n := tag.RowsAffected(); n > 0 {
		w.log.Warn("a worker has gone, its jobs are taken over", "worker", name, "count", n)
	}
	return nil
}

const takeUpJobs = `
update river_job set state = 'available', scheduled_at = now()
where state = 'running' and queue = $1 and attempted_by[cardinality(attempted_by)] = $2 and id <> all($3)
    and attempted_at < now() - make_interval(secs => $4)`

// tookUp says how many jobs were put back that counted as being in our own hands and were not.
func (w *watch) tookUp(tag pgconn.CommandTag) error {
	if n := tag.RowsAffected(); n > 0 {
		w.log.Warn("notices that were left lying are taken up again", "count", n)
	}
	return nil
}

// wakeNoticesOf lets the jobs of a user's pending notices run now, whatever they are waiting for.
const wakeNoticesOf = `
update river_job set state = 'available', scheduled_at = now() from notices
where notices.user_id = $1 and notices.state = 'pending' and river_job.kind = 'deliver_notice'
    and river_job.state in ('available', 'scheduled', 'retryable') and river_job.scheduled_at > now()
    and river_job.args @> jsonb_build_object('notice', notices.id)`

// wakeNotices lets the jobs of all pending notices run now. Whoever starts the program may have changed what they waited
// for, such as the token.
func (s *Store) wakeNotices(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `update river_job set state = 'available', scheduled_at = now()
		where kind = 'deliver_notice' and state in ('scheduled', 'retryable')`)
	if err != nil {
		return fmt.Errorf("wake the notices: %w", err)
	}
	return nil
}
