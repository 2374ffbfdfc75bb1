package serving

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"tradepost/web/kernel"
)

// slots limits the number of requests in flight, in total and per client. It is safe for concurrent use.
type slots struct {
	total, share int

	mu       sync.Mutex
	taken    int
	byClient map[string]int
}

var (
	errFull      = errors.New("every slot is taken")
	errOverShare = errors.New("one client has taken its share of slots")
)

func newSlots(total, share int) *slots {
	return &slots{total: total, share: share, byClient: map[string]int{}}
}

// take takes a slot for a client, which leave gives back. It returns errOverShare or errFull.
func (s *slots) take(client string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.share > 0 && s.byClient[client] >= s.share:
		return errOverShare
	case s.taken >= s.total:
		return errFull
	}
	s.taken++
	s.byClient[client]++
	return nil
}

func (s *slots) leave(client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.byClient[client]--; s.byClient[client] == 0 {
		delete(s.byClient, client)
	}
}

// noSlot returns the problem for a request that got no slot.
func noSlot(err error) *kernel.Problem {
	p := kernel.NewProblem(http.StatusServiceUnavailable, "Too busy at the moment. Please try again.")
	if errors.Is(err, errOverShare) {
		p = kernel.NewProblem(http.StatusTooManyRequests, "Too many requests at once. Please wait a moment.")
	}
	p.RetryAfter = time.Second
	return p
}

// ShedLoad rejects requests while too many are in flight, so that those are answered in time. A request that is let in has
// a time limit. Its body has been read before, so a slow upload takes no slot.
func (s *Front) ShedLoad() func(http.Handler) http.Handler {
	inFlight := newSlots(s.opts.Limits.InFlight, s.opts.Limits.Share)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client := kernel.LimitKeyOf(r.Context())
			if err := inFlight.take(client); err != nil {
				s.Reject(w, r, noSlot(err))
				return
			}
			defer inFlight.leave(client)
			s.inFlight.Add(1)
			defer s.inFlight.Add(-1)
			ctx, cancel := context.WithTimeout(r.Context(), requestTime)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}
