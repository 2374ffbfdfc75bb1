package web

import (
	"net/http"
	"strconv"
	"time"
)

// limitClients rejects the requests of clients beyond a limit.
func (s *front) limitClients(l limiter) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if l.exceeds(r, limitKeyOf(r.Context())) {
				s.reject(w, r, tooMany(l.window))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// limitRequests rejects requests of clients that send too many, and writes sooner.
func (s *front) limitRequests() func(http.Handler) http.Handler {
	writes := s.exchange.limiter("writes", s.opts.Limits.Writes, time.Minute)
	return func(next http.Handler) http.Handler {
		reading := s.limitClients(s.requests)(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				reading.ServeHTTP(w, r)
				return
			}
			if writes.writeExceeds(r.Context(), limitKeyOf(r.Context())) {
				s.reject(w, r, tooMany(writes.window))
				return
			}
			reading.ServeHTTP(w, r)
		})
	}
}

// limitUsers rejects writes of a user who sends too many, from however many addresses.
func (s *front) limitUsers() func(http.Handler) http.Handler {
	writes := s.exchange.limiter("writes of a user", s.opts.Limits.Writes, time.Minute)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Path != signOutPath {
				id := s.session.userID(r.Context())
				if id != 0 && writes.writeExceeds(r.Context(), strconv.FormatInt(int64(id), 10)) {
					s.reject(w, r, tooMany(writes.window))
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

func (s *front) limitSignIns() func(http.Handler) http.Handler {
	return s.limitClients(newLimiter(s.opts.Limits.SignIns, time.Minute).exactly("sign-ins", s.opts.Shared))
}

// requestTime is how long a request may take.
const requestTime = 15 * time.Second
