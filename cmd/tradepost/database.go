package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/invariants"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgembed"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
	"tradepost/web"
)

// server is a database to work on.
type server struct {
	dsn  string
	own  string          // the same as the role that owns the tables; "" where dsn is that
	host pgconnect.Host  // its clock
	gone <-chan struct{} // closes when a private one has ended; nil for an external one
	stop func()

	pooler   string   // a pooler in front of it; "" for none
	replicas []string // standbys that it may read from

	accountKey []byte // of hashed accounts; empty for the one in the database
}

// openDatabase returns the database, after starting a private one where none was named. The caller stops it.
func openDatabase(ctx context.Context, d database, log *slog.Logger) (server, error) {
	if d.DatabaseURL != "" {
		return server{dsn: d.DatabaseURL, own: d.OwnerURL, pooler: d.PoolerURL, replicas: trimmed(d.Replicas), host: hostClock(d), stop: func() {}, accountKey: d.keyFor("deleted account")}, nil
	}
	private, err := pgembed.Start(ctx, pgembed.Options{DataDir: filepath.Join(d.Data, "postgres"), BinDir: d.BinDir, Log: log})
	if err != nil {
		return server{}, err
	}
	stop := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := private.Stop(ctx); err != nil {
			log.Error("stop the private PostgreSQL", "error", err)
		}
	}
	return server{dsn: private.DSN(pgembed.DefaultDatabase), host: hostClock(d), gone: private.Exited(), stop: stop, accountKey: d.keyFor("deleted account")}, nil
}

// privateIsBeta is the warning about a private PostgreSQL that serves more than its own machine.
const privateIsBeta = "the private PostgreSQL is a beta build without updates of its own, for trying things out: " +
	"set DATABASE_URL to a PostgreSQL 15 or newer of your own"

// onLoopback reports whether an address to listen on is reached from this machine only.
func onLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// hostClock is this machine's clock, wrong by what a test asks for.
func hostClock(d database) pgconnect.Host {
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

// openStore opens the database and brings it to this version. The clock it returns is set by the database's.
func (s server) openStore(ctx context.Context, log *slog.Logger) (*postgres.Store, *pgconnect.Clock, error) {
	pool, err := openWithSessions(ctx, "DATABASE_URL", s.dsn)
	if err != nil {
		return nil, nil, err
	}
	defer pool.Close()
	if s.pooler != "" {
		if err := checkPooler(ctx, pool, s.pooler, log); err != nil {
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
	store, err := postgres.Open(ctx, s.dsn, postgres.Options{Log: log, Now: clock.Now, IdentityKey: s.accountKey, Pooler: s.pooler, Replicas: s.replicas})
	return store, clock, err
}

// openWithSessions connects to an address that must not be a pooler's in transaction mode.
func openWithSessions(ctx context.Context, setting, dsn string) (*pgxpool.Pool, error) {
	pool, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 2})
	if err == nil {
		if err = pgconnect.CheckSessions(ctx, pool); err == nil {
			return pool, nil
		}
		pool.Close()
	}
	if errors.Is(err, pgconnect.ErrNoSession) {
		return nil, wrongSettings{{setting, strings.ReplaceAll(pgconnect.Explain(err), "DATABASE_URL", setting)}}
	}
	return nil, err
}

// checkPooler returns an error when an address is not that of a pooler in front of a database.
func checkPooler(ctx context.Context, direct *pgxpool.Pool, dsn string, log *slog.Logger) error {
	const setting = "DATABASE_POOLER_URL"
	pooled, err := pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: 1, Pooled: true})
	if err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	defer pooled.Close()
	unlimited, err := pgconnect.CheckPooler(ctx, direct, pooled)
	switch {
	case errors.Is(err, pgconnect.ErrOtherDatabase):
		return wrongSettings{{setting, err.Error() + ": it must be the database of DATABASE_URL, with the same role"}}
	case err != nil:
		return fmt.Errorf("%s: %w", setting, err)
	case unlimited:
		log.Warn("database: " + poolerUnlimited)
	}
	return nil
}

// poolerUnlimited is the warning about a pooler whose sessions were begun without limits.
const poolerUnlimited = "sessions of the pooler have no statement_timeout or no idle_in_transaction_session_timeout, so that a statement that hangs keeps its locks: " +
	"set connect_query as in deploy/pgbouncer.ini"

// insufficientPrivilege is the code of PostgreSQL's error.
const insufficientPrivilege = "42501"

// migrate brings the schema to this version, as its owner.
func (s server) migrate(ctx context.Context, serving *pgxpool.Pool, log *slog.Logger) error {
	if s.own == "" {
		err := schema.Migrate(ctx, serving, log)
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == insufficientPrivilege {
			return fmt.Errorf("%w: the role of DATABASE_URL does not own the tables. Run tradepost migrate with DATABASE_OWNER_URL, or set it here", err)
		}
		return err
	}
	owner, err := openWithSessions(ctx, "DATABASE_OWNER_URL", s.own)
	if err != nil {
		return err
	}
	defer owner.Close()
	if err := schema.Migrate(ctx, owner, log); err != nil {
		return err
	}
	return schema.Grant(ctx, owner, serving)
}

// grant gives the role that serves its rights, where it is another than the owner.
func (s server) grant(ctx context.Context) error {
	if s.own == "" {
		return nil
	}
	serving, err := pgconnect.Open(ctx, s.dsn, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	defer serving.Close()
	return s.migrate(ctx, serving, slog.New(slog.DiscardHandler))
}

// owner is the address of the database as the role that owns the tables.
func (s server) owner() string { return cmp.Or(s.own, s.dsn) }

// logMayBeChanged is the warning about a role that may do too much.
const logMayBeChanged = "the role of DATABASE_URL may change the log of moderation: give it a role that does not own the tables, " +
	"and name the owner in DATABASE_OWNER_URL (docs/operations.md, Two database roles)"

// warnOfOneRole logs when the market serves as a role that may change the log of moderation. Of a private database there is no other role.
func (s server) warnOfOneRole(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) {
	if s.gone != nil {
		return
	}
	switch may, err := schema.MayChangeLog(ctx, pool); {
	case err != nil:
		log.Warn("database: rights not known", "error", err)
	case may:
		log.Warn("database: " + logMayBeChanged)
	}
}

// migrate is the command that brings the database to this version.
type migrate struct {
	database
	logging
}

// Run migrates and returns.
func (m *migrate) Run(ctx context.Context) error {
	log := m.logger()
	db, err := openDatabase(ctx, m.database, log)
	if err != nil {
		return err
	}
	defer db.stop()
	store, _, err := db.openStore(ctx, log)
	if err != nil {
		return err
	}
	store.Close()
	return nil
}

func (m *migrate) wrong() wrongSettings { return m.database.wrong() }

// check is the command that verifies the invariants of the data.
type check struct {
	LogHead string `placeholder:"PLACE:HASH" help:"End of the log of moderation that an earlier check has printed: fail when the log does not contain it any more."`
	database
	logging
}

// Run prints each violated invariant and returns an error when there is one.
func (c *check) Run(ctx context.Context) error {
	log := c.logger()
	db, err := openDatabase(ctx, c.database, log)
	if err != nil {
		return err
	}
	defer db.stop()
	pool, err := pgconnect.Open(ctx, db.dsn, pgconnect.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	defer pool.Close()
	violations, err := invariants.Check(ctx, pool)
	if err != nil {
		return err
	}
	head, err := invariants.LogHead(ctx, pool, c.LogHead)
	if err != nil {
		return err
	}
	for _, v := range violations {
		fmt.Println(v)
	}
	if len(violations) > 0 {
		return fmt.Errorf("%d invariants are violated", len(violations))
	}
	fmt.Println("all invariants hold")
	fmt.Printf("the log of moderation ends at %s\nKeep that elsewhere: entries that are cut off at the end show only with --log-head and an earlier one.\n", head)
	return nil
}

func (c *check) wrong() wrongSettings { return c.database.wrong() }

// openAPI is the command that prints the description of the API.
type openAPI struct{}

// Run prints it.
func (*openAPI) Run() error {
	description, err := web.OpenAPI()
	if err != nil {
		return err
	}
	if !json.Valid(description) {
		return fmt.Errorf("the description is no JSON")
	}
	_, err = os.Stdout.Write(description)
	return err
}

// reachable returns an address to call for one that is listened on: that of this machine where it is any.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
