package waits

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Extent says which times are brought back.
type Extent int

// The extents.
const (
	// EachMinute reads what an index finds, and small tables.
	EachMinute Extent = iota
	// All reads large tables as well.
	All
	// AfterStep lets what may come early come at once, besides All.
	AfterStep
)

// database runs statements.
type database interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// reading is a program's clock beside the server's.
type reading struct {
	began  time.Time     // by the program's
	offset time.Duration // how far the program's is ahead, at most
}

// compare reads both clocks. The program's is read last, so that by the offset it is never taken to be
// earlier than it is: by as much right times would seem to be ahead.
func compare(ctx context.Context, db database, clock func() time.Time) (r reading, err error) {
	var server time.Time
	r.began = clock()
	if err := db.QueryRow(ctx, "select clock_timestamp()").Scan(&server); err != nil {
		return r, fmt.Errorf("read the clock: %w", err)
	}
	r.offset = clock().Sub(server)
	return r, nil
}

// BringBack brings back the times that lie further ahead than they may, to the longest legal wait from now.
// It returns how many there were, by column. A failure of one column does not keep the others.
func BringBack(
	ctx context.Context, db database, clock func() time.Time, extent Extent,
) (map[string]int, error) {
	found := map[string]int{}
	clocks, err := compare(ctx, db, clock)
	if err != nil {
		return found, err
	}
	var failed error
	for _, t := range Times {
		limit, to, within := t.Limits(extent)
		if !within {
			continue
		}
		statement, args := t.statement(clocks, limit, to)
		done, err := db.Exec(ctx, statement, args...)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("bring back %s: %w", t, err))
			continue
		}
		if rows := int(done.RowsAffected()); rows > 0 {
			found[t.String()] += rows
		}
	}
	return found, failed
}

// Limits returns how far ahead of now a time may lie, and how far ahead one is brought back to that lies
// further. It returns false for a time that the extent leaves out.
func (t Time) Limits(extent Extent) (limit, to time.Duration, within bool) {
	limit, to = t.Ahead+Slack, t.Ahead
	if t.Early && extent == AfterStep {
		limit, to = 0, 0
	}
	if t.wakes() || t.ToNow {
		to = 0
	}
	to -= t.Past
	return limit, to, t.within(extent)
}

func (t Time) within(extent Extent) bool { return t.Holds != "" && (!t.Rarely || extent != EachMinute) }
