package serving

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics has the metrics of the HTTP server. A nil one records nothing.
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
			Name: "http_connections_refused_total",
			Help: "Connections refused, by the limit that was reached.",
		}, []string{"limit"}),
	}
	for _, limit := range []string{refusedFull, refusedClient, refusedProxies} {
		m.refused.WithLabelValues(limit) // so that an increase from nothing shows
	}
	openBy := func(whose string, count func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "http_connections", Help: "Open connections, by whose they are.",
			ConstLabels: prometheus.Labels{"of": whose},
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
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete:
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
