package kernel

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Get registers an operation that reads. It answers 200.
func Get[I, O any](a *API, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodGet, path, http.StatusOK, do, id, summary)
}

// GetSame registers an operation that reads what is the same for everyone. Its answers have an ETag, and are
// 304 to a client that has them.
func GetSame[I, O any](a *API, path string, do operation[I, O], id, summary string) {
	of := register(a, http.MethodGet, path, http.StatusOK, do, id, summary)
	of.same = true
	of.Responses["304"] = &huma.Response{Description: notModified}
}

// Post registers an operation that answers 200.
func Post[I, O any](a *API, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPost, path, http.StatusOK, do, id, summary)
}

// Create registers an operation that answers 201.
func Create[I, O any](a *API, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPost, path, http.StatusCreated, do, id, summary)
}

// Patch registers an operation that changes part of something.
func Patch[I, O any](a *API, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPatch, path, http.StatusOK, do, id, summary)
}

// Put registers an operation that replaces something.
func Put[I, O any](a *API, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPut, path, http.StatusOK, do, id, summary)
}

// Perform registers an operation that does something. It answers 204 without a body.
func Perform[I any](a *API, path string, do func(context.Context, *I) error, id, summary string) {
	register(a, http.MethodPost, path, http.StatusNoContent, silent(do), id, summary)
}

// Remove registers an operation that deletes something. It answers 204 without a body.
func Remove[I any](a *API, path string, do func(context.Context, *I) error, id, summary string) {
	register(a, http.MethodDelete, path, http.StatusNoContent, silent(do), id, summary)
}

type nothing struct{}

func silent[I any](do func(context.Context, *I) error) operation[I, nothing] {
	return func(ctx context.Context, in *I) (*nothing, error) { return nil, do(ctx, in) }
}

// Answer is a body and nothing else.
type Answer[T any] struct{ Body T }

func tagOf(path string) string {
	noun, rest, _ := strings.Cut(strings.TrimPrefix(path, "/api/"), "/")
	switch _, sub, _ := strings.Cut(rest, "}/"); sub {
	case "offers", "sales":
		return sub
	case "my-offer":
		return "offers"
	}
	return noun
}
