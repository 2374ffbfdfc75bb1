package bot

import (
	"sync"
	"time"
)

// flights are the interactions being answered.
type flights struct {
	mu     sync.Mutex
	up     int
	landed chan struct{} // closed when the last one is down; nil while nobody waits
}

func (f *flights) start(do func()) {
	f.mu.Lock()
	f.up++
	f.mu.Unlock()
	go func() {
		defer f.end()
		do()
	}()
}

func (f *flights) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.up--
	if f.up == 0 && f.landed != nil {
		close(f.landed)
		f.landed = nil
	}
}

// land waits until none is in flight, or for the limit.
func (f *flights) land(limit time.Duration) {
	f.mu.Lock()
	if f.up == 0 {
		f.mu.Unlock()
		return
	}
	if f.landed == nil {
		f.landed = make(chan struct{})
	}
	landed := f.landed
	f.mu.Unlock()
	select {
	case <-landed:
	case <-time.After(limit):
	}
}
