package serving

import (
	"encoding/json"
	"fmt"
	"net/http"

	"tradepost/web/kernel"
)

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

func writeHealth(w http.ResponseWriter, status int, view healthView) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(view) // probes read the status
}
