package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/prometheus/client_golang/prometheus"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/security"
)

// Options are what a Server needs besides the market. PublicURL and Sessions are required.
type Options struct {
	// PublicURL is the public address of the site, such as https://trade.example. The Host header
	// of a request is never believed.
	PublicURL string
	Name      string // of the site; "Tradepost" when empty
	Version   string // of the program, which the page's footer and /healthz show; may be empty
	Tagline   string // what it is powered by; may be empty
	Branding  Branding
	Game      core.Game // core.StandardGame when it has no coins
	Features  core.Features

	// SecurityContact is whom to tell of a weakness, as RFC 9116 writes it; empty for nobody.
	SecurityContact string
	// SubdomainsToo tells browsers to use TLS for all subdomains of the site, too.
	SubdomainsToo bool

	Discord  Discord
	Sessions scs.Store
	Hub      *Hub  // a new one when nil
	Dist     fs.FS // the built dashboard; nil shows a page that says how to build it

	Cache *cache.Cache // the store's; a new one that is never fresh when nil

	// SharedCaches says that caches in front of the program are told what changes (Purger): responses that are the same for
	// everybody say how long these may keep them, and what changes them.
	SharedCaches bool

	TrustedProxies []netip.Prefix // reverse proxies whose X-Forwarded-For is believed; none when empty
	// NoVisitorOffers has visitors sign in before they offer.
	NoVisitorOffers bool

	Limits Limits // zero fields take the defaults

	SlowRequest time.Duration // how long a request takes that is logged as slow; 0 for none

	Ready map[string]func(context.Context) error // what /readyz asks, by name; an answer counts for a second
	// Latest has what is read next include everything that was committed until now, also by another replica. It is called for a request
	// that bypasses the cache; may be nil.
	Latest func(context.Context)

	Stopping func() bool // reports whether the program was asked to stop; never when nil

	Security *security.Log // nil for none

	Shared SharedLimits // counts for all replicas; nil for limits of this one alone

	Metrics prometheus.Registerer // nil for no metrics
	Log     *slog.Logger          // slog.Default() when nil
	Now     func() time.Time      // time.Now when nil
}

// Server answers HTTP. It is safe for concurrent use.
type Server struct {
	market    Market
	opts      Options
	public    *url.URL
	log       *slog.Logger
	slow      time.Duration
	now       func() time.Time
	session   *sessions
	discord   *signIn
	hub       *Hub
	heartbeat time.Duration // interval on event streams

	sessionCheck time.Duration // interval on event streams

	exchange *exchange // nil without other replicas

	requests       limiter
	visitorOffers  limiter
	visitorReports limiter

	visitorNetworks limiter
	visitorsInAll   limiter

	clients    *clients
	pictures   limiter
	rejections limiter      // a client beyond it loses its connection
	inFlight   atomic.Int32 // requests at this moment

	connections  *connections
	bodies       *bodies
	readiness    *readiness
	latest       func(context.Context)
	rejectionLog sampler

	cached   *cachedRoutes
	pages    *pages
	cards    *cards
	siteCard *siteCard
	metrics  *metrics
	handler  http.Handler
}

// New returns a server for the market.
func New(market Market, opts Options) (*Server, error) {
	public, err := parsePublicURL(opts.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	if opts.Sessions == nil {
		return nil, errors.New("web: a session store is needed")
	}
	opts = withDefaults(opts)
	s := &Server{
		market: market, opts: opts, public: public, log: opts.Log, slow: opts.SlowRequest, now: opts.Now, hub: opts.Hub, heartbeat: heartbeatInterval, sessionCheck: sessionCheck,
		session:       newSessions(opts.Sessions, public.Scheme == "https", opts.Now),
		discord:       newSignIn(opts.Discord, public),
		cards:         newCards(opts.Name, opts.Game),
		siteCard:      &siteCard{site: opts.Name, tagline: opts.Tagline, game: opts.Game, faces: newCardFaces()},
		exchange:      newExchange(opts),
		visitorOffers: newLimiter(opts.Limits.VisitorOffers, visitorOfferWindow).exactly("offers of a visitor", opts),

		visitorNetworks: newLimiter(opts.Limits.VisitorNetwork, visitorOfferWindow).exactly("offers of a network", opts),
		visitorsInAll:   newLimiter(opts.Limits.VisitorsInAll, visitorOfferWindow).exactly("offers of visitors", opts),

		clients:        &clients{trusted: opts.TrustedProxies, log: opts.Log},
		visitorReports: newLimiter(opts.Limits.VisitorReports, visitorReportWindow).exactly("reports of a visitor", opts),
		pictures:       newLimiter(opts.Limits.Pictures, time.Minute),
		rejections:     newLimiter(rejectionsBeforeClose, time.Minute),
		bodies:         newBodies(opts.Limits),
		readiness:      &readiness{checks: opts.Ready, stopping: opts.Stopping, now: opts.Now},
		latest:         opts.Latest,
		rejectionLog:   sampler{every: rejectionLogInterval},
	}
	s.requests = s.exchange.limiter("requests", opts.Limits.Requests, time.Minute)
	s.metrics = newMetrics(opts.Metrics, opts.Hub, func() (int, int) { return s.connections.counts() })
	s.connections = newConnections(opts, s.metrics)
	if s.pages, err = readPages(opts.Dist, s.frontMeta(), opts.Branding, opts.Game); err != nil {
		return nil, fmt.Errorf("read the dashboard: %w", err)
	}
	routes, _ := s.routes()
	if market != nil {
		s.hub.describeWith(s.describeChange)
	}
	s.handler = s.onConnection(s.fastPath(routes))
	return s, nil
}

func withDefaults(o Options) Options {
	if o.Name == "" {
		o.Name = "Tradepost"
	}
	if len(o.Game.Coins) == 0 {
		o.Game = core.StandardGame()
	}
	if o.Hub == nil {
		o.Hub = NewHub()
	}
	if o.Cache == nil {
		o.Cache = cache.New(nil)
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Stopping == nil {
		o.Stopping = func() bool { return false }
	}
	o.Limits = o.Limits.withDefaults()
	return o
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// HTTP returns an http.Server for the handler, with limits on time and size set and open event streams ended at Shutdown.
// Its requests live in ctx. It is to serve on a listener that Listener has returned.
func (s *Server) HTTP(ctx context.Context) *http.Server {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second, // event streams set their own
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // what clients do wrong below HTTP
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       withConn,
		ConnState:         s.connections.state,
	}
	server.RegisterOnShutdown(s.hub.Close)
	server.RegisterOnShutdown(s.bodies.stop)
	return server
}
