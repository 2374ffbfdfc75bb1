package scheduletest

import (
	"context"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
)

type laneKey struct{}

// in returns a context of which every statement waits for the scheduler.
func (l *lane) in(ctx context.Context) context.Context { return context.WithValue(ctx, laneKey{}, l) }

// gate is where a lane stops before a round trip. It returns the fault that comes instead.
func (l *lane) gate(pid uint32, commit, batch bool) fault {
	l.sched.events <- event{lane: l, kind: waiting, pid: pid, commit: commit, batch: batch}
	return <-l.reply
}

// hook is the tracer of a store: it sees every statement before it is sent and when it was answered.
type hook struct {
	mu   sync.Mutex
	dead map[*lane]bool // their process has ended
}

var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func (h *hook) died(l *lane) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dead[l] = true
}

func (h *hook) isDead(l *lane) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead[l]
}

// laneOf returns the lane that sends a statement; nil for none. A new connection reads the domains, which is
// no step of a write.
func laneOf(ctx context.Context, sql string) *lane {
	if strings.Contains(sql, "from pg_type") {
		return nil
	}
	l, _ := ctx.Value(laneKey{}).(*lane)
	return l
}

// TraceQueryStart stops at a statement outside of a transaction, or at its rollback.
func (h *hook) TraceQueryStart(
	ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData,
) context.Context {
	l := laneOf(ctx, data.SQL)
	if l == nil {
		return ctx
	}
	if h.isDead(l) {
		return over
	}
	switch l.gate(conn.PgConn().PID(), false, false) {
	case crashBefore:
		h.died(l)
		return over
	default:
		return ctx
	}
}

// TraceQueryEnd notes that a statement was answered.
func (h *hook) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	h.answered(laneOf(ctx, ""))
}

const (
	endSession    = "select pg_terminate_backend(pg_backend_pid())"
	failSerialize = "do $$ begin raise exception 'a test wants it again' using errcode = '40001'; end $$"
)

// TraceBatchStart stops at a round trip of a transaction, and puts a fault into it. Its statements are those
// of the server: an ended session, or an error.
func (h *hook) TraceBatchStart(
	ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData,
) context.Context {
	l := laneOf(ctx, "")
	if l == nil {
		return ctx
	}
	if h.isDead(l) {
		return over
	}
	commit := false
	for _, q := range data.Batch.QueuedQueries {
		commit = commit || q.SQL == "commit"
	}
	insert := func(first bool, sql string) {
		more := &pgx.Batch{}
		more.Queue(sql)
		if first {
			data.Batch.QueuedQueries = append(more.QueuedQueries, data.Batch.QueuedQueries...)
			return
		}
		data.Batch.QueuedQueries = append(data.Batch.QueuedQueries, more.QueuedQueries...)
	}
	switch l.gate(conn.PgConn().PID(), commit, true) {
	case crashBefore:
		h.died(l)
		return over
	case crashAfter:
		l.dying = true
		insert(false, endSession)
	case cutBefore:
		insert(true, endSession)
	case answerLost:
		insert(false, endSession)
	case serialization:
		insert(true, failSerialize)
	}
	return ctx
}

// TraceBatchQuery does nothing.
func (h *hook) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd notes that a round trip was answered.
func (h *hook) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) {
	h.answered(laneOf(ctx, ""))
}

func (h *hook) answered(l *lane) {
	switch {
	case l == nil || h.isDead(l):
	case l.dying:
		h.died(l)
		l.sched.events <- event{lane: l, kind: ended, answer: noAnswer}
	default:
		l.sched.events <- event{lane: l, kind: thinking}
	}
}
