package web

import (
	"context"
	"fmt"
	"net/http"

	"tradepost/core"
)

// SessionFor signs a user in without Discord, and returns the cookie of the session. It is for the canary.
func (s *Server) SessionFor(ctx context.Context, id core.UserID) (*http.Cookie, error) {
	ctx, err := s.session.Load(ctx, "")
	if err == nil {
		err = s.session.begin(ctx, id, "Canary")
	}
	if err != nil {
		return nil, fmt.Errorf("session of the canary: %w", err)
	}
	token, _, err := s.session.Commit(ctx)
	if err != nil {
		return nil, fmt.Errorf("session of the canary: %w", err)
	}
	return &http.Cookie{Name: s.session.Cookie.Name, Value: token}, nil
}
