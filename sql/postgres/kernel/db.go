// Package kernel has what every noun of the store needs: connections, reads, transactions, the notes of their
// changes, and the translation of errors.
package kernel

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/changefeed"
	"tradepost/sql/internal/db"
	"tradepost/sql/pgconnect"
	"tradepost/sql/queue"
	"tradepost/sql/replicas"
)

// Options of a DB. The zero value is good for a server on the same machine.
type Options struct {
	// MaxConns is the size of the pool; 16 when zero. The change feed takes one more, the queue another.
	MaxConns int
	Patience time.Duration // how long one call may take in all, retries included; 10 s when zero
	Log      *slog.Logger  // slog.Default when nil
	// Now is the time that rows are written and compared with: Clock.Now, so that all replicas share one;
	// time.Now when nil.
	Now func() time.Time

	// IdentityKey is the key of the hashes under which deleted accounts are remembered. Without one a key is
	// made and kept in the database.
	IdentityKey []byte

	Tracer pgx.QueryTracer // sees every statement, to count what a request costs; may be nil

	// Pooler is the address of a pooler in transaction mode in front of the server. All statements are sent
	// there but those that need a session: listening, and locks that outlive a transaction. Empty for none.
	Pooler string

	// Replicas lists the addresses of standbys that may answer reads of public data.
	Replicas []string
}

// DB is the connection to the database. It is safe for concurrent use.
type DB struct {
	pool     *pgxpool.Pool
	direct   *pgxpool.Pool // the same as pool without a pooler
	queries  *db.Queries
	pages    Source // the primary, for pages; see openPages
	jobs     *queue.Inserter
	worker   queue.Worker
	feed     *changefeed.Feed
	position *replicas.Position // nil without replicas
	replicas *replicas.Set      // nil without any
	patience time.Duration
	log      *slog.Logger
	now      func() time.Time
	writing  chan struct{} // has one for each write that has a connection; see writersOf

	identityKey []byte
}

// writersOf returns how many of a pool's connections writes may have at a time. The rest is left to reads:
// writes wait for one another, and for synchronous standbys, and would take the pages along.
func writersOf(conns int32) int32 { return max(1, conns-max(1, conns/4)) }

// Open connects to the server that dsn names and checks that it answers.
func Open(ctx context.Context, dsn string, opts Options) (*DB, error) {
	pool, direct, err := openPools(ctx, dsn, opts)
	if err != nil {
		return nil, err
	}
	s := &DB{
		pool: pool, direct: direct, queries: db.New(pool), worker: queue.NewWorker(), patience: opts.Patience,
		log: opts.Log, now: opts.Now, identityKey: opts.IdentityKey,
		writing: make(chan struct{}, writersOf(pool.Config().MaxConns)),
	}
	s.pages = s.Primary()
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.patience == 0 {
		s.patience = 10 * time.Second
	}
	if s.jobs, err = queue.NewInserter(pool, s.log); err != nil {
		s.closePools()
		return nil, err
	}
	if len(opts.Replicas) > 0 {
		pages, err := openPages(ctx, pool)
		if err != nil {
			s.closePools()
			return nil, err
		}
		s.pages = pages
		s.position = &replicas.Position{}
		primary := replicas.Primary{Pages: pages.Pool, Writes: pool}
		s.replicas, err = replicas.Open(primary, s.position, opts.Replicas, pgconnect.Options{
			MaxConns: opts.MaxConns, Tracer: opts.Tracer,
		}, s.log)
		if err != nil {
			s.closePools()
			return nil, err
		}
	}
	s.feed = changefeed.New(pool, direct, s.position, s.log)
	return s, nil
}

// sessionConns are the direct connections at most beside a pooler: the change feed, the queue and the gateway
// have one of their own each.
const sessionConns = 2

// openPools connects to the server, or to the pooler in front of it. Direct connections are then opened when
// they are needed.
func openPools(ctx context.Context, dsn string, opts Options) (pool, direct *pgxpool.Pool, err error) {
	if opts.Pooler == "" {
		pool, err = pgconnect.Open(ctx, dsn, pgconnect.Options{MaxConns: opts.MaxConns, Tracer: opts.Tracer})
		return pool, pool, err
	}
	config, err := pgconnect.Config(dsn, pgconnect.Options{MaxConns: sessionConns, Tracer: opts.Tracer})
	if err != nil {
		return nil, nil, err
	}
	config.ConnConfig.RuntimeParams["application_name"] = "tradepost direct"
	if pool, err = pgconnect.Open(ctx, opts.Pooler, pgconnect.Options{
		MaxConns: opts.MaxConns, Tracer: opts.Tracer, Pooled: true,
	}); err != nil {
		return nil, nil, err
	}
	if direct, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		pool.Close()
		return nil, nil, fmt.Errorf("connect beside the pooler: %w", err)
	}
	return pool, direct, nil
}

// pageConns are the connections for pages that no standby can answer.
const pageConns = 4

// openPages connects to the primary for pages, as pool does and with what that has learned of the servers.
// Where standbys answer most pages few connections will do; they are apart from the others, all of which wait
// where a primary has lost its synchronous standby.
func openPages(ctx context.Context, pool *pgxpool.Pool) (Source, error) {
	config := pool.Config()
	config.MaxConns = pageConns
	pages, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return Source{}, fmt.Errorf("connect for pages: %w", err)
	}
	return Source{db.New(pages), pages}, nil
}

func (s *DB) closePools() {
	if s.pages.Pool != s.pool {
		s.pages.Pool.Close()
	}
	s.pool.Close()
	if s.direct != s.pool {
		s.direct.Close()
	}
}

// Close closes the change feed and the pool. Everything that uses them must have stopped.
func (s *DB) Close() {
	s.feed.Close()
	if s.replicas != nil {
		s.replicas.Close()
	}
	s.closePools()
}

// Connections counts the connections of the pool.
type Connections struct{ Busy, Idle, Max int }

// Connections returns the current usage of the connection pool.
func (s *DB) Connections() Connections {
	pool := s.pool.Stat()
	return Connections{
		Busy: int(pool.AcquiredConns()), Idle: int(pool.IdleConns()), Max: int(pool.MaxConns()),
	}
}

// Ping returns an error when the database does not answer.
func (s *DB) Ping(ctx context.Context) error {
	if err := s.pool.Ping(ctx); err != nil {
		return fmt.Errorf("ping the database: %w", err)
	}
	return nil
}

// Pool returns the connections. With a pooler none of them is a session: what is set, locked or listened to
// there may be another's after the transaction.
func (s *DB) Pool() *pgxpool.Pool { return s.pool }

// Direct returns connections that are sessions of the server.
func (s *DB) Direct() *pgxpool.Pool { return s.direct }

// Feed returns the feed of the changes of all replicas.
func (s *DB) Feed() *changefeed.Feed { return s.feed }

// Now returns the time that rows are written and compared with.
func (s *DB) Now() time.Time { return s.now() }

// Worker identifies this process in the mailboxes that it leases.
func (s *DB) Worker() queue.Worker { return s.worker }

// Log returns the logger.
func (s *DB) Log() *slog.Logger { return s.log }

// reading is a read that keeps its answer. Functions that return an answer are generic and leave the work to
// methods that are not, since Go compiles a generic function for each type of answer.
type reading func(context.Context, Source) error

// Read runs a read, again when the connection broke under it: a read may always be repeated.
func Read[T any](
	ctx context.Context, s *DB, do func(context.Context, *db.Queries) (T, error),
) (answer T, err error) {
	err = s.read(ctx, func(ctx context.Context, from Source) (err error) {
		answer, err = do(ctx, from.Queries)
		return err
	})
	return answerOf(answer, err)
}

func (s *DB) read(ctx context.Context, do reading) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for attempt := 1; ; attempt++ {
		err := do(ctx, s.Primary())
		if err == nil {
			return nil
		}
		if !pgconnect.ConnectionFailed(err) || !pgconnect.Pause(ctx, attempt) {
			return Translate(err)
		}
	}
}

// answerOf returns the answer of a read, or no answer beside an error.
func answerOf[T any](answer T, err error) (T, error) {
	if err != nil {
		return *new(T), err
	}
	return answer, nil
}

// Done runs a write without an answer, again when the connection broke under it: a second time must make no
// difference.
func Done(ctx context.Context, s *DB, do func(context.Context, *db.Queries) error) error {
	return s.read(ctx, func(ctx context.Context, from Source) error { return do(ctx, from.Queries) })
}
