package cache

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Entry caches one value. It is safe for concurrent use.
type Entry[V any] struct {
	cache  *Cache
	scope  Scope
	latest atomic.Pointer[load[V]]

	mu      sync.Mutex
	loading *load[V]
}

// Load reads a value, and says until when it is valid; the zero time is for ever. It does not end with the
// request that caused it, since others may wait for it too.
type Load[V any] func(context.Context) (v V, validUntil time.Time, err error)

// load is a value, or the loading of one while done is open.
type load[V any] struct {
	version    uint64 // of the scope, when it began
	began      time.Time
	done       chan struct{}
	value      V
	validUntil time.Time
	err        error
}

// NewEntry returns an entry without a value.
func NewEntry[V any](c *Cache, scope Scope) *Entry[V] { return &Entry[V]{cache: c, scope: scope} }

// Fresh returns the value if it is fresh. now is the market's time, which validUntil is compared with.
func (e *Entry[V]) Fresh(now time.Time) (v V, ok bool) {
	l := e.latest.Load()
	if l == nil || !l.validUntil.IsZero() && !now.Before(l.validUntil) ||
		!e.cache.isFresh(e.scope, l.version, l.began) {
		return v, false
	}
	return l.value, true
}

// Latest returns the value that was loaded last, fresh or not.
func (e *Entry[V]) Latest() (v V, ok bool) {
	if l := e.latest.Load(); l != nil {
		return l.value, true
	}
	return v, false
}

// Unchanged returns the value that was loaded last if nothing in its scope is known to have changed since.
// It may be behind by a poll of the change feed.
func (e *Entry[V]) Unchanged() (v V, ok bool) {
	l := e.latest.Load()
	if l == nil || l.version != e.cache.versions[e.scope].Load() {
		return v, false
	}
	return l.value, true
}

// Reload loads the value whether it is fresh or not. Concurrent calls share one load unless the market
// changes meanwhile.
func (e *Entry[V]) Reload(ctx context.Context, read Load[V]) (V, error) {
	l, started := e.startOrJoin()
	if started {
		e.run(context.WithoutCancel(ctx), l, read)
		return l.value, l.err
	}
	select {
	case <-l.done:
		return l.value, l.err
	case <-ctx.Done():
		return *new(V), ctx.Err()
	}
}

// Get returns the value if it is fresh, and loads it otherwise. Concurrent calls share one load.
func (e *Entry[V]) Get(ctx context.Context, now time.Time, read Load[V]) (V, error) {
	if v, ok := e.Fresh(now); ok {
		return v, nil
	}
	e.cache.catchUp(ctx)
	if v, ok := e.Fresh(now); ok {
		return v, nil
	}
	return e.Reload(ctx, read)
}

// startOrJoin returns the load in progress, or a new one when the one in progress may miss a change.
func (e *Entry[V]) startOrJoin() (l *load[V], started bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loading != nil && e.cache.isFresh(e.scope, e.loading.version, e.loading.began) {
		return e.loading, false
	}
	version := e.cache.versions[e.scope].Load() // before anything is read
	e.loading = &load[V]{version: version, began: time.Now(), done: make(chan struct{}), err: errPanicked}
	return e.loading, true
}

var errPanicked = errors.New("loading a value for the cache panicked")

func (e *Entry[V]) run(ctx context.Context, l *load[V], read Load[V]) {
	defer close(l.done)
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.loading != l {
			return // a later load has begun, which knows more
		}
		e.loading = nil
		if l.err == nil && l.version == e.cache.versions[e.scope].Load() {
			e.latest.Store(l)
		}
	}()
	l.value, l.validUntil, l.err = read(ctx)
}
