package kernel

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// OrNull is an object that may be missing.
type OrNull[T any] struct{ Value *T }

// MarshalJSON writes the value or null.
func (n OrNull[T]) MarshalJSON() ([]byte, error) {
	if n.Value == nil {
		return jsonNull, nil
	}
	return json.Marshal(n.Value)
}

var jsonNull = []byte("null")

// Schema describes the value or null.
func (n OrNull[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}

// TextOrNil gives the texts that the core leaves empty their null.
func TextOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// IDOrNil gives ids that the core leaves zero their null.
func IDOrNil[T ~int64](id T) *T {
	if id == 0 {
		return nil
	}
	return &id
}

// TimeOrNil gives times that the core leaves zero their null.
func TimeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// TimeOrZero returns the zero time for nil.
func TimeOrZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
