// Package progress reports how far something is that may take long: a backup, a restore, a migration.
package progress

import (
	"sync"
	"time"
)

// Every is the time between two reports. A shorter operation is not reported.
const Every = 10 * time.Second

// Report is the progress of an operation.
type Report struct {
	Step    string        // what is being done, such as "copy orders"
	Bytes   int64         // that the step has read or written
	Elapsed time.Duration // since the start
}

// Meter knows how far something is. A nil one knows nothing.
type Meter struct {
	mu   sync.Mutex
	step string
	done int64
}

// Start reports every now and then, until stop is called.
func Start(report func(Report)) (meter *Meter, stop func()) {
	m, end, ended := &Meter{}, make(chan struct{}), make(chan struct{})
	tick := time.NewTicker(Every)
	go func() {
		defer close(ended)
		defer tick.Stop()
		for elapsed := Every; ; elapsed += Every {
			select {
			case <-tick.C:
				report(m.now(elapsed))
			case <-end:
				return
			}
		}
	}()
	return m, func() {
		close(end)
		<-ended
	}
}

func (m *Meter) now(elapsed time.Duration) Report {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Report{m.step, m.done, elapsed}
}

// Step begins the next step.
func (m *Meter) Step(what string) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.step, m.done = what, 0
	}
}

// Write counts what the step has written. It never fails.
func (m *Meter) Write(p []byte) (int, error) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.done += int64(len(p))
	}
	return len(p), nil
}
