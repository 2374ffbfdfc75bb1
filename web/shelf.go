package web

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"tradepost/core"
)

const (
	listsPath  = "/api/orders"
	countsPath = "/api/orders/counts"
)

// shelf holds every kept answer, by the address as it is asked for.
type shelf struct {
	life   time.Duration    // of an edition
	epoch  atomic.Uint64    // grows with every change of the market that this process hears of
	lists  map[string]*kept // by the query
	counts *kept
}

// newShelf returns the answers of an API. None are kept where changes are not heard of.
func newShelf(a *api) *shelf {
	s := &shelf{life: keptFor, lists: map[string]*kept{}}
	if a.opts.OnCommit == nil {
		return s
	}
	keep := func(t *tally, read func(context.Context) ([]byte, error)) *kept {
		return &kept{read: read, shelf: s, tally: t}
	}
	listed := a.metrics.tally(listsPath)
	for _, category := range append([]core.Category{""}, core.Categories...) {
		for _, sort := range core.Sorts {
			k := keep(listed, func(ctx context.Context) ([]byte, error) {
				return a.pageJSON(ctx, core.OrderQuery{OrderFilter: core.OrderFilter{Category: category}, Sort: sort})
			})
			for _, query := range spellings(category, sort) {
				s.lists[query] = k
			}
		}
	}
	s.counts = keep(a.metrics.tally(countsPath), a.countsJSON)
	forget := func(c core.Change) {
		if len(c.Orders) > 0 || c.Resync {
			s.epoch.Add(1)
		}
	}
	a.opts.OnCommit(forget)
	a.hub.first(forget)
	return s
}

// spellings are the queries that mean the top of a list.
func spellings(category core.Category, sort core.Sort) []string {
	bySort := []string{"sort=" + string(sort)}
	if sort == core.Newest {
		bySort = append(bySort, "")
	}
	if category == "" {
		return bySort
	}
	all := []string{}
	for _, s := range bySort {
		of := "category=" + encoded(string(category))
		if s == "" {
			all = append(all, of)
		} else {
			all = append(all, of+"&"+s, s+"&"+of)
		}
	}
	return all
}

// find returns what answers a request, nil when that is not kept.
func (s *shelf) find(r *http.Request) *kept {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil
	}
	var k *kept
	switch r.URL.Path {
	case listsPath:
		k = s.lists[r.URL.RawQuery]
	case countsPath:
		if r.URL.RawQuery == "" {
			k = s.counts
		}
	}
	if k != nil && wantsFresh(r) {
		return nil
	}
	return k
}

// wantsFresh tells whether the reader asks past what is kept: the page does for a moment after it has written, and a browser
// does when it is told to reload.
func wantsFresh(r *http.Request) bool {
	for _, wish := range r.Header["Cache-Control"] {
		if strings.Contains(wish, "no-cache") {
			return true
		}
	}
	return false
}

// readKept answers what is kept, after reading it anew where that is due.
func (s *Server) readKept(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k := s.shelf.find(r)
		if k == nil {
			next.ServeHTTP(w, r)
			return
		}
		e, err := k.edition(r.Context())
		if err != nil {
			problemOf(err, s.now()).write(w, r)
			return
		}
		e.answer(w, r)
	})
}

// nosniff is the one header of the security ones that says something about JSON; the others are about documents.
var nosniff = securityHeaders["X-Content-Type-Options"]

// short answers what is at hand, and leaves the rest to the long way: to go that takes longer than to send a kept answer.
// What it answers counts towards the limits and the figures like any other answer. In the log it is at debug level only, so
// it needs no name to be found by.
func (s *Server) short(long http.Handler) http.Handler {
	addressed := s.clientAddress()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.answerKept(w, r, addressOf(r.Context()), long)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet || r.URL.Path != listsPath && r.URL.Path != countsPath:
			long.ServeHTTP(w, r)
		case len(s.opts.TrustedProxies) == 0:
			s.answerKept(w, r, peerOf(r), long)
		default:
			addressed.ServeHTTP(w, r)
		}
	})
}

func (s *Server) answerKept(w http.ResponseWriter, r *http.Request, address string, long http.Handler) {
	began := time.Now()
	k := s.shelf.find(r)
	if k == nil {
		long.ServeHTTP(w, r)
		return
	}
	e := k.now()
	if e == nil || s.requests.refuses(r, address) {
		long.ServeHTTP(w, r) // which says what is wrong
		return
	}
	w.Header()["X-Content-Type-Options"] = nosniff
	status, sent := e.answer(w, r)
	took := time.Since(began)
	k.tally.count(status, took)
	if s.log.Enabled(r.Context(), slog.LevelDebug) {
		s.log.LogAttrs(r.Context(), slog.LevelDebug, "request", describe(r.Method, r.URL.Path, status, sent, took)...)
	}
}
