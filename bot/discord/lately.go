package discord

import (
	"sync"
	"time"
)

// lately has when the latest requests were sent, as many as there may be within a time.
type lately struct {
	within time.Duration

	mu    sync.Mutex
	times []time.Time // from next on, and then from the start: the oldest first
	next  int
}

func newLately(most int, within time.Duration) *lately {
	return &lately{within: within, times: make([]time.Time, most)}
}

// add notes that a request is sent now and returns zero, or returns for how long there are too many: then
// it is not sent.
func (l *lately) add(now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.times[l.next].Add(l.within).Sub(now); wait > 0 {
		return wait
	}
	l.times[l.next] = now
	l.next = (l.next + 1) % len(l.times)
	return 0
}
