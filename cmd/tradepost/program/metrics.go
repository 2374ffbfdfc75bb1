package program

import (
	"regexp"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/cmd/tradepost/version"
	"tradepost/core/security"
	"tradepost/core/webhook"
	"tradepost/sql/postgres"
)

// metricPrefix begins the name of each of the market's own metrics, as go_ and process_ begin others.
const metricPrefix = "tradepost_"

// metricRegistry registers metrics under metricPrefix, and gathers them with the metrics of Go and of the
// process.
type metricRegistry struct {
	prometheus.Registerer
	prometheus.Gatherer
}

// goMetrics returns the metrics of the Go runtime, with the heap that the last garbage collection found
// to be in use: what grows there is leaked.
func goMetrics() prometheus.Collector {
	return collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(
		collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/gc/heap/live:bytes$`)},
	))
}

// newSecurityMetric returns a counter of security events.
func newSecurityMetric(registry prometheus.Registerer) func(security.Event) {
	events := promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "security_events_total", Help: "Security events, by kind. " +
			"Each is a line in the log; refusals at most one a second.",
	}, []string{"event"})
	for _, event := range security.All {
		events.WithLabelValues(string(event)) // so that an increase from nothing shows
	}
	return func(event security.Event) { events.WithLabelValues(string(event)).Inc() }
}

// botMetrics implement the bot's metrics with Prometheus.
type botMetrics struct {
	interactions *prometheus.CounterVec
	firstAnswer  *prometheus.HistogramVec
	gateway      *prometheus.GaugeVec
	messages     *prometheus.CounterVec
	limited      *prometheus.CounterVec
	calls        prometheus.Counter
	ready        atomic.Bool // has been
}

func newBotMetrics(registry prometheus.Registerer) *botMetrics {
	factory := promauto.With(registry)
	return &botMetrics{
		interactions: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "discord_interactions_total", Help: "Interactions by command or action and how they ended.",
		}, []string{"name", "outcome"}),
		firstAnswer: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "discord_first_answer_seconds", Help: "Time from an interaction to its first answer.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2, 3},
		}, []string{"name"}),
		gateway: factory.NewGaugeVec(prometheus.GaugeOpts{
			Name: "discord_gateway", Help: "1 for the state that the gateway connection is in.",
		}, []string{"state"}),
		messages: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "discord_messages_total", Help: "Direct messages, by kind and outcome.",
		}, []string{"kind", "outcome"}),
		limited: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "discord_limited_total", Help: "Answers of 429 by scope.",
		}, []string{"scope"}),
		calls: factory.NewCounter(prometheus.CounterOpts{
			Name: "discord_calls_total", Help: "Calls to Discord that were begun.",
		}),
	}
}

func (m *botMetrics) hooks() kernel.Hooks {
	return kernel.Hooks{
		Interaction: func(name, outcome string, firstAnswer time.Duration) {
			m.interactions.WithLabelValues(name, outcome).Inc()
			m.firstAnswer.WithLabelValues(name).Observe(firstAnswer.Seconds())
		},
		Gateway: func(state string) {
			m.gateway.Reset()
			m.gateway.WithLabelValues(state).Set(1)
			if state == discord.GatewayReady {
				m.ready.Store(true)
			}
		},
		Message: func(kind, outcome string) { m.messages.WithLabelValues(kind, outcome).Inc() },
		Limited: func(scope string) { m.limited.WithLabelValues(scope).Inc() },
	}
}

func (m *botMetrics) wasReady() bool { return m.ready.Load() }

// newBroughtBackMetric returns a counter of times that were further ahead than they may be.
func newBroughtBackMetric(registry prometheus.Registerer) func(column string, rows int) {
	brought := promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "times_brought_back_total",
		Help: "Stored times that were further ahead than they may be, by column.",
	}, []string{"column"})
	return func(column string, rows int) { brought.WithLabelValues(column).Add(float64(rows)) }
}

// newRemovedMetric counts the rows that retention removes.
func newRemovedMetric(registry prometheus.Registerer) func(what string, rows int) {
	removed := promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "retention_rows_total", Help: "Rows that retention has removed or archived, by kind.",
	}, []string{"what"})
	for _, what := range postgres.RetentionKinds {
		removed.WithLabelValues(what)
	}
	return func(what string, rows int) { removed.WithLabelValues(what).Add(float64(rows)) }
}

// newWebhookMetrics counts attempts to send events to webhooks, and how long delivered ones took.
func newWebhookMetrics(registry prometheus.Registerer) func(webhook.Delivery, webhook.Result) {
	factory := promauto.With(registry)
	attempts := factory.NewCounterVec(prometheus.CounterOpts{
		Name: "webhook_attempts_total",
		Help: "Attempts to send an event to a webhook, by how they ended: delivered, refused " +
			"(another answer than 2xx), or why there was no answer.",
	}, []string{"end"})
	took := factory.NewHistogram(prometheus.HistogramOpts{
		Name:    "webhook_event_seconds",
		Help:    "Time from what an event tells of to its delivery.",
		Buckets: []float64{.1, .25, .5, 1, 2.5, 5, 15, 60, 300, 1800, 3 * 3600, 24 * 3600, 72 * 3600},
	})
	return func(d webhook.Delivery, r webhook.Result) {
		end := string(r.Failure)
		switch {
		case r.OK():
			end = "delivered"
			took.Observe(r.At.Add(r.Took).Sub(d.CreatedAt).Seconds())
		case end == "":
			end = "refused"
		}
		attempts.WithLabelValues(end).Inc()
	}
}

// newBuildInfo returns the metric that tells which version runs. Its value is always 1.
func newBuildInfo() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "build_info", Help: "1, with the version of the program as a label.",
		ConstLabels: prometheus.Labels{"version": version.String()},
	}, func() float64 { return 1 })
}
