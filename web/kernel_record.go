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

// noteFailure stores the cause of a server error for the log line of the request.
func noteFailure(ctx context.Context, cause error) {
	if rec, ok := ctx.Value(recordKey{}).(*record); ok && cause != nil && rec.cause == nil {
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
	rec, ok := ctx.Value(recordKey{}).(*record)
	return ok && rec.client.Err() != nil
}

func deadlineFired(ctx context.Context) bool {
	c, ok := ctx.Value(connKey{}).(*conn)
	return ok && c.timedOut.Load()
}

// noteUser stores who is signed in.
func noteUser(ctx context.Context, user core.UserID) {
	if rec, ok := ctx.Value(recordKey{}).(*record); ok {
		rec.user = user
	}
}

// noteEvent stores what a request is to security.
func noteEvent(ctx context.Context, event security.Event) {
	if rec, ok := ctx.Value(recordKey{}).(*record); ok {
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
	if rec, ok := ctx.Value(recordKey{}).(*record); ok {
		return &rec.repeated
	}
	return nil
}
