package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
)

const (
	tooMany    = 5000             // transactions since the last reading: then everything is read anew
	staleAfter = 30 * time.Second // without a reading: then rows may have been pruned unseen
	pruneEvery = 60 * time.Second // longer than staleAfter
)

// changeLog reads the table changes, each row once.
type changeLog struct {
	conn   *pgx.Conn
	totals *totals // hear what concerns them
	seen   string  // the snapshot of the last reading; empty before the first
	readAt time.Time

	// mark is the transaction below which everything was over, hence readable, at markedAt.
	mark     string
	markedAt time.Time
}

const readChanges = `
select pg_current_snapshot()::text, changes.orders, changes.users, coalesce(changes.lists, false)
from (values (1)) one left join changes
    on changes.xid >= (select pg_snapshot_xmin($1::text::pg_snapshot))
    and not pg_visible_in_snapshot(changes.xid, (select $1::text::pg_snapshot)) -- selected: read once, not for each row
limit $2`

// read returns what was committed since the last reading; the first one only marks the place.
func (l *changeLog) read(ctx context.Context) (core.Change, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	now := time.Now()
	if l.seen == "" || now.Sub(l.readAt) > staleAfter {
		if err := l.conn.QueryRow(ctx, "select pg_current_snapshot()::text").Scan(&l.seen); err != nil {
			return core.Change{}, fmt.Errorf("mark the place in the changes: %w", err)
		}
		l.readAt = now
		l.totals.heard(now, true)
		return core.Change{Resync: true}, nil
	}
	rows, err := l.conn.Query(ctx, readChanges, l.seen, tooMany)
	if err != nil {
		return core.Change{}, fmt.Errorf("read the changes: %w", err)
	}
	var (
		seen          string
		orders, users []int64
		change        core.Change
		count         int
		lists, moved  bool
	)
	_, err = pgx.ForEachRow(rows, []any{&seen, &orders, &users, &lists}, func() error {
		moved = moved || lists
		change.Orders = append(change.Orders, convert(orders, func(id int64) core.OrderID { return core.OrderID(id) })...)
		change.Users = append(change.Users, convert(users, func(id int64) core.UserID { return core.UserID(id) })...)
		count++
		return nil
	})
	if err != nil {
		return core.Change{}, fmt.Errorf("read the changes: %w", err)
	}
	l.seen, l.readAt = seen, now
	l.totals.heard(now, moved || count == tooMany)
	if count == tooMany {
		return core.Change{Resync: true}, nil
	}
	slices.Sort(change.Orders)
	slices.Sort(change.Users)
	change.Orders, change.Users = slices.Compact(change.Orders), slices.Compact(change.Users)
	return change, nil
}

// prune deletes what every listener has read, or has missed so long ago that it reads everything anew.
func (l *changeLog) prune(ctx context.Context) error {
	if time.Since(l.markedAt) < pruneEvery {
		return nil
	}
	if l.mark != "" {
		if _, err := l.conn.Exec(ctx, "delete from changes where xid < $1::text::xid8", l.mark); err != nil {
			return fmt.Errorf("prune the changes: %w", err)
		}
	}
	l.mark, _, _ = strings.Cut(l.seen, ":") // a snapshot is written xmin:xmax:running
	l.markedAt = l.readAt
	return nil
}
