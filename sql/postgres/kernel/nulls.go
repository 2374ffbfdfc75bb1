package kernel

import (
	"time"

	"tradepost/core"
)

// Texts returns values as texts.
func Texts[T ~string](values []T) []string {
	return Convert(values, func(v T) string { return string(v) })
}

// The market has zero values where the tables have NULL.

// OrNull returns nil for a zero value.
func OrNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// OrZero returns the zero value for nil.
func OrZero[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

// TimeOrNull returns nil for the zero time.
func TimeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Convert converts each element of a slice.
func Convert[From, To any](from []From, one func(From) To) []To {
	to := make([]To, len(from))
	for i := range from {
		to[i] = one(from[i])
	}
	return to
}

// OrderOfListing returns the number under which tables that name an order have a listing: its own, below
// zero.
func OrderOfListing(id core.StockID) core.OrderID { return -core.OrderID(id) }
