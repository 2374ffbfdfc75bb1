package web

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alexedwards/scs/v2/memstore"
	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"tradepost/core"
	"tradepost/core/trade"
)

func TestEveryRouteIsDescribed(t *testing.T) {
	t.Parallel()
	s, err := New(nil, Options{Features: core.AllFeatures(), PublicURL: "http://trade.example", Sessions: memstore.NewWithCleanupInterval(0)})
	if err != nil {
		t.Fatal(err)
	}
	document, err := OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal(document, &described); err != nil {
		t.Fatal(err)
	}
	handler, _ := s.routes()
	pages := map[string]bool{
		"/": true, "/mine": true, "/completed": true, "/offers": true, "/offers/received": true, "/offer": true, "/offer/{token}": true, "/mine/offers": true, "/selling": true, "/selling/offers": true, "/selling/stock": true, "/selling/saved": true, "/watches": true, "/searches": true, "/saved": true, "/items/wanted": true, "/inbox": true, "/stock": true, "/wanted": true, "/lists/{id}": true, "/trades": true, "/trades/with/{id}": true, "/traders/{id}": true, "/moderation": true, "/operation": true, "/items": true, "/items/{id}": true, "/items/{id}/{name}": true, "/items/{id}/card.png": true, "/requests/{id}": true, "/requests/{id}/card.png": true, "/card.png": true, "/.well-known/security.txt": true, "/robots.txt": true, "/*": true, "/api/openapi.json": true, "/api/openapi.yaml": true, "/api/docs": true, "/.well-known/api-catalog": true, "/api/public/*": true, "/trades/{id}": true, "/problems/{code}": true, "/prices/method": true,
	}
	err = chi.Walk(handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if described.Paths[route][strings.ToLower(method)] == nil && !pages[strings.TrimSuffix(route, " ")] {
			t.Errorf("%s %s is not described", method, route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The header Link leads to the next page: a read without pages has none.
func TestOnlyReadsWithPagesDescribeTheHeaderLink(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Paths map[string]struct {
			Get *struct {
				Parameters []struct{ Name string }
				Responses  map[string]struct{ Headers map[string]any }
			}
		}
	}
	if err := json.Unmarshal(document, &described); err != nil {
		t.Fatal(err)
	}
	with, without := 0, 0
	for path, of := range described.Paths {
		if of.Get == nil || !strings.HasPrefix(path, "/api/public/") {
			continue
		}
		paged := slices.ContainsFunc(of.Get.Parameters, func(p struct{ Name string }) bool { return p.Name == "cursor" })
		if _, links := of.Get.Responses["200"].Headers["Link"]; links != paged {
			t.Errorf("%s has the header Link: %v, and pages: %v", path, links, paged)
		}
		if paged {
			with++
		} else {
			without++
		}
	}
	if with == 0 || without == 0 {
		t.Errorf("%d reads with pages and %d without", with, without)
	}
}

// The page's own table of routes and the server's hold the same addresses: each of them can be opened, reloaded and shared.
func TestServerAndPageHaveTheSameAddresses(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../dashboard/src/app/App.tsx")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(source), "export const pages = {")
	table, _, _ = strings.Cut(table, "\n}")
	var ofPage, ofServer []string
	for _, m := range regexp.MustCompile(`(?m)^  '(/[^']*)':`).FindAllStringSubmatch(table, -1) {
		ofPage = append(ofPage, regexp.MustCompile(`:(\w+)`).ReplaceAllString(m[1], "{$1}"))
	}
	s, err := New(nil, Options{Features: core.AllFeatures(), PublicURL: "http://trade.example", Sessions: memstore.NewWithCleanupInterval(0)})
	if err != nil {
		t.Fatal(err)
	}
	handler, _ := s.routes()
	err = chi.Walk(handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		machine := regexp.MustCompile(`^/(api|auth)/|[.*]|z$`).MatchString(route)
		old := slices.Contains([]string{"/offers", "/offers/received", "/saved", "/searches", "/stock", "/wanted", "/watches", "/problems/{code}", "/embed", "/embed/items/{id}", "/prices/method"}, route) // they lead on, or are no page of the board
		if method == http.MethodGet && !machine && !old {
			ofServer = append(ofServer, route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ofPage)
	slices.Sort(ofServer)
	if len(ofPage) < 10 || !slices.Equal(ofPage, ofServer) {
		t.Errorf("the page has   %q\nthe server has %q", ofPage, ofServer)
	}
}

func TestEveryFieldOfARequestIsDescribedWithItsLimit(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Type      any
					MaxLength int
					Maximum   float64
				}
			}
		}
		Paths map[string]struct {
			Get struct {
				Parameters []struct {
					Name   string
					Schema struct{ MaxLength int }
				}
			}
		}
	}
	if err := json.Unmarshal(document, &api); err != nil {
		t.Fatal(err)
	}
	parameters := map[string]int{}
	for _, p := range api.Paths["/api/orders"].Get.Parameters {
		parameters[p.Name] = p.Schema.MaxLength
	}
	for _, f := range trade.Fields {
		if f.Filter != nil && parameters[f.Option] != f.Limit {
			t.Errorf("the parameter %s has the limit %d, want %d", f.Option, parameters[f.Option], f.Limit)
		}
		for _, shape := range []string{"SearchDraft", "WatchDraft"} {
			if n := api.Components.Schemas[shape].Properties[f.Option].MaxLength; f.OnBoard && n != f.Limit {
				t.Errorf("%s of %s has the limit %d, want %d", f.Option, shape, n, f.Limit)
			}
		}
	}
	for _, shape := range []string{"OrderDraft", "OrderEdit", "ListDraft"} {
		for name, p := range api.Components.Schemas[shape].Properties {
			types, _ := json.Marshal(p.Type)
			switch {
			case name == "version":
			case strings.Contains(string(types), huma.TypeString) && p.MaxLength == 0,
				strings.Contains(string(types), huma.TypeInteger) && p.Maximum == 0:
				t.Errorf("%s of %s has no limit", name, shape)
			}
		}
	}
}
