package web_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/web"
)

// refusing is a store that fails with an error.
type refusing struct {
	market.Store
	err *core.Error
}

func (s *refusing) Order(context.Context, core.OrderID) (trade.Order, error) {
	return trade.Order{}, s.err
}

// Whatever the core refuses, the page shows the German sentence for its code, and other clients get the English one.
func TestEveryErrorIsInTheLanguageOfThePageThatAsks(t *testing.T) {
	t.Parallel()
	store := &refusing{}
	m := market.New(store, market.Options{Now: func() time.Time { return coretest.Noon }, Forms: coretest.Forms})
	door, err := web.New(m, web.Options{PublicURL: "https://trade.example", Sessions: noSessions{}, Dist: page, Log: silence,
		Limits: web.Limits{Requests: 100_000, Share: -1, ConnectionsPerClient: -1}})
	must(t, err)
	server := httptest.NewServer(door)
	t.Cleanup(server.Close)
	visitor := (&site{t: t, url: server.URL}).visitor()
	english, german := text.For("en"), text.For("de")
	for _, code := range slices.Sorted(maps.Keys(english.Errors)) {
		var args []any
		for name, kind := range english.Errors[code].Places() {
			if kind == text.ANumber {
				args = append(args, name, 12500)
			} else {
				args = append(args, name, "Iron Ore")
			}
		}
		said := core.NewText(code, args...)
		store.err = &core.Error{Kind: core.Invalid, Text: said, Message: said.String(), Fields: []core.FieldError{
			{Field: "quantity", Text: said, Message: said.String()},
		}}
		for language, want := range map[string]string{"de": german.Error(code, args...), "": english.Error(code, args...)} {
			r := visitor.get("/api/orders/7", "X-Tradepost-Language", language).wants(http.StatusUnprocessableEntity)
			problem := r.json()
			if got := problem["detail"]; got != want {
				t.Errorf("%s for a page in %q: %q, want %q", code, language, got, want)
			}
			if problem["code"] != code || problem["type"] != "/problems/"+code || problem["codes"].(object)["quantity"] != code {
				t.Errorf("%s is answered %v", code, problem)
			}
			if got := problem["errors"].(object)["quantity"]; got != want {
				t.Errorf("%s of a field for a page in %q: %q, want %q", code, language, got, want)
			}
		}
	}
}
