package trade

import (
	"iter"
	"strings"

	"tradepost/core"
)

// Each yields the texts that orders must have, with their fields.
func (t TextFilter) Each() iter.Seq2[Field, string] {
	return func(yield func(Field, string) bool) {
		for _, f := range Fields {
			if f.Filter == nil {
				continue
			}
			if text := *f.Filter(&t); text != "" && !yield(f, text) {
				return
			}
		}
	}
}

// FilterTexts returns the texts of an order that lists can be filtered by.
func (o Order) FilterTexts() TextFilter {
	var t TextFilter
	for _, f := range Fields {
		if f.Filter != nil {
			*f.Filter(&t) = f.Of(o)
		}
	}
	return t
}

// Clean returns the filter with its texts cleaned.
func (t TextFilter) Clean(forms core.TextForms) TextFilter {
	for f, text := range t.Each() {
		*f.Filter(&t) = f.Kind.clean(text, forms)
	}
	return t
}

// Check adds an error for each text that is longer than its field.
func (t TextFilter) Check(c *core.Checks) {
	for f, text := range t.Each() {
		if !core.Within(text, f.Limit) {
			c.That(false, f.Option, f.TooLong())
		}
	}
}

// Fits reports whether an order has the texts.
func (t TextFilter) Fits(o Order) bool {
	for f, text := range t.Each() {
		// As the database compares them. strings.EqualFold takes more letters for the same.
		if lower := strings.ToLower; lower(f.Of(o)) != lower(text) {
			return false
		}
	}
	return true
}
