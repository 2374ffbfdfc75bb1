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
}

// BringBack brings back the times that lie further ahead than they may, to the longest legal wait from now.
// It returns how many there were, by column. A failure of one column does not keep the others.
func BringBack(ctx context.Context, db database, now time.Time, extent Extent) (map[string]int, error) {
	found := map[string]int{}
	var failed error
	for _, t := range Times {
		if !t.within(extent) {
			continue
		}
		limit, to := t.Ahead+Slack, t.Ahead
		if t.Early && extent == AfterStep {
			limit, to = 0, 0
		}
		if t.wakes() || t.ToNow {
			to = 0
		}
		statement, args := t.statement(now, limit, to)
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

func (t Time) within(extent Extent) bool { return t.Holds != "" && (!t.Rarely || extent != EachMinute) }

// Ahead is a row with a time that lies further ahead than its longest legal wait.
type Ahead struct {
	Of  Time
	Row string // its number; empty where it has none
	At  time.Time
}

// FindAhead finds rows with times that lie further ahead than they may: up to most of each column.
func FindAhead(ctx context.Context, tx pgx.Tx, now time.Time, extent Extent, most int) ([]Ahead, error) {
	var found []Ahead
	batch := &pgx.Batch{}
	for _, t := range Times {
		if !t.within(extent) {
			continue
		}
		statement, args := t.search(now, most)
		batch.Queue(statement, args...).Query(func(rows pgx.Rows) error {
			ahead := Ahead{Of: t}
			_, err := pgx.ForEachRow(rows, []any{&ahead.Row, &ahead.At}, func() error {
				found = append(found, ahead)
				return nil
			})
			if err != nil {
				return fmt.Errorf("find %s ahead: %w", t, err)
			}
			return nil
		})
	}
	return found, tx.SendBatch(ctx, batch).Close()
}
