package serving

import (
	"net"
	"net/http"

	"tradepost/web/kernel"
)

// Listener returns a listener that rejects connections beyond the limits.
func (s *Front) Listener(l net.Listener) net.Listener { return &limitedListener{l, s.connections} }

// onConnection decides by each request what its connection counts as. When a connection is over
// the limit, its request is rejected and the connection closed.
func (s *Front) onConnection(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := r.Context().Value(connKey{}).(*conn)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		if r.Context().Err() == nil {
			c.timedOut.Store(false) // net/http ends each wait for the client with a deadline
		}
		if refused := s.connections.request(c, r); refused != "" {
			s.metrics.refuseConnection(refused)
			p := kernel.Beyond(limitOf(refused))
			s.secure(w.Header())
			w.Header().Set("Connection", "close")
			if isUnread(r) {
				closeUnread(w)
			}
			p.Write(w, r)
			return
		}
		if c.kind == isSpare {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
