package kernel

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core"
	"tradepost/sql/internal/db"
	"tradepost/sql/pgconnect"
	"tradepost/sql/replicas"
)

// Source is a server to read from.
type Source struct {
	*db.Queries
	Pool *pgxpool.Pool
}

// Primary returns the server that all writes are sent to.
func (s *DB) Primary() Source { return Source{s.queries, s.pool} }

// ReadPublic runs a read of public data, on a replica where one is far enough, else on the primary. When a
// replica finds nothing, the read is repeated on the primary. While the primary is away, a replica answers
// however far it is behind; see package replicas.
func ReadPublic[T any](
	ctx context.Context, s *DB, do func(context.Context, Source) (T, error),
) (answer T, err error) {
	err = s.readPublic(ctx, func(ctx context.Context, from Source) (err error) {
		answer, err = do(ctx, from)
		return err
	})
	return answerOf(answer, err)
}

func (s *DB) readPublic(ctx context.Context, do reading) error {
	if s.replicas == nil {
		return s.read(ctx, do)
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for attempt := 1; ; attempt++ {
		err := s.onReplica(ctx, do)
		if err == nil || s.replicas.Away() && isMissing(err) {
			return Translate(err)
		}
		if !s.replicas.Away() {
			if err = s.onPrimary(ctx, do); err == nil {
				s.replicas.ReadPrimary(ctx)
				return nil
			}
		}
		if !s.mayRepeat(ctx, err) || !pgconnect.Pause(ctx, min(attempt, askAgainSoon)) {
			return Translate(outOfReach(err))
		}
	}
}

// ReadAlways runs a read on the primary, and while that is away on a replica.
func ReadAlways[T any](
	ctx context.Context, s *DB, do func(context.Context, Source) (T, error),
) (answer T, err error) {
	err = s.readAlways(ctx, func(ctx context.Context, from Source) (err error) {
		answer, err = do(ctx, from)
		return err
	})
	return answerOf(answer, err)
}

func (s *DB) readAlways(ctx context.Context, do reading) error {
	if s.replicas == nil {
		return s.read(ctx, do)
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for attempt := 1; ; attempt++ {
		err := s.onPrimary(ctx, do)
		if err == nil {
			return nil
		}
		if s.replicas.Away() {
			if err = s.onReplica(ctx, do); err == nil || isMissing(err) {
				return Translate(err)
			}
		}
		if !s.mayRepeat(ctx, err) || !pgconnect.Pause(ctx, min(attempt, askAgainSoon)) {
			return Translate(outOfReach(err))
		}
	}
}

// askAgainSoon is the attempt from which on a read waits no longer before the next one: some 80 ms, for
// another server may be there at any moment.
const askAgainSoon = 4

var (
	errNoReplica = errors.New("no replica is far enough")
	errAway      = errors.New("the primary does not answer")
)

func (s *DB) onReplica(ctx context.Context, do reading) error {
	replica := s.replicas.Choose(ctx)
	if replica == nil {
		return errNoReplica
	}
	bound, end := replica.Bound(ctx)
	defer end()
	err := do(bound, Source{db.New(replica.Pool()), replica.Pool()})
	if err == nil {
		s.replicas.Answered()
		return nil
	}
	if isMissing(err) {
		return err
	}
	replica.Failed(err)
	return errors.Join(errNoReplica, err) // whatever it was, another server may answer
}

// onPrimary reads from the primary; it gives up when that goes away.
func (s *DB) onPrimary(ctx context.Context, do reading) error {
	if s.replicas.Away() {
		return errAway
	}
	bound, end := s.replicas.WhileThere(ctx)
	defer end()
	err := do(bound, s.pages)
	if err != nil && bound.Err() != nil && ctx.Err() == nil {
		return errAway
	}
	return err
}

func isMissing(err error) bool {
	return errors.Is(err, pgx.ErrNoRows) || core.KindOf(err) == core.NotFound
}

// mayRepeat reports whether a read that has failed may succeed elsewhere, or later.
func (s *DB) mayRepeat(ctx context.Context, err error) bool {
	return ctx.Err() == nil && (pgconnect.ConnectionFailed(err) || errors.Is(err, errAway) || errors.Is(
		err, errNoReplica,
	))
}

// outOfReach is the error of a read that found no server.
func outOfReach(err error) error {
	if errors.Is(err, errAway) || errors.Is(err, errNoReplica) {
		return errors.Join(context.DeadlineExceeded, err)
	}
	return err
}

// lately is for how long what a user has written is looked for in the changes. A replica that is read from
// has everything older.
const lately = 2 * time.Second

// Follow has the reads of this process include what a user has written lately, with whatever process.
func (s *DB) Follow(ctx context.Context, user core.UserID) {
	if s.replicas == nil || user == 0 || s.replicas.Away() {
		return
	}
	ctx, end := s.replicas.WhileThere(ctx)
	defer end()
	switch at, err := s.pages.WroteLately(ctx, int64(user), s.now().Add(-lately)); {
	case err == nil:
		s.position.Advance(replicas.LSN(at))
	case !errors.Is(err, pgx.ErrNoRows):
		s.position.Lose(time.Now())
	}
}

// Latest has the reads of this process include everything that was committed until now, by whatever process.
func (s *DB) Latest(ctx context.Context) {
	if s.replicas != nil && !s.replicas.Away() {
		s.replicas.CatchUp(ctx)
	}
}

// Reads returns how many public reads were answered by a replica, and how many by the primary.
func (s *DB) Reads() (replica, primary int64) {
	if s.replicas == nil {
		return 0, 0
	}
	return s.replicas.Reads()
}
