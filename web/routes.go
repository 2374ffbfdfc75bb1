package web

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	corematch "tradepost/core/match"
	"tradepost/web/docs"
	"tradepost/web/items"
	"tradepost/web/kernel"
	"tradepost/web/match"
	"tradepost/web/moderation"
	"tradepost/web/notices"
	"tradepost/web/operating"
	"tradepost/web/people"
	"tradepost/web/serving"
	"tradepost/web/trade"
)

// routes is the table of contents: it has every address and its handler.
func (s *Server) routes() (http.Handler, *kernel.API) {
	f := s.front
	r := chi.NewRouter()
	r.Use(serving.Identify, s.kernel.NoteLanguage, f.ClientAddress(), f.Observe, f.RecoverPanics,
		f.SecureHeaders, middleware.GetHead, f.Share(s.sharingOf))

	r.With(f.ReadBody).Get("/healthz", f.Healthz)
	r.With(f.ReadBody).Get("/readyz", f.Readyz)

	limited := chi.Chain(f.LimitRequests(), f.ReadBody)
	r.With(limited...).With(f.NoTokens, s.kernel.Session.LoadSession).Get("/api/events", f.Events)

	var a *kernel.API
	shed := f.ShedLoad()
	r.With(s.site.ServeAssets(f.ReadBody)).With(limited...).With(shed,
		middleware.Compress(5, "text/html")).Get("/*", s.site.NotFound)
	r.Group(func(r chi.Router) {
		r.Use(limited...)
		r.Use(shed, f.LoadToken, f.ServeCached)

		r.Group(func(r chi.Router) {
			r.Use(f.CompressWhenIdle("application/json", "application/problem+json"))
			r.Use(f.SameSiteOnly(), serving.NoStore, kernel.CheckBody, s.kernel.Session.LoadSession,
				f.LimitUsers())
			a = s.operations(r)
			r.With(f.NoTokens).Post(kernel.SignOutPath, s.auth.SignOut)
		})
		r.Group(func(r chi.Router) {
			r.Use(serving.NoStore, kernel.CheckBody)
			a.ServePublic(r)
			r.Options(kernel.PublicPrefix+"*", kernel.AnswerPreflight)
		})
		r.Group(func(r chi.Router) {
			r.Use(f.LimitSignIns(), s.kernel.Session.LoadSession)
			r.Get("/auth/discord", s.auth.BeginSignIn)
			r.Get("/auth/discord/callback", s.auth.FinishSignIn)
		})
		s.site.Routes(r)
		s.feeds.Routes(r)
		docs.New(s.kernel, s.opts.Name, a).Routes(r)
	})
	r.NotFound(limited.HandlerFunc(s.site.NotFound).ServeHTTP)
	r.MethodNotAllowed(limited.HandlerFunc(f.WrongMethod).ServeHTTP)
	return r, a
}

// operations registers the operations of every noun.
func (s *Server) operations(r chi.Router) *kernel.API {
	a := kernel.NewAPI(s.kernel, r)
	trade.Register(a)
	items.Register(a)
	match.Register(a)
	people.Register(a)
	moderation.Register(a)
	notices.Register(a)
	operating.Register(a, s.opts.Examine)
	registerExport(a)
	s.front.Register(a)
	s.front.CacheRoutes(func(ctx context.Context, q corematch.OrderQuery) ([]byte, time.Time, error) {
		return trade.PageJSON(ctx, s.kernel, q)
	}, func(ctx context.Context) ([]byte, time.Time, error) {
		return trade.CountsJSON(ctx, s.kernel)
	})
	s.front.CachePublic(a)
	s.site.Lists = s.front.Cached
	s.auth.Describe(a)
	s.front.Describe(a)
	s.feeds.Describe(a)
	a.Finish()
	docs.Complete(a)
	return a
}
