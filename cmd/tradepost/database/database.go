// Package database opens the database that the settings name, or starts a private one, and brings it to
// this version.
package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/cmd/tradepost/settings"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

// Server is a database to work on.
type Server struct {
	DSN  string
	Own  string          // the same as the role that owns the tables; "" where dsn is that
	host pgconnect.Host  // its clock
	Gone <-chan struct{} // closes when a private one has ended; nil for an external one
	Stop func()

	pooler   string   // a pooler in front of it; "" for none
	replicas []string // standbys that it may read from

	accountKey []byte // of hashed accounts; empty for the one in the database
}

// Open returns the database, after starting a private one where none was named. The caller stops it.
func Open(ctx context.Context, d settings.Database, log *slog.Logger) (Server, error) {
	if d.DatabaseURL != "" {
		return Server{DSN: d.DatabaseURL, Own: d.OwnerURL, pooler: d.PoolerURL,
			replicas: settings.Trimmed(d.Replicas), host: HostClock(d), Stop: func() {},
			accountKey: d.KeyFor("deleted account")}, nil
	}
	private, err := pgembed.Start(ctx, pgembed.Options{DataDir: filepath.Join(d.Data, "postgres"),
		BinDir: d.BinDir, Log: log})
	if err != nil {
		return Server{}, err
	}
	stop := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := private.Stop(ctx); err != nil {
			log.Error("stop the private PostgreSQL", "error", err)
		}
	}
	return Server{DSN: private.DSN(pgembed.DefaultDatabase), host: HostClock(d), Gone: private.Exited(),
		Stop: stop, accountKey: d.KeyFor("deleted account")}, nil
}

// PrivateIsBeta is the warning about a private PostgreSQL that serves more than its own machine.
const PrivateIsBeta = "the private PostgreSQL is a beta build without updates of its own, " +
	"for trying things out: set DATABASE_URL to a PostgreSQL 15 or newer of your own"

// HostClock is this machine's clock, with the offset that a test sets.
func HostClock(d settings.Database) pgconnect.Host {
	began := time.Now()
	return pgconnect.Host{
		Wall:    func() time.Time { return time.Now().Round(0).Add(d.ClockOffset + offsetIn(d.ClockSteps)) },
		Elapsed: func() time.Duration { return time.Since(began) },
	}
}

// offsetIn returns the duration that a file says, and none without a file.
func offsetIn(file string) time.Duration {
	if file == "" {
		return 0
	}
	said, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	offset, err := time.ParseDuration(strings.TrimSpace(string(said)))
	if err != nil {
		return 0
	}
	return offset
}

// OpenStore opens the database and brings it to this version. The clock it returns is set by the database's.
func (s Server) OpenStore(ctx context.Context, log *slog.Logger) (*postgres.Store, *pgconnect.Clock, error) {
	pool, err := WithSessions(ctx, "DATABASE_URL", s.DSN)
	if err != nil {
		return nil, nil, err
	}
	defer pool.Close()
	if s.pooler != "" {
		if err := CheckPooler(ctx, pool, s.pooler, log); err != nil {
			return nil, nil, err
		}
	}
	if err := s.migrate(ctx, pool, log); err != nil {
		return nil, nil, err
	}
	clock := pgconnect.NewClock(s.host)
	if err := clock.Measure(ctx, pool); err != nil {
		return nil, nil, err
	}
	store, err := postgres.Open(ctx, s.DSN,
		postgres.Options{Log: log, Now: clock.Now, IdentityKey: s.accountKey, Pooler: s.pooler,
			Replicas: s.replicas})
	return store, clock, err
}

// WithSessions connects to an address that must not be a pooler's in transaction mode.
func WithSessions(ctx context.Context, setting, dsn string) (*pgxpool.Pool, error) {
	pool, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 2})
	if err == nil {
		if err = pgconnect.CheckSessions(ctx, pool); err == nil {
			return pool, nil
		}
		pool.Close()
	}
	if errors.Is(err, pgconnect.ErrNoSession) {
		return nil, settings.WrongSettings{{Name: setting,
			Want: strings.ReplaceAll(pgconnect.Explain(err), "DATABASE_URL", setting)}}
	}
	return nil, err
}

// CheckPooler returns an error if an address does not belong to a pooler in front of a database.
func CheckPooler(ctx context.Context, direct *pgxpool.Pool, dsn string, log *slog.Logger) error {
	const setting = "DATABASE_POOLER_URL"
	pooled, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 1, Pooled: true})
	if err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	defer pooled.Close()
	unlimited, err := pgconnect.CheckPooler(ctx, direct, pooled)
	switch {
	case errors.Is(err, pgconnect.ErrOtherDatabase):
		return settings.WrongSettings{{Name: setting,
			Want: err.Error() + ": it must be the database of DATABASE_URL, with the same role"}}
	case err != nil:
		return fmt.Errorf("%s: %w", setting, err)
	case unlimited:
		log.Warn("database: " + PoolerUnlimited)
	}
	return nil
}

// PoolerUnlimited is the warning about a pooler that begins sessions without limits.
const PoolerUnlimited = "sessions of the pooler have no statement_timeout or no " +
	"idle_in_transaction_session_timeout, so that a statement that hangs keeps its locks: " +
	"set connect_query as in deploy/pgbouncer.ini"

// InsufficientPrivilege is the code of PostgreSQL's error.
const InsufficientPrivilege = "42501"

// migrate brings the schema to this version, as its owner.
func (s Server) migrate(ctx context.Context, serving *pgxpool.Pool, log *slog.Logger) error {
	if s.Own == "" {
		err := schema.Migrate(ctx, serving, log)
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == InsufficientPrivilege {
			return fmt.Errorf("%w: the role of DATABASE_URL does not own the tables. "+
				"Run tradepost migrate with DATABASE_OWNER_URL, or set it here", err)
		}
		return err
	}
	owner, err := WithSessions(ctx, "DATABASE_OWNER_URL", s.Own)
	if err != nil {
		return err
	}
	defer owner.Close()
	if err := schema.Migrate(ctx, owner, log); err != nil {
		return err
	}
	return schema.Grant(ctx, owner, serving)
}

// Grant gives the role that serves its rights, where it is another than the owner.
func (s Server) Grant(ctx context.Context) error {
	if s.Own == "" {
		return nil
	}
	serving, err := pgconnect.Open(ctx, s.DSN, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	defer serving.Close()
	return s.migrate(ctx, serving, slog.New(slog.DiscardHandler))
}

// Owner is the address of the database as the role that owns the tables.
func (s Server) Owner() string { return cmp.Or(s.Own, s.DSN) }

// LogMayBeChanged is the warning about a role that may do too much.
const LogMayBeChanged = "the role of DATABASE_URL may change the log of moderation: " +
	"give it a role that does not own the tables, and name the owner in DATABASE_OWNER_URL " +
	"(docs/operations.md, Two database roles)"

// WarnOfPlainText logs when others on the way to the database can read what the market sends.
func (s Server) WarnOfPlainText(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) {
	switch encrypted, err := pgconnect.Encrypted(ctx, pool); {
	case err != nil:
		log.Warn("database: encryption not known", "error", err)
	case !encrypted:
		log.Warn("database: " + pgconnect.NotEncrypted)
	}
}

// WarnOfOneRole logs when the market serves as a role that may change the log of moderation. Of a private
// database there is no other role.
func (s Server) WarnOfOneRole(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) {
	if s.Gone != nil {
		return
	}
	switch may, err := schema.MayChangeLog(ctx, pool); {
	case err != nil:
		log.Warn("database: rights not known", "error", err)
	case may:
		log.Warn("database: " + LogMayBeChanged)
	}
}
