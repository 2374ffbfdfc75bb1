package replicas

import (
	"sync"
	"time"
)

// LSN is a place in the log of the primary, in bytes from its start.
type LSN int64

// Position is the place in the primary's log that a read of this process must include: it covers all data
// that the process has written, read or was notified of. It is safe for concurrent use. A nil Position keeps
// nothing.
type Position struct {
	mu      sync.Mutex
	at      LSN
	since   time.Time // when at became what it is
	lostAt  time.Time // the process knows of changes until then at an unknown place; zero when at covers all
	restart *LSN      // the furthest place since a restart began; nil while none is
}

// Advance has reads include a place.
func (p *Position) Advance(to LSN) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reach(to)
	if p.restart != nil {
		*p.restart = max(*p.restart, to)
	}
}

// reach has the place be at least another. The caller holds the lock.
func (p *Position) reach(to LSN) {
	if to > p.at {
		p.at, p.since = to, time.Now()
	}
}

// Lose records that the process knows of a change until now at an unknown place.
func (p *Position) Lose(now time.Time) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.After(p.lostAt) {
		p.lostAt = now
	}
}

// sampled says that the primary was at a place some time after it was asked: what was known before is
// included there.
func (p *Position) sampled(asked time.Time, at LSN) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.lostAt.IsZero() && asked.After(p.lostAt) {
		p.reach(at)
		p.lostAt = time.Time{}
		if p.restart != nil {
			*p.restart = max(*p.restart, at)
		}
	}
}

// need returns the place that a read must include, and since when; known is false while that is not known.
func (p *Position) need() (at LSN, since time.Time, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at, p.since, p.lostAt.IsZero()
}

// Restart begins a new connection to the primary, which may be another server than before: its log may end
// before the place that the former primary had reached with writes that were never acknowledged. done is
// called with its place, which replaces what was known before.
func (p *Position) Restart() (done func(LSN)) {
	if p == nil {
		return func(LSN) {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	since := new(LSN)
	p.restart = since
	return func(at LSN) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.restart == since {
			p.at, p.since, p.restart = max(at, *since), time.Now(), nil
		}
	}
}
