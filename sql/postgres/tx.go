package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

// Atomically runs do in one transaction and commits when it returns nil. It runs do again when the database asks for it,
// and when the connection broke before the commit was sent. When the answer to the commit is lost, it asks the server
// what became of the transaction: an acknowledged write has happened once, a refused one never. It refuses with
// Unavailable when the database cannot be reached, also when it cannot be learnt whether the write has happened.
func (s *Store) Atomically(ctx context.Context, do func(core.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	var known keptClaim
	for attempt := 1; ; attempt++ {
		again, err := s.attempt(ctx, &known, do)
		if errors.Is(err, errKept) {
			continue // with what is known now
		}
		if err == nil || !again || !pause(ctx, attempt) {
			return translate(err)
		}
	}
}

// attempt runs do once. It says whether another attempt is safe and might fare better.
func (s *Store) attempt(ctx context.Context, known *keptClaim, do func(core.Tx) error) (again bool, err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return connectionFailed(err), fmt.Errorf("get a connection: %w", err)
	}
	defer conn.Release()
	p := &pipeline{ctx: ctx, conn: conn}
	t := newTx(p, s.jobs, s.worker.String())
	t.known = known
	defer func() { err = errors.Join(err, p.Rollback(ctx)) }()
	if err := do(t); err != nil {
		return retryable(err) || connectionFailed(err), err
	}
	t.noteChange(ctx)
	if err = p.Commit(ctx); err == nil {
		s.committed(t)
		return false, nil
	}
	if !connectionFailed(err) && ctx.Err() == nil {
		return retryable(err), err
	}
	// The answer was lost.
	committed, lookErr := s.outcome(ctx, p.number)
	switch {
	case lookErr != nil:
		// Under its key, a write that has happened finds itself and does not happen again.
		return t.claimed, fmt.Errorf("%w; and it is not known whether it was committed: %w", err, lookErr)
	case committed:
		s.committed(t)
		return false, nil
	default:
		return true, err
	}
}

// committed tells what a transaction has changed, before its write is acknowledged.
func (s *Store) committed(t *tx) {
	if t.lists {
		s.totals.forget()
	}
	s.news.committed(t.change())
}

// tx is the Store inside a transaction.
type tx struct {
	*pipeline
	q      *db.Queries
	jobs   jobInserter
	worker string // who sends messages here

	// What this transaction has locked or met, as it stands now.
	locked map[core.OrderID]core.Order
	offers map[core.OfferID]core.Offer
	given  map[core.NoticeID]*core.DeliveryID // the direct message that a locked notice was given to
	reader core.UserID                        // of the locked mailbox
	known  *keptClaim                         // from an earlier attempt

	claimed bool // the write carries a key

	// What it changes.
	wrote  bool // something about the locked orders
	lists  bool // which orders a list holds
	posted []core.OrderID
	users  []core.UserID // whose lists

	spare numbers
}

// numbers are for rows to come; they arrive with what is locked.
type numbers struct{ order, sale, offer, notice int64 }

var _ core.Tx = (*tx)(nil)

func newTx(p *pipeline, jobs jobInserter, worker string) *tx {
	return &tx{
		pipeline: p, q: db.New(p), jobs: jobs, worker: worker,
		locked: map[core.OrderID]core.Order{}, offers: map[core.OfferID]core.Offer{},
		given: map[core.NoticeID]*core.DeliveryID{},
	}
}

func take(number *int64) int64 {
	n := *number
	*number = 0
	return n
}

// change is what this transaction changed, as far as others care.
func (t *tx) change() core.Change {
	c := core.Change{Orders: slices.Clone(t.posted)}
	users := slices.Clone(t.users)
	if t.wrote {
		for id, o := range t.locked {
			c.Orders = append(c.Orders, id)
			users = append(users, o.Owner)
		}
	}
	slices.Sort(c.Orders)
	slices.Sort(users)
	c.Users = slices.Compact(users)
	return c
}

func (t *tx) noteChange(ctx context.Context) {
	c := t.change()
	if len(c.Orders)+len(c.Users) == 0 {
		return
	}
	// It is held back: what is wrong with it is said by the commit.
	_ = t.q.NoteChange(ctx, db.NoteChangeParams{Orders: raw(c.Orders), Users: raw(c.Users), Lists: t.lists})
}

func raw[ID ~int64](ids []ID) []int64 { return convert(ids, func(id ID) int64 { return int64(id) }) }
