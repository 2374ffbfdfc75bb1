package serving

import (
	"context"
	"net/http"

	"tradepost/web/kernel"
)

// ShedLoad rejects requests while too many are in flight, so that those are answered in time. A request
// that is let in has a time limit. Its body has been read before, so a slow upload takes no slot.
func (s *Front) ShedLoad() func(http.Handler) http.Handler {
	inFlight := newSlots(s.opts.Limits.InFlight, s.opts.Limits.Share)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client := kernel.LimitKeyOf(r.Context())
			if err := inFlight.take(client); err != nil {
				s.Reject(w, r, noSlot(err))
				return
			}
			defer inFlight.leave(client)
			s.inFlight.Add(1)
			defer s.inFlight.Add(-1)
			ctx, cancel := context.WithTimeout(r.Context(), requestTime)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}
