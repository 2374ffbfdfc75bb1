package replicas

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/pgconnect"
)

const (
	sampleEvery  = 50 * time.Millisecond  // between two questions while there are readers
	retryEvery   = 500 * time.Millisecond // to a server that does not answer
	answerLimit  = 250 * time.Millisecond // for a replica's answer
	connectLimit = 2 * time.Second
)

// Replica is one standby.
type Replica struct {
	pool *pgxpool.Pool
	name string

	mu       sync.Mutex
	answered time.Time
	replayed LSN
	received LSN
	still    time.Time     // since when it neither receives nor replays, though nothing holds it back
	polled   chan struct{} // closed after the next answer, or the lack of one
	kick     chan struct{}
	up       context.Context // ends when it stops answering
	down     context.CancelFunc
}

// Pool returns the connections to the replica.
func (r *Replica) Pool() *pgxpool.Pool { return r.pool }

// Bound returns a context for a read of this replica, which ends with ctx and when the replica stops
// answering.
func (r *Replica) Bound(ctx context.Context) (bound context.Context, end func()) {
	r.mu.Lock()
	up := r.up
	r.mu.Unlock()
	bound, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(up, cancel)
	return bound, func() { stop(); cancel() }
}

// Failed says that a read has failed. The replica is left until it answers again when the connection was
// the reason.
func (r *Replica) Failed(err error) {
	if pgconnect.ConnectionFailed(err) {
		r.gone()
	}
}

func (r *Replica) gone() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered, r.still = time.Time{}, time.Time{}
	r.down()
	r.announce()
}

func (r *Replica) came(asked time.Time, replayed, received LSN, held bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.up.Err() != nil {
		r.up, r.down = context.WithCancel(context.Background())
	}
	switch {
	case held:
		r.still = time.Time{}
	case r.still.IsZero() || replayed != r.replayed || received != r.received:
		r.still = asked
	}
	r.answered, r.replayed, r.received = asked, replayed, received
	r.announce()
}

// announce wakes the readers that wait for a poll.
func (r *Replica) announce() {
	close(r.polled)
	r.polled = make(chan struct{})
}

// askAgain waits for the next answer of the replica and returns false when it takes too long.
func (r *Replica) askAgain(ctx context.Context, until *time.Timer) bool {
	r.mu.Lock()
	polled := r.polled
	r.mu.Unlock()
	select {
	case r.kick <- struct{}{}:
	default: // it is being asked
	}
	select {
	case <-polled:
		return true
	case <-until.C:
	case <-ctx.Done():
	}
	return false
}

var errNoReplica = errors.New("the server is no standby")

const askReplica = `select pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint,
	coalesce(pg_last_wal_receive_lsn() - '0/0', 0)::bigint,
	case when not pg_is_in_recovery() then true
		else pg_is_wal_replay_paused() or current_setting('recovery_min_apply_delay') <> '0' end`

// follow asks the replica where it is, until ctx ends. It keeps a connection of its own: a pool that is
// busy says nothing about the server.
func (r *Replica) follow(ctx context.Context, s *Set) {
	q := question{config: r.pool.Config().ConnConfig, name: "tradepost replica"}
	defer q.close(ctx)
	told := false // whether the log says that it does not answer
	for s.awaitReaders(ctx) {
		asked := time.Now()
		var standby, held bool
		var replayed, received LSN
		err := q.ask(ctx, answerLimit, askReplica, &standby, &replayed, &received, &held)
		if err == nil && !standby {
			err = errNoReplica
		}
		if ctx.Err() != nil {
			return
		}
		pause := sampleEvery
		if err != nil {
			r.gone()
			pause = retryEvery
			if !told {
				told = true
				s.log.Warn("replica: does not answer, reading elsewhere", "replica", r.name, "error", err)
			}
		} else {
			r.came(asked, replayed, received, held)
			if told {
				told = false
				s.log.Info("replica: answers again", "replica", r.name)
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-r.kick:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// question is a connection that one thing is asked on, again and again.
type question struct {
	config *pgx.ConnConfig
	before func(context.Context, *pgx.ConnConfig) error // as of a pool; may be nil
	name   string
	conn   *pgx.Conn
}

// ask asks within a time, on a new connection when the last one failed.
func (q *question) ask(ctx context.Context, limit time.Duration, sql string, into ...any) error {
	if q.conn == nil {
		connecting, cancel := context.WithTimeout(ctx, connectLimit)
		defer cancel()
		config := q.config.Copy()
		config.RuntimeParams["application_name"] = q.name
		if q.before != nil {
			if err := q.before(connecting, config); err != nil {
				return fmt.Errorf("connect: %w", err)
			}
		}
		conn, err := pgx.ConnectConfig(connecting, config)
		if err != nil {
			return fmt.Errorf("connect: %w", err)
		}
		q.conn = conn
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := q.conn.QueryRow(ctx, sql).Scan(into...); err != nil {
		q.close(ctx)
		return err
	}
	return nil
}

func (q *question) close(ctx context.Context) {
	pgconnect.Close(ctx, q.conn)
	q.conn = nil
}
