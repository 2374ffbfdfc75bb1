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
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// record is what becomes known of a request while it is answered.
type record struct {
	id    string
	cause error
}

type recordKey struct{}

func requestID() string { return rand.Text()[:16] }

// identify gives each request a name that is in the answer and in the log. One that the client sends is not taken over.
func identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &record{id: requestID()}
		w.Header().Set("X-Request-Id", rec.id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), recordKey{}, rec)))
	})
}

// noteFailure keeps what went wrong on our side, for the one line that is logged of the request.
func noteFailure(ctx context.Context, cause error) {
	if rec, ok := ctx.Value(recordKey{}).(*record); ok && cause != nil && rec.cause == nil {
		rec.cause = cause
	}
}

// observe logs and counts each request. Neither holds anything that people typed, nor who they are: addresses are named by
// their pattern.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r)

		route, took := routeOf(r), s.now().Sub(start)
		status := ww.Status()
		rec, _ := r.Context().Value(recordKey{}).(*record)
		if rec != nil && rec.cause != nil && errors.Is(rec.cause, context.Canceled) && r.Context().Err() != nil {
			status = statusClientGone
		}
		s.metrics.count(r.Method, route, status, took)
		attrs := describe(r.Method, route, status, ww.BytesWritten(), took)
		level := slog.LevelInfo
		if rec != nil {
			attrs = append(attrs, slog.String("request", rec.id))
			if rec.cause != nil && status != statusClientGone {
				level = slog.LevelError
				attrs = append(attrs, slog.Any("error", rec.cause))
			}
		}
		s.log.LogAttrs(r.Context(), level, "request", attrs...)
	})
}

func describe(method, route string, status, sent int, took time.Duration) []slog.Attr {
	return []slog.Attr{
		slog.String("method", method), slog.String("route", route), slog.Int("status", status),
		slog.Int("bytes", sent), slog.Float64("ms", float64(took.Microseconds())/1000),
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
				panic(thrown) // net/http's own way to hang up
			default:
				p := problemOf(fmt.Errorf("panic: %v\n%s", thrown, debug.Stack()), s.now())
				if ww, ok := w.(middleware.WrapResponseWriter); ok && ww.Status() != 0 {
					noteFailure(r.Context(), p.cause)
					panic(http.ErrAbortHandler) // half an answer is out: do not let it pass for a whole one
				}
				p.write(w, r)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// metrics are the figures of the web. A nil one keeps none.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newMetrics(reg prometheus.Registerer, hub *Hub) *metrics {
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
	}
	reg.MustRegister(m.requests, m.duration, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "http_event_streams", Help: "Open event streams.",
	}, func() float64 { return float64(hub.Readers()) }))
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

// tally counts the answers to one route that come from memory. A nil one counts none.
type tally struct {
	whole, known prometheus.Counter
	took         prometheus.Observer
}

func (m *metrics) tally(route string) *tally {
	if m == nil {
		return nil
	}
	return &tally{
		whole: m.requests.WithLabelValues(http.MethodGet, route, "200"), known: m.requests.WithLabelValues(http.MethodGet, route, "304"),
		took: m.duration.WithLabelValues(http.MethodGet, route),
	}
}

func (t *tally) count(status int, took time.Duration) {
	if t == nil {
		return
	}
	if status == http.StatusNotModified {
		t.known.Inc()
	} else {
		t.whole.Inc()
	}
	t.took.Observe(took.Seconds())
}

// MetricsHandler serves what was registered, for a listener that the public does not reach.
func MetricsHandler(from prometheus.Gatherer) http.Handler {
	return promhttp.HandlerFor(from, promhttp.HandlerOpts{})
}
