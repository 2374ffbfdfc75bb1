package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// xactNumber is a transaction's number, and the life of the server in which it was given.
type xactNumber struct {
	xid  string // empty when there is none
	life string // empty when nobody has noted the server's life since its last crash
}

const askForNumber = "select pg_current_xact_id()::text, coalesce((select id::text from lives), '')"

func (n *xactNumber) scan(row pgx.Row) error { return row.Scan(&n.xid, &n.life) }

// outcome asks the server whether a transaction was committed. It works past the deadline of ctx for a moment: to know is
// worth the wait.
func (s *Store) outcome(ctx context.Context, of xactNumber) (committed bool, err error) {
	if of.xid == "" || of.life == "" {
		return false, errors.New("it had no number by which it is known")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	for attempt := 1; ; attempt++ {
		status, life := "", ""
		err := s.pool.QueryRow(ctx, `
select coalesce(pg_xact_status($1::text::xid8), 'forgotten'), coalesce((select id::text from lives), '')`, of.xid).Scan(&status, &life)
		switch {
		case lostNumber(err):
			return false, nil
		case err == nil && life != of.life:
			return false, errors.Join(errors.New("the server has crashed since"), noteLife(ctx, s.pool))
		case err == nil && status == "forgotten":
			return false, errors.New("the server has forgotten it")
		case err == nil && status == "committed":
			return true, nil
		case err == nil && status == "aborted":
			return false, nil
		}
		if !pause(ctx, attempt) {
			return false, errors.Join(errors.New("it is still running"), err)
		}
	}
}

// lostNumber tells whether the server has not given out such a number: a crash has swallowed it, and what went with it.
func lostNumber(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && refused.Code == "22023"
}

// noteLife begins a new life of the server when a crash has ended the last.
func noteLife(ctx context.Context, conn interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}) error {
	_, err := conn.Exec(ctx, "insert into lives default values on conflict do nothing")
	return err
}
