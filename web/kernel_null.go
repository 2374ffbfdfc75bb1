package web

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

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
