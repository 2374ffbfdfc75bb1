package kernel

import (
	"context"
	"net/http"

	"tradepost/core"
	"tradepost/core/security"
)

// Record collects facts about a request while it is served.
type Record struct {
	ID string
	// of the connection: it ends when the client closes it, and with no deadline of ours
	Client context.Context
	Cause  error

	repeated bool     // the write has happened before
	refunds  []func() // gives a write back to each limit that has counted it

	Rejected bool // before any work was done

	User  core.UserID    // who is signed in, where that was asked for
	Event security.Event // what the request is to security, where its route and status do not say
}

type recordKey struct{}

// WithRecord returns the context of a request with its record.
func WithRecord(ctx context.Context, rec *Record) context.Context {
	return context.WithValue(ctx, recordKey{}, rec)
}

// RecordOf returns the record of a request, nil for none.
func RecordOf(ctx context.Context) *Record {
	rec, _ := ctx.Value(recordKey{}).(*Record)
	return rec
}

// NoteFailure stores the cause of a server error for the log line of the request.
func NoteFailure(ctx context.Context, cause error) {
	if rec := RecordOf(ctx); rec != nil && cause != nil && rec.Cause == nil {
		rec.Cause = cause
	}
}

// ClientLeft reports whether the client closed the connection of a request.
func ClientLeft(ctx context.Context) bool {
	return connectionEnded(ctx) && !deadlineFired(ctx)
}

// connectionSpoiled reports whether a deadline that was left on the connection has cancelled its requests,
// the next ones too.
func connectionSpoiled(ctx context.Context) bool { return connectionEnded(ctx) && deadlineFired(ctx) }

func connectionEnded(ctx context.Context) bool {
	rec := RecordOf(ctx)
	return rec != nil && rec.Client.Err() != nil
}

type connectionKey struct{}

// connection reports the state of the connection of a request.
type connection interface {
	DeadlineFired() bool // since the request began
}

// WithConnection returns the context of the requests on a connection.
func WithConnection(ctx context.Context, c connection) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

func deadlineFired(ctx context.Context) bool {
	c, ok := ctx.Value(connectionKey{}).(connection)
	return ok && c.DeadlineFired()
}

// NoteUser stores who is signed in.
func NoteUser(ctx context.Context, user core.UserID) {
	if rec := RecordOf(ctx); rec != nil {
		rec.User = user
	}
}

// NoteEvent stores the security event of a request.
func NoteEvent(ctx context.Context, event security.Event) {
	if rec := RecordOf(ctx); rec != nil {
		rec.Event = event
	}
}

// Refund takes the write off the limits when its status shows that it does not count.
func (rec *Record) Refund(status int) {
	if status < http.StatusInternalServerError && !rec.repeated {
		return
	}
	for _, refund := range rec.refunds {
		refund()
	}
}

// repeatedOf returns where the core notes that the write of this request has happened before.
func repeatedOf(ctx context.Context) *bool {
	if rec := RecordOf(ctx); rec != nil {
		return &rec.repeated
	}
	return nil
}
