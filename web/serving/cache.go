package serving

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"tradepost/core/cache"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/web/kernel"
	"tradepost/web/kernel/bearer"
)

// CacheRoutes caches the first pages of the lists, which page reads, and the counts, which counts reads.
func (s *Front) CacheRoutes(
	page func(context.Context, match.OrderQuery) ([]byte, time.Time, error),
	counts func(context.Context) ([]byte, time.Time, error),
) {
	c := &cachedRoutes{lists: map[string]*cachedRoute{}}
	listMetrics := s.metrics.ofRoute(kernel.ListsPath)
	for _, category := range append([]game.Category{""}, s.Game.Categories()...) {
		for _, sort := range match.Sorts {
			for _, group := range []match.Grouping{match.Ungrouped, match.ByItem} {
				route := &cachedRoute{
					entry:   cache.NewEntry[*kernel.CachedResponse](s.opts.Cache, cache.Orders),
					metrics: listMetrics,
					read: func(ctx context.Context) ([]byte, time.Time, error) {
						return page(ctx,
							match.OrderQuery{OrderFilter: only(category), Sort: sort, Group: group})
					},
				}
				for _, query := range equivalentQueries(category, sort, group) {
					c.lists[query] = route
				}
			}
		}
	}
	c.counts = &cachedRoute{
		entry:   cache.NewEntry[*kernel.CachedResponse](s.opts.Cache, cache.Lists),
		metrics: s.metrics.ofRoute(kernel.CountsPath), read: counts,
	}
	s.Cached = c
}

// ServeCached answers from the cache, and loads the response first when it is stale.
func (s *Front) ServeCached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route := s.Cached.lookup(r)
		if route == nil || !bearer.MayRead(r.Context()) {
			if s.latest != nil && r.Method == http.MethodGet && bypassesCache(r) {
				s.latest(r.Context())
			}
			next.ServeHTTP(w, r)
			return
		}
		response, err := route.entry.Get(r.Context(), s.Now(), route.load)
		if err != nil {
			kernel.ProblemOf(r.Context(), err, s.Now()).Write(w, r)
			return
		}
		response.Serve(w, r)
	})
}

// nosniff is the only security header that concerns JSON; the others are about documents.
var nosniff = securityHeaders["X-Content-Type-Options"]

// fastPath answers requests for a fresh cached response before the router: routing takes longer than
// sending one. It counts them in the limits and the metrics like any other. They are logged at debug level
// only, so they have no request ID.
func (s *Front) fastPath(router http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || kernel.HasBody(r) || r.URL.Path != kernel.ListsPath &&
			r.URL.Path != kernel.CountsPath && !kernel.IsPublic(r.URL.Path) ||
			s.Features.Tokens && r.Header["Authorization"] != nil {
			router.ServeHTTP(w, r)
			return
		}
		s.serveFresh(w, r, kernel.LimitKey(s.clients.of(r).Address), router)
	})
}

// fresh returns the fresh cached response to a request, nil for none, and its metrics. In front of a cache
// public reads go through the router, which knows how each of them may be kept.
func (s *Front) fresh(r *http.Request) (*kernel.CachedResponse, *routeMetrics) {
	if kernel.IsPublic(r.URL.Path) {
		if s.public == nil || s.opts.SharedCaches {
			return nil, nil
		}
		return s.public.FreshPublic(r), s.publicMetrics[r.URL.Path]
	}
	route := s.Cached.lookup(r)
	if route == nil {
		return nil, nil
	}
	response, _ := route.entry.Fresh(s.Now())
	return response, route.metrics
}

// CachePublic answers public reads before the router, too, while their answers are fresh.
func (s *Front) CachePublic(a *kernel.API) {
	s.public, s.publicMetrics = a, map[string]*routeMetrics{}
	for _, path := range a.PublicPaths() {
		s.publicMetrics[path] = s.metrics.ofRoute(path)
	}
}

func (s *Front) serveFresh(w http.ResponseWriter, r *http.Request, client string, router http.Handler) {
	start := time.Now()
	response, metrics := s.fresh(r)
	if response == nil || s.requests.Exceeds(r, client) {
		router.ServeHTTP(w, r) // which answers with the error
		return
	}
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	if s.opts.SharedCaches {
		h[surrogateControl], h[surrogateKey] = sharedControl, listsKeys
	} else {
		s.requests.Advertise(h, client)
	}
	status, sent := response.Serve(w, r)
	took := time.Since(start)
	metrics.count(status, took)
	level, event := slog.LevelDebug, "request"
	if s.isSlow(r.URL.Path, took) {
		level, event = slog.LevelWarn, "slow request"
	}
	if s.Log.Enabled(r.Context(), level) {
		s.Log.LogAttrs(r.Context(), level, event, requestAttrs(r.Method, r.URL.Path, status, sent, took)...)
	}
}
