package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/token"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// Document returns the description as indented JSON. It is the same every time.
func (a *API) Document() ([]byte, error) {
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

// shareEnums gives each type of few values one schema, under enumName, for all who use it.
func shareEnums(r huma.Registry, g game.Game) {
	shareEnum(r, "The profession that an item belongs to", g.Categories()...)
	shareEnum(r, "How soon the buyer needs the item", game.Importances...)
	shareEnum(r, "Whether a request is open or fulfilled", trade.Statuses...)
	shareEnum(r, "How a request was fulfilled", trade.CloseReasons...)
	shareEnum(r, "Sort order of a list", match.Sorts...)
	shareEnum(r, "Which of your requests", match.OrderLists...)
	shareEnum(r, "What a program may do", token.Scopes...)
	shareEnum(r, "What waits for the user", market.TodoKinds...)
	shareEnum(r, "State of an offer", trade.OfferStates...)
	shareEnum(r, "What a moderator did", core.AuditActions...)
	shareEnum(r, "Why accounts are proposed as a ring", trust.RingReasons...)
	shareEnum(r, "What changed", core.PublicKinds...)
	shareEnum(r, "What was done", core.UndoKinds...)
	shareEnum(r, "What happened to a trade", trade.EventKinds...)
	shareEnum(r, "State of a report", moderation.ReportStates...)
	shareEnum(r, "What a notice is about", notify.Kinds...)
	shareEnum(r, "Delivery state of a notice's direct message", notify.States...)
}

func shareEnum[T ~string](r huma.Registry, doc string, values ...T) {
	schema := &huma.Schema{Type: huma.TypeString, Description: doc}
	for _, v := range values {
		schema.Enum = append(schema.Enum, string(v))
	}
	r.Map()[enumName[T]()] = schema
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[enumRef[T]]())
}

// enumRef is a reference to a shared enum in schemas.
type enumRef[T ~string] struct{}

// Schema refers to the shared schema.
func (enumRef[T]) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Ref: "#/components/schemas/" + enumName[T]()}
}

// enumName returns the name of a shared schema: the type's, with the noun that the type leaves to its
// package.
func enumName[T ~string]() string {
	t := reflect.TypeFor[T]()
	switch t {
	case reflect.TypeFor[notify.Kind](), reflect.TypeFor[notify.State]():
		return "Notice" + t.Name()
	}
	return t.Name()
}

const notModified = "The ETag in If-None-Match is still current"

// otherResponses returns the responses of an operation besides its success. A single response describes every
// error.
func otherResponses(id string) map[string]*huma.Response {
	responses := map[string]*huma.Response{"default": {Ref: "#/components/responses/Problem"}}
	if id == "get-order" {
		responses["304"] = &huma.Response{Description: notModified}
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
	http.StatusBadRequest:   "The body is not a JSON object, or the request takes no body",
	http.StatusUnauthorized: "Sign-in required",
	http.StatusForbidden: "The user lacks the permission, or with the code `fresh_sign_in_needed` " +
		"a sign-in of the last ten minutes, or the request came from another site",
	http.StatusNotFound:       "Not found, or not visible to the caller",
	http.StatusRequestTimeout: "The body took too long to arrive",
	http.StatusConflict: "The state has changed, and `current` has the new one, " +
		"or `code` names another conflict",
	http.StatusGone:                  "The cursor of changes is too old or unknown: read everything",
	http.StatusRequestEntityTooLarge: "The body is too large",
	http.StatusUnsupportedMediaType:  "The content type of the body is not application/json",
	http.StatusUnprocessableEntity:   "A field is invalid; `errors` has a message for each",
	http.StatusTooManyRequests: "Too many requests, or with the code `quota` a quota is used up; " +
		"Retry-After says when to try again",
	http.StatusInternalServerError: "Internal server error",
	http.StatusServiceUnavailable:  "Temporarily unavailable; Retry-After says when to try again",
}

// Describe describes what is not served as an operation.
func (a *API) Describe(op huma.Operation) {
	op.Responses["default"] = &huma.Response{Ref: "#/components/responses/Problem"}
	a.addOperation(&op)
}

func (a *API) addOperation(op *huma.Operation) {
	if op.Security == nil {
		op.Security = withoutSignIn
	}
	a.openAPI.AddOperation(op)
}

// Schemas returns the shared schemas.
func (a *API) Schemas() huma.Registry { return a.openAPI.Components.Schemas }

// SchemaOf returns the schema of a shape, by reference.
func (a *API) SchemaOf(shape reflect.Type) *huma.Schema {
	return a.openAPI.Components.Schemas.Schema(shape, true, "")
}

// Finish completes the description once every operation is in it.
func (a *API) Finish() {
	for _, amend := range a.amendments {
		amend()
	}
	if a.Features.Tokens {
		a.Programs.Describe(a.openAPI)
	}
	a.describeBodyLimits()
	// Values of the game cannot be in tags.
	draft := a.openAPI.Components.Schemas.Map()["OrderDraft"]
	draft.Properties["category"].Description = string(a.Game.Default) + " when left out"
}

// OpenAPI returns the description itself. It is complete after Finish.
func (a *API) OpenAPI() *huma.OpenAPI { return a.openAPI }

// Amend has change run once every operation is described. A feature that is off takes out what it adds to
// others that way.
func (a *API) Amend(change func()) { a.amendments = append(a.amendments, change) }

// LeaveOut takes a property out of a schema.
func (a *API) LeaveOut(schema, property string) {
	if s := a.openAPI.Components.Schemas.Map()[schema]; s != nil {
		delete(s.Properties, property)
		s.Required = slices.DeleteFunc(s.Required, func(required string) bool { return required == property })
	}
}

// LeaveOutSchema takes a schema out of the description.
func (a *API) LeaveOutSchema(schema string) { delete(a.openAPI.Components.Schemas.Map(), schema) }

// LeaveOutValues takes values out of a shared enumeration.
func (a *API) LeaveOutValues(schema string, of func(value string) bool) {
	if s := a.openAPI.Components.Schemas.Map()[schema]; s != nil {
		s.Enum = slices.DeleteFunc(s.Enum, func(value any) bool { return of(fmt.Sprint(value)) })
	}
}

// LeaveOutParameter takes a parameter out of the operations of a path: a request with it is rejected.
func (a *API) LeaveOutParameter(path, name string) {
	at := a.openAPI.Paths[path]
	for _, op := range []*huma.Operation{at.Get, at.Post} {
		if op != nil {
			op.Parameters = slices.DeleteFunc(op.Parameters,
				func(p *huma.Param) bool { return p.Name == name })
		}
	}
}
