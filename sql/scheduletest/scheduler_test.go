package scheduletest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core/coretest"
)

// fault comes in place of a round trip, or after it.
type fault byte

const (
	noFault fault = ' '
	// The process ends before the round trip, or after the server has carried out a commit. Its connection
	// is closed, and nobody gets an answer.
	crashBefore fault = 'c'
	crashAfter  fault = 'k'
	// The connection breaks before the round trip, or after the server has carried out a commit.
	cutBefore  fault = 'x'
	answerLost fault = 'l'
	// The server answers with SQLSTATE 40001.
	serialization fault = 's'
)

// step lets one lane go on.
type step struct {
	lane  int
	fault fault
}

func (s step) String() string {
	return strings.TrimSpace(fmt.Sprintf("%d%c", s.lane, s.fault))
}

// laneState says what a lane is doing.
type laneState int

const (
	waiting  laneState = iota // at a round trip, for the scheduler
	thinking                  // in Go
	sent                      // a round trip was sent and not answered
	blocked                   // as sent, and another lane has the lock
	ended
)

// lane is one writer.
type lane struct {
	number int
	sched  *scheduler
	state  laneState
	pid    uint32   // the session of its next or latest round trip; zero before the first
	pids   []uint32 // its sessions
	commit bool     // its next round trip has a COMMIT
	batch  bool     // its next round trip is sent by a transaction
	reply  chan fault
	dying  bool // its process ends with the answer that it waits for; only its goroutine uses it
	answer answer

	began, over, committed int // steps; zero before
}

// event is what a lane does.
type event struct {
	lane   *lane
	kind   laneState // waiting, thinking (it was answered) or ended
	pid    uint32
	commit bool
	batch  bool
	answer answer // of one that has ended
}

// scheduler lets exactly one lane go on at a time, while others wait for it or for a lock.
type scheduler struct {
	lanes   []*lane
	events  chan event
	watcher *pgx.Conn
	choose  func(ready []*lane) step
	taken   []step
	limit   time.Duration
}

func newScheduler(lanes int, watcher *pgx.Conn, choose func([]*lane) step) *scheduler {
	s := &scheduler{
		events: make(chan event, 8*lanes), watcher: watcher, choose: choose,
		limit: coretest.Patience(30 * time.Second),
	}
	for i := range lanes {
		s.lanes = append(s.lanes, &lane{number: i, sched: s, reply: make(chan fault, 1)})
	}
	return s
}

// mostSteps is far more than any schedule takes: one that takes more repeats itself.
const mostSteps = 1000

// run lets lanes go on until all have ended.
func (s *scheduler) run(ctx context.Context) error {
	for range mostSteps {
		if err := s.settle(ctx); err != nil {
			return err
		}
		var ready []*lane
		for _, l := range s.lanes {
			if l.state == waiting {
				ready = append(ready, l)
			}
		}
		if len(ready) == 0 {
			return nil
		}
		s.grant(s.choose(ready))
	}
	return fmt.Errorf("not over after %d steps", mostSteps)
}

const inTransaction = `select exists (select from pg_stat_activity where datname = current_database()
	and backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start is not null)`

// rest waits until the server has rolled back what a fault has ended: a job leaves out what is locked.
func (s *scheduler) rest(ctx context.Context) error {
	end := time.NewTimer(s.limit)
	defer end.Stop()
	for {
		var busy bool
		if err := s.watcher.QueryRow(ctx, inTransaction).Scan(&busy); err != nil {
			return fmt.Errorf("look for transactions: %w", err)
		}
		if !busy {
			return nil
		}
		select {
		case <-time.After(firstPoll):
		case <-end.C:
			return errors.New("a transaction does not end")
		}
	}
}

// grant lets a waiting lane go on.
func (s *scheduler) grant(next step) {
	s.taken = append(s.taken, next)
	l, now := s.lanes[next.lane], len(s.taken)
	if l.began == 0 {
		l.began = now
	}
	if next.fault != noFault {
		l.pids = nil // what it has locked there is released
	}
	switch {
	case next.fault == crashBefore:
		l.state, l.over, l.answer = ended, now, noAnswer
	case next.fault == crashAfter:
		// It ends when its commit was answered.
		l.state = sent
	case l.pid == 0:
		l.state = thinking
	default:
		l.state = sent
	}
	if l.commit && next.fault != crashBefore && next.fault != cutBefore && next.fault != serialization {
		l.committed = now
	}
	s.unblock()
	l.reply <- next.fault
}

// unblock notes that a lock may have been released: who was blocked may go on.
func (s *scheduler) unblock() {
	for _, l := range s.lanes {
		if l.state == blocked {
			l.state = sent
		}
	}
}

func (s *scheduler) busy() (thinks, sends bool) {
	for _, l := range s.lanes {
		thinks, sends = thinks || l.state == thinking, sends || l.state == sent
	}
	return thinks, sends
}

// firstPoll is how long a round trip usually takes at most.
const firstPoll, longestPoll = 700 * time.Microsecond, 5 * time.Millisecond

// settle returns when every lane waits for the scheduler, is blocked by one that does, or has ended.
func (s *scheduler) settle(ctx context.Context) error {
	pause := firstPoll
	end := time.NewTimer(s.limit)
	defer end.Stop()
	for {
		thinks, sends := s.busy()
		if !thinks && !sends {
			return nil
		}
		var poll <-chan time.Time
		if !thinks {
			poll = time.After(pause)
		}
		select {
		case e := <-s.events:
			s.note(e)
		case <-poll:
			if err := s.lookForLocks(ctx); err != nil {
				return err
			}
			pause = min(pause*3/2, longestPoll)
		case <-end.C:
			return errors.New("a lane neither goes on nor is blocked by another")
		}
	}
}

func (s *scheduler) note(e event) {
	l := e.lane
	if l.state == ended {
		return // its process has ended, and what its goroutine still does is of no effect
	}
	switch e.kind {
	case waiting:
		l.state, l.pid, l.commit, l.batch = waiting, e.pid, e.commit, e.batch
		if e.pid != 0 && !slices.Contains(l.pids, e.pid) {
			l.pids = append(l.pids, e.pid)
		}
	case ended:
		l.state, l.over, l.answer = ended, len(s.taken), e.answer
		s.unblock()
	case thinking, sent, blocked:
		l.state = e.kind
	}
}

// lookForLocks notes the lanes that are blocked, when all that were sent are: by lanes that wait.
func (s *scheduler) lookForLocks(ctx context.Context) error {
	var pids []int32
	by := map[uint32]*lane{}
	for _, l := range s.lanes {
		if l.state == sent || l.state == blocked {
			pids = append(pids, int32(l.pid))
		}
		if l.state != ended {
			for _, pid := range l.pids {
				by[pid] = l
			}
		}
	}
	rows, err := s.watcher.Query(ctx, "select pid, pg_blocking_pids(pid) from unnest($1::int[]) pid", pids)
	if err != nil {
		return fmt.Errorf("look for locks: %w", err)
	}
	blockers := map[uint32][]uint32{}
	var (
		pid int32
		of  []int32
	)
	_, err = pgx.ForEachRow(rows, []any{&pid, &of}, func() error {
		for _, b := range of {
			blockers[uint32(pid)] = append(blockers[uint32(pid)], uint32(b))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look for locks: %w", err)
	}
	// held reports whether a session waits for one that the scheduler holds back.
	var held func(pid uint32, through []uint32) bool
	held = func(pid uint32, through []uint32) bool {
		if slices.Contains(through, pid) {
			return false // a circle, which the server ends
		}
		return slices.ContainsFunc(blockers[pid], func(b uint32) bool {
			l := by[b]
			return l != nil && (l.state == waiting || held(b, append(through, pid)))
		})
	}
	for _, pid := range pids {
		if !held(uint32(pid), nil) {
			return nil
		}
	}
	for _, l := range s.lanes {
		if l.state == sent {
			l.state = blocked
		}
	}
	return nil
}
