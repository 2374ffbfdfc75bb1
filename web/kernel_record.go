package web

import (
	"context"
	"net/http"

	"tradepost/core"
	"tradepost/core/security"
)

// record collects facts about a request while it is served.
type record struct {
	id     string
	client context.Context // of the connection: it ends when the client closes it, and with no deadline of ours
	cause  error

	repeated bool     // the write has happened before
	refunds  []func() // gives a write back to each limit that has counted it

	rejected bool // before any work was done

	user  core.UserID    // who is signed in, where that was asked for
	event security.Event // what the request is to security, where its route and status do not say
}

type recordKey struct{}

// withRecord returns the context of a request with its record.
func withRecord(ctx context.Context, rec *record) context.Context {
	return context.WithValue(ctx, recordKey{}, rec)
}

// recordOf returns the record of a request, nil for none.
func recordOf(ctx context.Context) *record {
	rec, _ := ctx.Value(recordKey{}).(*record)
	return rec
}

// noteFailure stores the cause of a server error for the log line of the request.
func noteFailure(ctx context.Context, cause error) {
	if rec := recordOf(ctx); rec != nil && cause != nil && rec.cause == nil {
		rec.cause = cause
	}
}

// clientLeft reports whether the client closed the connection of a request.
func clientLeft(ctx context.Context) bool {
	return connectionEnded(ctx) && !deadlineFired(ctx)
}

// connectionSpoiled reports whether a deadline that was left on the connection has cancelled its requests, the next ones too.
func connectionSpoiled(ctx context.Context) bool { return connectionEnded(ctx) && deadlineFired(ctx) }

func connectionEnded(ctx context.Context) bool {
	rec := recordOf(ctx)
	return rec != nil && rec.client.Err() != nil
}

type connectionKey struct{}

// connection is what is asked of the connection of a request.
type connection interface {
	DeadlineFired() bool // since the request began
}

// withConnection returns the context of the requests on a connection.
func withConnection(ctx context.Context, c connection) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

func deadlineFired(ctx context.Context) bool {
	c, ok := ctx.Value(connectionKey{}).(connection)
	return ok && c.DeadlineFired()
}

// noteUser stores who is signed in.
func noteUser(ctx context.Context, user core.UserID) {
	if rec := recordOf(ctx); rec != nil {
		rec.user = user
	}
}

// noteEvent stores what a request is to security.
func noteEvent(ctx context.Context, event security.Event) {
	if rec := recordOf(ctx); rec != nil {
		rec.event = event
	}
}

// refund takes the write off the limits when its status shows that it does not count.
func (rec *record) refund(status int) {
	if status < http.StatusInternalServerError && !rec.repeated {
		return
	}
	for _, refund := range rec.refunds {
		refund()
	}
}

// repeatedOf returns where the core notes that the write of this request has happened before.
func repeatedOf(ctx context.Context) *bool {
	if rec := recordOf(ctx); rec != nil {
		return &rec.repeated
	}
	return nil
}
