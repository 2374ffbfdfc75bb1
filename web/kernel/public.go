package kernel

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"tradepost/core"
	"tradepost/core/cache"
)

// soon is how long public changes are used: one that commits late shows without another change.
const soon = time.Second

// AnswerPreflight answers a browser that asks whether a script may send If-None-Match.
func AnswerPreflight(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, HEAD")
	h.Set("Access-Control-Allow-Headers", "If-None-Match, "+LanguageHeader)
	h.Set("Access-Control-Max-Age", "86400")
	h.Set("Cache-Control", "public, max-age=86400")
	w.WriteHeader(http.StatusNoContent)
}

// Public is the answer of a public read.
type Public[T any] struct {
	Body T
	// Next is the cursor of the next page; empty on the last one.
	Next string
	// Until is when the answer changes without a change of the market; zero for never. An answer that no
	// change makes stale is read again after PublicFor.
	Until time.Time
}

// publicBody is a Public of any type.
type publicBody struct {
	body  any
	next  string
	until time.Time
}

// publicOutput describes the answer of a public read.
type publicOutput[T any] struct {
	ETag  string `header:"ETag" doc:"Send it as If-None-Match: the answer is 304 while nothing has changed" example:"\"0123456789abcdef\""`
	Cache string `header:"Cache-Control" example:"public, max-age=5"`
	Link  string `header:"Link" doc:"The next page, with rel=next; left out on the last one" example:"</api/public/orders?cursor=bmV3>; rel=\"next\""`
	Body  T
}

// StaleWith says which changes of the market make a public answer stale.
type StaleWith int

// What public answers are made of.
const (
	StaleWithOrders StaleWith = iota
	StaleWithItems
	StaleWithTime // no change does: it is read again after PublicFor
	StaleSoon     // the same, after soon
)

func (a *API) publicEntry(with StaleWith) *cache.Entry[*CachedResponse] {
	switch with {
	case StaleWithOrders:
		return cache.NewEntry[*CachedResponse](a.Cache, cache.Orders)
	case StaleWithItems:
		return cache.NewEntry[*CachedResponse](a.Cache, cache.Items)
	case StaleWithTime, StaleSoon:
	}
	return cache.NewEntry[*CachedResponse](a.Cache, cache.Never)
}

// maxPublicQueries limits the cached answers of one public read. A page of requests has about 25 kB.
const maxPublicQueries = 200

// publicRoute is a public read as it is served: its answers are cached by query.
type publicRoute struct {
	*route
	with    StaleWith
	answers cache.Entries[string, *CachedResponse]
	read    func(ctx context.Context, in any) (publicBody, error)
	encode  func(*bytes.Buffer, any) error
	content []string // its type
}

// GetPublic registers a public read, whose path begins with PublicPrefix and has no parameters.
func GetPublic[I, T any](
	a *API, path string, with StaleWith, do func(context.Context, *I) (*Public[T], error), id, summary,
	description string,
) {
	registerPublic(a, path, with, do, id, summary, description).encode = func(w *bytes.Buffer, v any) error {
		return huma.DefaultJSONFormat.Marshal(w, v)
	}
}

func registerPublic[I, T any](
	a *API, path string, with StaleWith, do func(context.Context, *I) (*Public[T], error), id, summary,
	description string,
) *publicRoute {
	op := describe(http.MethodGet, path, http.StatusOK, id, summary)
	op.Tags, op.Description = []string{"public"}, description
	op.Responses["304"] = &huma.Response{Description: notModified}
	p := &publicRoute{
		with: with, answers: cache.Entries[string, *CachedResponse]{Most: maxPublicQueries},
		content: ContentTypeJSON,
		read: func(ctx context.Context, in any) (publicBody, error) {
			out, err := do(ctx, in.(*I))
			if err != nil {
				return publicBody{}, err
			}
			return publicBody{out.Body, out.Next, out.Until}, nil
		},
	}
	p.route = a.describeRoute(op, reflect.TypeFor[I](), reflect.TypeFor[publicOutput[T]]())
	if !slices.ContainsFunc(op.Parameters, func(q *huma.Param) bool { return q.Name == "cursor" }) {
		delete(op.Responses["200"].Headers, "Link") // it has no pages
	}
	a.public[path] = p
	return p
}

// ServePublic adds the public reads to a router. It is one without sessions, unlike that of other operations.
func (a *API) ServePublic(r chi.Router) {
	for path, p := range a.public {
		r.Method(http.MethodGet, path, p)
	}
}

// PublicPaths returns the addresses of the public reads.
func (a *API) PublicPaths() []string { return slices.Sorted(maps.Keys(a.public)) }

// FreshPublic returns the fresh cached answer to a public read, nil for none. It loads nothing.
func (a *API) FreshPublic(r *http.Request) *CachedResponse {
	if p := a.public[r.URL.Path]; p != nil {
		return p.fresh(r)
	}
	return nil
}

func (p *publicRoute) fresh(r *http.Request) *CachedResponse {
	entry, known := p.answers.Known(r.URL.RawQuery)
	if !known {
		return nil
	}
	response, _ := entry.Fresh(p.api.Now())
	return response
}

// ServeHTTP answers from the cache, and reads the answer first when it is stale.
func (p *publicRoute) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	response := p.fresh(r)
	if response == nil {
		in, err := p.inputOf(r)
		if err == nil {
			entry := p.answers.Of(r.URL.RawQuery,
				func() *cache.Entry[*CachedResponse] { return p.api.publicEntry(p.with) })
			response, err = entry.Get(ctx, p.api.Now(), func(
				ctx context.Context,
			) (*CachedResponse, time.Time, error) {
				ctx, cancel := context.WithTimeout(ctx, publicReadTime)
				defer cancel()
				latest, _ := entry.Latest()
				return p.respond(ctx, r.URL, in, latest)
			})
		}
		if err != nil {
			ProblemOf(ctx, err, p.api.Now()).Write(w, r)
			return
		}
	}
	response.Serve(w, r)
}

// publicReadTime is how long a read may take that others wait for, too.
const publicReadTime = 15 * time.Second

// respond reads an answer. It encodes it only if it differs from the latest, which may be nil.
func (p *publicRoute) respond(
	ctx context.Context, asked *url.URL, in any, latest *CachedResponse,
) (*CachedResponse, time.Time, error) {
	read, err := p.read(ctx, in)
	if err != nil {
		return nil, time.Time{}, err
	}
	switch p.with {
	case StaleWithTime:
		read.until = p.api.Now().Add(PublicFor)
	case StaleSoon:
		read.until = p.api.Now().Add(soon)
	case StaleWithOrders, StaleWithItems:
	}
	var body bytes.Buffer
	if err := p.encode(&body, read.body); err != nil {
		return nil, time.Time{}, fmt.Errorf("encode a public answer: %w", err)
	}
	if latest != nil && bytes.Equal(latest.Plain.Body, body.Bytes()) {
		return latest, read.until, nil // its link is made of the body's cursor, so it is the same, too
	}
	response := NewPublicResponse(p.content, body.Bytes())
	if read.next != "" {
		query := asked.Query()
		query.Set("cursor", read.next)
		next := p.api.Public.String() + p.Path + "?" + query.Encode()
		response.link = []string{"<" + next + `>; rel="next"`}
	}
	return response, read.until, nil
}

// MaxIDs limits the ids that a public read is asked for at once.
const MaxIDs = 100

// IDs is the input of a public read that can be asked for some things alone.
type IDs struct {
	Numbers []string `query:"ids,explode" doc:"Up to 100 numbers, separated by commas: only these, without paging. Numbers that name nothing public are left out. It takes no other parameters." example:"[\"7,8\"]"`
}

// ParseIDs returns the numbers, sorted and each once, and whether there are any.
func ParseIDs[ID ~int64](in IDs) (ids []ID, asked bool, err error) {
	if len(in.Numbers) == 0 {
		return nil, false, nil
	}
	for word := range strings.SplitSeq(strings.Join(in.Numbers, ","), ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
		if err != nil || n <= 0 {
			return nil, true, core.NewFieldError("ids", core.NewText("ids_format"))
		}
		ids = append(ids, ID(n))
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) > MaxIDs {
		return nil, true, core.NewFieldError("ids", core.NewText("ids_range", "most", MaxIDs))
	}
	return ids, true, nil
}

// CheckLimit returns an error for a limit that asks for no rows or for more than a page has.
func CheckLimit(limit int) error {
	if limit < 1 || limit > core.PageSize {
		return core.NewFieldError("limit", core.NewText("limit_range", "most", core.PageSize))
	}
	return nil
}

// ContentTypeCSV is the type of a table whose first line has the heads.
var ContentTypeCSV = []string{"text/csv; charset=utf-8; header=present"}

// Table is a table for spreadsheets. Its first row has the heads: names of the API in every language, so that
// formulas that look for them go on working.
type Table [][]string

// Write writes the table as CSV (RFC 4180).
func (t Table) Write(body *bytes.Buffer) error {
	w := csv.NewWriter(body)
	w.UseCRLF = true
	return w.WriteAll(t)
}

// NoFormula returns a text that no spreadsheet takes for a formula: one that begins like a formula, also
// after spaces or in full width, begins with an apostrophe instead.
func NoFormula(s string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \u00a0\u3000"))
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) && s != "" {
		return "'" + s
	}
	return s
}

// GetPublicTable registers a public read as GetPublic does, whose answer is CSV.
func GetPublicTable[I any](
	a *API, path string, with StaleWith, do func(context.Context, *I) (*Public[Table], error), id, summary,
	description string,
) {
	p := registerPublic(a, path, with, do, id, summary, description)
	p.content = ContentTypeCSV
	p.encode = func(w *bytes.Buffer, v any) error {
		table, ok := v.(Table)
		if !ok {
			return fmt.Errorf("%T is no table", v)
		}
		return table.Write(w)
	}
	p.Responses["200"].Content = map[string]*huma.MediaType{
		"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}},
	}
}
