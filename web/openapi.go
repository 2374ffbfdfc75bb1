package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
)

// OpenAPI returns the description of the HTTP interface, OpenAPI 3.1 as indented JSON. It is the same every time.
func OpenAPI() ([]byte, error) {
	opts := withDefaults(Options{Log: slog.New(slog.DiscardHandler), Now: time.Now})
	s := &Server{
		opts: opts, public: &url.URL{}, log: opts.Log, now: opts.Now, hub: opts.Hub,
		session: newSessions(nil, false, opts.Now), metrics: newMetrics(nil, opts.Hub), requests: limit(1, time.Minute),
	}
	_, a := s.routes()
	return a.document()
}

func (a *api) document() ([]byte, error) {
	raw, err := json.Marshal(a.huma.OpenAPI())
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
func shareEnums(r huma.Registry) {
	shareEnum(r, "The profession that an item belongs to", core.Categories...)
	shareEnum(r, "How soon the buyer needs the item", core.Importances...)
	shareEnum(r, "Whether a request still takes part in the market", core.Active, core.Fulfilled)
	shareEnum(r, "How a request came to be fulfilled", core.Filled, core.ClosedEarly)
	shareEnum(r, "The order in which a list comes", core.Sorts...)
	shareEnum(r, "Which of one's own requests", core.OpenOrders, core.FulfilledOrders, core.ExpiredOrders)
	shareEnum(r, "What became of an offer", core.OfferOpen, core.OfferAccepted, core.OfferDeclined, core.OfferWithdrawn,
		core.OfferLapsed, core.OfferReplaced, core.OfferRemoved)
	shareEnum(r, "What a moderator did", core.AuditActions...)
	shareEnum(r, "What became of a report", core.ReportOpen, core.ReportActedOn, core.ReportDismissed)
	shareEnum(r, "What a notice tells", core.NoticeKinds...)
	shareEnum(r, "How far the delivery of a notice by direct message has come",
		core.NoticePending, core.NoticeDelivered, core.NoticeRefused, core.NoticeExpired)
}

func shareEnum[T ~string](r huma.Registry, doc string, values ...T) {
	schema := &huma.Schema{Type: huma.TypeString, Description: doc}
	for _, v := range values {
		schema.Enum = append(schema.Enum, string(v))
	}
	r.Map()[reflect.TypeFor[T]().Name()] = schema
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[enumRef[T]]())
}

// enumRef stands for a shared enum in schemas.
type enumRef[T ~string] struct{}

// Schema refers to the shared schema.
func (enumRef[T]) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Ref: "#/components/schemas/" + reflect.TypeFor[T]().Name()}
}

// otherResponses says what can come of an operation besides its success.
func otherResponses(method, path, id string) map[string]*huma.Response {
	statuses := []int{http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable}
	write := method != http.MethodGet
	if write {
		statuses = append(statuses, http.StatusBadRequest, http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if strings.HasPrefix(path, "/api/me/") || strings.HasPrefix(path, "/api/moderation/") || write || strings.HasSuffix(path, "/offers") || strings.HasSuffix(path, "/sales") {
		statuses = append(statuses, http.StatusUnauthorized)
	}
	if strings.HasPrefix(path, "/api/moderation/") && !strings.Contains(path, "{id}") {
		statuses = append(statuses, http.StatusForbidden)
		if write {
			statuses = append(statuses, http.StatusNotFound, http.StatusConflict)
		}
	}
	if strings.Contains(path, "{id}") {
		statuses = append(statuses, http.StatusNotFound, http.StatusForbidden)
		if write {
			statuses = append(statuses, http.StatusConflict)
		}
	}
	responses := map[string]*huma.Response{}
	if id == "get-order" || id == "list-orders" || id == "count-orders" {
		responses["304"] = &huma.Response{Description: "If-None-Match names what would be answered"}
	}
	for _, status := range statuses {
		responses[strconv.Itoa(status)] = problemResponse(status)
	}
	return responses
}

func problemResponse(status int) *huma.Response {
	return &huma.Response{
		Description: whatItMeans[status],
		Content: map[string]*huma.MediaType{
			"application/problem+json": {Schema: &huma.Schema{Ref: "#/components/schemas/Problem"}},
		},
	}
}

var whatItMeans = map[int]string{
	http.StatusBadRequest:            "The body is no JSON object",
	http.StatusUnauthorized:          "Only a signed-in user may ask this",
	http.StatusForbidden:             "This user may not, or the request came from another site",
	http.StatusNotFound:              "It is not there, or not for this reader",
	http.StatusConflict:              "The market has moved on; current shows where to",
	http.StatusRequestEntityTooLarge: "The body is too large",
	http.StatusUnsupportedMediaType:  "The body is not sent as plain application/json",
	http.StatusUnprocessableEntity:   "What was sent breaks a rule; errors has a sentence for each field",
	http.StatusTooManyRequests:       "Too many requests; Retry-After says when again",
	http.StatusInternalServerError:   "It failed on our side",
	http.StatusServiceUnavailable:    "It cannot be done now; Retry-After says when to try again",
}

// describeTheRest describes what huma does not serve: sign-in, events and health.
func (a *api) describeTheRest() {
	doc := a.huma.OpenAPI()
	schemas := doc.Components.Schemas
	describe := func(method, path, id, tag, summary string, params []*huma.Param, responses map[string]*huma.Response) {
		doc.AddOperation(&huma.Operation{
			Method: method, Path: path, OperationID: id, Tags: []string{tag}, Summary: summary, Parameters: params, Responses: responses,
		})
	}
	text := &huma.Schema{Type: huma.TypeString}
	unkept := problemResponse(http.StatusServiceUnavailable)
	unkept.Content["text/html"] = &huma.MediaType{Schema: text} // sessions cannot be kept: a page that says what to do
	leads := func(where string) map[string]*huma.Response {
		headers := map[string]*huma.Param{"Location": {Description: where, Schema: text}}
		return map[string]*huma.Response{
			"302": {Description: "Found", Headers: headers}, "303": {Description: "See Other", Headers: headers},
			"429": problemResponse(http.StatusTooManyRequests),
			"500": problemResponse(http.StatusInternalServerError), "503": unkept,
		}
	}
	describe(http.MethodGet, "/auth/discord", "begin-sign-in", "auth", "Sign in with Discord: sends the browser there", []*huma.Param{
		{Name: "return", In: "query", Schema: text, Description: "The page to come back to, as a path; anything that leads elsewhere means the front page", Example: "/requests/7"},
	}, leads("Discord, or the page with ?signin=unavailable"))
	describe(http.MethodGet, "/auth/discord/callback", "finish-sign-in", "auth", "Where Discord sends the browser back to", []*huma.Param{
		{Name: "state", In: "query", Schema: text}, {Name: "code", In: "query", Schema: text}, {Name: "error", In: "query", Schema: text},
	}, leads("The page; with ?signin=denied, expired, unavailable or failed when nobody is signed in"))
	describe(http.MethodPost, "/auth/sign-out", "sign-out", "auth", "End the session", nil, map[string]*huma.Response{
		"204": {Description: "Done, also when nobody was signed in"}, "403": problemResponse(http.StatusForbidden),
		"429": problemResponse(http.StatusTooManyRequests), "500": problemResponse(http.StatusInternalServerError),
	})

	// What the game says, no tag can.
	schemas.Map()["OrderDraft"].Properties["category"].Description = string(core.DefaultCategory) + " when left out"

	schemas.Schema(reflect.TypeFor[changeView](), true, "")
	describe(http.MethodGet, "/api/events", "events", "events", "Hear of changes as they happen", nil, map[string]*huma.Response{
		"200": {
			Description: "Server-sent events. `change` carries a Change; `resync` carries an empty object and means that something may have been missed.",
			Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: text}},
		},
		"429": problemResponse(http.StatusTooManyRequests), "503": problemResponse(http.StatusServiceUnavailable),
	})

	health := map[string]*huma.MediaType{"application/json": {Schema: schemas.Schema(reflect.TypeFor[healthView](), true, "")}}
	describe(http.MethodGet, "/healthz", "healthz", "health", "Is the process up?", nil, map[string]*huma.Response{
		"200": {Description: "It is", Content: health},
	})
	describe(http.MethodGet, "/readyz", "readyz", "health", "Is everything there that is needed to answer?", nil, map[string]*huma.Response{
		"200": {Description: "It is", Content: health}, "503": {Description: "It is not", Content: health},
	})
}

func (a *api) serveOpenAPI() http.HandlerFunc {
	document, err := a.document()
	return func(w http.ResponseWriter, r *http.Request) {
		if err != nil {
			problemOf(err, a.now()).write(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = io.Copy(w, bytes.NewReader(document))
	}
}
