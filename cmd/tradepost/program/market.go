// Package program runs a market: a store, one or both adapters, jobs and metrics.
package program

import (
	"context"
	"errors"
	"io/fs"
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
	"tradepost/cmd/tradepost/database"
	"tradepost/cmd/tradepost/serving"
	"tradepost/cmd/tradepost/settings"
	"tradepost/cmd/tradepost/version"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/security"
	"tradepost/core/text"
	"tradepost/sql/gatewaylock"
	"tradepost/sql/pgconnect"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
	"tradepost/web"
	"tradepost/web/hooks"
	"tradepost/web/operating"
)

// seedTime limits the time that a starting market waits for its items.
const seedTime = 10 * time.Second

// seedItems imports the items that come along. A market without them works.
func (m *Market) seedItems(ctx context.Context, rules *market.Market) {
	ctx, cancel := context.WithTimeout(ctx, seedTime)
	defer cancel()
	added, err := rules.Items.Seed(ctx)
	switch {
	case err != nil:
		m.Log.Warn("items: not imported", "error", err)
	case added > 0:
		m.Log.Info("items: imported", "added", added)
	}
}

// TextForms are the Unicode normal forms that the core cleans and compares text with.
var TextForms = core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton}

// Market is the running program: a store, the adapters (page, bot or both), and the jobs that carry news
// between them.
type Market struct {
	DB         database.Server
	Log        *slog.Logger
	Site       settings.Site
	Page       fs.FS // the built page
	Game       game.Game
	features   core.Features
	branding   web.Branding
	Listener   net.Listener // of the page
	Web, Bot   bool
	Data       string // the folder on the disk that is watched
	SignIn     web.Discord
	Moderators people.Moderators
	Operators  []string
	// Examine looks at the machine, for operators.
	Examine func(context.Context) operating.Machine
	Servers []string // that the bot may serve; empty for all
	Quotas  core.Quotas
	Keep    core.Retention
	Token   string
	Discord http.RoundTripper // how Discord is reached; nil for the real one

	EditEvery time.Duration // of old messages; zero for the usual
	DMPause   time.Duration // of beginning conversations; zero for the usual
	Heartbeat time.Duration // what its gateway asks for; zero for what the real one does

	AddressKey []byte        // of the hashes of addresses in the log; nil for one of this run
	security   *security.Log // made by run

	now   func() time.Time // the database's time
	clock *pgconnect.Clock // gives now
	Ready func()           // called once the page answers
}

// Run runs the market until ctx ends, then waits for running requests and jobs.
func (m *Market) Run(ctx context.Context) error {
	var err error
	branding, items, wrong := m.Site.Look.Read()
	if len(wrong) > 0 {
		return wrong
	}
	m.branding = branding
	if m.features, err = m.Site.On(); err != nil {
		return err
	}
	store, clock, err := m.DB.AwaitStore(ctx, m.Listener, m.Log)
	if err != nil {
		return err
	}
	defer store.Close()
	m.DB.WarnOfPlainText(ctx, store.Pool(), m.Log)
	m.DB.WarnOfOneRole(ctx, store.Pool(), m.Log)
	m.now, m.clock = clock.Now, clock
	clock.Report(m.Log)
	all := prometheus.NewRegistry()
	all.MustRegister(goMetrics(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	registry := metricRegistry{prometheus.WrapRegistererWithPrefix(metricPrefix, all), all}
	registry.MustRegister(newBuildInfo())
	m.security = security.NewLog(security.Options{Log: m.Log, Key: m.AddressKey,
		Count: newSecurityMetric(registry), Now: m.now})
	notices := newNoticeMetrics(registry, store.Pool(), m.now, m.features, m.Log)
	forms := TextForms
	forms.Suspicious = m.Site.SuspiciousPhrases
	rules := market.New(store, market.Options{
		Now: m.now, Refresh: refresher(clock, store, m.Log), Steady: clock.Steady, Game: m.Game, Forms: forms,
		Moderators: m.Moderators, Quotas: m.Quotas, Items: items, NoticeEnded: notices.heard,
		Features: m.features, Languages: m.Site.Offered(), RedrawEvery: m.EditEvery,
		WebhooksAnywhere: m.Site.WebhooksAnywhere,
		NamesChanged:     store.Feed().Refresh,
	})
	m.seedItems(ctx, rules)
	registry.MustRegister(newFigures(rules, m.Game, store, m.Log), newClockOffset(clock),
		newClockSteps(clock), newDiskFree(m.Data))

	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error {
		clock.Follow(ctx, store.Pool(), m.Log)
		return nil
	})
	work.Go(func() error {
		followTraders(ctx, rules, m.Log)
		return nil
	})
	if m.features.Webhooks {
		sender := hooks.New(rules.Webhooks, hooks.NewClient(m.Site.WebhooksAnywhere, nil), m.Site.PublicURL,
			m.now, m.Log)
		sender.Attempted = newWebhookMetrics(registry)
		work.Go(func() error {
			sender.Run(ctx)
			return nil
		})
	}
	work.Go(func() error {
		if err := m.open(ctx, work, rules, store, registry); err != nil {
			return err
		}
		select {
		case <-m.DB.Gone:
			return errors.New("the private PostgreSQL is gone, and its data folder with it")
		case <-ctx.Done():
			return nil
		}
	})
	return work.Wait()
}

// refresher measures the clock before a write where it may not be right. Without an answer the clock
// counts on.
func refresher(clock *pgconnect.Clock, store *postgres.Store, log *slog.Logger) func(context.Context) {
	return func(ctx context.Context) {
		if err := clock.Refresh(ctx, store.Pool()); err != nil {
			log.Debug("clock: measuring failed, counting on", "error", err)
		}
	}
}

// open starts the adapters. Their work runs in work.
func (m *Market) open(
	ctx context.Context, work *errgroup.Group, rules *market.Market, store *postgres.Store,
	registry metricRegistry,
) error {
	if m.Site.MetricsListen != "" {
		if err := m.serveMetrics(ctx, work, registry); err != nil {
			return err
		}
	}
	if m.Web {
		if err := m.runWeb(ctx, work, rules, store, registry); err != nil {
			return err
		}
	}
	if m.Bot {
		return m.runBot(ctx, work, rules, store, registry)
	}
	return nil
}

// runWeb opens the page.
func (m *Market) runWeb(
	ctx context.Context, work *errgroup.Group, rules *market.Market, store *postgres.Store,
	registry metricRegistry,
) error {
	hub := web.NewHub()
	hub.WhileSubscribed(store.Feed().Watch)
	release, built := version.Release()
	page, err := web.New(rules, web.Options{
		Version: version.String(), Release: release, Built: built,
		PublicURL: m.Site.PublicURL, Name: m.Site.SiteName,
		Tagline: m.Site.Tagline, Branding: m.branding, Game: m.Game, Features: m.features,
		Languages: m.Site.Offered(),
		Operators: m.Operators, Examine: m.Examine,
		SecurityContact: m.Site.SecurityContact, SubdomainsToo: m.Site.HSTSSubdomains,
		Discord: m.SignIn, Sessions: store.Sessions(), Hub: hub, Dist: m.Page,
		Cache:          store.Feed().Cache(),
		TrustedProxies: m.Site.TrustedProxies,
		SharedCaches:   len(m.Site.CachePurge) > 0,
		Limits:         m.Site.PageLimits(),

		Latest: store.Latest,
		Shared: store,

		NoVisitorOffers: m.Site.VisitorOffers == "off",

		SlowRequest: m.Site.SlowRequest,

		Ready:    map[string]func(context.Context) error{"database": store.Ping},
		Stopping: func() bool { return ctx.Err() != nil },
		Security: m.security,
		Metrics:  registry, Log: m.Log, Now: m.now,
	})
	if err != nil {
		return err
	}
	// Requests in flight outlive ctx by the time that Shutdown gives them.
	server := page.HTTP(context.WithoutCancel(ctx))
	// News must reach the page for as long as it answers.
	news, silence := context.WithCancel(context.WithoutCancel(ctx))
	each := hub.Publish
	if len(m.Site.CachePurge) > 0 {
		// Every replica purges what it hears of: from then on it answers no cache with what was before.
		purger := web.NewPurger(m.Site.CachePurge, m.Log)
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
		return serving.Serve(ctx, server, page.Listener(m.Listener), m.Site.ShutdownDelay)
	})
	if m.Site.Canary {
		work.Go(func() error {
			m.runCanary(ctx, rules, store, page, registry)
			return nil
		})
	}
	m.Log.Info("the page is open", "url", m.Site.PublicURL, "listen", m.Listener.Addr().String())
	if m.Ready != nil {
		m.Ready()
	}
	return nil
}

func (m *Market) serveMetrics(ctx context.Context, work *errgroup.Group, registry metricRegistry) error {
	listener, err := serving.Listen(m.Site.MetricsListen, "--metrics-listen")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	work.Go(func() error { return serving.Serve(ctx, server, listener, serving.ShutdownDelay) })
	return nil
}

// discordCalls limits the requests to Discord in a second. It takes 50.
const discordCalls = 45

// runBot starts the bot and, with it, the queue that delivers notices.
func (m *Market) runBot(
	ctx context.Context, work *errgroup.Group, rules *market.Market, store *postgres.Store,
	registry metricRegistry,
) error {
	metrics := newBotMetrics(registry)
	theBot := bot.New(rules, bot.Options{
		Token: m.Token, Transport: m.Discord, PublicURL: m.Site.PublicURL, SiteName: m.Site.SiteName,
		Game: m.Game, Features: m.features, Servers: m.Servers, Emojis: emojis.For(m.Game),
		Languages: text.NewOffered(m.Site.Offered()),
		Log:       m.Log, Lock: gatewayLock{store, m.Log}, Store: store, Hooks: metrics.hooks(),
		Security: m.security, Heartbeat: m.Heartbeat, EditEvery: m.EditEvery, OpenDMPause: m.DMPause,
		Now:            m.now,
		CallsPerSecond: discordCalls, Turn: m.discordTurn(store, metrics.calls),
	})
	work.Go(func() error {
		for {
			err := theBot.Run(ctx)
			if !errors.Is(err, discord.ErrToken) || !m.Web || !metrics.wasReady() {
				return err
			}
			// The token was revoked while we ran. The page keeps running without the bot.
			m.Log.Error("the bot has stopped, and no notice is delivered until its token is replaced",
				"error", err)
			select {
			case <-time.After(tokenPause):
			case <-ctx.Done():
				return nil
			}
		}
	})
	if !m.Web {
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
			return rules.Channels.DeliverNotice(ctx, dmSender, id)
		},
		Redraw: func(ctx context.Context, id core.NoticeID, except string) error {
			return rules.Channels.RedrawNotice(ctx, dmSender, id, except)
		},
		Expire:      rules.Trade.ExpireOrders,
		Closings:    rules.Trade.NotifyClosings,
		Alerts:      rules.Match.AlertWatchers,
		AlertsAgain: rules.Match.AlertWatchersAgain,
		Handovers:   rules.Trade.ProcessHandovers,
		Traders:     rules.Trust.FindTraders,
		Stock:       rules.Match.AskForStock,
		Retention:   m.Keep, Removed: newRemovedMetric(registry),
		BroughtBack: newBroughtBackMetric(registry), Clock: m.clock, Log: m.Log,
	})
	if err != nil {
		return err
	}
	work.Go(func() error { return runQueue(ctx, jobs) })
	return nil
}

// turnTime limits the wait of a bot for the time of its turn.
const turnTime = 500 * time.Millisecond

// discordTurn shares the requests to Discord with the bots of other replicas. While the database does not
// answer there is little to send, and each bot keeps to the limit by itself.
func (m *Market) discordTurn(store *postgres.Store, calls prometheus.Counter) discord.TakeTurn {
	pace := postgres.Pace{Name: "discord"}
	pace.Every, pace.Burst = discord.Every(discordCalls)
	return func(ctx context.Context, longest time.Duration) (time.Duration, bool) {
		ctx, cancel := context.WithTimeout(ctx, turnTime)
		defer cancel()
		wait, ok, err := store.TakeTurn(ctx, pace, longest)
		if err != nil {
			m.Log.Debug("discord: the limit is not shared with other replicas", "error", err)
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

// tokenPause is the pause before the bot tries a revoked token again. It asks Discord less often than that.
const tokenPause = time.Minute

// runQueue works until ctx ends, then waits for the deliveries at hand.
func runQueue(ctx context.Context, jobs *queue.Queue) error {
	work := context.WithoutCancel(ctx)
	if err := jobs.Start(work); err != nil {
		return err
	}
	<-ctx.Done()
	work, cancel := context.WithTimeout(work, serving.Drain)
	defer cancel()
	return jobs.Stop(work)
}
