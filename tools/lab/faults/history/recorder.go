package history

import (
	"slices"
	"sync"
)

// Recorder keeps writes. It is safe for concurrent use.
type Recorder struct {
	mu     sync.Mutex
	writes []Write
}

// Keep keeps a write whose outcome is definite, or will not be learned, and numbers it.
func (r *Recorder) Keep(w Write) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.Number = len(r.writes) + 1
	r.writes = append(r.writes, w)
}

// Writes returns a copy of what was kept so far.
func (r *Recorder) Writes() []Write {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.writes)
}
