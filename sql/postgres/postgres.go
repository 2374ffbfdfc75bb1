// Package postgres keeps the market in PostgreSQL: the core's Store on pgx, the queue that delivers notices on River, the
// news of what changed for every replica, and the browser's sessions.
package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

// Options say how a Store meets its server. The zero value is good for a server on the same machine.
type Options struct {
	MaxConns int           // connections in the pool; 16 when zero. Listening takes one more, the queue another.
	Patience time.Duration // how long one call may take in all, retries included; 10 s when zero
	Log      *slog.Logger  // slog.Default when nil

	Tracer pgx.QueryTracer // hears every statement; nil for nobody. It is for counting what a request costs.
}

// Store keeps the market. It is safe for concurrent use.
type Store struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	jobs     *river.Client[pgx.Tx] // only inserts
	patience time.Duration
	log      *slog.Logger
	news     *news
	totals   totals
	worker   worker // this process, among those that deliver

	attention attention
}

var _ core.Store = (*Store)(nil)

// Open connects to the server that dsn names and checks that it answers. The schema must be there: see Migrate.
func Open(ctx context.Context, dsn string, opts Options) (*Store, error) {
	pool, err := Connect(ctx, dsn, opts)
	if err != nil {
		return nil, err
	}
	log := opts.Log
	if log == nil {
		log = slog.Default()
	}
	s := &Store{
		pool: pool, queries: db.New(pool), patience: opts.Patience, log: log, worker: newWorker(),
	}
	if s.patience == 0 {
		s.patience = 10 * time.Second
	}
	s.news = newNews(s)
	if s.jobs, err = insertOnly(pool, log); err != nil {
		s.news.close()
		pool.Close()
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	return s, nil
}

// Connect returns a pool of connections as the Store uses them, for who needs the database before there is a schema.
func Connect(ctx context.Context, dsn string, opts Options) (*pgxpool.Pool, error) {
	config, err := configure(dsn, opts)
	if err != nil {
		return nil, err
	}
	return connect(ctx, config)
}

func configure(dsn string, opts Options) (*pgxpool.Config, error) {
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
	setUp(config.ConnConfig)
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		readTimesAsUTC(conn)
		return learnDomains(ctx, conn)
	}
	return config, nil
}

func connect(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error) {
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	return pool, nil
}

// tableWait is how long such work waits for a table: as long as it does, everybody else waits behind it.
const tableWait = 2 * time.Second

// patient returns connections for work that may take longer than a statement may: a migration, a backup, a restore.
func patient(ctx context.Context, config *pgxpool.Config, name, searchPath string) (*pgxpool.Pool, error) {
	config = config.Copy()
	config.MaxConns, config.MinConns = 3, 0
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = name
	params["statement_timeout"] = "0"
	params["idle_in_transaction_session_timeout"] = "0"
	params["lock_timeout"] = milliseconds(tableWait)
	params["timezone"] = "UTC"
	if searchPath != "" {
		params["search_path"] = searchPath
	}
	return connect(ctx, config)
}

// setUp fills in what every connection needs and the address leaves open.
func setUp(config *pgx.ConnConfig) {
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	config.DialFunc = (&net.Dialer{KeepAliveConfig: quickToMiss}).DialContext
	for name, value := range map[string]string{
		"application_name": "tradepost",
		"plan_cache_mode":  planOnce,
		// Nobody waits for an answer any longer then; a client that hangs must not hold its locks.
		"statement_timeout":                   milliseconds(30 * time.Second),
		"idle_in_transaction_session_timeout": milliseconds(15 * time.Second),
	} {
		if _, set := config.RuntimeParams[name]; !set {
			config.RuntimeParams[name] = value
		}
	}
}

// quickToMiss notices within half a minute that a server's machine has gone without a word, also where a connection only
// listens.
var quickToMiss = net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 4}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// readTimesAsUTC makes times come back as they went in: pgx would hand them out in the host's zone.
func readTimesAsUTC(conn *pgx.Conn) {
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
}

// learnDomains lets parameters of a domain be written as those of the type it is made of. A schema that is not there yet
// has none.
func learnDomains(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `
select oid, typname::text, typbasetype from pg_type where typtype = 'd' and typnamespace = current_schema()::regnamespace`,
		pgx.QueryExecModeExec)
	if err != nil {
		return fmt.Errorf("learn the domains: %w", err)
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
		return fmt.Errorf("learn the domains: %w", err)
	}
	return nil
}

// Close lets the last announcements out and closes the pool. Everything that uses the store must have stopped.
func (s *Store) Close() {
	s.news.close()
	s.pool.Close()
}

// Connections are those of the store's pool.
type Connections struct{ Busy, Idle, Max int }

// Connections tells how the pool of connections is used at this moment.
func (s *Store) Connections() Connections {
	pool := s.pool.Stat()
	return Connections{Busy: int(pool.AcquiredConns()), Idle: int(pool.IdleConns()), Max: int(pool.MaxConns())}
}

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.pool.Ping(ctx); err != nil {
		return fmt.Errorf("ping the database: %w", err)
	}
	return nil
}

// Pool returns the store's connections, for metrics and tests.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// read runs a read, again when the connection broke under it: a read may always be repeated.
func read[T any](ctx context.Context, s *Store, do func(context.Context, *db.Queries) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for attempt := 1; ; attempt++ {
		answer, err := do(ctx, s.queries)
		if err == nil {
			return answer, nil
		}
		if !connectionFailed(err) || !pause(ctx, attempt) {
			return *new(T), translate(err)
		}
	}
}

// pause waits a little longer each time before another attempt. It returns false when there shall be none.
func pause(ctx context.Context, attempt int) bool {
	if attempt >= maxAttempts {
		return false
	}
	timer := time.NewTimer(backoff(attempt))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
