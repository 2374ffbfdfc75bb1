package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"

	"tradepost/core"
	"tradepost/core/security"
)

// record collects facts about a request while it is served.
type record struct {
	id     string
	client context.Context // of the connection: it ends when the client closes it, and with no deadline of ours
	cause  error

	repeated bool     // the write has happened before
	refunds  []func() // gives a write back to each limit that has counted it

	rejected bool // before any work was done

	user  core.UserID    // who is signed in, where that was asked for
	event security.Event // what the request is to security, where its route and status do not say
}

type recordKey struct{}

func requestID() string { return rand.Text()[:16] }

// identify gives each request a name that is in the answer and in the log. One that the client sends is not taken over.
func identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &record{id: requestID(), client: r.Context()}
		w.Header().Set("X-Request-Id", rec.id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), recordKey{}, rec)))
	})
}

// noteFailure stores the cause of a server error for the log line of the request.
func noteFailure(ctx context.Context, cause error) {
	if rec, ok := ctx.Value(recordKey{}).(*record); ok && cause != nil && rec.cause == nil {
		rec.cause = cause
	}
}

// clientLeft reports whether the client closed the connection of a request.
func clientLeft(ctx context.Context) bool {
	return connectionEnded(ctx) && !deadlineFired(ctx)
}

// connectionSpoiled reports whether a deadline that was left on the connection has cancelled its requests, the next ones too.
func connectionSpoiled(ctx context.Context) bool { return connectionEnded(ctx) && deadlineFired(ctx) }

func connectionEnded(ctx context.Context) bool {
	rec, ok := ctx.Value(recordKey{}).(*record)
	return ok && rec.client.Err() != nil
}

func deadlineFired(ctx context.Context) bool {
	c, ok := ctx.Value(connKey{}).(*conn)
	return ok && c.timedOut.Load()
}

// observe logs and counts each request, by its route pattern. Neither contains user input or
// identifies a user.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r)

		route, took := routeOf(r), s.now().Sub(start)
		status := ww.Status()
		rec, _ := r.Context().Value(recordKey{}).(*record)
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
func (s *Server) isSlow(route string, took time.Duration) bool {
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
func (s *Server) recoverPanics(next http.Handler) http.Handler {
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

// metrics are those of the HTTP server. A nil one records nothing.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	refused  *prometheus.CounterVec // connections
}

func newMetrics(reg prometheus.Registerer, hub *Hub, connections func() (clients, proxies int)) *metrics {
	if reg == nil {
		return nil
	}
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_requests_total", Help: "Requests answered, by method, route pattern and status.",
		}, []string{"method", "route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_request_duration_seconds", Help: "How long answers took, by route pattern.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_connections_refused_total", Help: "Connections refused, by the limit that was reached.",
		}, []string{"limit"}),
	}
	for _, limit := range []string{refusedFull, refusedClient, refusedProxies} {
		m.refused.WithLabelValues(limit) // so that an increase from nothing shows
	}
	openBy := func(whose string, count func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "http_connections", Help: "Open connections, by whose they are.", ConstLabels: prometheus.Labels{"of": whose},
		}, func() float64 { return float64(count()) })
	}
	reg.MustRegister(
		openBy("clients", func() int { clients, _ := connections(); return clients }),
		openBy("proxies", func() int { _, proxies := connections(); return proxies }))
	reg.MustRegister(m.requests, m.duration, m.refused, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "http_event_streams", Help: "Open event streams.",
	}, func() float64 { return float64(hub.Subscribers()) }))
	return m
}

func (m *metrics) count(method, route string, status int, took time.Duration) {
	if m == nil {
		return
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		method = "other"
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	if route != "/api/events" { // these last as long as the page is open
		m.duration.WithLabelValues(method, route).Observe(took.Seconds())
	}
}

func (m *metrics) refuseConnection(limit string) {
	if m != nil {
		m.refused.WithLabelValues(limit).Inc()
	}
}

// routeMetrics counts the responses to one route that come from the cache. A nil one counts nothing.
type routeMetrics struct {
	ok, notModified prometheus.Counter
	duration        prometheus.Observer
}

func (m *metrics) ofRoute(route string) *routeMetrics {
	if m == nil {
		return nil
	}
	return &routeMetrics{
		ok:          m.requests.WithLabelValues(http.MethodGet, route, "200"),
		notModified: m.requests.WithLabelValues(http.MethodGet, route, "304"),
		duration:    m.duration.WithLabelValues(http.MethodGet, route),
	}
}

func (m *routeMetrics) count(status int, took time.Duration) {
	if m == nil {
		return
	}
	if status == http.StatusNotModified {
		m.notModified.Inc()
	} else {
		m.ok.Inc()
	}
	m.duration.Observe(took.Seconds())
}
