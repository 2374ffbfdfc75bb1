package serving

import (
	"net/http"
	"runtime"

	"github.com/go-chi/chi/v5/middleware"
)

// CompressWhenIdle compresses responses while there is a processor for each request in flight. Under load,
// compression would delay other requests by ten times what it saves: it takes longer than reading a page
// from the database and writing it.
func (s *Front) CompressWhenIdle(kinds ...string) func(http.Handler) http.Handler {
	compress := middleware.Compress(5, kinds...)
	return func(next http.Handler) http.Handler {
		small := compress(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if int(s.inFlight.Load()) <= runtime.GOMAXPROCS(0) {
				small.ServeHTTP(w, r)
				return
			}
			w.Header().Add("Vary", "Accept-Encoding")
			next.ServeHTTP(w, r)
		})
	}
}
