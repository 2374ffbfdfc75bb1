package program

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/sql/postgres"
	"tradepost/web"
	"tradepost/web/canary"
)

// runCanary trades until ctx ends.
func (m *Market) runCanary(
	ctx context.Context, rules *market.Market, store *postgres.Store, page *web.Server,
	registry prometheus.Registerer,
) {
	metrics := newCanaryMetrics(registry, m.Log)
	c := canary.Canary{
		URL: strings.TrimRight(m.Site.PublicURL, "/"), Market: canaryMarket{rules, store, page},
		Every: m.Site.CanaryEvery, Report: metrics.report,
	}
	c.Run(ctx)
}

type canaryMarket struct {
	rules *market.Market
	store *postgres.Store
	page  *web.Server
}

func (m canaryMarket) Alone(ctx context.Context) (release func(), ok bool, err error) {
	return m.store.AloneAsCanary(ctx)
}

func (m canaryMarket) SignIn(ctx context.Context) (buyer, seller *http.Cookie, err error) {
	for _, side := range []struct {
		profile people.Profile
		cookie  **http.Cookie
	}{{people.CanaryBuyer, &buyer}, {people.CanarySeller, &seller}} {
		user, err := m.rules.People.SignIn(ctx, side.profile)
		if err != nil {
			return nil, nil, err
		}
		if *side.cookie, err = m.page.SessionFor(ctx, user.ID); err != nil {
			return nil, nil, err
		}
	}
	return buyer, seller, nil
}

func (m canaryMarket) Delivered(ctx context.Context) (bool, error) {
	return m.store.CanaryDelivered(ctx)
}

func (m canaryMarket) Remove(ctx context.Context) error { return m.store.RemoveCanary(ctx) }

// canaryMetrics count the rounds of the canary.
type canaryMetrics struct {
	rounds *prometheus.CounterVec
	took   prometheus.Gauge
	failed string // the step at which the last one failed
	log    *slog.Logger
}

func newCanaryMetrics(registry prometheus.Registerer, log *slog.Logger) *canaryMetrics {
	factory := promauto.With(registry)
	m := &canaryMetrics{log: log, rounds: factory.NewCounterVec(prometheus.CounterOpts{
		Name: "canary_rounds_total", Help: "Trades of the canary, by how they ended.",
	}, []string{"outcome"}), took: factory.NewGauge(prometheus.GaugeOpts{
		Name: "canary_round_seconds", Help: "How long the last trade of the canary took, " +
			"until its message was sent.",
	})}
	for _, outcome := range []string{"ok", "failed"} {
		m.rounds.WithLabelValues(outcome) // so that an increase from nothing shows
	}
	return m
}

func (m *canaryMetrics) report(r canary.Round) {
	m.took.Set(r.Took.Seconds())
	if r.Err != nil {
		m.rounds.WithLabelValues("failed").Inc()
		m.failed = r.Step
		m.log.Warn("canary: the trade failed", "step", r.Step, "error", r.Err, "took", r.Took)
		return
	}
	m.rounds.WithLabelValues("ok").Inc()
	if m.failed != "" {
		m.log.Info("canary: the trade goes well again", "failed_before_at", m.failed)
		m.failed = ""
	}
}

// withCanary delivers the messages of the canary's accounts, which are not at Discord, to no one.
type withCanary struct{ channels.DMSender }

// SendDM is part of core.DMSender.
func (s withCanary) SendDM(ctx context.Context, d channels.Delivery) (notify.SentDM, error) {
	if core.IsCanary(d.To.DiscordID) {
		return notify.SentDM{ChannelID: "0", MessageID: fmt.Sprint(d.ID)}, nil
	}
	return s.DMSender.SendDM(ctx, d)
}
