package web

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// readyTime is how long all checks together may take.
const readyTime = 3 * time.Second

// healthz says that the process is up.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	writeHealth(w, http.StatusOK, healthView{Status: "up"})
}

type healthView struct {
	Status string            `json:"status" enum:"up,ready,not ready" example:"ready"`
	Checks map[string]string `json:"checks,omitempty" doc:"ok or failed, by name" example:"{\"database\":\"ok\"}"`
}

// readyz says whether everything that is needed to answer is there. What exactly fails is for the log alone.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTime)
	defer cancel()
	status, view := http.StatusOK, healthView{Status: "ready", Checks: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(s.opts.Ready)) {
		view.Checks[name] = "ok"
		if err := s.opts.Ready[name](ctx); err != nil {
			noteFailure(r.Context(), fmt.Errorf("%s is not ready: %w", name, err))
			view.Checks[name], view.Status, status = "failed", "not ready", http.StatusServiceUnavailable
		}
	}
	writeHealth(w, status, view)
}

func writeHealth(w http.ResponseWriter, status int, view healthView) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(view) // the status is what is looked at
}
