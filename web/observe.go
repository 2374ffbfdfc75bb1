package web

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
)

func requestID() string { return rand.Text()[:16] }

// identify gives each request a name that is in the answer and in the log. One that the client sends is not taken over.
func identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &record{id: requestID(), client: r.Context()}
		w.Header().Set("X-Request-Id", rec.id)
		next.ServeHTTP(w, r.WithContext(withRecord(r.Context(), rec)))
	})
}

// observe logs and counts each request, by its route pattern. Neither contains user input or
// identifies a user.
func (s *front) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r)

		route, took := routeOf(r), s.now().Sub(start)
		status := ww.Status()
		rec := recordOf(r.Context())
		if rec != nil && rec.cause != nil && errors.Is(rec.cause, context.Canceled) && clientLeft(r.Context()) {
			status = statusClientGone
		}
		s.metrics.count(r.Method, route, status, took)
		s.noteSecurity(r, rec, route, status)
		if rec != nil {
			rec.refund(status)
		}
		now := s.now()
		if n := s.rejectionLog.overdue(now); n > 0 {
			s.log.LogAttrs(r.Context(), slog.LevelInfo, "requests refused", slog.Int("suppressed", n))
		}
		suppressed := 0
		if rec != nil && rec.rejected && rec.cause == nil {
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
			attrs = append(attrs, slog.String("request", rec.id))
			if rec.cause != nil && status != statusClientGone {
				if level = slog.LevelError; core.KindOf(rec.cause) == core.Unavailable || isHealthCheck(r) {
					level = slog.LevelWarn // it passes, as when the database is restarted
				}
				attrs = append(attrs, slog.Any("error", rec.cause))
			}
		}
		s.log.LogAttrs(r.Context(), level, event, attrs...)
	})
}

// isSlow reports whether an answer took so long that it has a line of its own. A stream lasts as long as the page is open.
func (s *front) isSlow(route string, took time.Duration) bool {
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

// recoverPanics answers a panic as a failure, and leaves the stack to the log.
func (s *front) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch thrown := recover(); thrown {
			case nil:
			case http.ErrAbortHandler:
				panic(thrown) // net/http's way to abort a response
			default:
				p := problemOf(r.Context(), fmt.Errorf("panic: %v\n%s", thrown, debug.Stack()), s.now())
				if ww, ok := w.(middleware.WrapResponseWriter); ok && ww.Status() != 0 {
					noteFailure(r.Context(), p.cause)
					panic(http.ErrAbortHandler) // abort a response that is partly sent, so that it does not look complete
				}
				p.write(w, r)
			}
		}()
		next.ServeHTTP(w, r)
	})
}
