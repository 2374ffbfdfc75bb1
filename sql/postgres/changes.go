package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
)

// How news travels: every transaction that changes something stores what in the table changes. After the commit the
// process rings a bell that all replicas hear: a NOTIFY without content, outside of the transaction (inside, it would make
// all commits queue behind one another). Whoever hears it reads from the table what it has not seen yet. Nothing depends
// on the bell: everybody also reads after bellAfter, so a lost one, or a process that was killed before it rang, delays
// the news by no more than that. While nobody would notice, the wait is longer: see attention.
//
// "Not seen yet" is asked of PostgreSQL's own snapshots: a row is new when its transaction is visible now and was not
// visible in the snapshot of the last reading. Numbers would not do: a transaction may commit after one with a higher
// number.
const (
	bell      = "tradepost_changes"
	bellPause = 20 * time.Millisecond  // between two rings of one process; what happens in between goes with the second
	bellAfter = 200 * time.Millisecond // without a ring, look anyway
	readLimit = 5 * time.Second        // for one reading
)

// news tells what was committed here: at once in this process, and to the others by the bell.
type news struct {
	ring func(context.Context) error
	log  *slog.Logger

	mu       sync.RWMutex
	watchers []func(core.Change)

	rang    chan struct{}
	stop    context.CancelFunc
	stopped chan struct{}
}

func newNews(s *Store) *news {
	ctx, stop := context.WithCancel(context.Background())
	n := &news{
		ring: func(ctx context.Context) error {
			_, err := s.pool.Exec(ctx, "select pg_notify($1, '')", bell)
			return err
		},
		log: s.log, rang: make(chan struct{}, 1), stop: stop, stopped: make(chan struct{}),
	}
	go n.run(ctx)
	return n
}

// OnCommit has f called with every change that is committed through this store, before the write is acknowledged. f must
// be quick and must not use the store. It is for caches of this process: its own writes are then always seen.
func (s *Store) OnCommit(f func(core.Change)) {
	s.news.mu.Lock()
	defer s.news.mu.Unlock()
	s.news.watchers = append(s.news.watchers, f)
}

func (n *news) committed(c core.Change) {
	if len(c.Orders)+len(c.Users) == 0 {
		return
	}
	n.mu.RLock()
	watchers := n.watchers
	n.mu.RUnlock()
	for _, f := range watchers {
		f(c)
	}
	select {
	case n.rang <- struct{}{}:
	default: // it will ring anyway
	}
}

func (n *news) run(ctx context.Context) {
	defer close(n.stopped)
	for {
		select {
		case <-n.rang:
		case <-ctx.Done():
			return
		}
		ringing, cancel := context.WithTimeout(ctx, time.Second)
		if err := n.ring(ringing); err != nil && ctx.Err() == nil {
			n.log.Debug("ring the bell of changes", "error", err)
		}
		cancel()
		select {
		case <-time.After(bellPause):
		case <-ctx.Done():
			return
		}
	}
}

func (n *news) close() {
	n.stop()
	<-n.stopped
}

// Listen calls each with what any replica has changed, this one included, until ctx ends. The first call, and the first
// after a lost connection, is a Resync. Changes that come together are told together. While there is nobody to Watch, and
// nobody reads, one that no bell was rung for may take 15 seconds. It keeps a connection of its own.
func (s *Store) Listen(ctx context.Context, each func(core.Change)) {
	for attempt := 1; ; attempt++ {
		started := time.Now()
		err := s.listen(ctx, each)
		if ctx.Err() != nil {
			return
		}
		if time.Since(started) > time.Minute {
			attempt = 1
		}
		s.log.Warn("listening for changes was cut, trying again", "error", err)
		select {
		case <-time.After(backoff(min(attempt, maxAttempts))):
		case <-ctx.Done():
			return
		}
	}
}

// connectToListen opens a connection that reads the changes.
func (s *Store) connectToListen(ctx context.Context) (*pgx.Conn, error) {
	config := s.pool.Config().ConnConfig
	config.RuntimeParams["application_name"] = "tradepost changes"
	config.RuntimeParams["statement_timeout"] = milliseconds(readLimit)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return conn, nil
}

func (s *Store) listen(ctx context.Context, each func(core.Change)) error {
	conn, err := s.connectToListen(ctx)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(ctx, "listen "+bell); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if err := noteLife(ctx, conn); err != nil && !outOfResources(err) {
		return fmt.Errorf("note the server's life: %w", err)
	}
	log := changeLog{conn: conn, totals: &s.totals}
	if _, err := log.read(ctx); err != nil {
		return err
	}
	each(core.Change{Resync: true})
	for {
		if err := s.turn(ctx, &log, each); err != nil {
			return err
		}
	}
}

// turn waits for the bell and tells what has changed.
func (s *Store) turn(ctx context.Context, log *changeLog, each func(core.Change)) error {
	waiting, most, done := s.attention.turn(ctx)
	defer done()
	err := waitForNothing(waiting, log.conn, most)
	if waiting.Err() != nil {
		err = ctx.Err() // nil when somebody has come
	}
	if err != nil {
		return err
	}
	change, err := log.read(ctx)
	if err != nil {
		return err // also when the server says nothing any longer: then another connection may fare better
	}
	if change.Resync || len(change.Orders)+len(change.Users) > 0 {
		each(change)
	}
	return log.prune(ctx)
}

// waitForNothing returns nil after a while, or earlier when a notification has come, and an error as soon as the
// connection is cut.
func waitForNothing(ctx context.Context, conn *pgx.Conn, most time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	_, err := conn.WaitForNotification(waiting)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}
