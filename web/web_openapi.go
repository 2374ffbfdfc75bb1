package web

import (
	"log/slog"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
)

// An empty list is [], never null. The setting is global to huma, so it is made once, when the program starts.
func init() { huma.DefaultArrayNullable = false }

// OpenAPI returns the description of the HTTP interface for the default game, OpenAPI 3.1 as
// indented JSON. It is the same every time.
func OpenAPI() ([]byte, error) {
	opts := withDefaults(Options{Features: core.AllFeatures(), Log: slog.New(slog.DiscardHandler), Now: time.Now})
	s := &Server{
		opts: opts, public: &url.URL{}, log: opts.Log, now: opts.Now, hub: opts.Hub,
		session: newSessions(nil, false, opts.Now), metrics: newMetrics(nil, opts.Hub, nil), requests: newLimiter(1, time.Minute),
	}
	_, a := s.routes()
	return a.document()
}
