package discordtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// checkRequest compares a request with Discord's description of the operation.
func (s *spec) checkRequest(
	method, template string, params map[string]string, query url.Values, body any, hasBody bool,
) []Problem {
	pointer := "/paths/" + escapePointer(template)
	found := s.checkParams(pointer+"/parameters", "path",
		func(name string) []string { return []string{params[name]} })
	pointer += "/" + strings.ToLower(method)
	found = append(found, s.checkParams(pointer+"/parameters", "query",
		func(name string) []string { return query[name] })...)
	for name := range query {
		if !s.hasParam(pointer+"/parameters", name) {
			found = append(found, Problem{[]string{name}, "UNKNOWN_PARAMETER",
				"Discord knows no such query parameter here."})
		}
	}
	bodySchema := pointer + "/requestBody/content/application~1json/schema"
	switch described := s.at(bodySchema) != nil; {
	case described && hasBody:
		found = append(found, s.check(bodySchema, body)...)
	case described && s.at(pointer+"/requestBody/required") == true:
		found = append(found, Problem{nil, "BASE_TYPE_REQUIRED", "This request needs a body."})
	case !described && hasBody:
		found = append(found, Problem{nil, "UNKNOWN_BODY", "Discord takes no JSON body here."})
	}
	return found
}

func (s *spec) hasParam(pointer, name string) bool {
	list, _ := s.at(pointer).([]any)
	return slices.ContainsFunc(list, func(p any) bool { return p.(map[string]any)["name"] == name })
}

// checkParams compares the parameters of one kind with their schemas. Their values are texts: a number is
// read first.
func (s *spec) checkParams(pointer, in string, value func(name string) []string) []Problem {
	list, _ := s.at(pointer).([]any)
	var found []Problem
	for _, p := range list {
		param := p.(map[string]any)
		if param["in"] != in {
			continue
		}
		name := param["name"].(string)
		for _, text := range value(name) {
			found = append(found, s.checkParam(param["schema"].(map[string]any), name, text)...)
		}
	}
	return found
}

func (s *spec) checkParam(schema map[string]any, name, text string) []Problem {
	var v any = text
	switch schema["type"] {
	case "integer", "number":
		v = json.Number(text)
		if !json.Valid([]byte(text)) {
			return []Problem{{[]string{name}, "NUMBER_TYPE_COERCE",
				fmt.Sprintf("Value %q is not int.", text)}}
		}
	case "boolean":
		if text != "true" && text != "false" {
			return []Problem{{[]string{name}, "BOOLEAN_TYPE_CHOICES", "Must be either true or false."}}
		}
		v = text == "true"
	}
	ref, _ := schema["$ref"].(string)
	if ref == "" {
		// Parameters are described inline, with only a type and bounds.
		if n, ok := v.(json.Number); ok {
			return bounded(schema, name, n)
		}
		return nil
	}
	found, err := s.violations(strings.TrimPrefix(ref, "#"), v)
	if err != nil {
		return []Problem{{[]string{name}, "DESCRIPTION", err.Error()}}
	}
	for i := range found {
		found[i].Path = []string{name}
	}
	return found
}

func bounded(schema map[string]any, name string, n json.Number) []Problem {
	got, _ := n.Float64()
	if low, ok := schema["minimum"].(json.Number); ok {
		if f, _ := low.Float64(); got < f {
			return []Problem{{[]string{name}, "NUMBER_TYPE_MIN",
				fmt.Sprintf("int value should be greater than or equal to %s.", low)}}
		}
	}
	if high, ok := schema["maximum"].(json.Number); ok {
		if f, _ := high.Float64(); got > f {
			return []Problem{{[]string{name}, "NUMBER_TYPE_MAX",
				fmt.Sprintf("int value should be less than or equal to %s.", high)}}
		}
	}
	return nil
}

// check compares a value (as jsonschema.UnmarshalJSON reads it) with the schema at a JSON pointer: what the
// schema forbids, and keys it does not know.
func (s *spec) check(pointer string, value any) []Problem {
	found, err := s.violations(pointer, value)
	if err != nil {
		return []Problem{{nil, "DESCRIPTION", err.Error()}}
	}
	if len(found) > 0 {
		return found // a value of the wrong kind has unknown keys too; reporting them does not help
	}
	return s.unknownKeys([]any{map[string]any{"$ref": "#" + pointer}}, value, nil)
}

func (s *spec) violations(pointer string, value any) ([]Problem, error) {
	schema, err := s.schema(pointer)
	if err != nil {
		return nil, err
	}
	err = schema.Validate(value)
	if err == nil {
		return nil, nil
	}
	var broken *jsonschema.ValidationError
	if !errors.As(err, &broken) {
		return nil, err
	}
	return problemsOf(broken), nil
}

// problemsOf turns what the validator says into what Discord would say. Where none of several alternatives
// fits it reports on the one that was meant: the one whose type matches.
func problemsOf(e *jsonschema.ValidationError) []Problem {
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		return meant(e)
	default:
		if len(e.Causes) == 0 {
			return leaf(e.InstanceLocation, k)
		}
		var all []Problem
		for _, cause := range e.Causes {
			all = append(all, problemsOf(cause)...)
		}
		return all
	}
}

func meant(e *jsonschema.ValidationError) []Problem {
	if len(e.Causes) == 0 {
		return []Problem{{e.InstanceLocation, "UNION_TYPE_CHOICES", "Value fits several kinds at once."}}
	}
	here := len(e.InstanceLocation)
	var best []Problem
	bestScore := -1
	for _, cause := range e.Causes {
		found := problemsOf(cause)
		score := 1000 - len(found)
		for _, p := range found {
			wrongKind := len(p.Path) == here && strings.HasSuffix(p.Code, "_CONVERT") ||
				len(p.Path) == here+1 && p.Path[here] == "type"
			if wrongKind {
				score -= 500
			}
		}
		if score > bestScore {
			best, bestScore = found, score
		}
	}
	return best
}

func leaf(path []string, k jsonschema.ErrorKind) []Problem {
	path = slices.Clone(path)
	one := func(code, format string, args ...any) []Problem {
		return []Problem{{path, code, fmt.Sprintf(format, args...)}}
	}
	switch k := k.(type) {
	case *kind.MaxLength:
		return one("BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", k.Want)
	case *kind.MinLength:
		return one("BASE_TYPE_MIN_LENGTH", "Must be %d or more in length.", k.Want)
	case *kind.MaxItems:
		return one("BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", k.Want)
	case *kind.MinItems:
		return one("BASE_TYPE_MIN_LENGTH", "Must be %d or more in length.", k.Want)
	case *kind.Required:
		var all []Problem
		for _, name := range k.Missing {
			all = append(all, Problem{at(path, name), "BASE_TYPE_REQUIRED", "This field is required"})
		}
		return all
	case *kind.Type:
		return one(typeCode(k.Want), "Found %s where Discord takes %s.", k.Got, strings.Join(k.Want, " or "))
	case *kind.Enum:
		return one("BASE_TYPE_CHOICES", "Value must be one of %v.", k.Want)
	case *kind.Const:
		return one("BASE_TYPE_CHOICES", "Value must be %v.", k.Want)
	case *kind.Minimum:
		return one("NUMBER_TYPE_MIN", "Value should be greater than or equal to %s.", k.Want.RatString())
	case *kind.Maximum:
		return one("NUMBER_TYPE_MAX", "Value should be less than or equal to %s.", k.Want.RatString())
	case *kind.Format:
		if k.Want == "uri" {
			return one("URL_TYPE_INVALID_URL", "Not a well formed URL.")
		}
		return one("BASE_TYPE_FORMAT", "Value %q is not %s.", fmt.Sprint(k.Got), k.Want)
	case *kind.Pattern:
		return one("NUMBER_TYPE_COERCE", "Value %q is not snowflake.", k.Got)
	case *kind.UniqueItems:
		return one("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
	}
	return one("BASE_TYPE_INVALID", "%v", k)
}

func typeCode(want []string) string {
	switch {
	case slices.Contains(want, "object"):
		return "MODEL_TYPE_CONVERT"
	case slices.Contains(want, "array"):
		return "LIST_TYPE_CONVERT"
	case slices.Contains(want, "string"):
		return "STRING_TYPE_CONVERT"
	case slices.Contains(want, "boolean"):
		return "BOOLEAN_TYPE_CONVERT"
	}
	return "NUMBER_TYPE_CONVERT"
}

// unknownKeys finds keys that no schema in question knows: Discord ignores them, so they are a mistake of
// the sender. A library's empty default (null, false, nothing) under a key that other kinds of the same
// object have is let pass.
func (s *spec) unknownKeys(schemas []any, value any, path []string) []Problem {
	switch v := value.(type) {
	case []any:
		items := below(s.flatten(schemas, value), func(schema map[string]any) any { return schema["items"] })
		var found []Problem
		for i, item := range v {
			found = append(found, s.unknownKeys(items, item, at(path, itoa(i)))...)
		}
		return found
	case map[string]any:
		fit := s.flatten(schemas, value)
		var found []Problem
		for _, key := range slices.Sorted(maps.Keys(v)) {
			here := at(path, key)
			children := below(fit, func(schema map[string]any) any {
				if properties, ok := schema["properties"].(map[string]any); ok && properties[key] != nil {
					return properties[key]
				}
				return schema["additionalProperties"]
			})
			switch {
			case len(children) > 0:
				found = append(found, s.unknownKeys(children, v[key], here)...)
			case !empty(v[key]) && !added(fit, key):
				found = append(found, Problem{here, "UNKNOWN_KEY", "Discord knows no such key here."})
			}
		}
		return found
	}
	return nil
}

// below follows one step (an item or a key) through every schema that may describe a value.
func below(fit []described, step func(map[string]any) any) []any {
	var next []any
	for _, d := range fit {
		if child := step(d.schema); child != nil && child != false {
			next = append(next, child)
		}
	}
	return next
}

func added(fit []described, key string) bool {
	return slices.ContainsFunc(fit, func(d described) bool {
		for _, a := range additions {
			if a.schema == d.name && a.key == key {
				return true
			}
		}
		return false
	})
}

// described is a schema that may describe a value. Its name is empty where it is part of another.
type described struct {
	name   string
	schema map[string]any
}

// flatten returns the schemas that references and alternatives lead to, leaving out those made for another
// type.
func (s *spec) flatten(schemas []any, value any) (fit []described) {
	var follow func(v any, name string)
	follow = func(v any, name string) {
		schema, ok := v.(map[string]any)
		if !ok || !describes(schema, value) {
			return
		}
		fit = append(fit, described{name, schema})
		if ref, ok := schema["$ref"].(string); ok {
			follow(s.at(ref[1:]), ref[strings.LastIndexByte(ref, '/')+1:])
		}
		for _, alternatives := range []string{"oneOf", "anyOf", "allOf"} {
			list, _ := schema[alternatives].([]any)
			for _, one := range list {
				follow(one, "")
			}
		}
	}
	for _, one := range schemas {
		follow(one, "")
	}
	return fit
}

// describes is false where the schema wants another value under "type" than the object has.
func describes(schema map[string]any, value any) bool {
	object, ok := value.(map[string]any)
	if !ok {
		return true
	}
	properties, _ := schema["properties"].(map[string]any)
	typ, _ := properties["type"].(map[string]any)
	wanted, _ := typ["enum"].([]any)
	return len(wanted) == 0 || slices.Contains(wanted, object["type"])
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}
