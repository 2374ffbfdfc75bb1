package web_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tradepost/web"
)

func TestRequestsAreCountedByTheirPattern(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	s := open(t, func(o *web.Options) { o.Metrics = registry })
	visitor := s.visitor()
	visitor.get("/api/orders/1").wantsProblem(http.StatusNotFound)
	visitor.get("/api/orders/2").wantsProblem(http.StatusNotFound)
	visitor.get("/api/orders?q=secret").wants(http.StatusOK)
	visitor.get("/wp-login.php").wants(http.StatusNotFound)
	visitor.do("BREW", "/api/orders", nil)
	ear := visitor.listens()
	defer ear.hangUp()

	recorder := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	text := recorder.Body.String()
	for _, line := range []string{
		`http_requests_total{method="GET",route="/api/orders/{id}",status="404"} 2`,
		`http_requests_total{method="GET",route="/api/orders",status="200"} 1`,
		`http_requests_total{method="GET",route="/*",status="404"} 1`,
		`http_requests_total{method="other",route="none",status="405"} 1`,
		`http_request_duration_seconds_count{method="GET",route="/api/orders/{id}"} 2`,
		`http_event_streams 1`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the figures lack %s", line)
		}
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "wp-login") {
		t.Error("the figures tell what was asked for")
	}
	visitor.get("/metrics").wants(http.StatusNotFound) // on a listener of its own
}

func TestHealth(t *testing.T) {
	t.Parallel()
	var broken error
	s := open(t, func(o *web.Options) {
		o.Ready = map[string]func(context.Context) error{
			"database": func(context.Context) error { return broken },
			"gateway":  func(context.Context) error { return nil },
		}
	})
	visitor := s.visitor()
	if r := visitor.get("/readyz").wants(http.StatusOK).json(); r["status"] != "ready" || r["checks"].(object)["database"] != "ok" {
		t.Errorf("ready is %v", r)
	}
	s.clock.forward(time.Second)
	broken = errors.New("dial tcp 10.0.0.5:5432: connection refused")
	r := visitor.get("/readyz").wants(http.StatusServiceUnavailable)
	if v := r.json(); v["status"] != "not ready" || v["checks"].(object)["database"] != "failed" || v["checks"].(object)["gateway"] != "ok" {
		t.Errorf("not ready is %v", v)
	}
	if strings.Contains(string(r.body), "5432") || !strings.Contains(s.log.String(), "5432") {
		t.Errorf("people read %s, the log %s", r.body, s.log)
	}
	visitor.get("/healthz").wants(http.StatusOK)
}

func TestResponsesAreCompressed(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	for range 10 {
		maple.posts()
	}
	for path, want := range map[string]string{"/api/orders": "gzip", "/api/openapi.json": "gzip", "/": "gzip", "/api/nothing": ""} {
		if r := s.visitor().get(path, "Accept-Encoding", "gzip"); r.header.Get("Content-Encoding") != want {
			t.Errorf("%s comes as %q, want %q", path, r.header.Get("Content-Encoding"), want)
		}
	}
}

func TestHealthChecksAreQuietAndSlowRequestsAreNot(t *testing.T) {
	t.Parallel()
	var logged log
	var clock atomic.Int64 // each time that it is asked, 10 ms have passed
	start := time.Now()
	s := open(t, func(o *web.Options) {
		o.Log = slog.New(slog.NewTextHandler(&logged, nil))
		o.Now = func() time.Time { return start.Add(time.Duration(clock.Add(1)) * 10 * time.Millisecond) }
		o.SlowRequest = time.Hour
	})
	visitor := s.visitor()
	visitor.get("/healthz").wants(http.StatusOK)
	visitor.get("/readyz").wants(http.StatusOK)
	visitor.get("/api/orders/1").wants(http.StatusNotFound)
	if logged := logged.String(); strings.Contains(logged, "/healthz") || strings.Contains(logged, "/readyz") || !strings.Contains(logged, "msg=request method=GET route=/api/orders/{id}") || strings.Contains(logged, "slow") {
		t.Errorf("logged\n%s", logged)
	}

	slow := open(t, func(o *web.Options) {
		o.Log, o.Now, o.SlowRequest = slog.New(slog.NewTextHandler(&logged, nil)), func() time.Time { return start.Add(time.Duration(clock.Add(1)) * 10 * time.Millisecond) }, time.Millisecond
	})
	slow.visitor().get("/api/orders/1").wants(http.StatusNotFound)
	if logged := logged.String(); !strings.Contains(logged, `level=WARN msg="slow request" method=GET route=/api/orders/{id}`) {
		t.Errorf("logged\n%s", logged)
	}
}
