package web

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"tradepost/core"
)

// routes is the table of contents: every address that is answered, and by what.
func (s *Server) routes() (http.Handler, *api) {
	f := s.front
	r := chi.NewRouter()
	r.Use(identify, f.clientAddress(), f.observe, f.recoverPanics, f.secureHeaders, middleware.GetHead, f.share(s.sharingOf))

	r.With(f.readBody).Get("/healthz", f.healthz)
	r.With(f.readBody).Get("/readyz", f.readyz)

	limited := chi.Chain(f.limitRequests(), f.readBody)
	r.With(limited...).With(s.kernel.session.load).Get("/api/events", f.events)

	var a *api
	shed := f.shedLoad()
	r.With(s.site.serveAssets(f.readBody)).With(limited...).With(shed, middleware.Compress(5, "text/html")).Get("/*", s.site.notFound)
	r.Group(func(r chi.Router) {
		r.Use(limited...)
		r.Use(shed, f.serveCached)

		r.Group(func(r chi.Router) {
			r.Use(f.compressWhenIdle("application/json", "application/problem+json"))
			r.Use(f.sameSiteOnly(), noStore, checkBody, s.kernel.session.load, f.limitUsers())
			a = s.operations(r)
			r.Get("/api/openapi.json", a.serveOpenAPI())
			r.Post(signOutPath, s.auth.signOut)
		})
		r.Group(func(r chi.Router) {
			r.Use(f.limitSignIns(), s.kernel.session.load)
			r.Get("/auth/discord", s.auth.beginSignIn)
			r.Get("/auth/discord/callback", s.auth.finishSignIn)
		})
		s.site.routes(r)
	})
	r.NotFound(limited.HandlerFunc(s.site.notFound).ServeHTTP)
	r.MethodNotAllowed(limited.HandlerFunc(f.wrongMethod).ServeHTTP)
	return r, a
}

// operations registers the operations of every noun.
func (s *Server) operations(r chi.Router) *api {
	a := newAPI(s.kernel, r)
	registerTrade(a)
	registerItems(a)
	registerMatch(a)
	registerPeople(a)
	registerModeration(a)
	registerNotices(a)
	registerExport(a)
	s.front.register(a)
	s.front.cacheRoutes(func(ctx context.Context, q core.OrderQuery) ([]byte, time.Time, error) {
		return pageJSON(ctx, s.kernel, q)
	}, func(ctx context.Context) ([]byte, time.Time, error) {
		return countsJSON(ctx, s.kernel)
	})
	s.site.lists = s.front.cached
	s.auth.describe(a)
	s.front.describe(a)
	a.finish()
	return a
}
