package kernel

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"tradepost/core"
	"tradepost/core/text"
)

// operation handles a route: it takes the input and returns the response or an error.
type operation[I, O any] func(context.Context, *I) (*O, error)

// register serves an operation and describes it. It is all that is compiled for each pair of types;
// huma.Register would compile 450 lines for each.
func register[I, O any](
	a *API, method, path string, status int, do operation[I, O], id, summary string,
) *route {
	return a.serve(describe(method, path, status, id, summary), reflect.TypeFor[I](), reflect.TypeFor[O](),
		func(ctx context.Context, in any) (any, error) {
			out, err := do(ctx, in.(*I))
			if err != nil || out == nil {
				return nil, err
			}
			return out, nil
		})
}

// describe returns the description of an operation without its parameters, body and response.
func describe(method, path string, status int, id, summary string) *huma.Operation {
	return &huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: summary, Tags: []string{tagOf(path)},
		DefaultStatus: status,
		Responses:     otherResponses(id),
	}
}

// route is an operation as it is served.
type route struct {
	*huma.Operation // its description; a feature that is off has taken its parameters away
	api             *API
	input           reflect.Type
	parameters      []parameter
	body            []int // the index of the input's body, nil for none
	by, key         []int // the same of its Caller's actor and its Keyed's key
	do              func(context.Context, any) (any, error)
	same            bool // for everyone: its answers are tagged
}

// parameter is a field of the input that is read from the path, the query or a header.
type parameter struct {
	in, name, otherwise string // otherwise is the value of an omitted input
	index               []int
}

// serve adds an operation to the router and to the description. Input and output are structs. A field of
// the input with the tag path, query or header is a parameter; its field Body, a Sent, is the body; a Caller
// in it gets who calls. The output's fields are headers, but for Status and Body.
func (a *API) serve(
	op *huma.Operation, input, output reflect.Type, do func(context.Context, any) (any, error),
) *route {
	route := a.describeRoute(op, input, output)
	route.do = do
	a.router.Method(op.Method, op.Path, route)
	return route
}

// describeRoute returns a route that is in the description, and serves nothing yet.
func (a *API) describeRoute(op *huma.Operation, input, output reflect.Type) *route {
	route := &route{Operation: op, api: a, input: input}
	for _, field := range reflect.VisibleFields(input) {
		for _, in := range []string{"path", "query", "header"} {
			if tag := field.Tag.Get(in); tag != "" {
				name, _, _ := strings.Cut(tag, ",")
				route.parameters = append(route.parameters,
					parameter{in, name, field.Tag.Get("default"), field.Index})
				op.Parameters = append(op.Parameters, a.describeParameter(field, in, name, tag))
			}
		}
	}
	if body, ok := input.FieldByName("Body"); ok {
		route.body = body.Index
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: huma.SchemaFromField(a.openAPI.Components.Schemas, body,
				input.Name()+"Body")},
		}}
	}
	if by, ok := input.FieldByName("By"); ok {
		route.by = by.Index
	}
	if op.Security = signedIn; visitorsToo[op.OperationID] {
		op.Security = slices.Concat(withoutSignIn, signedIn)
	} else if route.by == nil && op.OperationID != "get-operation" {
		op.Security = withoutSignIn
	}
	if key, ok := input.FieldByName("Key"); ok {
		route.key = key.Index
	}
	a.describeOutput(op, output)
	a.addOperation(op)
	return route
}

// SessionScheme is the name of the way to sign in that browsers have.
const SessionScheme = "session"

var (
	signedIn      = []map[string][]string{{SessionScheme: {}}}
	withoutSignIn = []map[string][]string{{}}

	// visitorsToo are the operations that depend on who calls them and that visitors may call.
	visitorsToo = map[string]bool{
		"get-me": true, "suggest-items": true, "sum-stock": true, "read-stock-lines": true,
		"browse-fillable": true, "list-listings": true, "get-order": true, "report-order": true,
		"report-listing":        true,
		"withdraw-linked-offer": true, "get-list": true, "send-offer": true, "get-item-stock": true,
		"get-terms": true, "get-trader": true, "get-list-for-sale": true,
	}
)

func (a *API) describeParameter(field reflect.StructField, in, name, tag string) *huma.Param {
	schema := huma.SchemaFromField(a.openAPI.Components.Schemas, field, "")
	describeLimit(schema, field)
	p := &huma.Param{Name: name, Description: schema.Description, In: in, Required: in == "path",
		Schema: schema}
	if in == "query" {
		p.Explode = new(strings.HasSuffix(tag, ",explode"))
	}
	return p
}

func (a *API) describeOutput(op *huma.Operation, output reflect.Type) {
	success := &huma.Response{Description: http.StatusText(op.DefaultStatus)}
	op.Responses[strconv.Itoa(op.DefaultStatus)] = success
	for _, field := range reflect.VisibleFields(output) {
		if success.Headers == nil {
			success.Headers = map[string]*huma.Param{}
		}
		switch {
		case field.Name == "Status":
		case field.Name == "Body":
			success.Content = map[string]*huma.MediaType{
				"application/json": {Schema: huma.SchemaFromField(a.openAPI.Components.Schemas, field,
					output.Name()+"Body")},
			}
		case field.Tag.Get("hidden") != "true":
			success.Headers[field.Tag.Get("header")] = &huma.Header{
				Schema: huma.SchemaFromField(a.openAPI.Components.Schemas, field, ""),
			}
		}
	}
}

// ServeHTTP reads the input, runs the operation and writes the output or a Problem.
func (o *route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if o.Method != http.MethodGet {
		ctx = core.WithRepeat(ctx, o.api.repeat)
	}
	var in, out any
	err := o.api.Programs.Refuse(w.Header(), r, o.OperationID, o.key != nil)
	if err == nil {
		in, err = o.inputOf(r)
	}
	if err == nil {
		out, err = o.do(ctx, in)
	}
	if err == nil {
		err = o.answer(w, r, out)
	}
	if err != nil {
		ProblemOf(ctx, err, o.api.Now()).Write(w, r)
	}
}

// inputOf returns the input of a request.
func (o *route) inputOf(r *http.Request) (any, error) {
	query := r.URL.Query()
	if err := o.onlyKnown(query); err != nil {
		return nil, err
	}
	in := reflect.New(o.input)
	return in.Interface(), o.read(r, query, in.Elem())
}

// onlyKnown returns an error that names the query parameters that the operation does not have.
func (o *route) onlyKnown(query url.Values) error {
	var c core.Checks
	for name := range query {
		c.That(slices.ContainsFunc(o.Parameters,
			func(p *huma.Param) bool { return p.In == "query" && p.Name == name }),
			name, core.NewText("parameter_unknown"))
	}
	return c.Err()
}

// read sets the parameters and the body. The core validates values, and sent their JSON syntax.
func (o *route) read(r *http.Request, query url.Values, in reflect.Value) error {
	problem := NewProblem(http.StatusUnprocessableEntity, "")
	for _, p := range o.parameters {
		values := p.values(r, query)
		if len(values) == 0 || values[0] == "" {
			continue
		}
		if err := setParameter(in.FieldByIndex(p.index), values); err != nil {
			if p.in == "path" {
				return NewProblem(http.StatusNotFound, MsgNotFound)
			}
			said := wholeNumber(labelOf(p.name))
			problem.Detail = said.In(text.For(pageLanguage(r.Context())))
			problem.name(said.Code)
			problem.blame(p.name, problem.Detail)
			problem.blameCode(p.name, said.Code)
		}
	}
	if o.body != nil {
		if err := readSent(r, in.FieldByIndex(o.body)); err != nil {
			body := ProblemOf(r.Context(), err, o.api.Now())
			if body.Status != http.StatusUnprocessableEntity {
				return body
			}
			for field, message := range body.Errors {
				problem.blame(field, message)
				problem.blameCode(field, body.Codes[field])
			}
			problem.Detail = body.Detail
			problem.name(body.Code)
		}
	}
	if problem.Errors == nil {
		return o.identify(r.Context(), in)
	}
	return problem
}

// identify sets who calls, and the idempotency key of their write.
func (o *route) identify(ctx context.Context, in reflect.Value) error {
	if o.by == nil {
		return nil
	}
	key := ""
	if o.key != nil {
		key = in.FieldByIndex(o.key).String()
	}
	actor, err := o.api.Actor(ctx, key)
	in.FieldByIndex(o.by).Set(reflect.ValueOf(actor))
	return err
}

func (p parameter) values(r *http.Request, query url.Values) []string {
	var values []string
	switch p.in {
	case "path":
		values = []string{chi.URLParam(r, p.name)}
	case "query":
		values = query[p.name]
	case "header":
		values = []string{r.Header.Get(p.name)}
	}
	if (len(values) == 0 || values[0] == "") && p.otherwise != "" {
		return []string{p.otherwise}
	}
	return values
}

// setParameter sets a text, a number or a bool from the first value, and a list from all of them.
func setParameter(field reflect.Value, values []string) error {
	switch field.Kind() {
	case reflect.String:
		field.SetString(values[0])
		return nil
	case reflect.Slice:
		list := reflect.MakeSlice(field.Type(), len(values), len(values))
		for i := range values {
			if err := setParameter(list.Index(i), values[i:i+1]); err != nil {
				return err
			}
		}
		field.Set(list)
		return nil
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(values[0], 10, 64)
		field.SetInt(n)
		return err
	case reflect.Bool:
		b, err := strconv.ParseBool(values[0])
		field.SetBool(b)
		return err
	default:
		// a tag is part of the program
		panic("web: a parameter has a kind that cannot be read: " + field.Type().String())
	}
}

// readSent reads the body, which the front has read from the connection.
func readSent(r *http.Request, body reflect.Value) error {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if len(data) == 0 {
		return NewProblem(http.StatusBadRequest, msgNoBody)
	}
	return body.Addr().Interface().(interface{ read([]byte) error }).read(data)
}

// answer writes an output: its headers, its status and its body. It fails before the first byte is sent.
func (o *route) answer(w http.ResponseWriter, r *http.Request, out any) error {
	if out == nil {
		w.WriteHeader(o.DefaultStatus)
		return nil
	}
	status := o.DefaultStatus
	var body any
	v := reflect.ValueOf(out).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch {
		case field.Name == "Status":
			status = int(v.Field(i).Int())
		case field.Name == "Body":
			body = v.Field(i).Interface()
		case v.Field(i).String() != "":
			w.Header().Set(field.Tag.Get("header"), v.Field(i).String())
		}
	}
	if o.same {
		return writeTagged(w, r, body)
	}
	return writeJSON(w, status, body)
}
