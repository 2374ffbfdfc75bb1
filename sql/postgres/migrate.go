package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/rivermigrate"

	"tradepost/sql/migrations"
)

// migrationLock is taken by whoever migrates: neither goose nor River can bear company.
const migrationLock = 0x7472616465706f73 // "tradepos"

// Migrate brings the schema up to date: the market's tables, then River's. Any number of processes may call it at once;
// one does the work and the others wait. Where nothing is missing it takes a few milliseconds.
func Migrate(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	// Connections of its own, since a migration may take longer than a statement may: one holds the lock, the rest work.
	config := pool.Config()
	config.MaxConns, config.MinConns = 3, 0
	config.ConnConfig.RuntimeParams["statement_timeout"] = "0"
	config.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	own, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connect to migrate: %w", err)
	}
	defer own.Close()
	holder, err := own.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect to migrate: %w", err)
	}
	defer holder.Release()
	if _, err := holder.Exec(ctx, "select pg_advisory_lock($1)", int64(migrationLock)); err != nil {
		return fmt.Errorf("wait for the migration lock: %w", err)
	}
	// The lock goes with its connection, which ends when the pool closes.
	if err := migrateMarket(ctx, own, log); err != nil {
		return err
	}
	return migrateQueue(ctx, own, log)
}

func migrateMarket(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	conns := stdlib.OpenDBFromPool(pool)
	defer conns.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, conns, migrations.Files)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	done, err := provider.Up(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, m := range done {
		log.Info("migrated", "file", m.Source.Path, "took", m.Duration)
	}
	return nil
}

func migrateQueue(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	migrator, err := rivermigrate.New(driver(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("read the queue's migrations: %w", err)
	}
	done, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	if err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	if n := len(done.Versions); n > 0 {
		log.Info("migrated the queue", "from", done.Versions[0].Version, "to", done.Versions[n-1].Version)
	}
	return nil
}

// MigrationsHash names the schema: it changes with every change to a migration or to the version of River's.
func MigrationsHash() string {
	sum := sha256.New()
	files, _ := fs.Glob(migrations.Files, "*.sql") // embedded, so it cannot fail
	for _, name := range files {
		text, _ := fs.ReadFile(migrations.Files, name)
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
	}
	if migrator, err := rivermigrate.New(driver(nil), nil); err == nil {
		for _, m := range migrator.AllVersions() {
			fmt.Fprintf(sum, "river %d\n%s", m.Version, m.SQLUp)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
