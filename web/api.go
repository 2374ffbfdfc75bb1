package web

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"tradepost/core"
)

// api is the part of the server that speaks JSON.
type api struct {
	*Server
	router  chi.Router
	openAPI *huma.OpenAPI // the description, made from the operations
}

func (s *Server) newAPI(r chi.Router) *api {
	cfg := huma.DefaultConfig("Tradepost", "1")
	cfg.Info.Description = "A community's market for in-game items: requests, offers and sales. Amounts of money are in copper; " +
		"sums are strings, because they may exceed the range of a JSON number. Every write takes an Idempotency-Key."
	cfg.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	cfg.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	shareEnums(cfg.Components.Schemas, s.opts.Game)
	cfg.Components.Responses = map[string]*huma.Response{"Problem": problemResponse(cfg.Components.Schemas)}
	return &api{Server: s, router: r, openAPI: cfg.OpenAPI}
}

// schemaName calls the shape orderView "Order" and orderDraft "OrderDraft".
func schemaName(t reflect.Type, hint string) string {
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "View")
}

func get[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodGet, path, http.StatusOK, do, id, summary)
}

func post[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPost, path, http.StatusOK, do, id, summary)
}

func create[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPost, path, http.StatusCreated, do, id, summary)
}

func patch[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPatch, path, http.StatusOK, do, id, summary)
}

func put[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPut, path, http.StatusOK, do, id, summary)
}

// perform and remove register an operation that answers 204 without a body.
func perform[I any](a *api, path string, do func(context.Context, *I) error, id, summary string) {
	register(a, http.MethodPost, path, http.StatusNoContent, silent(do), id, summary)
}

func remove[I any](a *api, path string, do func(context.Context, *I) error, id, summary string) {
	register(a, http.MethodDelete, path, http.StatusNoContent, silent(do), id, summary)
}

type nothing struct{}

func silent[I any](do func(context.Context, *I) error) operation[I, nothing] {
	return func(ctx context.Context, in *I) (*nothing, error) { return nil, do(ctx, in) }
}

// answer is a body and nothing else.
type answer[T any] struct{ Body T }

func tagOf(path string) string {
	noun, rest, _ := strings.Cut(strings.TrimPrefix(path, "/api/"), "/")
	switch _, sub, _ := strings.Cut(rest, "}/"); sub {
	case "offers", "sales":
		return sub
	case "my-offer":
		return "offers"
	}
	return noun
}

// Keyed is part of every write.
type Keyed struct {
	Key string `header:"Idempotency-Key" limit:"key" doc:"Identifies this write. A retry with the same key and body has no further effect and gets the first response; the same key with another body is rejected." example:"0c9f1c2e-6c0b-4f0a-9a53-6a4b4f0e7d11"`
}

// ByOrder is part of everything about one order.
type ByOrder struct {
	ID core.OrderID `path:"id" doc:"The request" example:"7"`
}

// ByOffer is part of everything about one offer.
type ByOffer struct {
	ID core.OfferID `path:"id" doc:"The offer" example:"70"`
}

// orNull is an object that may be missing.
type orNull[T any] struct{ value *T }

// MarshalJSON writes the value or null.
func (n orNull[T]) MarshalJSON() ([]byte, error) {
	if n.value == nil {
		return jsonNull, nil
	}
	return json.Marshal(n.value)
}

var jsonNull = []byte("null")

// Schema describes the value or null.
func (n orNull[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}

// textOrNil gives the texts that the core leaves empty their null.
func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// idOrNil gives ids that the core leaves zero their null.
func idOrNil[T ~int64](id T) *T {
	if id == 0 {
		return nil
	}
	return &id
}

// timeOrNil gives times that the core leaves zero their null.
func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func timeOrZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// placeAfter reads the cursor of a list that is ordered by id, and writeCursor writes it.
func placeAfter[T ~int64](cursor string) (T, error) {
	if cursor == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil || id <= 0 {
		const message = "This place in the list is not known. Start again from the top."
		return 0, &core.Error{Kind: core.Invalid, Message: message, Fields: []core.FieldError{{Field: "cursor", Message: message}}}
	}
	return T(id), nil
}

func writeCursor[T ~int64](id T) *string {
	if id == 0 {
		return nil
	}
	word := strconv.FormatInt(int64(id), 10)
	return &word
}
