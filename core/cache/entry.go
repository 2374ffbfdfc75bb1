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
	cache    *Cache
	scope    Scope
	concerns func(name string) bool // of items with changed trades; nil for a scope
	latest   atomic.Pointer[load[V]]

	mu      sync.Mutex
	loading *load[V]
}

// Load reads a value, and says until when it is valid; the zero time is for ever. It does not end with the
// request that caused it, since others may wait for it too.
type Load[V any] func(context.Context) (v V, validUntil time.Time, err error)

// load is a value, or the loading of one while done is open.
type load[V any] struct {
	version    atomic.Uint64 // of the scope, or the mark of the trades, that it is known to include
	began      time.Time
	at         time.Time // the market's time when it began
	done       chan struct{}
	value      V
	validUntil time.Time
	err        error
}

// NewEntry returns an entry without a value.
func NewEntry[V any](c *Cache, scope Scope) *Entry[V] { return &Entry[V]{cache: c, scope: scope} }

// NewTradesEntry returns an entry without a value, which trades of items with some names make stale.
func NewTradesEntry[V any](c *Cache, concerns func(name string) bool) *Entry[V] {
	return &Entry[V]{cache: c, concerns: concerns}
}

// version returns the version of a load that begins now.
func (e *Entry[V]) version() uint64 {
	if e.concerns == nil {
		return e.cache.versions[e.scope].Load()
	}
	return e.cache.traded.mark()
}

// isUnchanged reports whether nothing in the scope is known to have changed since a load began.
func (e *Entry[V]) isUnchanged(l *load[V]) bool {
	version := l.version.Load()
	if e.concerns == nil {
		return version == e.cache.versions[e.scope].Load()
	}
	mark, changed := e.cache.traded.since(version, e.concerns)
	if !changed {
		l.version.Store(mark)
	}
	return !changed
}

// isFresh reports whether a load is still as good as a new one.
func (e *Entry[V]) isFresh(l *load[V]) bool {
	current := e.scope == Never || e.cache.isCurrent(l.began) // before the changes are looked at
	return current && e.isUnchanged(l)
}

// Fresh returns the value if it is fresh. now is the market's time, which validUntil is compared with.
func (e *Entry[V]) Fresh(now time.Time) (v V, ok bool) {
	l := e.latest.Load()
	if l == nil || !l.validUntil.IsZero() && !now.Before(l.validUntil) || !e.isFresh(l) {
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
	if l == nil || !e.isUnchanged(l) {
		return v, false
	}
	return l.value, true
}

// Within returns the value that was loaded last, fresh or not, if that was within an age, by the market's
// time.
func (e *Entry[V]) Within(age time.Duration, now time.Time) (v V, ok bool) {
	l := e.latest.Load()
	if l == nil || now.Before(l.at) || now.Sub(l.at) >= age {
		return v, false
	}
	return l.value, true
}

// Reload loads the value whether it is fresh or not. Concurrent calls share one load unless the market
// changes meanwhile.
func (e *Entry[V]) Reload(ctx context.Context, now time.Time, read Load[V]) (V, error) {
	l, started := e.startOrJoin(now)
	if started {
		e.run(context.WithoutCancel(ctx), l, read)
		return l.value, l.err
	}
	return l.wait(ctx)
}

// ReloadLater loads the value in the background. A caller may wait for it, and stops when its context ends;
// the load goes on.
func (e *Entry[V]) ReloadLater(
	ctx context.Context, now time.Time, read Load[V],
) (wait func(context.Context) (V, error)) {
	l, started := e.startOrJoin(now)
	if started {
		go func() {
			defer func() { _ = recover() }() // it is the error of the load
			e.run(context.WithoutCancel(ctx), l, read)
		}()
	}
	return l.wait
}

func (l *load[V]) wait(ctx context.Context) (V, error) {
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
	return e.Reload(ctx, now, read)
}

// startOrJoin returns the load in progress, or a new one when the one in progress may miss a change.
func (e *Entry[V]) startOrJoin(now time.Time) (l *load[V], started bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loading != nil && e.isFresh(e.loading) {
		return e.loading, false
	}
	e.loading = &load[V]{began: time.Now(), at: now, done: make(chan struct{}), err: errPanicked}
	e.loading.version.Store(e.version()) // before anything is read
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
		if l.err == nil { // fresh or not
			e.latest.Store(l)
		}
	}()
	l.value, l.validUntil, l.err = read(ctx)
}
