package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/pgconnect"
	"tradepost/sql/queue"
	"tradepost/sql/replicas"
)

// Atomically runs do in one transaction and commits when it returns nil. It runs do again when the database asks for it,
// and when the connection broke before the commit was sent. When the answer to the commit is lost, it asks the server for
// the commit status: a write that returned nil has happened once, one that returned an error never. It returns an
// Unavailable error when the database cannot be reached; the error's Unknown is set when the write may have happened.
func (s *Store) Atomically(ctx context.Context, do func(core.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	var known storedClaim
	unknown := false // whether an attempt was committed
	for attempt := 1; ; attempt++ {
		again, err := s.attempt(ctx, &known, do)
		if errors.Is(err, errRepeated) {
			if err := s.confirmKnown(ctx, known); err != nil {
				return withStatus(translate(err), true)
			}
			continue // with the stored answer
		}
		unknown = unknown || errors.Is(err, errStatusUnknown)
		if err == nil || !again || !pgconnect.Pause(ctx, attempt) {
			return withStatus(translate(err), unknown)
		}
	}
}

// attempt runs do once. It returns whether another attempt is safe and may succeed.
func (s *Store) attempt(ctx context.Context, known *storedClaim, do func(core.Tx) error) (again bool, err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return pgconnect.ConnectionFailed(err), fmt.Errorf("get a connection: %w", err)
	}
	defer conn.Release()
	p := &pipeline{ctx: ctx, conn: conn, locate: s.position != nil}
	t := newTx(p, s.jobs, s.worker.String(), s.now)
	t.known, t.identityKey = known, s.identityKey
	defer func() { err = errors.Join(err, p.Rollback(ctx)) }()
	if err := do(t); err != nil {
		return pgconnect.Retryable(err) || pgconnect.ConnectionFailed(err), err
	}
	t.countItems(ctx)
	t.noteChange(ctx)
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

// committed is called before a write is acknowledged. place is where it is in the log; zero when that is not known.
func (s *Store) committed(t *tx, place int64) {
	if place > 0 {
		s.position.Advance(replicas.LSN(place))
	} else {
		s.position.Lose(time.Now())
	}
	s.feed.Committed(t.change())
}

// tx is the Store inside a transaction.
type tx struct {
	*pipeline
	q      *db.Queries
	jobs   *queue.Inserter
	worker string // who sends messages here
	now    func() time.Time

	// What this transaction has locked or read, in its present state.
	locked map[core.OrderID]core.Order
	offers map[core.OfferID]core.Offer
	given  map[core.NoticeID]*core.DeliveryID // the direct message that a locked notice was given to
	reader core.UserID                        // of the locked mailbox
	known  *storedClaim                       // from an earlier attempt
	writer core.UserID                        // who writes; zero for a visitor, and for the program itself

	claimed bool // the write carries a key

	// What it changes.
	wrote  bool       // something about the locked orders
	lists  listChange // which orders a list holds
	items  bool       // the items
	traded []string   // names of items of which it makes or undoes a trade
	trades bool       // which trades count, of any item
	posted []core.OrderID
	users  []core.UserID // whose lists

	// Names of items, as often as requests for them are added or removed.
	named, unnamed []string

	signedOut []core.UserID

	identityKey []byte // of hashed accounts; empty for the one in the database

	spare numbers
}

// numbers are IDs for new rows; they are read with the locked rows.
type numbers struct{ order, sale, offer, notice int64 }

var _ core.Tx = (*tx)(nil)

func newTx(p *pipeline, jobs *queue.Inserter, worker string, now func() time.Time) *tx {
	return &tx{
		pipeline: p, q: db.New(p), jobs: jobs, worker: worker, now: now,
		locked: map[core.OrderID]core.Order{}, offers: map[core.OfferID]core.Offer{},
		given: map[core.NoticeID]*core.DeliveryID{},
	}
}

func take(number *int64) int64 {
	n := *number
	*number = 0
	return n
}

// change is what this transaction changed.
func (t *tx) change() core.Change {
	c := core.Change{Orders: slices.Clone(t.posted), Lists: t.lists.made, Items: t.items, Traded: t.traded, AnyTraded: t.trades}
	users := slices.Clone(t.users)
	if t.wrote {
		for id, o := range t.locked {
			c.Orders = append(c.Orders, id)
			users = append(users, o.Owner)
		}
	}
	slices.Sort(c.Orders)
	slices.Sort(users)
	c.Users, c.SignedOut = slices.Compact(users), t.signedOut
	return c
}

func (t *tx) noteChange(ctx context.Context) {
	c := t.change()
	if len(c.Orders)+len(c.Users)+len(c.SignedOut)+len(c.Traded) == 0 && !c.Items && !c.AnyTraded {
		return
	}
	var traded []string // null says that any may have changed
	if !c.AnyTraded {
		traded = append([]string{}, c.Traded...)
	}
	// It is buffered: its error is returned by the commit.
	_ = t.q.NoteChange(ctx, db.NoteChangeParams{
		Orders: raw(c.Orders), Users: raw(c.Users), Lists: c.Lists, Counted: t.lists.counted(), SignedOut: raw(c.SignedOut), Items: c.Items,
		Traded: traded, At: t.now(), Writer: orNull(int64(t.writer)),
	})
}

// countItems keeps how many requests there are for each name. It comes last: who posts the same item keeps others waiting only until
// the commit.
func (t *tx) countItems(ctx context.Context) {
	// They are buffered, as the change is.
	if len(t.unnamed) > 0 {
		_ = t.q.UncountItems(ctx, t.unnamed)
	}
	if len(t.named) > 0 {
		_ = t.q.CountItems(ctx, t.named)
	}
}

func raw[ID ~int64](ids []ID) []int64 { return convert(ids, func(id ID) int64 { return int64(id) }) }
