package changefeed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/sql/internal/db"
	"tradepost/sql/replicas"
)

const (
	maxRows    = 5000             // of one read; when there are more, everything counts as changed
	staleAfter = 30 * time.Second // without a read: then rows may have been pruned unread
	pruneEvery = 60 * time.Second // longer than staleAfter
)

// changeLog reads the table changes, each row once.
//
// Which rows are new is asked of PostgreSQL's own snapshots: a row is new when its transaction is visible
// now and was not in the snapshot of the last read. Sequence numbers would not do: a transaction may commit
// after one with a higher number.
type changeLog struct {
	queries *db.Queries
	cache   *cache.Cache
	seen    string // the snapshot of the last read; empty before the first
	readAt  time.Time

	// is told of a place in the log before the cache is told of the changes up to there
	position  *replicas.Position
	restarted func(replicas.LSN) // of the first read; may be nil

	// mark is the transaction below which everything was over, hence readable, at markedAt.
	mark     string
	markedAt time.Time
}

// read returns the changes committed since the last read and invalidates the cache; the first one
// only sets the position.
func (l *changeLog) read(ctx context.Context) (core.Change, error) {
	began := time.Now()
	change, err := l.readRows(ctx, began)
	if err == nil {
		l.cache.Changed(change)
		l.cache.UpToDate(began)
	}
	return change, err
}

func (l *changeLog) readRows(ctx context.Context, now time.Time) (core.Change, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	if l.seen == "" || now.Sub(l.readAt) > staleAfter {
		row, err := l.queries.CurrentSnapshot(ctx)
		if err != nil {
			return core.Change{}, fmt.Errorf("mark the place in the changes: %w", err)
		}
		l.seen, l.readAt = row.Snapshot, now
		if l.restarted != nil {
			l.restarted(replicas.LSN(row.Position))
			l.restarted = nil
		}
		l.position.Advance(replicas.LSN(row.Position))
		return core.Change{Resync: true}, nil
	}
	rows, err := l.queries.ReadChanges(ctx, l.seen, maxRows)
	if err != nil {
		return core.Change{}, fmt.Errorf("read the changes: %w", err)
	}
	var change core.Change
	for _, row := range rows {
		change.Lists, change.Items = change.Lists || row.Lists, change.Items || row.Items
		change.Traded, change.AnyTraded = append(change.Traded, row.Traded...), change.AnyTraded ||
			row.AnyTraded
		for _, id := range row.Orders {
			change.Orders = append(change.Orders, core.OrderID(id))
		}
		for _, id := range row.Users {
			change.Users = append(change.Users, core.UserID(id))
		}
		for _, id := range row.SignedOut {
			change.SignedOut = append(change.SignedOut, core.UserID(id))
		}
	}
	l.seen, l.readAt = rows[0].Snapshot, now // there is always one row
	l.position.Advance(replicas.LSN(rows[0].Position))
	if len(rows) == maxRows {
		return core.Change{Resync: true}, nil
	}
	slices.Sort(change.Orders)
	slices.Sort(change.Users)
	change.Orders, change.Users = slices.Compact(change.Orders), slices.Compact(change.Users)
	return change, nil
}

// prune deletes what every listener has read, or has missed so long ago that it resyncs.
func (l *changeLog) prune(ctx context.Context) error {
	if time.Since(l.markedAt) < pruneEvery {
		return nil
	}
	if l.mark != "" {
		if err := l.queries.PruneChanges(ctx, l.mark); err != nil {
			return fmt.Errorf("prune the changes: %w", err)
		}
	}
	l.mark, _, _ = strings.Cut(l.seen, ":") // a snapshot is written xmin:xmax:running
	l.markedAt = l.readAt
	return nil
}
