package serving

import (
	"net/http"
	"strconv"

	"tradepost/core"
	"tradepost/web/kernel"
)

// limitClients rejects the requests of clients beyond a limit.
func (s *Front) limitClients(l kernel.Limiter) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client := kernel.LimitKeyOf(r.Context())
			exceeds := l.Exceeds(r, client)
			l.Advertise(w.Header(), client)
			if exceeds {
				s.Reject(w, r, kernel.Beyond(l.Limit))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// LimitRequests rejects requests of clients that send too many, and writes sooner.
func (s *Front) LimitRequests() func(http.Handler) http.Handler {
	writes := s.Exchange.limiter(core.LimitWrites, s.opts.Limits.Writes).Advertised()
	return func(next http.Handler) http.Handler {
		reading := s.limitClients(s.requests)(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions {
				reading.ServeHTTP(w, r)
				return
			}
			client := kernel.LimitKeyOf(r.Context())
			exceeds := writes.WriteExceeds(r.Context(), client)
			writes.Advertise(w.Header(), client)
			if exceeds {
				s.Reject(w, r, kernel.Beyond(writes.Limit))
				return
			}
			reading.ServeHTTP(w, r)
		})
	}
}

// LimitUsers rejects writes of a user who sends too many, from however many addresses.
func (s *Front) LimitUsers() func(http.Handler) http.Handler {
	writes := s.Exchange.limiter(core.LimitUserWrites, s.opts.Limits.Writes)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Path != kernel.SignOutPath {
				id := s.Session.UserID(r.Context())
				if id != 0 && writes.WriteExceeds(r.Context(), strconv.FormatInt(int64(id), 10)) {
					s.Reject(w, r, kernel.Beyond(writes.Limit))
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// LimitSignIns rejects clients that begin or finish too many sign-ins.
func (s *Front) LimitSignIns() func(http.Handler) http.Handler {
	return s.limitClients(kernel.NewLimiter(core.LimitSignIns, s.opts.Limits.SignIns).Exactly(s.opts.Shared))
}
