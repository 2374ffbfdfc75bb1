package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
)

func (a *api) document() ([]byte, error) {
	raw, err := json.Marshal(a.openAPI)
	if err != nil {
		return nil, fmt.Errorf("write OpenAPI: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return nil, fmt.Errorf("indent OpenAPI: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// shareEnums gives each type of few values one schema, under the type's name, for all who use it.
func shareEnums(r huma.Registry, game core.Game) {
	shareEnum(r, "The profession that an item belongs to", game.Categories()...)
	shareEnum(r, "How soon the buyer needs the item", core.Importances...)
	shareEnum(r, "Whether a request is open or fulfilled", core.Statuses...)
	shareEnum(r, "How a request was fulfilled", core.CloseReasons...)
	shareEnum(r, "Sort order of a list", core.Sorts...)
	shareEnum(r, "Which of your requests", core.OrderLists...)
	shareEnum(r, "State of an offer", core.OfferStates...)
	shareEnum(r, "What a moderator did", core.AuditActions...)
	shareEnum(r, "State of a report", core.ReportStates...)
	shareEnum(r, "What a notice is about", core.NoticeKinds...)
	shareEnum(r, "Delivery state of a notice's direct message", core.NoticeStates...)
}

func shareEnum[T ~string](r huma.Registry, doc string, values ...T) {
	schema := &huma.Schema{Type: huma.TypeString, Description: doc}
	for _, v := range values {
		schema.Enum = append(schema.Enum, string(v))
	}
	r.Map()[reflect.TypeFor[T]().Name()] = schema
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[enumRef[T]]())
}

// enumRef is a reference to a shared enum in schemas.
type enumRef[T ~string] struct{}

// Schema refers to the shared schema.
func (enumRef[T]) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Ref: "#/components/schemas/" + reflect.TypeFor[T]().Name()}
}

// otherResponses returns the responses of an operation besides its success. One response describes every error.
func otherResponses(id string) map[string]*huma.Response {
	responses := map[string]*huma.Response{"default": {Ref: "#/components/responses/Problem"}}
	if id == "get-order" || id == "list-orders" || id == "count-orders" {
		responses["304"] = &huma.Response{Description: "The ETag in If-None-Match is still current"}
	}
	return responses
}

// problemResponse describes every error response, by status.
func problemResponse(schemas huma.Registry) *huma.Response {
	description := "An error. The detail can be shown to the user."
	for _, status := range slices.Sorted(maps.Keys(statusMeanings)) {
		description += fmt.Sprintf("\n- %d: %s", status, statusMeanings[status])
	}
	return &huma.Response{Description: description, Content: map[string]*huma.MediaType{
		"application/problem+json": {Schema: schemas.Schema(reflect.TypeFor[Problem](), true, "")},
		// A browser that loads a page is shown one.
		"text/html": {Schema: &huma.Schema{Type: huma.TypeString}},
	}}
}

var statusMeanings = map[int]string{
	http.StatusBadRequest:            "The body is not a JSON object, or the request takes no body",
	http.StatusUnauthorized:          "Sign-in required",
	http.StatusForbidden:             "The user lacks the permission, or the request came from another site",
	http.StatusNotFound:              "Not found, or not visible to the caller",
	http.StatusRequestTimeout:        "The body took too long to arrive",
	http.StatusConflict:              "The state has changed, and `current` has the new one, or `code` names another conflict",
	http.StatusRequestEntityTooLarge: "The body is too large",
	http.StatusUnsupportedMediaType:  "The content type of the body is not application/json",
	http.StatusUnprocessableEntity:   "A field is invalid; `errors` has a message for each",
	http.StatusTooManyRequests:       "Too many requests, or with the code `quota` a quota is used up; Retry-After says when to try again",
	http.StatusInternalServerError:   "Internal server error",
	http.StatusServiceUnavailable:    "Temporarily unavailable; Retry-After says when to try again",
}

// describeTheRest describes what huma does not serve: sign-in, events and health.
func (a *api) describeTheRest() {
	doc := a.openAPI
	schemas := doc.Components.Schemas
	describe := func(method, path, id, tag, summary string, params []*huma.Param, responses map[string]*huma.Response) {
		responses["default"] = &huma.Response{Ref: "#/components/responses/Problem"}
		doc.AddOperation(&huma.Operation{
			Method: method, Path: path, OperationID: id, Tags: []string{tag}, Summary: summary, Parameters: params, Responses: responses,
		})
	}
	text := &huma.Schema{Type: huma.TypeString}
	leads := func(where string) map[string]*huma.Response {
		headers := map[string]*huma.Param{"Location": {Description: where, Schema: text}}
		return map[string]*huma.Response{
			"302": {Description: "Found", Headers: headers}, "303": {Description: "See Other", Headers: headers},
		}
	}
	describe(http.MethodGet, "/auth/discord", "begin-sign-in", "auth", "Sign in with Discord: sends the browser there", []*huma.Param{
		{Name: "return", In: "query", Schema: text, Description: "The path to return to; any other address means the front page", Example: "/requests/7"},
	}, leads("Discord, or the page with ?signin=unavailable"))
	describe(http.MethodGet, "/auth/discord/callback", "finish-sign-in", "auth", "Where Discord sends the browser back to", []*huma.Param{
		{Name: "state", In: "query", Schema: text}, {Name: "code", In: "query", Schema: text}, {Name: "error", In: "query", Schema: text},
	}, leads("The page; with ?signin=denied, expired, unavailable or failed when sign-in did not succeed"))
	describe(http.MethodPost, "/auth/sign-out", "sign-out", "auth", "End the session", nil, map[string]*huma.Response{
		"204": {Description: "Done, also without a session"},
	})

	a.describeBodyLimits()
	// Values of the game cannot be in tags.
	schemas.Map()["OrderDraft"].Properties["category"].Description = string(a.opts.Game.Default) + " when left out"

	schemas.Schema(reflect.TypeFor[changeView](), true, "")
	describe(http.MethodGet, "/api/events", "events", "events", "Stream changes as they happen", nil, map[string]*huma.Response{
		"200": {
			Description: "Server-sent events. `change` carries a Change; `resync` carries an empty object and means that something may have been missed.",
			Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: text}},
		},
	})

	health := map[string]*huma.MediaType{"application/json": {Schema: schemas.Schema(reflect.TypeFor[healthView](), true, "")}}
	describe(http.MethodGet, "/healthz", "healthz", "health", "Check whether the process is up", nil, map[string]*huma.Response{
		"200": {Description: "It is", Content: health},
	})
	describe(http.MethodGet, "/readyz", "readyz", "health", "Check whether the server is ready for traffic", nil, map[string]*huma.Response{
		"200": {Description: "It is", Content: health}, "503": {Description: "It is not", Content: health},
	})
}

func (a *api) serveOpenAPI() http.HandlerFunc {
	written := sync.OnceValues(a.document)
	return func(w http.ResponseWriter, r *http.Request) {
		document, err := written()
		if err != nil {
			problemOf(r.Context(), err, a.now()).write(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = io.Copy(w, bytes.NewReader(document))
	}
}

// ofHandovers reports whether a value of an enumeration is there for handovers only.
func ofHandovers(value any) bool {
	text := fmt.Sprint(value)
	return strings.HasPrefix(text, "handover_") || strings.HasPrefix(text, "dispute_") || text == string(core.NoticeOfferTimedOut)
}

// leaveOut takes a property out of a schema.
func (a *api) leaveOut(schema, property string) {
	if s := a.openAPI.Components.Schemas.Map()[schema]; s != nil {
		delete(s.Properties, property)
		s.Required = withoutText(s.Required, property)
	}
}

func withoutText(texts []string, text string) (kept []string) {
	for _, t := range texts {
		if t != text {
			kept = append(kept, t)
		}
	}
	return kept
}

func without(parameters []*huma.Param, name string) []*huma.Param {
	var kept []*huma.Param
	for _, p := range parameters {
		if p.Name != name {
			kept = append(kept, p)
		}
	}
	return kept
}
