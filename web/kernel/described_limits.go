package kernel

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
	"tradepost/core/trade"
)

// Limits are defined in core alone. A field names its limit in the tag `limit`, and the OpenAPI
// description has its value: maxLength for a text, maximum for a number.

// limitNamed returns one of core's limits by its name: one of core.Limits, a text of a request, price, page
// or key.
func limitNamed(name string) int {
	limits := map[string]int{"price": int(core.MaxPrice), "page": core.PageSize, "key": core.MaxKey}
	for _, f := range trade.Fields {
		limits[f.Name] = f.Limit
	}
	others, err := json.Marshal(core.AllLimits())
	if err == nil {
		err = json.Unmarshal(others, &limits)
	}
	limit, known := limits[name]
	if err != nil || !known {
		panic(fmt.Sprintf("web: there is no limit %q: %v", name, err)) // a tag is part of the program
	}
	return limit
}

func describeLimit(s *huma.Schema, field reflect.StructField) {
	name := field.Tag.Get("limit")
	if name == "" {
		return
	}
	if s.Type == huma.TypeString {
		s.MaxLength = new(limitNamed(name))
	} else {
		s.Maximum = new(float64(limitNamed(name)))
	}
}

// describeBodyLimits describes the limits of the fields of every schema that there is.
func (a *API) describeBodyLimits() {
	schemas := a.openAPI.Components.Schemas
	for name, schema := range schemas.Map() {
		shape := schemas.TypeFromRef("#/components/schemas/" + name)
		if shape == nil || shape.Kind() != reflect.Struct {
			continue
		}
		for _, field := range reflect.VisibleFields(shape) {
			property, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if described := schema.Properties[property]; described != nil {
				describeLimit(described, field)
			}
		}
	}
}
