package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core/game"
	"tradepost/sql/postgres/kernel"
)

// openTotals are how many orders were open at a moment, exactly.
type openTotals struct {
	all        int
	byCategory map[game.Category]int
	validUntil time.Time // when the next one expires

	// gone is how many have left the lists since the process began, by an edit, too. So a filter that n
	// orders matched when it was 5 is matched by n-2 at least when it is 7.
	gone int
}

// keptTotals keeps the totals of one process up to date: it counts once, and then adds and subtracts by the
// rows of the table changes. Orders expire without such a row, so newly expired orders are queried. Both are
// read in one snapshot, so the totals are exact for that snapshot (decision 120). The zero value is ready.
type keptTotals struct {
	mu     sync.Mutex // a refresh
	totals openTotals
	asOf   time.Time // what expired until then is not in the totals

	seen      string // the snapshot of the totals; empty before they were counted
	epoch     string // of the server: a crash empties the table changes
	readAt    time.Time
	countedAt time.Time
}

const (
	// without a refresh: then changes may have been pruned unread (changefeed.pruneEvery is longer)
	keptFor      = 30 * time.Second
	recountAfter = 10 * time.Minute // whatever is kept is compared with the tables from time to time
)

const (
	readKept = `select pg_current_snapshot()::text, coalesce((select id::text from lives), '')`

	readMoves = `select counted from changes
where lists and xid >= (select pg_snapshot_xmin($1::text::pg_snapshot))
    and not pg_visible_in_snapshot(xid, (select $1::text::pg_snapshot))`

	readExpired = "select category, count(*) from orders where status = 'active' and not hidden " +
		"and expires_at > $1 and expires_at <= $2 group by category"

	// Hidden orders are subtracted: a condition on each row would mean reading all rows, where an index is
	// enough.
	countTotals = "select category, count(*) from orders where status = 'active' and expires_at > $1 " +
		"group by category union all select category, -count(*) from orders " +
		"where status = 'active' and hidden and expires_at > $1 group by category"

	readNextExpiry = "select expires_at from orders where status = 'active' and expires_at > $1 " +
		"order by expires_at limit 1"
)

// openTotals returns the totals as they are now, from memory while no list has changed.
func (s *Store) openTotals(ctx context.Context, now time.Time) (openTotals, error) {
	return s.totals.Get(ctx, now, func(ctx context.Context) (openTotals, time.Time, error) {
		// Only the primary has the changes that totals are kept by.
		totals, err := kernel.ReadAlways(ctx, s.DB, func(
			ctx context.Context, from kernel.Source,
		) (openTotals, error) {
			return s.kept.refresh(ctx, from, now, from.Pool == s.Pool(), s.Log())
		})
		return totals, totals.validUntil, err
	})
}

// refresh brings the totals up to a new snapshot. On a replica, which has no changes, everything is counted,
// and again next time.
func (k *keptTotals) refresh(
	ctx context.Context, from kernel.Source, now time.Time, primary bool, log *slog.Logger,
) (openTotals, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var (
		next *snapshotTotals
		err  error
	)
	if primary {
		next, err = k.follow(ctx, from, now, log)
	}
	if err == nil && next == nil {
		next, err = k.count(ctx, from, now, primary)
	}
	if err != nil {
		return openTotals{}, err
	}
	k.totals, k.asOf, k.seen, k.epoch = next.openTotals, next.asOf, next.seen, next.epoch
	k.readAt, k.countedAt = next.readAt, next.countedAt
	return k.totals, nil
}

// snapshotTotals are totals as a refresh finds them.
type snapshotTotals struct {
	openTotals
	asOf              time.Time
	seen, epoch       string
	readAt, countedAt time.Time
}

// follow adds what has changed since the last snapshot. It returns nil when that is not known.
func (k *keptTotals) follow(
	ctx context.Context, from kernel.Source, now time.Time, log *slog.Logger,
) (*snapshotTotals, error) {
	if k.seen == "" || k.epoch == "" || time.Since(k.readAt) > keptFor || now.Before(k.asOf) {
		return nil, nil
	}
	next := &snapshotTotals{openTotals: k.totals, asOf: now, readAt: time.Now(), countedAt: k.countedAt}
	next.byCategory = maps.Clone(k.totals.byCategory)
	known := true
	batch := next.begin(true)
	batch.Queue(readMoves, k.seen).Query(func(rows pgx.Rows) error {
		var counted []byte
		_, err := pgx.ForEachRow(rows, []any{&counted}, func() error {
			if counted == nil {
				known = false
				return nil
			}
			var moves []kernel.Move
			if err := json.Unmarshal(counted, &moves); err != nil {
				return fmt.Errorf("read what changed the totals: %w", err)
			}
			for _, m := range moves {
				if m.ExpiresAt.After(k.asOf) {
					next.add(m.Category, m.By)
				}
			}
			return nil
		})
		return err
	})
	batch.Queue(readExpired, k.asOf, now).Query(next.read(-1))
	var counted *snapshotTotals
	if time.Since(k.countedAt) > recountAfter {
		counted = &snapshotTotals{openTotals: openTotals{byCategory: map[game.Category]int{}}}
		counted.count(batch, now)
		next.countedAt = next.readAt
	}
	next.end(batch, now)
	if err := from.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("follow the open orders: %w", err)
	}
	if !known || next.epoch != k.epoch {
		return nil, nil
	}
	if counted != nil && !maps.Equal(counted.byCategory, next.byCategory) {
		log.Error(
			"the totals that were kept were wrong, and are counted again", "kept", next.all, "counted",
			counted.all,
		)
		return nil, nil
	}
	return next, nil
}

// count counts everything.
func (k *keptTotals) count(
	ctx context.Context, from kernel.Source, now time.Time, primary bool,
) (*snapshotTotals, error) {
	next := &snapshotTotals{asOf: now, readAt: time.Now(), countedAt: time.Now()}
	next.byCategory = map[game.Category]int{}
	batch := next.begin(primary)
	next.count(batch, now)
	next.end(batch, now)
	if err := from.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("count open orders: %w", err)
	}
	next.gone = k.totals.gone + k.totals.all // any of them may have left
	return next, nil
}

// begin begins a batch of statements that see one snapshot, which is kept of the primary.
func (t *snapshotTotals) begin(primary bool) *pgx.Batch {
	batch := &pgx.Batch{}
	batch.Queue("begin isolation level repeatable read, read only")
	if !primary {
		return batch
	}
	batch.Queue(readKept).QueryRow(func(row pgx.Row) error { return row.Scan(&t.seen, &t.epoch) })
	return batch
}

func (t *snapshotTotals) count(batch *pgx.Batch, now time.Time) {
	batch.Queue("set local plan_cache_mode = force_custom_plan")
	batch.Queue(countTotals, now).Query(t.read(1))
}

func (t *snapshotTotals) end(batch *pgx.Batch, now time.Time) {
	batch.Queue(readNextExpiry, now).QueryRow(func(row pgx.Row) error {
		t.validUntil = time.Time{}
		if err := row.Scan(&t.validUntil); !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return nil
	})
	batch.Queue("commit")
}

// read adds counts by category, or subtracts them.
func (t *snapshotTotals) read(sign int) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var (
			category game.Category
			n        int
		)
		_, err := pgx.ForEachRow(rows, []any{&category, &n}, func() error {
			t.add(category, sign*n)
			return nil
		})
		return err
	}
}

func (t *snapshotTotals) add(category game.Category, n int) {
	t.all += n
	if t.byCategory[category] += n; t.byCategory[category] == 0 {
		delete(t.byCategory, category)
	}
	if n < 0 {
		t.gone -= n
	}
}
