package web

import (
	"context"
	"time"

	"tradepost/core"
)

// sharing is how caches in front of the program may keep the response to one request.
type sharing struct {
	keys   string
	until  time.Time // from when on it is wrong without a change; zero for never
	always bool      // its address changes with its content
	off    bool      // it must not be kept after all
}

type sharingKey struct{}

// withSharing returns the context of a request that can narrow how its response is kept.
func withSharing(ctx context.Context, s *sharing) context.Context {
	return context.WithValue(ctx, sharingKey{}, s)
}

// notShared keeps a response out of caches in front of the program: it shows less than it should.
func notShared(ctx context.Context) {
	if s, ok := ctx.Value(sharingKey{}).(*sharing); ok {
		s.off = true
	}
}

// sharedWhileOpen ends the time that a response about an order may be kept with the order, which expires without a change.
func sharedWhileOpen(ctx context.Context, o core.Order) {
	if s, ok := ctx.Value(sharingKey{}).(*sharing); ok && o.Status == core.Active {
		s.until = o.ExpiresAt
	}
}
