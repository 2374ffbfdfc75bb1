package serving

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/web/kernel"
)

// cachedRoutes caches the most requested responses that do not depend on the user: the first pages
// of the lists and the counts per category. Package core/cache says when one is loaded again. A
// page that has just written, perhaps to another replica, asks with "Cache-Control: no-cache",
// which bypasses the cache.
type cachedRoutes struct {
	lists  map[string]*cachedRoute // by the raw query string
	counts *cachedRoute
}

// cachedRoute is one response: the cached one, and how it is read.
type cachedRoute struct {
	entry   *cache.Entry[*kernel.CachedResponse]
	read    func(context.Context) (body []byte, validUntil time.Time, err error)
	metrics *routeMetrics
}

// CacheRoutes caches the first pages of the lists, which page reads, and the counts, which counts reads.
func (s *Front) CacheRoutes(page func(context.Context, core.OrderQuery) ([]byte, time.Time, error), counts func(context.Context) ([]byte, time.Time, error)) {
	c := &cachedRoutes{lists: map[string]*cachedRoute{}}
	listMetrics := s.metrics.ofRoute(kernel.ListsPath)
	for _, category := range append([]core.Category{""}, s.Game.Categories()...) {
		for _, sort := range core.Sorts {
			for _, group := range []core.Grouping{core.Ungrouped, core.ByItem} {
				route := &cachedRoute{
					entry: cache.NewEntry[*kernel.CachedResponse](s.opts.Cache, cache.Orders), metrics: listMetrics,
					read: func(ctx context.Context) ([]byte, time.Time, error) {
						return page(ctx, core.OrderQuery{OrderFilter: only(category), Sort: sort, Group: group})
					},
				}
				for _, query := range equivalentQueries(category, sort, group) {
					c.lists[query] = route
				}
			}
		}
	}
	c.counts = &cachedRoute{
		entry: cache.NewEntry[*kernel.CachedResponse](s.opts.Cache, cache.Lists), metrics: s.metrics.ofRoute(kernel.CountsPath), read: counts,
	}
	s.Cached = c
}

// HasList reports whether the response to a query for a list is cached.
func (c *cachedRoutes) HasList(query string) bool { return c.lists[query] != nil }

// First returns the first page of the list that a query asks for, and the counts. It loads what is stale.
func (c *cachedRoutes) First(ctx context.Context, query string, now time.Time) (list, counts *kernel.CachedResponse, err error) {
	route := c.lists[query]
	if list, err = route.entry.Get(ctx, now, route.load); err == nil {
		counts, err = c.counts.entry.Get(ctx, now, c.counts.load)
	}
	return list, counts, err
}

// Fresh returns what First does, and whether both are fresh. It loads nothing.
func (c *cachedRoutes) Fresh(query string, now time.Time) (list, counts *kernel.CachedResponse, fresh bool) {
	list, listIsFresh := c.lists[query].entry.Fresh(now)
	counts, countsAreFresh := c.counts.entry.Fresh(now)
	return list, counts, listIsFresh && countsAreFresh
}

// only returns the filter for one category, or for all when it is empty.
func only(category core.Category) core.OrderFilter {
	if category == "" {
		return core.OrderFilter{}
	}
	return core.OrderFilter{Categories: []core.Category{category}}
}

// load reads the response. It encodes it only if it has changed.
func (c *cachedRoute) load(ctx context.Context) (*kernel.CachedResponse, time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	body, validUntil, err := c.read(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	if latest, ok := c.entry.Latest(); ok && bytes.Equal(latest.Plain.Body, body) {
		return latest, validUntil, nil
	}
	return kernel.NewCachedResponse(kernel.ContentTypeJSON, body), validUntil, nil
}

// equivalentQueries are the queries that ask for the first page of a list.
func equivalentQueries(category core.Category, sort core.Sort, group core.Grouping) []string {
	if group != core.Ungrouped {
		queries := equivalentQueries(category, sort, core.Ungrouped)
		for i, q := range queries {
			queries[i] = strings.TrimPrefix(q+"&"+kernel.GroupQuery, "&")
		}
		return queries
	}
	bySort := []string{"sort=" + string(sort)}
	if sort == core.Newest {
		bySort = append(bySort, "")
	}
	if category == "" {
		return bySort
	}
	all := []string{}
	for _, s := range bySort {
		of := "category=" + kernel.Encoded(string(category))
		if s == "" {
			all = append(all, of)
		} else {
			all = append(all, of+"&"+s, s+"&"+of)
		}
	}
	return all
}

// lookup returns the cached route for a request, nil when its response is not cached or the client bypasses the cache.
func (c *cachedRoutes) lookup(r *http.Request) *cachedRoute {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil
	}
	var route *cachedRoute
	switch r.URL.Path {
	case kernel.ListsPath:
		route = c.lists[r.URL.RawQuery]
	case kernel.CountsPath:
		if r.URL.RawQuery == "" {
			route = c.counts
		}
	}
	if route != nil && bypassesCache(r) {
		return nil
	}
	return route
}

// bypassesCache reports whether a request carries no-cache: the page sends it for a moment after a write, and a browser on
// a reload.
func bypassesCache(r *http.Request) bool {
	for _, directives := range r.Header["Cache-Control"] {
		if strings.Contains(directives, "no-cache") {
			return true
		}
	}
	return false
}

// ServeCached answers from the cache, and loads the response first when it is stale.
func (s *Front) ServeCached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route := s.Cached.lookup(r)
		if route == nil {
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

// fastPath answers requests for a fresh cached response before the router: routing takes longer than sending one. It counts
// them in the limits and the metrics like any other. They are logged at debug level only, so they have no request ID.
func (s *Front) fastPath(router http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || kernel.HasBody(r) || r.URL.Path != kernel.ListsPath && r.URL.Path != kernel.CountsPath {
			router.ServeHTTP(w, r)
			return
		}
		s.serveFresh(w, r, kernel.LimitKey(s.clients.of(r).Address), router)
	})
}

func (s *Front) serveFresh(w http.ResponseWriter, r *http.Request, client string, router http.Handler) {
	start := time.Now()
	route := s.Cached.lookup(r)
	if route == nil {
		router.ServeHTTP(w, r)
		return
	}
	response, fresh := route.entry.Fresh(s.Now())
	if !fresh || s.requests.Exceeds(r, client) {
		router.ServeHTTP(w, r) // which answers with the error
		return
	}
	w.Header()["X-Content-Type-Options"] = nosniff
	if s.opts.SharedCaches {
		w.Header()[surrogateControl], w.Header()[surrogateKey] = sharedControl, listsKeys
	}
	status, sent := response.Serve(w, r)
	took := time.Since(start)
	route.metrics.count(status, took)
	level, event := slog.LevelDebug, "request"
	if s.isSlow(r.URL.Path, took) {
		level, event = slog.LevelWarn, "slow request"
	}
	if s.Log.Enabled(r.Context(), level) {
		s.Log.LogAttrs(r.Context(), level, event, requestAttrs(r.Method, r.URL.Path, status, sent, took)...)
	}
}
