package kernel

import (
	"context"
	"time"

	"tradepost/core/trade"
)

// Sharing is how caches in front of the program may keep the response to one request.
type Sharing struct {
	Keys   string
	Until  time.Time // from when on it is wrong without a change; zero for never
	Always bool      // its address changes with its content
	Off    bool      // it must not be kept after all
}

type sharingKey struct{}

// WithSharing returns the context of a request that can narrow how its response is kept.
func WithSharing(ctx context.Context, s *Sharing) context.Context {
	return context.WithValue(ctx, sharingKey{}, s)
}

// NotShared keeps a response out of caches in front of the program: it shows less than it should.
func NotShared(ctx context.Context) {
	if s, ok := ctx.Value(sharingKey{}).(*Sharing); ok {
		s.Off = true
	}
}

// SharedWhileOpen ends the time that a response about an order may be kept with the order, which expires
// without a change.
func SharedWhileOpen(ctx context.Context, o trade.Order) {
	if s, ok := ctx.Value(sharingKey{}).(*Sharing); ok && o.Status == trade.Active {
		s.Until = o.ExpiresAt
	}
}
