package kernel

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"tradepost/web/kernel/bearer"
)

// An empty list is [], never null. The setting is global to huma, so it is made once, when the program
// starts.
func init() { huma.DefaultArrayNullable = false }

// API has the operations that speak JSON: it routes requests to them, and describes them.
type API struct {
	*Kernel
	Programs   bearer.Scopes // what is open to programs
	router     chi.Router
	openAPI    *huma.OpenAPI // the description, made from the operations
	amendments []func()      // change the description once every operation is in it
	public     map[string]publicRead
}

// publicRead is a public read, by its path.
type publicRead interface {
	http.Handler
	// fresh returns the fresh cached answer to a request, nil for none. It loads nothing.
	fresh(*http.Request) *CachedResponse
}

// NewAPI returns an api without operations, which are served by a router.
func NewAPI(k *Kernel, r chi.Router) *API {
	cfg := huma.DefaultConfig("Tradepost", "1")
	cfg.Info.Description = "A community's market for in-game items: requests, offers and sales. " +
		"Amounts of money are in copper; sums are strings, " +
		"because they may exceed the range of a JSON number. Every write takes an Idempotency-Key. " +
		"Messages of errors are in the language that the header " + LanguageHeader +
		" names, else in the best that Accept-Language names, else in English. " +
		"Answers that count say what is left of the limit in RateLimit and RateLimit-Policy."
	cfg.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	cfg.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	shareEnums(cfg.Components.Schemas, k.Game)
	cfg.Components.Responses = map[string]*huma.Response{"Problem": problemResponse(cfg.Components.Schemas)}
	return &API{Kernel: k, router: r, openAPI: cfg.OpenAPI, public: map[string]publicRead{},
		Programs: bearer.Scopes{}}
}

// schemaName calls the shape OrderView "Order" and OrderDraft "OrderDraft".
func schemaName(t reflect.Type, hint string) string {
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "View")
}
