package serving

import (
	"net/http"
	"strings"

	"tradepost/core/security"
	"tradepost/web/kernel"
)

// noteSecurity logs a request that matters to security, by its route pattern.
func (s *Front) noteSecurity(r *http.Request, rec *kernel.Record, route string, status int) {
	if rec == nil || s.opts.Security == nil {
		return
	}
	event := rec.Event
	switch {
	case status == http.StatusUnauthorized:
		event = security.Unauthenticated
	case status == http.StatusForbidden:
		event = security.Forbidden
	case status == http.StatusTooManyRequests:
		event = security.Limited
	case event == "" && status < http.StatusBadRequest:
		event = eventOf(r.Method, route)
	}
	if event == "" {
		return
	}
	s.opts.Security.Note(r.Context(), security.Fact{
		Event: event, User: rec.User, Address: kernel.LimitKeyOf(r.Context()), Action: r.Method + " " + route,
	})
}

// eventOf returns the security event of a request that succeeded; empty for most.
func eventOf(method, route string) security.Event {
	if method == http.MethodGet || method == http.MethodHead {
		return ""
	}
	switch {
	case strings.HasPrefix(route, "/api/moderation/"), strings.HasSuffix(route, "/remove"):
		return security.Moderation
	case strings.HasPrefix(route, "/api/me/sessions"):
		return security.SignOut
	case route == "/api/me", route == "/api/me/cancel-leaving":
		return security.Leaving
	case route == "/api/me/notices/settings", strings.HasPrefix(route, "/api/me/blocked-sellers"),
		strings.HasSuffix(route, "/block-seller"):
		return security.Settings
	}
	return ""
}
