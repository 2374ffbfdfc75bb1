package changefeed

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	activeFor   = 3 * time.Second        // after a reader came, another one is expected
	activeEvery = 200 * time.Millisecond // between two polls while readers are expected
	idleEvery   = 15 * time.Second       // between two polls while none are; less than staleAfter
	readerWait  = 100 * time.Millisecond // how long a reader waits for a poll
)

// polling decides how often the feed polls. While no client could notice that a change arrives late, it polls
// rarely: a poll wakes the machine twice, which is most of the cost of an idle market. Its zero value is
// ready, and idle.
type polling struct {
	watchers atomic.Int32 // clients that receive changes as they happen
	readAt   atomic.Int64 // when a reader last came, in nanoseconds since 1970
	idle     atomic.Pointer[idleWait]
}

// idleWait is a long wait for the next poll.
type idleWait struct {
	end    context.CancelFunc
	polled chan struct{} // closed when it has ended and the poll after it is done
}

// read is called before a reader loads what changes make stale. It ends an idle wait, and waits for the
// poll after it, for a moment at most.
func (p *polling) read(ctx context.Context) {
	p.readAt.Store(time.Now().UnixNano())
	idle := p.idle.Load()
	if idle == nil {
		return
	}
	idle.end()
	late := time.NewTimer(readerWait)
	defer late.Stop()
	select {
	case <-idle.polled:
	case <-late.C:
	case <-ctx.Done():
	}
}

func (p *polling) active() bool {
	return p.watchers.Load() > 0 || time.Since(time.Unix(0, p.readAt.Load())) < activeFor
}

// wait begins a wait and the poll after it, which ends with done. It returns how long to wait at most, and
// a context that ends when a reader comes.
func (p *polling) wait(ctx context.Context) (waiting context.Context, longest time.Duration, done func()) {
	waiting, end := context.WithCancel(ctx)
	idle := &idleWait{end, make(chan struct{})}
	p.idle.Store(idle) // first, so that no reader that comes now is missed
	longest = idleEvery
	if p.active() {
		p.idle.Store(nil)
		longest = activeEvery
	}
	return waiting, longest, func() {
		p.idle.Store(nil)
		close(idle.polled)
		end()
	}
}

// Watch keeps the feed polling often until stop is called: a client receives changes as they happen.
func (f *Feed) Watch() (stop func()) {
	f.polling.watchers.Add(1)
	if idle := f.polling.idle.Load(); idle != nil {
		idle.end()
	}
	return func() { f.polling.watchers.Add(-1) }
}

// Idle reports whether the feed polls rarely, as no reader is expected.
func (f *Feed) Idle() bool {
	return f.polling.idle.Load() != nil && !f.polling.active() // each wait begins as an idle one
}
