package upkeep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/moderation"
	"tradepost/core/people"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	peoplestore "tradepost/sql/postgres/people"
	tradestore "tradepost/sql/postgres/trade"
)

const (
	// retainStep is how many rows one transaction of retention reads or writes at most. It holds their locks
	// for some milliseconds.
	retainStep = 500
	// lateCommit is how long after its time a key may appear: its transaction was still open, or another
	// clock was behind.
	lateCommit = 10 * time.Minute
)

// RetentionKinds are the kinds of rows that retention removes, or with "orders_archived" moves to the
// archive.
var RetentionKinds = []string{
	"notices", "deliveries", "drafts", "board_posts", "orders_archived", "archived_orders", "expired_orders",
	"removals", "claim_answers", "claims",
	"left_accounts", "former_accounts", "settled_against", "kept_contacts", "visitor_sales", "visitor_links",
	"reports",
}

// Retain removes rows older than their retention at the time now, and archives closed orders. Each step is a
// transaction of its own that touches at most retainStep rows, so it may be interrupted anywhere and
// continues the next time. Between two steps it calls pause with how long the last one took. It returns how
// many rows of each kind were removed, also with an error.
func (s *Store) Retain(
	ctx context.Context, keep core.Retention, now time.Time, pause func(context.Context, time.Duration) error,
) (map[string]int, error) {
	done := map[string]int{}
	for _, job := range retentionJobs(keep, now) {
		if job.keep == 0 {
			continue
		}
		before, at := now.Add(-job.keep), place{}
		for more := true; more; {
			var stepped step
			start := time.Now()
			err := s.InTx(ctx, func(in *kernel.Tx) (err error) {
				t := NewTx(in)
				if stepped, err = job.step(ctx, t, before, at); err != nil {
					return kernel.Translate(err)
				}
				if job.marks == eachStep && stepped.removed > 0 || job.marks == atTheEnd && !stepped.more {
					return t.Q.MarkRetention(ctx, job.what, before)
				}
				return nil
			})
			if err != nil {
				return done, fmt.Errorf("retention of %s: %w", job.what, errors.Join(err, ctx.Err()))
			}
			done[job.what] += stepped.removed
			at, more = stepped.at, stepped.more
			if err := pause(ctx, time.Since(start)); err != nil {
				return done, fmt.Errorf("retention of %s: %w", job.what, err)
			}
		}
	}
	return done, nil
}

// place is where a walk along a table has come to.
type place struct {
	id int64
	at time.Time
}

// step is the result of one transaction of retention.
type step struct {
	at      place
	removed int
	more    bool // there may be more to do
}

// Which steps write down how far retention has come.
const (
	never    = iota
	eachStep // that removed rows: a check must not miss them
	atTheEnd // of a complete run, from where the next one begins
)

// retentionJob removes one kind of rows.
type retentionJob struct {
	what  string
	keep  time.Duration
	marks int
	step  func(ctx context.Context, t *Tx, before time.Time, at place) (step, error)
}

// retentionJobs come in an order in which each leaves less for the next: notices before the deliveries they
// refer to.
func retentionJobs(keep core.Retention, now time.Time) []retentionJob {
	return []retentionJob{
		{"claims", keep.Keys, never, removing((*db.Queries).RemoveClaims)},
		{"claim_answers", core.AnswerRetention, atTheEnd, emptyClaims},
		{"notices", keep.Notices, eachStep, func(
			ctx context.Context, t *Tx, before time.Time, at place,
		) (step, error) {
			row, err := t.Q.RemoveNotices(ctx, db.RemoveNoticesParams{
				Before: before, After: at.id, Most: retainStep,
			})
			return walked(row).step(), err
		}},
		{"deliveries", keep.Deliveries, eachStep, func(
			ctx context.Context, t *Tx, before time.Time, at place,
		) (step, error) {
			row, err := t.Q.RemoveDeliveries(ctx, db.RemoveDeliveriesParams{
				Before: before, After: at.id, Most: retainStep,
			})
			return walked(row).step(), err
		}},
		{"drafts", core.DraftRetention, never, func(
			ctx context.Context, t *Tx, before time.Time, at place,
		) (step, error) {
			row, err := t.Q.RemoveDrafts(ctx, db.RemoveDraftsParams{
				Before: before, After: at.id, Most: retainStep,
			})
			return walked(row).step(), err
		}},
		{"removals", moderation.RemovalRetention, never, removing((*db.Queries).RemoveRemovals)},
		{"left_accounts", people.LeavingFor, never, func(
			ctx context.Context, t *Tx, before time.Time, _ place,
		) (step, error) {
			return t.deleteLeft(ctx, before, now)
		}},
		{"former_accounts", people.RememberFor, never, removing((*db.Queries).RemoveFormerAccounts)},
		{"settled_against", trust.NoShowFor, never, removing((*db.Queries).RemoveSettledAgainst)},
		{"kept_contacts", people.RememberFor, never, removing((*db.Queries).RemoveKeptContacts)},
		{"visitor_sales", keep.Visitors, never, removing((*db.Queries).ForgetVisitorSales)},
		{"visitor_links", keep.Visitors, never, removing((*db.Queries).ForgetVisitorLinks)},
		{"reports", keep.Reports, never, removing((*db.Queries).RemoveSettledReports)},
		{"board_posts", keep.BoardPosts, never, removing((*db.Queries).RemoveBoardPosts)},
		{"archived_orders", keep.Archived, never, func(
			ctx context.Context, t *Tx, before time.Time, _ place,
		) (step, error) {
			rows, err := t.Q.LockArchivedOrders(ctx, before, retainStep)
			if err != nil {
				return step{}, err
			}
			return t.removeOrders(ctx, kernel.Convert(rows, func(r db.LockArchivedOrdersRow) owned {
				return owned(r)
			}))
		}},
		{"expired_orders", keep.Expired, never, func(
			ctx context.Context, t *Tx, before time.Time, _ place,
		) (step, error) {
			rows, err := t.Q.LockLongExpiredOrders(ctx, before, retainStep)
			if err != nil {
				return step{}, err
			}
			return t.removeOrders(ctx, kernel.Convert(rows, func(r db.LockLongExpiredOrdersRow) owned {
				return owned(r)
			}))
		}},
		{"orders_archived", keep.Closed, never, func(
			ctx context.Context, t *Tx, before time.Time, _ place,
		) (step, error) {
			rows, err := t.Q.ArchiveOrders(ctx, db.ArchiveOrdersParams{
				Now: now, Before: before, Most: retainStep,
			})
			if err != nil || len(rows) == 0 {
				return step{}, err
			}
			ids := make([]int64, len(rows))
			for i, row := range rows {
				ids[i] = int64(row.ID)
				t.NoteUsers(row.UserID)
			}
			return step{removed: len(rows), more: len(rows) == retainStep}, t.Q.EndLinksOfOrders(ctx, ids)
		}},
	}
}

// leaversStep is how many accounts one transaction deletes at most: each has many rows.
const leaversStep = 5

// deleteLeft deletes the accounts of users who left before a time.
func (t *Tx) deleteLeft(ctx context.Context, before, now time.Time) (step, error) {
	ids, err := t.Q.LeftUsers(ctx, before, leaversStep)
	if err != nil {
		return step{}, err
	}
	for _, id := range ids {
		row, err := t.Q.LockUser(ctx, id)
		if err != nil {
			return step{}, err
		}
		if err := t.DeleteUser(ctx, peoplestore.User(row), now); err != nil {
			return step{}, err
		}
	}
	return step{removed: len(ids), more: len(ids) == leaversStep}, nil
}

// owned is an order with its buyer.
type owned struct {
	ID     core.OrderID
	UserID core.UserID
}

// removeOrders deletes locked orders, and notes it for the replicas that show them.
func (t *Tx) removeOrders(ctx context.Context, orders []owned) (step, error) {
	ids := kernel.Convert(orders, func(o owned) core.OrderID { return o.ID })
	t.NotePosted(ids...)
	for _, o := range orders {
		t.NoteUsers(o.UserID)
	}
	return step{
		removed: len(orders), more: len(orders) == retainStep,
	}, tradestore.DeleteOrders(ctx, t.Tx, ids)
}

// removing returns a step that removes rows from before a time, without a walk.
func removing(
	remove func(q *db.Queries, ctx context.Context, before time.Time, most int32) (int64, error),
) func(context.Context, *Tx, time.Time, place) (step, error) {
	return func(ctx context.Context, t *Tx, before time.Time, _ place) (step, error) {
		rows, err := remove(t.Q, ctx, before, retainStep)
		return step{removed: int(rows), more: rows == retainStep}, err
	}
}

// walked is the result of one step along the ids of a table, from the lowest on. The walk ends at the first
// batch with rows that are kept. Ids grow with time, but not strictly: the next run removes rows that were
// left because of that.
type walked struct {
	Last    int64
	Seen    int64
	Newer   bool // it has reached rows that are kept
	Removed int64
}

func (w walked) step() step {
	return step{at: place{id: w.Last}, removed: int(w.Removed), more: w.Seen == retainStep && !w.Newer}
}

// emptyClaims removes the answers of keys, from where the last complete run has come to.
func emptyClaims(ctx context.Context, t *Tx, before time.Time, at place) (step, error) {
	if at.at.IsZero() {
		mark, err := t.Q.RetentionMark(ctx, "claim_answers")
		if err != nil {
			return step{}, err
		}
		at.at = mark.Add(-lateCommit)
	}
	row, err := t.Q.EmptyClaims(ctx, db.EmptyClaimsParams{FromTime: at.at, Before: before, Most: retainStep})
	return step{at: place{at: row.Reached}, removed: int(row.Emptied), more: row.Emptied == retainStep}, err
}
