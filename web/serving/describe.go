package serving

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/web/kernel"
)

// Register adds the operations that tell a client about itself.
func (s *Front) Register(a *kernel.API) {
	kernel.Get(a, "/api/address", s.getAddress, "get-address", "Get the client address that the server sees")
}

// Describe describes events and health.
func (s *Front) Describe(in *kernel.API) {
	in.SchemaOf(reflect.TypeFor[changeView]())
	stream := map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}
	in.Describe(huma.Operation{
		Method: http.MethodGet, Path: "/api/events", OperationID: "events", Tags: []string{"events"},
		Summary: "Stream changes as they happen",
		Responses: map[string]*huma.Response{"200": {
			Description: "Server-sent events. `change` carries a Change; `resync` carries an empty object " +
				"and means that something may have been missed.",
			Content: stream,
		}},
	})

	view := in.SchemaOf(reflect.TypeFor[healthView]())
	health := map[string]*huma.MediaType{"application/json": {Schema: view}}
	in.Describe(huma.Operation{
		Method: http.MethodGet, Path: "/healthz", OperationID: "healthz", Tags: []string{"health"},
		Summary:   "Check whether the process is up",
		Responses: map[string]*huma.Response{"200": {Description: "It is", Content: health}},
	})
	in.Describe(huma.Operation{
		Method: http.MethodGet, Path: "/readyz", OperationID: "readyz", Tags: []string{"health"},
		Summary: "Check whether the server is ready for traffic",
		Responses: map[string]*huma.Response{
			"200": {Description: "It is", Content: health},
			"503": {Description: "It is not", Content: health},
		},
	})
}
