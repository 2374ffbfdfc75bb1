package serving

import (
	"net/http"
	"strings"

	"tradepost/core"
	"tradepost/web/kernel"
	"tradepost/web/kernel/bearer"
)

// LoadToken reads the token of a program and its owner. Its token replaces the session of a browser: the
// cookies of the request are ignored. Pages, and reads that are the same for everybody, know no tokens.
func (s *Front) LoadToken(next http.Handler) http.Handler {
	if !s.Features.Tokens {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secret, named := bearer.Secret(r)
		if !named || !strings.HasPrefix(r.URL.Path, "/api/") || kernel.IsPublic(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		user, found, err := s.Market.ByToken(r.Context(), secret)
		if err != nil {
			if core.KindOf(err) == core.Unauthenticated {
				bearer.Unknown(w.Header())
			}
			kernel.ProblemOf(r.Context(), err, s.Now()).Write(w, r)
			return
		}
		r = r.WithContext(bearer.With(r.Context(), &bearer.Program{User: user, Token: found}))
		r.Header = r.Header.Clone()
		r.Header.Del("Cookie")
		r.Header.Del("Authorization") // nothing beyond this needs it
		next.ServeHTTP(w, r)
	})
}

// NoTokens refuses programs where there is no operation that could say which scope it needs.
func (s *Front) NoTokens(next http.Handler) http.Handler {
	if !s.Features.Tokens {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, named := bearer.Secret(r); named || bearer.Of(r.Context()) != nil {
			kernel.ProblemOf(r.Context(), bearer.NotHere(), s.Now()).Write(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
