package postgres

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	attentive = 3 * time.Second        // for so long after somebody has read, another reader is expected
	restFor   = 15 * time.Second       // between two looks that nobody waits for; less than staleAfter
	lookTime  = 100 * time.Millisecond // for how long a reader waits for a look
)

// attention is whether anybody would notice that news comes late. Then the changes are looked for at every turn, and
// otherwise now and then: each look wakes the machine twice, which is most of what a market costs that nobody asks for
// anything. Its zero value is ready, and inattentive.
type attention struct {
	watchers atomic.Int32 // who are told of changes as they come
	paidAt   atomic.Int64 // when somebody last read what a change may have made wrong, in nanoseconds since 1970
	rest     atomic.Pointer[rest]
}

// rest is a longer wait for the bell.
type rest struct {
	end  context.CancelFunc
	over chan struct{} // closed when it has ended and the look after it was taken
}

// pay is called by whoever is about to use what changes make wrong. It ends a rest, and waits for the look after it.
func (a *attention) pay(ctx context.Context) {
	a.paidAt.Store(time.Now().UnixNano())
	r := a.rest.Load()
	if r == nil {
		return
	}
	r.end()
	late := time.NewTimer(lookTime)
	defer late.Stop()
	select {
	case <-r.over:
	case <-late.C:
	case <-ctx.Done():
	}
}

func (a *attention) paid() bool {
	return a.watchers.Load() > 0 || time.Since(time.Unix(0, a.paidAt.Load())) < attentive
}

// turn begins a turn of waiting for the bell and looking for changes, which ends with done. It returns how long to wait, and
// a context that ends when somebody comes who cannot wait so long.
func (a *attention) turn(ctx context.Context) (waiting context.Context, most time.Duration, done func()) {
	waiting, end := context.WithCancel(ctx)
	r := &rest{end, make(chan struct{})}
	a.rest.Store(r) // first, so that whoever comes now is not overlooked
	most = restFor
	if a.paid() {
		a.rest.Store(nil)
		most = bellAfter
	}
	return waiting, most, func() {
		a.rest.Store(nil)
		close(r.over)
		end()
	}
}

// Watch has news told without delay until stop is called, also such that no bell was rung for. Listen tells it.
func (s *Store) Watch() (stop func()) {
	s.attention.watchers.Add(1)
	if r := s.attention.rest.Load(); r != nil {
		r.end()
	}
	return func() { s.attention.watchers.Add(-1) }
}
