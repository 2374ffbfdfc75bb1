package serving

import (
	"context"
	"net/http"

	"tradepost/web/kernel"
)

// ClientAddress adds each request's client to its context.
func (s *Front) ClientAddress() func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(kernel.WithClient(r.Context(), s.clients.of(r))))
		})
	}
}

type addressView struct {
	Address   string            `json:"address" doc:"The client address that rate limits count by; empty when it cannot be read" example:"203.0.113.7"`
	Forwarded kernel.Forwarding `json:"forwarded" enum:"none,believed,ignored" doc:"Whether a proxy forwarded the address, and whether that proxy is trusted" example:"believed"`
}

// getAddress shows a client the address it is seen from, for tradepost doctor. It shows nothing about other
// clients.
func (s *Front) getAddress(ctx context.Context, _ *struct{}) (*kernel.Answer[addressView], error) {
	from := kernel.ClientIn(ctx)
	view := addressView{Forwarded: from.Forwarded}
	if from.Address.IsValid() {
		view.Address = from.Address.String()
	}
	return &kernel.Answer[addressView]{Body: view}, nil
}
