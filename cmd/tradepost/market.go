package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"tradepost/bot"
	"tradepost/core"
	"tradepost/dashboard"
	"tradepost/sql/postgres"
	"tradepost/web"
)

// textForms are the Unicode normal forms that the core cleans text with.
var textForms = core.TextForms{NFC: norm.NFC.String, NFKC: norm.NFKC.String}

// market is the running program: a store, one door or both, and what carries news between them.
type market struct {
	db         server
	log        *slog.Logger
	site       site
	looks      web.Look
	listener   net.Listener // of the page
	web, bot   bool
	signIn     web.Discord
	moderators core.Moderators
	token      string
	discord    http.RoundTripper // how Discord is reached; nil for the real one

	heartbeat time.Duration // what its gateway asks for; zero for what the real one does

	ready func() // called once the page answers
}

// run runs the market until ctx ends, then lets what is in flight come to its end.
func (m *market) run(ctx context.Context) error {
	looks, items, err := m.site.look.of()
	if err != nil {
		return err
	}
	m.looks = looks
	store, err := openStore(ctx, m.db.dsn, m.log)
	if err != nil {
		return err
	}
	defer store.Close()
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	notices := newNoticeMetrics(registry, store, m.log)
	rules := core.New(store, core.Options{Forms: textForms, Moderators: m.moderators, Items: items, NoticeEnded: notices.heard})
	registry.MustRegister(newFigures(rules, store, m.log))

	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error {
		if err := m.open(ctx, work, rules, store, registry); err != nil {
			return err
		}
		select {
		case <-m.db.gone:
			return errors.New("the private PostgreSQL is gone, and its data folder with it")
		case <-ctx.Done():
			return nil
		}
	})
	return work.Wait()
}

// open opens the doors. What they do goes on in work.
func (m *market) open(ctx context.Context, work *errgroup.Group, rules *core.Market, store *postgres.Store, registry *prometheus.Registry) error {
	if m.site.MetricsListen != "" {
		if err := m.serveMetrics(ctx, work, registry); err != nil {
			return err
		}
	}
	if m.web {
		if err := m.runWeb(ctx, work, rules, store, registry); err != nil {
			return err
		}
	}
	if m.bot {
		return m.runBot(ctx, work, rules, store, registry)
	}
	return nil
}

// runWeb opens the page.
func (m *market) runWeb(ctx context.Context, work *errgroup.Group, rules *core.Market, store *postgres.Store, registry *prometheus.Registry) error {
	hub := web.NewHub()
	hub.WhileWatched(store.Watch)
	page, err := web.New(rules, web.Options{
		PublicURL: m.site.PublicURL, Name: m.site.SiteName, Tagline: m.site.Tagline, Look: m.looks,
		Discord: m.signIn, Sessions: store.Sessions(), Hub: hub, Dist: dashboard.Dist,
		OnCommit:       store.OnCommit,
		TrustedProxies: m.site.TrustedProxies,
		Limits:         web.Limits{Requests: m.site.RequestLimit, Writes: m.site.WriteLimit},
		Ready: map[string]func(context.Context) error{
			"database": store.Ping,
			// So that a load balancer looks elsewhere once the program was asked to stop.
			"program": func(context.Context) error { return ctx.Err() },
		},
		Metrics: registry, Log: m.log,
	})
	if err != nil {
		return err
	}
	// Requests in flight outlive ctx by the time that Shutdown gives them.
	server := page.HTTP(context.WithoutCancel(ctx))
	// News must reach the page for as long as it answers.
	news, silence := context.WithCancel(context.WithoutCancel(ctx))
	work.Go(func() error {
		store.Listen(news, hub.Publish)
		return nil
	})
	work.Go(func() error {
		defer silence()
		return serveHTTP(ctx, server, atMost(m.site.ConnectionLimit, m.listener), m.site.Farewell)
	})
	m.log.Info("the page is open", "url", m.site.PublicURL, "listen", m.listener.Addr().String())
	if m.ready != nil {
		m.ready()
	}
	return nil
}

func (m *market) serveMetrics(ctx context.Context, work *errgroup.Group, registry *prometheus.Registry) error {
	listener, err := listen(m.site.MetricsListen, "--metrics-listen")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	work.Go(func() error { return serveHTTP(ctx, server, listener, farewell) })
	return nil
}

// runBot starts the bot and, with it, the queue that delivers notices.
func (m *market) runBot(ctx context.Context, work *errgroup.Group, rules *core.Market, store *postgres.Store, registry *prometheus.Registry) error {
	metrics := newBotMetrics(registry)
	discord := bot.New(rules, bot.Options{
		Token: m.token, Transport: m.discord, PublicURL: m.site.PublicURL, SiteName: m.site.SiteName,
		Log: m.log, Lock: gatewayLock{store}, Store: store, Hooks: metrics.hooks(), Heartbeat: m.heartbeat,
	})
	work.Go(func() error {
		for {
			err := discord.Run(ctx)
			if !errors.Is(err, bot.ErrToken) || !m.web || !metrics.wasReady() {
				return err
			}
			// The token was revoked while we ran. The page goes on without the bot.
			m.log.Error("the bot has stopped, and no notice is delivered until its token is replaced", "error", err)
			select {
			case <-time.After(tokenPause):
			case <-ctx.Done():
				return nil
			}
		}
	})
	if !m.web {
		// What the store remembers of the lists it trusts only while it hears of changes.
		work.Go(func() error {
			store.Listen(ctx, func(core.Change) {})
			return nil
		})
	}
	courier := discord.Courier()
	queue, err := store.NewQueue(postgres.Work{
		Deliver: func(ctx context.Context, id core.NoticeID) error { return rules.DeliverNotice(ctx, courier, id) },
		Expire:  rules.ExpireOrders,
	})
	if err != nil {
		return err
	}
	work.Go(func() error { return runQueue(ctx, queue) })
	return nil
}

// gatewayLock is the store's, as the bot wants it.
type gatewayLock struct{ store *postgres.Store }

func (l gatewayLock) HoldGateway(ctx context.Context) (bot.Hold, error) {
	return l.store.HoldGateway(ctx)
}

// tokenPause is how long the bot rests before it tries a revoked token again. It asks Discord less often than that.
const tokenPause = time.Minute

// runQueue works until ctx ends, then waits for the deliveries at hand.
func runQueue(ctx context.Context, queue *postgres.Queue) error {
	work := context.WithoutCancel(ctx)
	if err := queue.Start(work); err != nil {
		return err
	}
	<-ctx.Done()
	work, cancel := context.WithTimeout(work, drain)
	defer cancel()
	return queue.Stop(work)
}
