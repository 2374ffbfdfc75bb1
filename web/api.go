package web

import (
	"context"
	"net/http"
	"strings"
)

func get[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodGet, path, http.StatusOK, do, id, summary)
}

func post[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPost, path, http.StatusOK, do, id, summary)
}

func create[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPost, path, http.StatusCreated, do, id, summary)
}

func patch[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPatch, path, http.StatusOK, do, id, summary)
}

func put[I, O any](a *api, path string, do operation[I, O], id, summary string) {
	register(a, http.MethodPut, path, http.StatusOK, do, id, summary)
}

// perform and remove register an operation that answers 204 without a body.
func perform[I any](a *api, path string, do func(context.Context, *I) error, id, summary string) {
	register(a, http.MethodPost, path, http.StatusNoContent, silent(do), id, summary)
}

func remove[I any](a *api, path string, do func(context.Context, *I) error, id, summary string) {
	register(a, http.MethodDelete, path, http.StatusNoContent, silent(do), id, summary)
}

type nothing struct{}

func silent[I any](do func(context.Context, *I) error) operation[I, nothing] {
	return func(ctx context.Context, in *I) (*nothing, error) { return nil, do(ctx, in) }
}

// answer is a body and nothing else.
type answer[T any] struct{ Body T }

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
