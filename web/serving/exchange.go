package serving

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/go-chi/httprate"

	"tradepost/core"
	"tradepost/web/kernel"
)

const (
	tellEvery = time.Second // between two exchanges with other replicas
	knownFor  = 3 * tellEvery
	tellMost  = 1000 // clients in one
	// tellFrom is the part of a limit from which on others are told. Nearly all clients stay below, and
	// cost nothing.
	tellFrom = 0.1
)

// exchange tells other replicas what clients have done here, and learns what they have done elsewhere: once
// a second while there is something to tell. No request waits for it.
type exchange struct {
	shared kernel.SharedLimits
	now    func() time.Time
	log    *slog.Logger
	After  func(time.Duration, func()) // time.AfterFunc

	mu       sync.Mutex
	counters []*counter
	due      bool
}

func newExchange(opts Options, now func() time.Time, log *slog.Logger) *exchange {
	if opts.Shared == nil {
		return nil
	}
	return &exchange{shared: opts.Shared, now: now, log: log,
		After: func(d time.Duration, run func()) { time.AfterFunc(d, run) }}
}

// limiter returns a limiter that knows of other replicas. A nil exchange knows of none.
func (e *exchange) limiter(declared core.Limit, times int) kernel.Limiter {
	if e == nil {
		return kernel.NewLimiter(declared, times)
	}
	c := &counter{name: declared.Name, exchange: e}
	e.mu.Lock()
	e.counters = append(e.counters, c)
	e.mu.Unlock()
	return kernel.NewLimiter(declared, times, httprate.WithLimitCounter(c))
}

func (e *exchange) wake() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.due {
		e.due = true
		e.After(tellEvery, e.Run)
	}
}

func (e *exchange) Run() {
	e.mu.Lock()
	e.due = false
	counters := e.counters
	e.mu.Unlock()
	for _, c := range counters {
		for uses := c.take(); len(uses) > 0; uses = uses[min(len(uses), tellMost):] {
			some := uses[:min(len(uses), tellMost)]
			ctx, cancel := context.WithTimeout(context.Background(), kernel.TellTime)
			counts, err := e.shared.CountUses(ctx, some)
			cancel()
			if err != nil {
				e.log.Debug("limits: not shared with other replicas", "limit", c.name, "error", err)
			}
			c.learn(some, counts)
		}
	}
}

// counter counts the requests of clients here, and stores how many the busiest clients make elsewhere. It is
// httprate's LimitCounter.
type counter struct {
	name     string
	exchange *exchange
	limit    int
	window   time.Duration

	mu                sync.Mutex
	began             time.Time // of the present window
	present, previous map[string]*clientUses
	told              []string // clients to be told of
}

type clientUses struct {
	count   int  // here, in the window
	untold  int  // of them and of earlier ones
	waiting bool // to be told of

	known   float64 // everywhere, within the window that ended at knownAt
	knownAt time.Time
}

var _ httprate.LimitCounter = (*counter)(nil)

// Config implements httprate.LimitCounter.
func (c *counter) Config(limit int, window time.Duration) { c.limit, c.window = limit, window }

// Increment implements httprate.LimitCounter.
func (c *counter) Increment(client string, window time.Time) error {
	return c.IncrementBy(client, window, 1)
}

// IncrementBy implements httprate.LimitCounter.
func (c *counter) IncrementBy(client string, window time.Time, by int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn(window)
	u := c.present[client]
	if u == nil {
		u = &clientUses{}
		if before := c.previous[client]; before != nil {
			u.known, u.knownAt = before.known, before.knownAt
		}
		c.present[client] = u
	}
	u.count += by
	u.untold += by
	if float64(u.count) >= tellFrom*float64(c.limit) || u.known > 0 {
		c.tell(client, u)
	}
	return nil
}

// Get implements httprate.LimitCounter.
func (c *counter) Get(client string, window, _ time.Time) (present, previous int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn(window)
	now, before := c.present[client], c.previous[client]
	if before != nil {
		previous = before.count
	}
	latest := before
	if now != nil {
		present, latest = now.count, now
	}
	if latest == nil || latest.known == 0 {
		return present, previous, nil
	}
	if c.exchange.now().Sub(latest.knownAt) > knownFor {
		return present, previous, nil
	}
	everywhere := int(math.Round(latest.known)) + latest.untold
	if everywhere >= c.limit {
		c.tell(client, latest) // ask again, as time passes
	}
	if everywhere > present+previous {
		return everywhere, 0, nil
	}
	return present, previous, nil
}

// turn begins a new window.
func (c *counter) turn(window time.Time) {
	if c.began.Equal(window) && c.present != nil {
		return
	}
	c.previous = nil
	if window.Sub(c.began) == c.window {
		c.previous = c.present
	}
	c.present, c.began = map[string]*clientUses{}, window
}

func (c *counter) tell(client string, u *clientUses) {
	if !u.waiting {
		u.waiting = true
		c.told = append(c.told, client)
		c.exchange.wake()
	}
}

// of returns the known uses of a client.
func (c *counter) of(client string) *clientUses {
	if u := c.present[client]; u != nil {
		return u
	}
	return c.previous[client]
}

// take returns the uses to report to the exchange, and marks them as reported.
func (c *counter) take() (uses []core.LimitUse) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, client := range c.told {
		if u := c.of(client); u != nil {
			uses = append(uses, core.LimitUse{Limit: c.name, Client: client, Window: c.window, By: u.untold})
			u.untold, u.waiting = 0, false
		}
	}
	c.told = nil
	return uses
}

// learn stores the uses of all replicas. Without counts, the report failed, and its uses are reported again.
func (c *counter) learn(uses []core.LimitUse, counts []float64) {
	now := c.exchange.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, use := range uses {
		u := c.of(use.Client)
		switch {
		case u == nil:
		case counts == nil:
			u.untold += use.By
		default:
			u.known, u.knownAt = counts[i], now
		}
	}
}
