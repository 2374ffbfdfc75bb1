package kernel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/pgconnect"
	"tradepost/sql/queue"
	"tradepost/sql/replicas"
)

// InTx runs do in one transaction and commits when it returns nil. It runs do again when the database asks
// for it, and when the connection broke before the commit was sent. When the answer to the commit is lost, it
// asks the server for the commit status: a write that returned nil has happened once, one that returned an
// error never. It returns an Unavailable error when the database cannot be reached; the error's Unknown is
// set when the write may have happened.
func (s *DB) InTx(ctx context.Context, do func(*Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	var known storedClaim
	unknown := false // whether an attempt was committed
	for attempt := 1; ; attempt++ {
		again, err := s.attempt(ctx, &known, do)
		if errors.Is(err, errRepeated) {
			if err := s.confirmKnown(ctx, known); err != nil {
				return withStatus(Translate(err), true)
			}
			continue // with the stored answer
		}
		unknown = unknown || errors.Is(err, errStatusUnknown)
		if err == nil || !again || !pgconnect.Pause(ctx, attempt) {
			return withStatus(Translate(err), unknown)
		}
	}
}

// attempt runs do once. It returns whether another attempt is safe and may succeed.
func (s *DB) attempt(ctx context.Context, known *storedClaim, do func(*Tx) error) (again bool, err error) {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return false, fmt.Errorf("wait for other writes: %w", ctx.Err())
	}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return pgconnect.ConnectionFailed(err), fmt.Errorf("get a connection: %w", err)
	}
	defer conn.Release()
	p := &pipeline{ctx: ctx, conn: conn, locate: s.position != nil}
	t := newTx(p, s.jobs, s.worker.String(), s.now)
	t.known, t.IdentityKey = known, s.identityKey
	defer func() { err = errors.Join(err, p.Rollback(ctx)) }()
	if err := do(t); err != nil {
		return pgconnect.Retryable(err) || pgconnect.ConnectionFailed(err), err
	}
	t.countItems(ctx)
	t.saveChange(ctx)
	if err = p.Commit(ctx); err == nil {
		if p.begun {
			s.committed(t, p.place)
		}
		return false, nil
	}
	if !pgconnect.ConnectionFailed(err) && ctx.Err() == nil {
		return pgconnect.Retryable(err), err
	}
	// The answer was lost.
	committed, statusErr := s.commitStatus(ctx, p.id)
	switch {
	case statusErr != nil:
		// Under its key, a write that has happened finds itself and does not happen again.
		return t.claimed, fmt.Errorf("%w (%w): %w", errStatusUnknown, statusErr, err)
	case committed:
		s.committed(t, 0)
		return false, nil
	default:
		return true, err
	}
}

// committed is called before a write is acknowledged. place is where it is in the log; zero when that is not
// known.
func (s *DB) committed(t *Tx, place int64) {
	if place > 0 {
		s.position.Advance(replicas.LSN(place))
	} else {
		s.position.Lose(time.Now())
	}
	s.feed.Committed(t.change())
}

// Tx is a transaction. Each noun reads and writes in it with a struct of its own.
type Tx struct {
	*pipeline
	Changes
	Q      *db.Queries
	Jobs   *queue.Inserter
	Worker string // who sends messages here
	Now    func() time.Time

	IdentityKey []byte // of hashed accounts; empty to use the key in the database

	Spare Numbers

	known   *storedClaim // from an earlier attempt
	claimed bool         // the write carries a key
}

// Numbers are IDs for new rows; they are read with the locked rows.
type Numbers struct{ Order, Sale, Offer, Notice int64 }

func newTx(p *pipeline, jobs *queue.Inserter, worker string, now func() time.Time) *Tx {
	return &Tx{
		pipeline: p, Q: db.New(p), Jobs: jobs, Worker: worker, Now: now,
		Changes: Changes{locked: map[core.OrderID]core.UserID{}},
	}
}

// Take returns a number and clears it, so that it is used once.
func Take(number *int64) int64 {
	n := *number
	*number = 0
	return n
}

// Raw returns ids as numbers.
func Raw[ID ~int64](ids []ID) []int64 { return Convert(ids, func(id ID) int64 { return int64(id) }) }

// IDs returns numbers as ids.
func IDs[ID ~int64](numbers []int64) []ID { return Convert(numbers, func(n int64) ID { return ID(n) }) }
