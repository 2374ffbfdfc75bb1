package web

import (
	"log/slog"
	"net/url"
	"time"

	"tradepost/core"
)

// OpenAPI returns the description of the HTTP interface for the default game, OpenAPI 3.1 as
// indented JSON. It is the same every time.
func OpenAPI() ([]byte, error) {
	opts := Options{Features: core.EveryFeature(), Log: slog.New(slog.DiscardHandler), Now: time.Now}
	s, err := assemble(nil, &url.URL{}, withDefaults(opts))
	if err != nil {
		return nil, err
	}
	_, a := s.routes()
	return a.Document()
}
