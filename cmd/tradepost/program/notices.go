package program

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/sql/invariants"
	"tradepost/sql/queue"
)

// noticeMetrics count how notices end. They contain no texts and no names.
type noticeMetrics struct {
	log   *slog.Logger
	ended *prometheus.CounterVec
	took  *prometheus.HistogramVec
}

func newNoticeMetrics(
	registry prometheus.Registerer, pool *pgxpool.Pool, now func() time.Time, on core.Features,
	log *slog.Logger,
) *noticeMetrics {
	registry.MustRegister(newBacklog(pool, now, on, log))
	factory := promauto.With(registry)
	m := &noticeMetrics{
		log: log,
		ended: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "notices_total", Help: "Notices by kind and how they ended: delivered, refused or expired.",
		}, []string{"kind", "end"}),
		took: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "notice_delivery_seconds", Help: "Time from what a notice tells of to its delivery.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 15, 60, 300, 1800, 3 * 3600, 24 * 3600},
		}, []string{"kind"}),
	}
	for _, kind := range notify.Kinds {
		for _, end := range []notify.State{notify.NoticeDelivered, notify.NoticeRefused,
			notify.NoticeExpired} {
			m.ended.WithLabelValues(string(kind), string(end))
		}
	}
	return m
}

// heard takes note of a notice that has ended.
func (m *noticeMetrics) heard(n notify.Notice) {
	took := n.SettledAt.Sub(n.CreatedAt)
	m.ended.WithLabelValues(string(n.Kind), string(n.State)).Inc()
	level := slog.LevelInfo
	if n.State == notify.NoticeDelivered {
		m.took.WithLabelValues(string(n.Kind)).Observe(took.Seconds())
		level = slog.LevelDebug
	}
	m.log.Log(context.Background(), level, "notice ended",
		"notice", n.ID, "kind", n.Kind, "end", n.State, "reason", n.Reason, "took",
		took.Round(time.Millisecond))
}

// backlog asks the store, whenever metrics are read, what of the notices has not ended.
type backlog struct {
	pool *pgxpool.Pool
	now  func() time.Time
	on   core.Features
	log  *slog.Logger

	pending, oldest, jobs, overdue         *prometheus.Desc
	alertsDue, alertsOldest, alertsFailing *prometheus.Desc
	violations                             *prometheus.Desc
}

func newBacklog(pool *pgxpool.Pool, now func() time.Time, on core.Features, log *slog.Logger) *backlog {
	return &backlog{
		pool: pool, now: now, on: on, log: log,
		pending: prometheus.NewDesc("notices_pending", "Notices that have not ended.", nil, nil),
		oldest: prometheus.NewDesc("notices_oldest_pending_seconds",
			"Age of the oldest notice that has not ended.", nil, nil),
		jobs: prometheus.NewDesc("notice_jobs", "Jobs that deliver notices, by state.",
			[]string{"state"}, nil),
		overdue: prometheus.NewDesc("notice_jobs_overdue_seconds",
			"For how long the oldest job that could run has been waiting; it grows when nobody works.",
			nil, nil),
		alertsDue: prometheus.NewDesc("alert_requests_due",
			"Requests that are yet to be compared with watches and stock.", nil, nil),
		alertsOldest: prometheus.NewDesc("alert_oldest_due_seconds",
			"For how long the first of them has been due.", nil, nil),
		alertsFailing: prometheus.NewDesc("alert_requests_failing",
			"Requests whose comparison failed at the last attempt; each is tried again after a pause.",
			nil, nil),
		violations: prometheus.NewDesc("liveness_violations",
			"Things that are late, out of order or too far ahead, by invariant; tradepost check names them.",
			[]string{"invariant"}, nil),
	}
}

// Describe sends the descriptions of the metrics.
func (b *backlog) Describe(out chan<- *prometheus.Desc) {
	for _, what := range []*prometheus.Desc{b.pending, b.oldest, b.jobs, b.overdue, b.alertsDue,
		b.alertsOldest, b.alertsFailing, b.violations} {
		out <- what
	}
}

// Collect asks the store. Without it there is nothing to tell.
func (b *backlog) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	now, err := queue.ReadBacklog(ctx, b.pool, b.now())
	if err != nil {
		b.log.Warn("metrics without the backlog of notices", "error", err)
		return
	}
	gauge := func(what *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(what, prometheus.GaugeValue, value, labels...)
	}
	gauge(b.pending, float64(now.Pending))
	gauge(b.oldest, now.Oldest.Seconds())
	gauge(b.overdue, now.Overdue.Seconds())
	gauge(b.alertsDue, float64(now.Alerts.Requests))
	gauge(b.alertsOldest, now.Alerts.Oldest.Seconds())
	gauge(b.alertsFailing, float64(now.Alerts.Failing))
	for state, count := range now.Jobs {
		gauge(b.jobs, float64(count), state)
	}
	live, err := invariants.CheckLiveness(ctx, b.pool, invariants.LivenessOptions{
		Now: b.now(), Handover: b.on.Handover, Webhooks: b.on.Webhooks, Quick: true})
	if err != nil {
		b.log.Warn("metrics without the invariants of liveness", "error", err)
		return
	}
	for invariant, count := range live.Broken() {
		gauge(b.violations, float64(count), invariant)
	}
}
