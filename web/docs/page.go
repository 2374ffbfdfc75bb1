package docs

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/web/kernel"
	"tradepost/web/kernel/bearer"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string

	pageTemplate = template.Must(template.New("docs").Parse(pageHTML))
)

// page is a description as people read it.
type page struct {
	Site, At string
	CSS      template.CSS
	Tags     []tag
	Shapes   []shape
	Problems template.HTML
	Session  string // the name of the cookie
	Tokens   bool   // whether programs may have tokens
	Webhooks bool   // whether people may have webhooks
}

type tag struct {
	Name       string
	About      template.HTML
	Operations []operation
}

type operation struct {
	ID, Method, Path, Summary, Access string
	Scope                             string // that a token needs; empty where none helps
	About                             template.HTML
	Parameters                        []field
	Body                              *body
	Answers                           []answer
	Curl                              string
}

// field is a parameter or a field of a shape.
type field struct {
	Name, In, Example string
	Type, About       template.HTML
	Required          bool
}

type body struct {
	Type    template.HTML
	Example string
}

type answer struct {
	Status, About string
	Type          template.HTML
	Headers       []field
	Example       string
}

type shape struct {
	Name   string
	About  template.HTML
	Values []string
	Fields []field
}

// newPage returns what writes the page, and the hash of its style for the Content-Security-Policy.
func newPage(at, site string, document *huma.OpenAPI) (write func() ([]byte, error), styleHash string) {
	sum := sha256.Sum256([]byte(pageCSS))
	return func() ([]byte, error) {
		var out bytes.Buffer
		if err := pageTemplate.Execute(&out, reader{at, document}.page(site)); err != nil {
			return nil, fmt.Errorf("write the page of the API: %w", err)
		}
		return out.Bytes(), nil
	}, "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// reader reads a description for the page.
type reader struct {
	at       string // the address of the market
	document *huma.OpenAPI
}

func (r reader) page(site string) page {
	scheme := r.document.Components.SecuritySchemes[kernel.SessionScheme]
	_, tokens := r.document.Components.SecuritySchemes[bearer.Scheme]
	p := page{Site: site, At: r.at, CSS: template.CSS(pageCSS),
		Session: scheme.Name, Tokens: tokens, Webhooks: r.document.Paths["/api/me/webhooks"] != nil,
		Problems: prose(r.document.Components.Responses["Problem"].Description)}
	byTag := map[string][]operation{}
	for _, path := range slices.Sorted(maps.Keys(r.document.Paths)) {
		for _, op := range operationsOf(r.document.Paths[path]) {
			byTag[op.Tags[0]] = append(byTag[op.Tags[0]], r.operation(op))
		}
	}
	for _, t := range r.document.Tags {
		p.Tags = append(p.Tags, tag{t.Name, prose(t.Description), byTag[t.Name]})
	}
	schemas := r.document.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		p.Shapes = append(p.Shapes, r.shape(name, schemas[name]))
	}
	return p
}

func (r reader) operation(op *huma.Operation) operation {
	o := operation{ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary,
		About: prose(op.Description), Access: access(op), Scope: scopeOf(op), Curl: r.curl(op)}
	for _, p := range op.Parameters {
		o.Parameters = append(o.Parameters, field{Name: p.Name, In: p.In, Required: p.Required,
			Type: typeOf(p.Schema), About: prose(p.Description), Example: exampleText(p)})
	}
	if op.RequestBody != nil {
		schema := op.RequestBody.Content["application/json"].Schema
		o.Body = &body{typeOf(schema), indented(r.example(schema, true, nil))}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		if response := op.Responses[status]; response.Ref == "" {
			o.Answers = append(o.Answers, r.answer(status, response))
		}
	}
	return o
}

func (r reader) answer(status string, response *huma.Response) answer {
	a := answer{Status: status, About: response.Description}
	for _, name := range slices.Sorted(maps.Keys(response.Headers)) {
		h := response.Headers[name]
		about := h.Description
		if about == "" && h.Schema != nil {
			about = h.Schema.Description
		}
		a.Headers = append(a.Headers, field{Name: name, About: prose(about), Example: exampleText(h)})
	}
	for kind, content := range response.Content {
		if content.Schema == nil || content.Schema.Type == huma.TypeString {
			a.Type = template.HTML(html.EscapeString(kind)) //nolint:gosec // it is escaped
			continue
		}
		a.Type, a.Example = typeOf(content.Schema), indented(r.example(content.Schema, false, nil))
	}
	return a
}

func (r reader) shape(name string, schema *huma.Schema) shape {
	s := shape{Name: name, About: prose(schema.Description)}
	for _, value := range schema.Enum {
		s.Values = append(s.Values, fmt.Sprint(value))
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		s.Fields = append(s.Fields, field{Name: name, Type: typeOf(p), About: prose(p.Description),
			Required: slices.Contains(schema.Required, name), Example: inLine(p.Examples)})
	}
	return s
}

// access says who can use an operation.
func access(op *huma.Operation) string {
	for _, way := range op.Security {
		if len(way) == 0 {
			return "Without sign-in"
		}
	}
	if strings.HasPrefix(op.Path, "/api/moderation") {
		return "Signed-in moderators"
	}
	return "Signed in"
}

// scopeOf returns the scope that a program's token needs for an operation; empty where none helps.
func scopeOf(op *huma.Operation) string {
	for _, way := range op.Security {
		if scopes := way[bearer.Scheme]; len(scopes) > 0 {
			return scopes[0]
		}
	}
	return ""
}

const refPrefix = "#/components/schemas/"

// typeOf says in words what a value is, with a link to its shape.
func typeOf(s *huma.Schema) template.HTML {
	text := ""
	switch {
	case s.Ref != "":
		name := html.EscapeString(strings.TrimPrefix(s.Ref, refPrefix))
		text = `<a href="#shape-` + name + `">` + name + `</a>`
	case len(s.OneOf)+len(s.AnyOf)+len(s.AllOf) > 0:
		var all []string
		for _, one := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
			all = append(all, string(typeOf(one)))
		}
		text = strings.Join(all, " or ")
	case s.Type == huma.TypeArray:
		text = "list of " + string(typeOf(s.Items))
	default:
		text = html.EscapeString(cmp.Or(typeNames[s.Type+"/"+s.Format], s.Type))
	}
	if s.Nullable {
		text += " or null"
	}
	return template.HTML(text + limits(s)) //nolint:gosec // its parts are escaped
}

var typeNames = map[string]string{
	"integer/int64": "number", "integer/int32": "number", "integer/": "number", "number/double": "number",
	"string/": "text", "string/date-time": "time (RFC 3339)", "string/date": "day", "string/uri": "address",
	"boolean/": "true or false", "object/": "object",
}

// limits says which values are allowed.
func limits(s *huma.Schema) string {
	text := ""
	if len(s.Enum) > 0 && s.Ref == "" {
		var values []string
		for _, value := range s.Enum {
			values = append(values, html.EscapeString(fmt.Sprint(value)))
		}
		text += ": " + strings.Join(values, ", ")
	}
	if s.Minimum != nil {
		text += fmt.Sprintf(", from %.0f", *s.Minimum)
	}
	if s.Maximum != nil {
		text += fmt.Sprintf(", to %.0f", *s.Maximum)
	}
	if s.MaxLength != nil {
		text += fmt.Sprintf(", up to %d characters", *s.MaxLength)
	}
	if s.MaxItems != nil {
		text += fmt.Sprintf(", up to %d", *s.MaxItems)
	}
	if s.Default != nil {
		text += ", " + html.EscapeString(fmt.Sprint(s.Default)) + " when left out"
	}
	return text
}

var (
	codeWords = regexp.MustCompile("`([^`]+)`")
	paths     = regexp.MustCompile(`(^|[\s(])(/(?:api|auth|requests|problems)[\w/.{}-]*[\w}])`)
)

// prose writes a description as paragraphs and lists. Words in backticks and addresses are code.
func prose(text string) template.HTML {
	if text == "" {
		return ""
	}
	var out strings.Builder
	list := false
	for line := range strings.SplitSeq(text, "\n") {
		item, isItem := strings.CutPrefix(line, "- ")
		if isItem != list {
			out.WriteString(map[bool]string{true: "<ul>", false: "</ul>"}[isItem])
			list = isItem
		}
		words := html.EscapeString(item)
		words = codeWords.ReplaceAllString(words, "<code>$1</code>")
		words = paths.ReplaceAllString(words, "$1<code>$2</code>")
		switch {
		case isItem:
			out.WriteString("<li>" + words)
		case words != "":
			out.WriteString("<p>" + words + "</p>")
		}
	}
	if list {
		out.WriteString("</ul>")
	}
	return template.HTML(out.String()) //nolint:gosec // it is escaped
}

func exampleText(p *huma.Param) string {
	if p.Example != nil {
		return fmt.Sprint(p.Example)
	}
	if p.Schema == nil {
		return ""
	}
	return inLine(p.Schema.Examples)
}

// inLine writes the first of some examples.
func inLine(examples []any) string {
	if len(examples) == 0 {
		return ""
	}
	switch first := examples[0].(type) {
	case string:
		return first
	case []any:
		if len(first) == 1 {
			return fmt.Sprint(first[0])
		}
	}
	text, _ := json.Marshal(examples[0]) // it was read from JSON
	return string(text)
}

// example returns a value of a schema. In the body of a request it leaves optional fields out.
func (r reader) example(s *huma.Schema, onlyRequired bool, within []string) any {
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Ref != "":
		if slices.Contains(within, s.Ref) || len(within) > 5 {
			return nil
		}
		schema := r.document.Components.Schemas.Map()[strings.TrimPrefix(s.Ref, refPrefix)]
		return r.example(schema, onlyRequired, append(slices.Clone(within), s.Ref))
	case len(s.OneOf)+len(s.AnyOf)+len(s.AllOf) > 0:
		return r.example(slices.Concat(s.OneOf, s.AnyOf, s.AllOf)[0], onlyRequired, within)
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	switch s.Type {
	case huma.TypeArray:
		if one := r.example(s.Items, onlyRequired, within); one != nil {
			return []any{one}
		}
		return []any{}
	case huma.TypeObject, "":
		return r.exampleObject(s, onlyRequired, within)
	case huma.TypeBoolean:
		return true
	case huma.TypeInteger, huma.TypeNumber:
		return cmp.Or(deref(s.Minimum), 1)
	}
	if s.Format == "date-time" {
		return "2026-11-28T20:00:00Z"
	}
	return "…"
}

func (r reader) exampleObject(s *huma.Schema, onlyRequired bool, within []string) any {
	fields := map[string]any{}
	for name, p := range s.Properties {
		if required := slices.Contains(s.Required, name); required || !onlyRequired || len(s.Required) == 0 {
			value := r.example(p, onlyRequired, within)
			if value != nil || required && p.Nullable {
				fields[name] = value
			}
		}
	}
	return fields
}

func deref(n *float64) float64 {
	if n == nil {
		return 0
	}
	return *n
}

func indented(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // into memory, of values that were JSON
	return strings.TrimSpace(out.String())
}

// queries are those with which a read by anybody has something to show, by the id of the operation.
var queries = map[string]string{
	"list-orders": "sort=price&limit=5", "list-public-orders": "sort=price&limit=5",
	"feed-requests-atom": "sort=price", "feed-requests-csv": "sort=price", "feed-requests-json": "sort=price",
	"list-items": "limit=5", "suggest-items": "q=iron", "complete-items": "q=iron", "count-orders": "q=iron",
	"sum-stock": "itemName=Iron%20Ore", "list-records": "user=1&user=2", "browse-fillable": "level=100",
	"list-listings": "sort=cheapest&limit=5",
}

// numbers says where to find a number that a read by anybody needs: of the newest open request, of its buyer,
// of an item.
var numbers = []struct{ path, list, field string }{
	{"/api/orders/{id}", "/api/public/orders?limit=1", "id"},
	{"/api/traders/{id}", "/api/orders?limit=1", "userId"},
	{"/api/catalogue/{id}", "/api/public/catalogue", "id"},
	{"/items/{id}", "/api/public/catalogue", "id"},
	{"/embed/items/{id}", "/api/public/catalogue", "id"},
}

// curl returns commands that call an operation.
func (r reader) curl(op *huma.Operation) string {
	address, lines := r.at+op.Path, ""
	for _, n := range numbers {
		if strings.HasPrefix(op.Path, n.path) && access(op) == "Without sign-in" {
			lines = fmt.Sprintf("ID=$(curl -s '%s%s' | grep -o '\"%s\":[0-9]*' | head -n 1 | cut -d: -f2)\n",
				r.at, n.list, n.field)
			address = strings.Replace(address, "{id}", "$ID", 1)
			break
		}
	}
	for _, p := range op.Parameters {
		if p.In == "path" {
			address = strings.Replace(address, "{"+p.Name+"}", url.PathEscape(cmp.Or(exampleText(p), "x")), 1)
		}
	}
	if query := queries[op.OperationID]; query != "" && op.Method == http.MethodGet {
		address += "?" + query
	}
	call := "curl"
	switch {
	case op.OperationID == "events":
		call += " -N"
	case op.Method != http.MethodGet:
		call += " -X " + op.Method
	}
	call += ` "` + address + `"`
	for _, option := range r.options(op) {
		call += " \\\n  " + option
	}
	return lines + call
}

// options returns the options of the curl command, such as headers and the body.
func (r reader) options(op *huma.Operation) (options []string) {
	if access(op) != "Without sign-in" && scopeOf(op) != "" {
		options = append(options, `-H "Authorization: Bearer $TOKEN"`)
	} else if access(op) != "Without sign-in" {
		cookie := r.document.Components.SecuritySchemes[kernel.SessionScheme].Name
		options = append(options, `-H "Cookie: `+cookie+`=$SESSION"`)
	}
	for _, p := range op.Parameters {
		if p.Name == "Idempotency-Key" {
			options = append(options, `-H "Idempotency-Key: $(date +%s)-$$"`)
		}
	}
	if op.RequestBody != nil {
		schema := op.RequestBody.Content["application/json"].Schema
		body := strings.ReplaceAll(indented(r.example(schema, true, nil)), "'", `'\''`)
		options = append(options, "-H 'Content-Type: application/json'", "-d '"+body+"'")
	}
	return options
}
