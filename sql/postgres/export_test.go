package postgres

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core"
)

// Translate is how a Store reports an error of the database.
var Translate = translate

// Refusals gives each constraint its meaning.
var Refusals = refusals

// PageQuery is the statement that reads a page: led by the sort, walking along its index, or by the filter.
func PageQuery(q core.OrderQuery, byFilterFirst bool) (string, []any) {
	if byFilterFirst {
		return pageQuery(q, byFilter)
	}
	return pageQuery(q, bySort)
}

// ChangeLog reads the changes as a listener does.
type ChangeLog struct{ log changeLog }

// NewChangeLog returns one that has read nothing yet.
func NewChangeLog(conn *pgx.Conn) *ChangeLog {
	return &ChangeLog{changeLog{conn: conn, totals: &totals{}}}
}

// Read reads what is new and prunes what is due.
func (l *ChangeLog) Read(ctx context.Context) (core.Change, error) {
	change, err := l.log.read(ctx)
	if err == nil {
		err = l.log.prune(ctx)
	}
	return change, err
}

// Asleep is as if the listener had not come to read for a while.
func (l *ChangeLog) Asleep(d time.Duration) { l.log.readAt = l.log.readAt.Add(-d) }

// Later is as if it had marked its place a while ago.
func (l *ChangeLog) Later(d time.Duration) { l.log.markedAt = l.log.markedAt.Add(-d) }

// MigrateTo brings an empty database to an older version.
func MigrateTo(ctx context.Context, pool *pgxpool.Pool, market int64, queue int) error {
	own, err := patient(ctx, pool.Config(), "tradepost migrate", "")
	if err != nil {
		return err
	}
	defer own.Close()
	return migrateTo(ctx, own, "", &versions{Market: market, Queue: queue}, slog.New(slog.DiscardHandler))
}

// Newest are the versions that this program brings a database to.
func Newest() (market int64, queue int) {
	newest, err := newestVersions()
	if err != nil {
		panic(err)
	}
	return newest.Market, newest.Queue
}

// ConnectToListen opens a connection as a listener does.
func (s *Store) ConnectToListen(ctx context.Context) (*pgx.Conn, error) {
	return s.connectToListen(ctx)
}

// ReadChanges is the statement by which a listener reads what is new.
const ReadChanges = readChanges

// Resting tells whether the listener of the store waits for somebody to come, or for long.
func (s *Store) Resting() bool { return s.attention.rest.Load() != nil }

// LongUnread is as if nobody had read for a while.
func (s *Store) LongUnread() { s.attention.paidAt.Store(0) }
