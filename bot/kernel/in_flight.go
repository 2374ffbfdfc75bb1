package kernel

import (
	"sync"
	"time"
)

// inFlight counts the interactions that are being answered.
type inFlight struct {
	mu      sync.Mutex
	running int
	drained chan struct{} // closed when the last one has ended; nil while Run does not wait
}

func (f *inFlight) Start(do func()) {
	f.mu.Lock()
	f.running++
	f.mu.Unlock()
	go func() {
		defer f.end()
		do()
	}()
}

func (f *inFlight) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running--
	if f.running == 0 && f.drained != nil {
		close(f.drained)
		f.drained = nil
	}
}

// Wait waits until none is running, or for the limit.
func (f *inFlight) Wait(limit time.Duration) {
	f.mu.Lock()
	if f.running == 0 {
		f.mu.Unlock()
		return
	}
	if f.drained == nil {
		f.drained = make(chan struct{})
	}
	drained := f.drained
	f.mu.Unlock()
	select {
	case <-drained:
	case <-time.After(limit):
	}
}
