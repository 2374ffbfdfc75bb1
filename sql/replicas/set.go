// Package replicas chooses which standby a read may be answered by (decision 245).
//
// A process reads from one standby at a time, and from the primary when that one is behind. A read sees at
// least what the process knows of (Position), and what the primary had MaxBehind ago. So a process never
// shows less than it has shown or was notified of.
//
// While there are no reads, no server is asked where it is; the first read after that goes to the primary.
package replicas

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/pgconnect"
)

const (
	activeFor = 3 * time.Second       // after a read, another one is expected
	reachWait = 50 * time.Millisecond // how long a read waits for a replica to get as far as it needs
)

// Set are the standbys of a process. It is safe for concurrent use.
type Set struct {
	position *Position
	primary  Primary
	replicas []*Replica
	log      *slog.Logger

	readAt  atomic.Int64 // when the last read came, in nanoseconds since 1970
	wake    chan struct{}
	reads   atomic.Int64 // answered by a replica
	primed  atomic.Int64 // answered by the primary
	stop    context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex
	current *Replica // the replica that is read from; nil while there is none
	samples samples
	there   context.Context // ends when the primary goes away
	left    context.CancelFunc
	leftAt  time.Time // when it went away last
}

// Primary are the connections to the primary: those for pages, and those for everything else.
type Primary struct{ Pages, Writes *pgxpool.Pool }

// Open returns the standbys at the addresses. None of them needs to answer yet.
func Open(
	primary Primary, position *Position, dsns []string, opts pgconnect.Options, log *slog.Logger,
) (*Set, error) {
	ctx, stop := context.WithCancel(context.Background())
	s := &Set{position: position, primary: primary, log: log, wake: make(chan struct{}), stop: stop}
	s.there, s.left = context.WithCancel(ctx)
	for _, i := range rand.Perm(len(dsns)) { // so that processes spread over them
		config, err := pgconnect.Config(dsns[i], opts)
		if err != nil {
			s.Close()
			return nil, err
		}
		pool, err := pgxpool.NewWithConfig(ctx, config)
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("connect to a replica: %w", err)
		}
		r := &Replica{
			pool: pool, name: net.JoinHostPort(config.ConnConfig.Host,
				strconv.Itoa(int(config.ConnConfig.Port))),
			polled: make(chan struct{}), kick: make(chan struct{}, 1),
		}
		r.up, r.down = context.WithCancel(ctx)
		s.replicas = append(s.replicas, r)
	}
	for _, r := range s.replicas {
		s.running.Go(func() { r.follow(ctx, s) })
	}
	s.running.Go(func() { s.followPrimary(ctx) })
	return s, nil
}

// Close closes all connections to the standbys.
func (s *Set) Close() {
	s.stop()
	s.running.Wait()
	for _, r := range s.replicas {
		r.pool.Close()
	}
}

// Reads returns how many reads were answered by a standby, and how many by the primary.
func (s *Set) Reads() (replica, primary int64) { return s.reads.Load(), s.primed.Load() }

// Choose returns the standby that a read may go to now; nil when it must go to the primary, or fail while
// that is away.
func (s *Set) Choose(ctx context.Context) *Replica {
	s.readerCame()
	late := time.NewTimer(reachWait)
	defer late.Stop()
	for {
		r, verdict := s.choose(time.Now())
		switch verdict {
		case use:
			return r
		case askNow:
			if !r.askAgain(ctx, late) {
				return nil
			}
		case leave:
			return nil
		}
	}
}

// choose returns the standby to read from, and whether it is far enough.
func (s *Set) choose(now time.Time) (*Replica, verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		verdict := s.view(s.current, now).verdict()
		if verdict != leave {
			return s.current, verdict
		}
		// Another standby may have less than this one has shown.
		s.position.Lose(now)
		s.current = nil
	}
	best, of := (*Replica)(nil), leave
	for _, r := range s.replicas {
		v := s.view(r, now)
		verdict := v.verdict()
		if verdict > of || verdict == of && of != leave && v.away && r.place() > best.place() {
			best, of = r, verdict
		}
	}
	if of == use {
		s.current = best
	}
	return best, of
}

func (r *Replica) place() LSN {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.replayed
}

func (s *Set) view(r *Replica, now time.Time) view {
	v := view{now: now, samples: s.samples, away: s.there.Err() != nil, left: s.leftAt}
	v.need, v.needed, v.known = s.position.need()
	r.mu.Lock()
	defer r.mu.Unlock()
	v.answered, v.replayed, v.still = r.answered, r.replayed, r.still
	return v
}

// Away reports whether the primary has not answered for a while.
func (s *Set) Away() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.there.Err() != nil
}

// WhileThere returns a context for a read of the primary, which ends with ctx and when the primary goes
// away. A nil set returns ctx.
func (s *Set) WhileThere(ctx context.Context) (bound context.Context, end func()) {
	if s == nil {
		return ctx, func() {}
	}
	s.readerCame()
	s.mu.Lock()
	there := s.there
	s.mu.Unlock()
	bound, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(there, cancel)
	return bound, func() { stop(); cancel() }
}

const askPrimary = "select (pg_current_wal_flush_lsn() - '0/0')::bigint"

// Answered says that a read was answered by a standby.
func (s *Set) Answered() { s.reads.Add(1) }

// ReadPrimary says that a read was answered by the primary: later ones must not show less.
func (s *Set) ReadPrimary(ctx context.Context) {
	s.primed.Add(1)
	s.CatchUp(ctx)
}

// CatchUp has later reads include everything that was committed until now, by whatever process.
func (s *Set) CatchUp(ctx context.Context) {
	now := time.Now()
	var at LSN
	ctx, end := s.WhileThere(ctx)
	defer end()
	if err := s.primary.Pages.QueryRow(ctx, askPrimary).Scan(&at); err != nil {
		s.position.Lose(now)
		return
	}
	s.position.Advance(at)
}

// followPrimary asks the primary where it is, until ctx ends.
func (s *Set) followPrimary(ctx context.Context) {
	config := s.primary.Pages.Config()
	q := question{config: config.ConnConfig, before: config.BeforeConnect, name: "tradepost position"}
	defer q.close(ctx)
	answered := time.Now()
	for {
		if !s.active() {
			if !s.awaitReaders(ctx) {
				return
			}
			answered = time.Now()
		}
		asked := time.Now()
		var at LSN
		asking, cancel := context.WithTimeout(ctx, awayAfter)
		err := q.ask(asking, awayAfter, askPrimary, &at)
		cancel()
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			answered = time.Now()
			s.sampled(asked, at)
		} else if since := time.Since(answered); since >= awayAfter {
			s.wentAway(err)
		}
		select {
		case <-time.After(sampleEvery):
		case <-ctx.Done():
			return
		}
	}
}

func (s *Set) sampled(asked time.Time, at LSN) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.there.Err() != nil {
		s.there, s.left = context.WithCancel(context.Background())
		s.log.Info("replicas: the primary answers again")
	}
	s.samples = s.samples.with(sample{asked, at})
	s.position.sampled(asked, at)
}

var errSilent = errors.New("no answer")

func (s *Set) wentAway(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.there.Err() == nil {
		s.left()
		s.leftAt = time.Now()
		// Where several servers are named, nothing cuts connections to one that hangs, and each would cost
		// a request its time.
		s.primary.Pages.Reset()
		s.primary.Writes.Reset()
		s.log.Warn("replicas: the primary does not answer, lists are read from replicas alone", "error",
			errors.Join(errSilent, err))
	}
}

func (s *Set) active() bool { return time.Since(time.Unix(0, s.readAt.Load())) < activeFor }

// readerCame wakes the goroutines that poll the servers.
func (s *Set) readerCame() {
	was := s.active()
	s.readAt.Store(time.Now().UnixNano())
	if !was {
		s.mu.Lock()
		close(s.wake)
		s.wake = make(chan struct{})
		s.mu.Unlock()
	}
}

// awaitReaders returns true once there are readers, false when ctx ends.
func (s *Set) awaitReaders(ctx context.Context) bool {
	for {
		s.mu.Lock()
		wake := s.wake
		s.mu.Unlock()
		if ctx.Err() != nil {
			return false
		}
		if s.active() {
			return true
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return false
		}
	}
}
