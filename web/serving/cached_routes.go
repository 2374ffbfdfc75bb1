package serving

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"tradepost/core/cache"
	"tradepost/core/game"
	"tradepost/core/match"
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

// HasList reports whether the response to a query for a list is cached.
func (c *cachedRoutes) HasList(query string) bool { return c.lists[query] != nil }

// First returns the first page of the list that a query asks for, and the counts. It loads what is stale.
func (c *cachedRoutes) First(
	ctx context.Context, query string, now time.Time,
) (list, counts *kernel.CachedResponse, err error) {
	route := c.lists[query]
	if list, err = route.entry.Get(ctx, now, route.load); err == nil {
		counts, err = c.counts.entry.Get(ctx, now, c.counts.load)
	}
	return list, counts, err
}

// Fresh returns the same responses as First, and whether both are fresh. It loads nothing.
func (c *cachedRoutes) Fresh(query string, now time.Time) (list, counts *kernel.CachedResponse, fresh bool) {
	list, listIsFresh := c.lists[query].entry.Fresh(now)
	counts, countsAreFresh := c.counts.entry.Fresh(now)
	return list, counts, listIsFresh && countsAreFresh
}

// only returns the filter for one category, or for all when it is empty.
func only(category game.Category) match.OrderFilter {
	if category == "" {
		return match.OrderFilter{}
	}
	return match.OrderFilter{Categories: []game.Category{category}}
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
func equivalentQueries(category game.Category, sort match.Sort, group match.Grouping) []string {
	if group != match.Ungrouped {
		queries := equivalentQueries(category, sort, match.Ungrouped)
		for i, q := range queries {
			queries[i] = strings.TrimPrefix(q+"&"+kernel.GroupQuery, "&")
		}
		return queries
	}
	bySort := []string{"sort=" + string(sort)}
	if sort == match.Newest {
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

// lookup returns the cached route for a request, nil when its response is not cached or the client bypasses
// the cache.
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

// bypassesCache reports whether a request carries no-cache: the page sends it for a moment after a write,
// and a browser on a reload.
func bypassesCache(r *http.Request) bool {
	for _, directives := range r.Header["Cache-Control"] {
		if strings.Contains(directives, "no-cache") {
			return true
		}
	}
	return false
}

// requestTime is how long a request may take.
const requestTime = 15 * time.Second
