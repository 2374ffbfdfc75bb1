package serving

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"tradepost/web/kernel"
)

// readyTime is how long all checks together may take.
const readyTime = 3 * time.Second

// Healthz reports that the process is up.
func (s *Front) Healthz(w http.ResponseWriter, _ *http.Request) {
	writeHealth(w, http.StatusOK, healthView{Status: "up", Version: s.opts.Version})
}

type healthView struct {
	Status  string            `json:"status" enum:"up,ready,not ready" example:"ready"`
	Version string            `json:"version,omitempty" doc:"Version of the program; only of /healthz" example:"1.4.0"`
	Checks  map[string]string `json:"checks,omitempty" doc:"ok or failed, by name" example:"{\"database\":\"ok\"}"`
}

// Readyz reports whether all dependencies work. The cause of a failure is only in the log.
func (s *Front) Readyz(w http.ResponseWriter, r *http.Request) {
	checked, err := s.readiness.check(r.Context())
	if err != nil {
		kernel.ProblemOf(r.Context(), err, s.Now()).Write(w, r)
		return
	}
	view := healthView{Status: "ready", Checks: map[string]string{}}
	for name, failure := range checked {
		view.Checks[name] = "ok"
		if failure != nil {
			kernel.NoteFailure(r.Context(), fmt.Errorf("%s is not ready: %w", name, failure))
			view.Checks[name], view.Status = "failed", "not ready"
		}
	}
	if view.Checks["program"] = "ok"; s.readiness.stopping() { // load balancers must see it without delay
		view.Checks["program"], view.Status = "failed", "not ready"
	}
	status := http.StatusOK
	if view.Status != "ready" {
		status = http.StatusServiceUnavailable
	}
	writeHealth(w, status, view)
}

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

// readyCheck is one round of all checks, shared by the probes that come while it lasts and for a second after it.
type readyCheck struct {
	done  chan struct{}
	at    time.Time // it began
	found map[string]error
}

// check returns the error of each check, nil for those that succeed.
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

func writeHealth(w http.ResponseWriter, status int, view healthView) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(view) // probes read the status
}
