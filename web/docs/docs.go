package docs

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"tradepost/web/kernel"
)

// The addresses of the description.
const (
	PagePath    = "/api/docs"
	jsonPath    = "/api/openapi.json"
	yamlPath    = "/api/openapi.yaml"
	catalogPath = "/.well-known/api-catalog"
)

var (
	contentTypeYAML    = []string{"application/yaml"}
	contentTypeCatalog = []string{
		`application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`}
)

// Docs serves the description of an API. Each form of it is made when it is first asked for, and then stays
// the same while the program runs.
type Docs struct {
	*kernel.Kernel
	site string // its name
	api  *kernel.API
}

// New returns the description of an API, whose operations are all registered.
func New(k *kernel.Kernel, site string, api *kernel.API) *Docs { return &Docs{k, site, api} }

// Routes adds the addresses of the description.
func (d *Docs) Routes(r chi.Router) {
	r.Get(jsonPath, d.serve(kernel.ContentTypeJSON, d.api.Document))
	r.Get(yamlPath, d.serve(contentTypeYAML, d.api.OpenAPI().YAML))
	r.Get(catalogPath, linked(d.serve(contentTypeCatalog, d.catalog)))
	page, style := newPage(d.Public.String(), d.site, d.api.OpenAPI())
	r.Get(PagePath, strict(style, d.serve(kernel.ContentTypeHTML, page)))
}

// serve returns the handler of one form.
func (d *Docs) serve(contentType []string, write func() ([]byte, error)) http.HandlerFunc {
	form := sync.OnceValues(func() (*kernel.CachedResponse, error) {
		body, err := write()
		if err != nil {
			return nil, err
		}
		return kernel.NewCachedResponse(contentType, body), nil
	})
	return func(w http.ResponseWriter, r *http.Request) {
		response, err := form()
		if err != nil {
			kernel.ProblemOf(r.Context(), err, d.Now()).Write(w, r)
			return
		}
		response.Serve(w, r)
	}
}

// linked adds the link that RFC 9727 asks for, also in the answer to HEAD.
func linked(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<"+catalogPath+`>; rel="api-catalog"`)
		next(w, r)
	}
}

// strict allows a page its own style and icon, and nothing else.
func strict(styleHash string, next http.HandlerFunc) http.HandlerFunc {
	policy := "default-src 'none'; img-src 'self'; style-src '" + styleHash +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Language", kernel.English)
		next(w, r)
	}
}

// link is a target of a linkset (RFC 9264).
type link struct {
	Href string `json:"href"`
	Type string `json:"type,omitempty"`
}

// catalog returns the linkset of RFC 9727.
func (d *Docs) catalog() ([]byte, error) {
	at := d.Public.String()
	return json.Marshal(map[string]any{"linkset": []map[string]any{
		{"anchor": at + catalogPath, "item": []link{{Href: at + "/api/"}}},
		{
			"anchor": at + "/api/",
			"service-desc": []link{
				{at + jsonPath, "application/json"}, {at + yamlPath, contentTypeYAML[0]},
			},
			"service-doc": []link{{at + PagePath, "text/html"}},
			"status":      []link{{at + "/healthz", "application/json"}},
		},
	}})
}

// Complete adds to a description what its operations do not say themselves: where the market is, how to sign
// in, and the texts of texts.md.
func Complete(a *kernel.API) {
	document := a.OpenAPI()
	address := a.Public.String()
	if address == "" {
		address = "/"
	}
	document.Servers = []*huma.Server{{URL: address, Description: "This market"}}
	if document.Components.SecuritySchemes == nil {
		document.Components.SecuritySchemes = map[string]*huma.SecurityScheme{}
	}
	document.Components.SecuritySchemes[kernel.SessionScheme] = &huma.SecurityScheme{
		Type: "apiKey", In: "cookie", Name: a.Session.Cookie.Name,
		Description: "The cookie of a browser that has signed in with Discord at /auth/discord",
	}
	readTexts().fill(document)
}
