package serving

import (
	"sync"
	"time"
)

// sampler logs one line in each interval and counts the others.
type sampler struct {
	every time.Duration

	mu         sync.Mutex
	last       time.Time
	suppressed int
}

// take reports whether a line is logged now, and how many were suppressed since the last one.
func (s *sampler) take(now time.Time) (logged bool, suppressed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.last.IsZero() && now.Sub(s.last).Abs() < s.every {
		s.suppressed++
		return false, 0
	}
	suppressed, s.suppressed, s.last = s.suppressed, 0, now
	return true, suppressed
}

// overdue returns how many lines were suppressed, once the interval is over. It counts none of them twice.
func (s *sampler) overdue(now time.Time) (suppressed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.suppressed == 0 || now.Sub(s.last).Abs() < s.every {
		return 0
	}
	suppressed, s.suppressed, s.last = s.suppressed, 0, now
	return suppressed
}
