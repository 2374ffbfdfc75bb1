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
	"go.mau.fi/util/confusable"
	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"tradepost/bot"
	"tradepost/bot/discord"
	"tradepost/bot/emojis"
	"tradepost/core"
	"tradepost/core/security"
	"tradepost/dashboard"
	"tradepost/sql/gatewaylock"
	"tradepost/sql/pgconnect"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
	"tradepost/web"
)

// textForms are the Unicode normal forms that the core cleans and compares text with.
var textForms = core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton}

// market is the running program: a store, one door or both, and what carries news between them.
type market struct {
	db         server
	log        *slog.Logger
	site       site
	game       core.Game
	features   core.Features
	branding   web.Branding
	listener   net.Listener // of the page
	web, bot   bool
	data       string // the folder whose disk is watched
	signIn     web.Discord
	moderators core.Moderators
	servers    []string // that the bot may serve; empty for all
	quotas     core.Quotas
	keep       core.Retention
	token      string
	discord    http.RoundTripper // how Discord is reached; nil for the real one

	editEvery time.Duration // of old messages; zero for the usual
	dmPause   time.Duration // of beginning conversations; zero for the usual
	heartbeat time.Duration // what its gateway asks for; zero for what the real one does

	addressKey []byte        // of the hashes of addresses in the log; nil for one of this run
	security   *security.Log // made by run

	now   func() time.Time // the database's time
	clock *pgconnect.Clock // gives now
	ready func()           // called once the page answers
}

// run runs the market until ctx ends, then waits for running requests and jobs.
func (m *market) run(ctx context.Context) error {
	var err error
	branding, items, wrong := m.site.look.of()
	if len(wrong) > 0 {
		return wrong
	}
	m.branding = branding
	if m.features, err = m.site.on(); err != nil {
		return err
	}
	store, clock, err := m.db.awaitStore(ctx, m.listener, m.log)
	if err != nil {
		return err
	}
	defer store.Close()
	m.db.warnOfOneRole(ctx, store.Pool(), m.log)
	m.now, m.clock = clock.Now, clock
	clock.Report(m.log)
	all := prometheus.NewRegistry()
	all.MustRegister(goMetrics(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	registry := metricRegistry{prometheus.WrapRegistererWithPrefix(metricPrefix, all), all}
	registry.MustRegister(newBuildInfo())
	m.security = security.NewLog(security.Options{Log: m.log, Key: m.addressKey, Count: newSecurityMetric(registry), Now: m.now})
	notices := newNoticeMetrics(registry, store.Pool(), m.now, m.log)
	forms := textForms
	forms.Suspicious = m.site.SuspiciousPhrases
	rules := core.New(store, core.Options{
		Now: m.now, Refresh: refresher(clock, store, m.log), Steady: clock.Steady, Game: m.game, Forms: forms, Moderators: m.moderators, Quotas: m.quotas, Items: items, NoticeEnded: notices.heard,
		Features: m.features, RedrawEvery: m.editEvery,
	})
	m.seedItems(ctx, rules)
	registry.MustRegister(newFigures(rules, m.game, store, m.log), newClockOffset(clock), newClockSteps(clock), newDiskFree(m.data))

	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error {
		clock.Follow(ctx, store.Pool(), m.log)
		return nil
	})
	work.Go(func() error {
		followTraders(ctx, rules, store, m.log)
		return nil
	})
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

// refresher measures the clock before a write where it may not be right. Without an answer the clock counts on.
func refresher(clock *pgconnect.Clock, store *postgres.Store, log *slog.Logger) func(context.Context) {
	return func(ctx context.Context) {
		if err := clock.Refresh(ctx, store.Pool()); err != nil {
			log.Debug("clock: measuring failed, counting on", "error", err)
		}
	}
}

// open starts the adapters. Their work runs in work.
func (m *market) open(ctx context.Context, work *errgroup.Group, rules *core.Market, store *postgres.Store, registry metricRegistry) error {
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
func (m *market) runWeb(ctx context.Context, work *errgroup.Group, rules *core.Market, store *postgres.Store, registry metricRegistry) error {
	hub := web.NewHub()
	hub.WhileSubscribed(store.Feed().Watch)
	page, err := web.New(rules, web.Options{
		Version: version(), PublicURL: m.site.PublicURL, Name: m.site.SiteName, Tagline: m.site.Tagline, Branding: m.branding, Game: m.game, Features: m.features,
		SecurityContact: m.site.SecurityContact, SubdomainsToo: m.site.HSTSSubdomains,
		Discord: m.signIn, Sessions: store.Sessions(), Hub: hub, Dist: dashboard.Dist,
		Cache:          store.Feed().Cache(),
		TrustedProxies: m.site.TrustedProxies,
		SharedCaches:   len(m.site.CachePurge) > 0,
		Limits:         m.site.pageLimits(),

		Latest: store.Latest,
		Shared: store,

		NoVisitorOffers: m.site.VisitorOffers == "off",

		SlowRequest: m.site.SlowRequest,

		Ready:    map[string]func(context.Context) error{"database": store.Ping},
		Stopping: func() bool { return ctx.Err() != nil },
		Security: m.security,
		Metrics:  registry, Log: m.log, Now: m.now,
	})
	if err != nil {
		return err
	}
	// Requests in flight outlive ctx by the time that Shutdown gives them.
	server := page.HTTP(context.WithoutCancel(ctx))
	// News must reach the page for as long as it answers.
	news, silence := context.WithCancel(context.WithoutCancel(ctx))
	each := hub.Publish
	if len(m.site.CachePurge) > 0 {
		// Every replica purges what it hears of: from then on it answers no cache with what was before.
		purger := web.NewPurger(m.site.CachePurge, m.log)
		each = func(c core.Change) {
			hub.Publish(c)
			purger.Changed(c)
		}
		store.Feed().Watch() // the readers of a cache are not seen here
		work.Go(func() error {
			purger.Run(news)
			return nil
		})
	}
	work.Go(func() error {
		store.Feed().Listen(news, each)
		return nil
	})
	work.Go(func() error {
		defer silence()
		return serveHTTP(ctx, server, page.Listener(m.listener), m.site.ShutdownDelay)
	})
	if m.site.Canary {
		work.Go(func() error {
			m.runCanary(ctx, rules, store, page, registry)
			return nil
		})
	}
	m.log.Info("the page is open", "url", m.site.PublicURL, "listen", m.listener.Addr().String())
	if m.ready != nil {
		m.ready()
	}
	return nil
}

func (m *market) serveMetrics(ctx context.Context, work *errgroup.Group, registry metricRegistry) error {
	listener, err := listen(m.site.MetricsListen, "--metrics-listen")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	work.Go(func() error { return serveHTTP(ctx, server, listener, shutdownDelay) })
	return nil
}

// discordCalls is how many requests a second Discord is sent. It takes 50.
const discordCalls = 45

// runBot starts the bot and, with it, the queue that delivers notices.
func (m *market) runBot(ctx context.Context, work *errgroup.Group, rules *core.Market, store *postgres.Store, registry metricRegistry) error {
	metrics := newBotMetrics(registry)
	theBot := bot.New(rules, bot.Options{
		Token: m.token, Transport: m.discord, PublicURL: m.site.PublicURL, SiteName: m.site.SiteName, Game: m.game, Features: m.features, Servers: m.servers, Emojis: emojis.For(m.game),
		Log: m.log, Lock: gatewayLock{store, m.log}, Store: store, Hooks: metrics.hooks(), Security: m.security, Heartbeat: m.heartbeat, EditEvery: m.editEvery, OpenDMPause: m.dmPause, Now: m.now,
		CallsPerSecond: discordCalls, Turn: m.discordTurn(store, metrics.calls),
	})
	work.Go(func() error {
		for {
			err := theBot.Run(ctx)
			if !errors.Is(err, discord.ErrToken) || !m.web || !metrics.wasReady() {
				return err
			}
			// The token was revoked while we ran. The page keeps running without the bot.
			m.log.Error("the bot has stopped, and no notice is delivered until its token is replaced", "error", err)
			select {
			case <-time.After(tokenPause):
			case <-ctx.Done():
				return nil
			}
		}
	})
	if !m.web {
		// The store caches counts only while the change feed is read.
		work.Go(func() error {
			store.Feed().Listen(ctx, func(core.Change) {})
			return nil
		})
	}
	dmSender := withCanary{theBot.DMSender()}
	jobs, err := queue.New(store, queue.Options{
		Deliver: func(ctx context.Context, id core.NoticeID) error {
			theBot.InteractionsFirst()
			return rules.DeliverNotice(ctx, dmSender, id)
		},
		Redraw: func(ctx context.Context, id core.NoticeID, except string) error {
			return rules.RedrawNotice(ctx, dmSender, id, except)
		},
		Expire:      rules.ExpireOrders,
		Closings:    rules.NotifyClosings,
		Alerts:      rules.AlertWatchers,
		AlertsAgain: rules.AlertWatchersAgain,
		Handovers:   rules.ProcessHandovers,
		Traders:     rules.FindTraders,
		Stock:       rules.AskForStock,
		Retention:   m.keep, Removed: newRemovedMetric(registry),
		BroughtBack: newBroughtBackMetric(registry), Clock: m.clock, Log: m.log,
	})
	if err != nil {
		return err
	}
	work.Go(func() error { return runQueue(ctx, jobs) })
	return nil
}

// turnTime is how long a bot waits to learn when its turn is.
const turnTime = 500 * time.Millisecond

// discordTurn shares the requests to Discord with the bots of other replicas. While the database does not answer there is little to send,
// and each bot keeps to the limit by itself.
func (m *market) discordTurn(store *postgres.Store, calls prometheus.Counter) discord.TakeTurn {
	pace := postgres.Pace{Name: "discord"}
	pace.Every, pace.Burst = discord.Every(discordCalls)
	return func(ctx context.Context, longest time.Duration) (time.Duration, bool) {
		ctx, cancel := context.WithTimeout(ctx, turnTime)
		defer cancel()
		wait, ok, err := store.TakeTurn(ctx, pace, longest)
		if err != nil {
			m.log.Debug("discord: the limit is not shared with other replicas", "error", err)
			wait, ok = 0, true
		}
		if ok {
			calls.Inc()
		}
		return wait, ok
	}
}

// gatewayLock is the database's, as the bot wants it.
type gatewayLock struct {
	store *postgres.Store
	log   *slog.Logger
}

func (l gatewayLock) HoldGateway(ctx context.Context) (bot.Hold, error) {
	return gatewaylock.Acquire(ctx, l.store.Direct(), l.log)
}

// tokenPause is how long the bot rests before it tries a revoked token again. It asks Discord less often than that.
const tokenPause = time.Minute

// runQueue works until ctx ends, then waits for the deliveries at hand.
func runQueue(ctx context.Context, jobs *queue.Queue) error {
	work := context.WithoutCancel(ctx)
	if err := jobs.Start(work); err != nil {
		return err
	}
	<-ctx.Done()
	work, cancel := context.WithTimeout(work, drain)
	defer cancel()
	return jobs.Stop(work)
}
