// Package pgconnect connects to PostgreSQL: pools, connections with a purpose of their own, which errors
// are worth a retry, and the server's clock. It knows nothing of the market.
package pgconnect

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options of a pool. The zero value is good for a server on the same machine.
type Options struct {
	MaxConns int             // 16 when zero
	Tracer   pgx.QueryTracer // sees every statement; may be nil

	// Pooled is for connections to a pooler in transaction mode, where each transaction may be served by
	// another session: they set nothing for a session, and prepare no statement under a name (decision
	// 253).
	Pooled bool
}

// Open returns a pool of connections to the server that dsn names, after checking that it answers.
func Open(ctx context.Context, dsn string, opts Options) (*pgxpool.Pool, error) {
	config, err := Config(dsn, opts)
	if err != nil {
		return nil, err
	}
	return open(ctx, config)
}

// Config returns the configuration of the pool that Open opens.
func Config(dsn string, opts Options) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	config.MaxConns = 16
	if opts.MaxConns > 0 {
		config.MaxConns = int32(min(opts.MaxConns, 10_000))
	}
	config.MaxConnIdleTime = 5 * time.Minute
	config.ConnConfig.Tracer = opts.Tracer
	setDefaults(config.ConnConfig, opts.Pooled)
	if opts.Pooled && !strings.Contains(dsn, "default_query_exec_mode") {
		// Parsed and planned for each execution, but in one round trip. A pooler that knows prepared
		// statements (PgBouncer 1.21) can have them: ?default_query_exec_mode=cache_statement.
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		readTimesAsUTC(conn)
		return registerDomains(ctx, conn)
	}
	rememberHost(config)
	return config, nil
}

// CheckURL returns an error when an address cannot belong to a database. It does not connect, and the error
// does not repeat the address, which may contain a password.
func CheckURL(dsn string) error {
	scheme, _, isURL := strings.Cut(dsn, "://")
	_, err := pgxpool.ParseConfig(dsn)
	if err != nil || isURL && scheme != "postgres" && scheme != "postgresql" {
		return errors.New("it is no address of a PostgreSQL database: " +
			"want postgres://user:password@host:5432/name")
	}
	return nil
}

func open(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error) {
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to the database: %w", withoutSession(err))
	}
	return pool, nil
}

// tableWait is how long maintenance waits for a table: while it waits, all other statements on the table
// wait behind it.
const tableWait = 2 * time.Second

// OpenForMaintenance returns a small pool for work that may take longer than a statement of the market may:
// a migration, a backup, a restore. A statement that waits too long for a table fails, see LockTimedOut.
func OpenForMaintenance(
	ctx context.Context, config *pgxpool.Config, name, searchPath string,
) (*pgxpool.Pool, error) {
	config = config.Copy()
	config.MaxConns, config.MinConns = 3, 0
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = name
	params["statement_timeout"] = "0"
	params["idle_in_transaction_session_timeout"] = "0"
	params["lock_timeout"] = Milliseconds(tableWait)
	params["timezone"] = "UTC"
	if searchPath != "" {
		params["search_path"] = searchPath
	}
	return open(ctx, config)
}

// A connection plans a statement once, without looking at values, and keeps the plan: to plan a page for
// its values takes PostgreSQL three times as long as to read it. So statements are written such that one
// plan is right for all values.
const planOnce = "force_generic_plan"

// setDefaults sets the parameters that every connection needs and the address leaves open. For a pooler it
// sets only the application name: the pooler sets the others for each session that it opens
// (deploy/pgbouncer.ini).
func setDefaults(config *pgx.ConnConfig, pooled bool) {
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	config.DialFunc = (&net.Dialer{KeepAliveConfig: keepAlive}).DialContext
	if _, set := config.RuntimeParams["application_name"]; !set {
		config.RuntimeParams["application_name"] = "tradepost"
	}
	if pooled {
		return
	}
	for name, value := range map[string]string{
		"plan_cache_mode": planOnce,
		// By then no client waits for the answer; a hanging statement must not keep its locks.
		"statement_timeout":                   Milliseconds(30 * time.Second),
		"idle_in_transaction_session_timeout": Milliseconds(15 * time.Second),
	} {
		if _, set := config.RuntimeParams[name]; !set {
			config.RuntimeParams[name] = value
		}
	}
}

// keepAlive detects within half a minute that a server's machine has gone without a word, also on a
// connection that only listens.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 4}

// Milliseconds writes a duration as PostgreSQL's settings want it.
func Milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// readTimesAsUTC makes times come back as they went in: pgx would return them in the host's zone.
func readTimesAsUTC(conn *pgx.Conn) {
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID,
		Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
}

// registerDomains registers domains, so that their parameters are encoded as their base type. A
// schema that does not exist yet has none.
func registerDomains(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, "select oid, typname::text, typbasetype from pg_type "+
		"where typtype = 'd' and typnamespace = current_schema()::regnamespace", pgx.QueryExecModeExec)
	if err != nil {
		return fmt.Errorf("read the domains: %w", err)
	}
	var (
		oid, base uint32
		name      string
	)
	types := conn.TypeMap()
	_, err = pgx.ForEachRow(rows, []any{&oid, &name, &base}, func() error {
		if t, known := types.TypeForOID(base); known {
			types.RegisterType(&pgtype.Type{Name: name, OID: oid, Codec: t.Codec})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the domains: %w", err)
	}
	return nil
}
