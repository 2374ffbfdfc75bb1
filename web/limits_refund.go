package web

import (
	"context"
	"net/http"

	"tradepost/core"
)

// Writes are counted when they arrive, so that concurrent ones cannot pass the limit. A write that fails on our side, and a
// repeat of one that has happened, is refunded once it is answered.

// writeExceeds counts a write and reports whether it is beyond the limit of the client.
func (l limiter) writeExceeds(ctx context.Context, client string) bool {
	r := (&http.Request{}).WithContext(ctx) // the limiter wants one, for its context
	if l.exceeds(r, client) {
		return true
	}
	if rec, ok := ctx.Value(recordKey{}).(*record); ok {
		rec.refunds = append(rec.refunds, func() { l.giveBack(ctx, client) })
	}
	return false
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

// limitVisitor returns TooMany with CodeSignIn when visitors at this address have made enough writes of a kind for now. A
// repeat of a write that has happened passes: it has no effect.
func (s *Server) limitVisitor(ctx context.Context, actor core.Actor, limit limiter, message string) error {
	if actor.SignedIn() || !limit.writeExceeds(ctx, actor.Address) {
		return nil
	}
	if happened, err := s.market.WasCommitted(ctx, actor); err == nil && happened {
		return nil
	}
	return &core.Error{Kind: core.TooMany, Code: CodeSignIn, Message: message, RetryAfter: limit.window}
}
