package serving

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"tradepost/core"
	"tradepost/web/kernel"
)

func requestID() string { return rand.Text()[:16] }

// Identify gives each request an ID that is in the answer and in the log. It ignores an ID from the client.
func Identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &kernel.Record{ID: requestID(), Client: r.Context()}
		w.Header().Set("X-Request-Id", rec.ID)
		next.ServeHTTP(w, r.WithContext(kernel.WithRecord(r.Context(), rec)))
	})
}

// Observe logs and counts each request, by its route pattern. Neither contains user input or
// identifies a user.
func (s *Front) Observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r)

		route, took := routeOf(r), s.Now().Sub(start)
		status := ww.Status()
		rec := kernel.RecordOf(r.Context())
		if rec != nil && rec.Cause != nil && errors.Is(rec.Cause, context.Canceled) &&
			kernel.ClientLeft(r.Context()) {
			status = kernel.StatusClientGone
		}
		s.metrics.count(r.Method, route, status, took)
		s.noteSecurity(r, rec, route, status)
		if rec != nil {
			rec.Refund(status)
		}
		now := s.Now()
		if n := s.rejectionLog.overdue(now); n > 0 {
			s.Log.LogAttrs(r.Context(), slog.LevelInfo, "requests refused", slog.Int("suppressed", n))
		}
		suppressed := 0
		if rec != nil && rec.Rejected && rec.Cause == nil {
			var logged bool
			if logged, suppressed = s.rejectionLog.take(now); !logged {
				return
			}
		}
		attrs := requestAttrs(r.Method, route, status, ww.BytesWritten(), took)
		if suppressed > 0 {
			attrs = append(attrs, slog.Int("suppressed", suppressed))
		}
		level, event := slog.LevelInfo, "request"
		if isHealthCheck(r) && status < http.StatusBadRequest {
			level = slog.LevelDebug // a balancer asks every second
		}
		if s.isSlow(route, took) {
			level, event = slog.LevelWarn, "slow request"
		}
		if rec != nil {
			attrs = append(attrs, slog.String("request", rec.ID))
			if rec.Cause != nil && status != kernel.StatusClientGone {
				if level = slog.LevelError; core.KindOf(rec.Cause) == core.Unavailable || isHealthCheck(r) {
					level = slog.LevelWarn // it passes, as when the database is restarted
				}
				attrs = append(attrs, slog.Any("error", rec.Cause))
			}
		}
		s.Log.LogAttrs(r.Context(), level, event, attrs...)
	})
}

// isSlow reports whether an answer took so long that it has a line of its own. A stream lasts as long as
// the page is open.
func (s *Front) isSlow(route string, took time.Duration) bool {
	return s.slow > 0 && took >= s.slow && route != "/api/events"
}

func requestAttrs(method, route string, status, sent int, took time.Duration) []slog.Attr {
	return []slog.Attr{
		slog.String("method", method), slog.String("route", route), slog.Int("status", status),
		slog.Int("bytes", sent), slog.Duration("took", took),
	}
}

func routeOf(r *http.Request) string {
	if route := chi.RouteContext(r.Context()).RoutePattern(); route != "" {
		return route
	}
	return "none"
}

// RecoverPanics answers a panic as a failure, and leaves the stack to the log.
func (s *Front) RecoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch thrown := recover(); thrown {
			case nil:
			case http.ErrAbortHandler:
				panic(thrown) // net/http's way to abort a response
			default:
				p := kernel.ProblemOf(r.Context(), fmt.Errorf("panic: %v\n%s", thrown, debug.Stack()),
					s.Now())
				if ww, ok := w.(middleware.WrapResponseWriter); ok && ww.Status() != 0 {
					kernel.NoteFailure(r.Context(), p.Cause)
					// abort a response that is partly sent, so that it does not look complete
					panic(http.ErrAbortHandler)
				}
				p.Write(w, r)
			}
		}()
		next.ServeHTTP(w, r)
	})
}
