package serving

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"tradepost/web/kernel"
	"tradepost/web/kernel/bearer"
)

// SameSiteOnly rejects writes that another site makes a browser send.
func (s *Front) SameSiteOnly() func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if s.Public.Host != "" {
		if err := protection.AddTrustedOrigin(s.Public.String()); err != nil {
			panic("web: public URL: " + err.Error()) // New has checked it
		}
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kernel.NewProblem(http.StatusForbidden, msgOtherSite).Write(w, r)
	}))
	return func(next http.Handler) http.Handler {
		protected := protection.Handler(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if bearer.Of(r.Context()) != nil { // no browser sends a token by itself
				next.ServeHTTP(w, r)
				return
			}
			protected.ServeHTTP(w, r)
		})
	}
}

var msgOtherSite = kernel.Message("problem_other_site")

// policy is the Content-Security-Policy of the page. Styles may be inline because dialogs lock the page's
// scrolling that way.
const policy = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'"

// SecureHeaders sets the security headers of every response.
func (s *Front) SecureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.secure(w.Header())
		if kernel.IsPublic(r.URL.Path) { // also a problem
			kernel.OpenToScripts(w.Header())
		}
		if kernel.IsPrivateLink(r.URL.Path) {
			for name, value := range kernel.PrivateLinkHeaders {
				w.Header()[name] = value
			}
		}
		next.ServeHTTP(w, r)
	})
}

// The headers of every response. All responses share their lists: nothing may be appended to them.
var (
	securityHeaders = http.Header{
		"Content-Security-Policy":    {policy},
		"X-Content-Type-Options":     {"nosniff"},
		"Referrer-Policy":            {"same-origin"},
		"Permissions-Policy":         {"camera=(), microphone=(), geolocation=(), payment=(), usb=()"},
		"Cross-Origin-Opener-Policy": {"same-origin"},
		"X-Frame-Options":            {"DENY"},
	}
	strictTransport     = []string{"max-age=31536000"}
	strictSubdomainsToo = []string{"max-age=31536000; includeSubDomains"}
)

func (s *Front) secure(h http.Header) {
	for name, value := range securityHeaders {
		h[name] = value
	}
	if s.Public.Scheme != "https" {
		return
	}
	h["Strict-Transport-Security"] = strictTransport
	if s.opts.SubdomainsToo {
		h["Strict-Transport-Security"] = strictSubdomainsToo
	}
}

// NoStore keeps responses out of caches, unless an operation sets another Cache-Control.
func NoStore(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// WrongMethod answers a request with a method that its path does not have.
func (s *Front) WrongMethod(w http.ResponseWriter, r *http.Request) {
	routes := chi.RouteContext(r.Context()).Routes
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete} {
		if routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
			w.Header().Add("Allow", method)
		}
	}
	kernel.NewProblem(http.StatusMethodNotAllowed, kernel.MsgWrongMethod).Write(w, r)
}
