package serving

import (
	"errors"
	"sync"

	"tradepost/core"
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
	if errors.Is(err, errOverShare) {
		return kernel.Beyond(core.LimitShare)
	}
	return kernel.Beyond(core.LimitInFlight)
}
