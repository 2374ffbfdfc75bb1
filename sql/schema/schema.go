// Package schema creates and migrates the tables: the market's with goose, then the tables of River, the job
// queue.
package schema

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"tradepost/sql/migrations"
	"tradepost/sql/pgconnect"
	"tradepost/sql/progress"
)

// migrationLock is the advisory lock that Lock takes. Neither goose nor River can run twice at once.
const migrationLock = 0x7472616465706f73 // "tradepos"

// Versions has the version of each of the two parts of the schema.
type Versions struct {
	Market int64 `json:"market"`
	Queue  int   `json:"queue"`
}

// Migrate brings the schema up to date: the market's tables, then River's. Any number of processes may call
// it at once; one does the work and the others wait. Where nothing is missing it takes a few milliseconds.
func Migrate(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	// A pool of its own: one connection holds the lock, the others work.
	own, err := pgconnect.OpenForMaintenance(ctx, pool.Config(), "tradepost migrate", "")
	if err != nil {
		return err
	}
	defer own.Close()
	holder, err := Lock(ctx, own)
	if err != nil {
		return err
	}
	defer holder.Release()
	if err := migrateMarket(ctx, own, math.MaxInt64, log,
		func() error { return yieldLock(ctx, holder) }); err != nil {
		return err
	}
	return migrateQueue(ctx, own, "", 0, log)
}

// Lock waits until no other process migrates, and keeps others from migrating until the pool of the
// connection closes.
func Lock(ctx context.Context, pool *pgxpool.Pool) (*pgxpool.Conn, error) {
	holder, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to migrate: %w", err)
	}
	if err := takeLock(ctx, holder); err != nil {
		holder.Release()
		return nil, fmt.Errorf("wait for the migration lock: %w", err)
	}
	return holder, nil
}

// lockPoll is between two attempts to take the lock.
const lockPoll = 50 * time.Millisecond

// takeLock asks again and again instead of waiting inside PostgreSQL: an index that is built concurrently
// waits for every statement that began before, and so also for statements that wait for its migration.
func takeLock(ctx context.Context, holder *pgxpool.Conn) error {
	for {
		var taken bool
		if err := holder.QueryRow(ctx, "select pg_try_advisory_lock($1)",
			int64(migrationLock)).Scan(&taken); err != nil || taken {
			return err
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// yieldLock lets others have the lock for a moment: an older program waits for it inside PostgreSQL.
func yieldLock(ctx context.Context, holder *pgxpool.Conn) error {
	if _, err := holder.Exec(ctx, "select pg_advisory_unlock($1)", int64(migrationLock)); err != nil {
		return err
	}
	return takeLock(ctx, holder)
}

// MigrateTo brings the tables to the given versions, or to the newest when there are none given.
// The pool is one for maintenance, and its caller holds the Lock. The schema is the first of the
// search path; its name is given where that is not enough for River, which would search further
// along the path.
func MigrateTo(ctx context.Context, pool *pgxpool.Pool, schema string, to *Versions, log *slog.Logger) error {
	market, queue := int64(math.MaxInt64), 0 // River takes 0 for all
	if to != nil {
		market, queue = to.Market, to.Queue
	}
	if err := migrateMarket(ctx, pool, market, log, nil); err != nil {
		return err
	}
	return migrateQueue(ctx, pool, schema, queue, log)
}

// migrateMarket calls yield, which may be nil, before it tries again what waited too long for a lock.
func migrateMarket(
	ctx context.Context, pool *pgxpool.Pool, to int64, log *slog.Logger, yield func() error,
) error {
	conns := stdlib.OpenDBFromPool(pool)
	defer conns.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, conns, migrations.Files)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	_, stop := progress.Start(func(r progress.Report) {
		log.Info("schema: still migrating", "elapsed", r.Elapsed)
	})
	defer stop()
	for {
		done, err := provider.UpTo(ctx, to)
		for _, m := range done {
			log.Info("schema: migrated", "file", m.Source.Path, "took", m.Duration)
		}
		if err == nil {
			return nil
		}
		if !pgconnect.LockTimedOut(err) {
			return fmt.Errorf("migrate: %w", err)
		}
		// Each file is a transaction, which is rolled back, or begins by undoing the leftovers of an earlier
		// attempt.
		log.Info("schema: a table is locked by others, retrying the migration")
		pgconnect.Pause(ctx, 1)
		if yield != nil {
			if err := yield(); err != nil {
				return fmt.Errorf("yield the migration lock: %w", err)
			}
		}
	}
}

func migrateQueue(ctx context.Context, pool *pgxpool.Pool, schema string, to int, log *slog.Logger) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool),
		&rivermigrate.Config{Logger: slog.New(slog.DiscardHandler), Schema: schema})
	if err != nil {
		return fmt.Errorf("read the queue's migrations: %w", err)
	}
	done, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{TargetVersion: to})
	if err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	if n := len(done.Versions); n > 0 {
		log.Info("schema: migrated the queue", "from", done.Versions[0].Version, "to",
			done.Versions[n-1].Version)
	}
	return dropUnusedIndexes(ctx, pool, schema)
}

// dropUnusedIndexes drops the indexes of River's that nothing here reads, and that each job would be
// entered in.
func dropUnusedIndexes(ctx context.Context, pool *pgxpool.Pool, schema string) error {
	for _, name := range []string{"river_job_kind", "river_job_metadata_index"} {
		index := pgx.Identifier{name}
		if schema != "" {
			index = pgx.Identifier{schema, name}
		}
		for {
			_, err := pool.Exec(ctx, "drop index if exists "+index.Sanitize())
			if err == nil {
				break
			}
			if !pgconnect.LockTimedOut(err) || !pgconnect.Pause(ctx, 1) {
				return fmt.Errorf("drop an unused index of the queue: %w", err)
			}
		}
	}
	return nil
}

// MarketVersions returns every version that the market's tables have had, the oldest first. Numbers between
// them were never used.
func MarketVersions() ([]int64, error) {
	files, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	versions := make([]int64, 0, len(files))
	for _, name := range files {
		number, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("read the migrations: %w", err)
		}
		versions = append(versions, number)
	}
	slices.Sort(versions)
	return versions, nil
}

// Newest returns the versions that this program brings a database to.
func Newest() (Versions, error) {
	var newest Versions
	market, err := MarketVersions()
	if err != nil {
		return newest, err
	}
	newest.Market = market[len(market)-1]
	migrator, err := rivermigrate.New(riverpgxv5.New(nil), nil)
	if err != nil {
		return newest, fmt.Errorf("read the queue's migrations: %w", err)
	}
	for _, m := range migrator.AllVersions() {
		newest.Queue = max(newest.Queue, m.Version)
	}
	return newest, nil
}

// Applied returns the version of the market's tables in a database, 0 when there are none.
func Applied(ctx context.Context, pool *pgxpool.Pool) (version int64, err error) {
	var there bool
	err = pool.QueryRow(ctx, "select to_regclass('goose_db_version') is not null").Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	err = pool.QueryRow(ctx, "select coalesce(max(version_id), 0) from goose_db_version where is_applied").
		Scan(&version)
	return version, err
}
