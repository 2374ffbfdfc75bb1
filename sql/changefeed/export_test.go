package changefeed

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/sql/internal/db"
)

// ChangeLog reads the changes as a listener does.
type ChangeLog struct{ log changeLog }

// NewChangeLog returns one that has read nothing yet.
func NewChangeLog(conn *pgx.Conn) *ChangeLog {
	return &ChangeLog{changeLog{queries: db.New(conn), cache: cache.New(nil)}}
}

// Read reads what is new and prunes what is due.
func (l *ChangeLog) Read(ctx context.Context) (core.Change, error) {
	change, err := l.log.read(ctx)
	if err == nil {
		err = l.log.prune(ctx)
	}
	return change, err
}

// Asleep is as if the listener had not read for a while.
func (l *ChangeLog) Asleep(d time.Duration) { l.log.readAt = l.log.readAt.Add(-d) }

// Later is as if it had marked its place a while ago.
func (l *ChangeLog) Later(d time.Duration) { l.log.markedAt = l.log.markedAt.Add(-d) }

// Connect opens a connection as a listener does.
func (f *Feed) Connect(ctx context.Context) (*pgx.Conn, error) { return f.connect(ctx) }
