package serving

import (
	"context"
	"sync"
	"time"
)

// readyTime is how long all checks together may take.
const readyTime = 3 * time.Second

// readyFor is how long a check result is reused, so that probes do not load the database.
const readyFor = time.Second

// readiness caches the results of the checks. It is safe for concurrent use.
type readiness struct {
	checks   map[string]func(context.Context) error
	stopping func() bool
	now      func() time.Time

	mu     sync.Mutex
	latest *readyCheck
}

// readyCheck is one round of all checks, shared by the probes that come while it lasts and for a second
// after it.
type readyCheck struct {
	done  chan struct{}
	at    time.Time // it began
	found map[string]error
}

// check returns the error of each check, nil for success.
func (c *readiness) check(ctx context.Context) (map[string]error, error) {
	c.mu.Lock()
	round, now := c.latest, c.now()
	if round == nil || round.over() && now.Sub(round.at).Abs() >= readyFor {
		round = &readyCheck{done: make(chan struct{}), at: now}
		c.latest = round
		go c.run(context.WithoutCancel(ctx), round)
	}
	c.mu.Unlock()
	select {
	case <-round.done:
		return round.found, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *readyCheck) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

func (c *readiness) run(ctx context.Context, round *readyCheck) {
	defer close(round.done)
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	found := map[string]error{}
	for name, check := range c.checks {
		found[name] = check(ctx)
	}
	round.found = found
}
