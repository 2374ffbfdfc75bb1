// Package changefeed broadcasts changes between replicas.
//
// Every transaction that changes something stores what in the table changes. After the commit the process
// sends a NOTIFY without content, outside of the transaction (inside, all commits would queue behind one
// another). A replica that hears it reads from the table what it has not seen yet. Nothing depends on the
// notification: every replica also polls, so a lost one, or a process that was killed before it sent one,
// delays the change by one poll. See polling for how often.
package changefeed

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/sql/internal/db"
	"tradepost/sql/pgconnect"
	"tradepost/sql/replicas"
)

const (
	channel = "tradepost_changes"
	// between two notifications of one process; what is committed meanwhile shares the second
	notifyPause = 20 * time.Millisecond
	readLimit   = 5 * time.Second // for one read of the table
)

// Feed is one process's end of the change feed. It is safe for concurrent use.
type Feed struct {
	pool     *pgxpool.Pool
	direct   *pgxpool.Pool // its connections can LISTEN
	position *replicas.Position
	log      *slog.Logger
	polling  polling
	cache    *cache.Cache

	committed chan struct{} // signals that others must be notified
	stop      context.CancelFunc
	stopped   chan struct{}
}

// New returns a feed, and with it the process's cache. The connections of direct must support LISTEN; the
// connections of pool need not. The feed advances position as it reads; position may be nil.
func New(pool, direct *pgxpool.Pool, position *replicas.Position, log *slog.Logger) *Feed {
	ctx, stop := context.WithCancel(context.Background())
	f := &Feed{
		pool: pool, direct: direct, position: position, log: log,
		committed: make(chan struct{}, 1), stop: stop, stopped: make(chan struct{}),
	}
	f.cache = cache.New(f.polling.read)
	go f.notify(ctx)
	return f
}

// Close stops notifying others. Listen ends with its context.
func (f *Feed) Close() {
	f.stop()
	<-f.stopped
}

// Cache returns this process's cache of the market. The feed invalidates it on every change, of
// this process's own before the write is acknowledged.
func (f *Feed) Cache() *cache.Cache { return f.cache }

// Refresh makes everything in the cache stale, after what its values are made of has changed outside of it.
func (f *Feed) Refresh() { f.cache.Changed(core.Change{Resync: true}) }

// Committed is called for each commit that noted a change, before the write is acknowledged.
func (f *Feed) Committed(c core.Change) {
	if len(c.Orders)+len(c.Users)+len(c.SignedOut)+len(c.Traded) == 0 && !c.Items && !c.AnyTraded {
		return
	}
	f.cache.Changed(c)
	select {
	case f.committed <- struct{}{}:
	default: // a notification is due already
	}
}

func (f *Feed) notify(ctx context.Context) {
	defer close(f.stopped)
	queries := db.New(f.pool)
	for {
		select {
		case <-f.committed:
		case <-ctx.Done():
			return
		}
		notifying, cancel := context.WithTimeout(ctx, time.Second)
		if err := queries.NotifyChange(notifying, channel); err != nil && ctx.Err() == nil {
			f.log.Debug("change feed: notify failed", "error", err)
		}
		cancel()
		select {
		case <-time.After(notifyPause):
		case <-ctx.Done():
			return
		}
	}
}

// Listen calls each with what any replica has changed, this one included, until ctx ends. The first call,
// and the first after a lost connection, is a Resync. Changes that are read together are passed on
// together. It keeps a connection of its own.
func (f *Feed) Listen(ctx context.Context, each func(core.Change)) {
	for attempt := 1; ; attempt++ {
		started := time.Now()
		err := f.listen(ctx, each)
		if ctx.Err() != nil {
			return
		}
		if time.Since(started) > time.Minute {
			attempt = 1
		}
		f.log.Warn("change feed: connection cut, reconnecting", "error", err)
		select {
		case <-time.After(pgconnect.Backoff(min(attempt, pgconnect.MaxAttempts))):
		case <-ctx.Done():
			return
		}
	}
}

func (f *Feed) listen(ctx context.Context, each func(core.Change)) error {
	conn, err := f.connect(ctx)
	if err != nil {
		return err
	}
	defer pgconnect.Close(ctx, conn)
	if _, err := conn.Exec(ctx, "listen "+channel); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	// Every process that runs listens, so a crash of the server is noted soon.
	if err := db.New(conn).BeginCrashEpoch(ctx); err != nil && !pgconnect.OutOfResources(err) {
		return fmt.Errorf("begin a crash epoch: %w", err)
	}
	log := changeLog{queries: db.New(conn), cache: f.cache, position: f.position,
		restarted: f.position.Restart()}
	if _, err := log.read(ctx); err != nil {
		return err
	}
	each(core.Change{Resync: true})
	for {
		if err := f.poll(ctx, conn, &log, each); err != nil {
			return err
		}
	}
}

// connect opens the connection that reads the changes.
func (f *Feed) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgconnect.OpenListener(ctx, f.direct, "tradepost changes", readLimit)
}

// poll waits for a notification or for the next poll, and passes on what has changed.
func (f *Feed) poll(ctx context.Context, conn *pgx.Conn, log *changeLog, each func(core.Change)) error {
	waiting, longest, done := f.polling.wait(ctx)
	defer done()
	if longest == idleEvery {
		f.cache.UpToDate(time.Time{}) // it no longer is: the next reader has the feed read first
	}
	err := pgconnect.WaitForNotification(waiting, conn, longest)
	if waiting.Err() != nil {
		err = ctx.Err() // nil when a reader wants the changes now
	}
	if err != nil {
		return err
	}
	change, err := log.read(ctx)
	if err != nil {
		return err // also when the server stopped answering: another connection may fare better
	}
	if change.Resync || change.Items || change.AnyTraded ||
		len(change.Orders)+len(change.Users)+len(change.SignedOut)+len(change.Traded) > 0 {
		each(change)
	}
	return log.prune(ctx)
}
