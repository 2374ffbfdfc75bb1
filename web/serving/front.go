package serving

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tradepost/core/cache"
	"tradepost/core/security"
	"tradepost/web/kernel"
)

// Options are the settings of what every request goes through.
type Options struct {
	Version string // of the program, which /healthz shows

	// SubdomainsToo tells browsers to use TLS for all subdomains of the site, too.
	SubdomainsToo bool

	Hub          *Hub
	Cache        *cache.Cache
	SharedCaches bool // caches in front of the program are told what changes

	TrustedProxies []netip.Prefix // reverse proxies whose X-Forwarded-For is believed
	Limits         kernel.Limits
	Shared         kernel.SharedLimits // counts for all replicas; nil for limits of this one alone

	SlowRequest time.Duration // how long a request takes that is logged as slow; 0 for none

	Ready    map[string]func(context.Context) error // what /readyz asks, by name
	Latest   func(context.Context)                  // has what is read next include everything committed until now; may be nil
	Stopping func() bool                            // reports whether the program was asked to stop

	Security *security.Log         // nil for none
	Metrics  prometheus.Registerer // nil for no metrics
}

// Front is what every request goes through before an operation or a page answers it: connections, limits, the cache of
// responses, compression, logs and metrics. It also answers what is not about the market: events and health.
type Front struct {
	*kernel.Kernel
	opts      Options
	slow      time.Duration
	hub       *Hub
	heartbeat time.Duration // interval on event streams

	sessionCheck time.Duration // interval on event streams

	Exchange *exchange // nil without other replicas

	requests   kernel.Limiter
	clients    *clients
	rejections kernel.Limiter // a client beyond it loses its connection
	inFlight   atomic.Int32   // requests at this moment

	connections  *connections
	bodies       *bodies
	readiness    *readiness
	latest       func(context.Context)
	rejectionLog sampler

	Cached  *cachedRoutes
	metrics *metrics
}

func New(k *kernel.Kernel, opts Options) *Front {
	s := &Front{
		Kernel: k, opts: opts, slow: opts.SlowRequest, hub: opts.Hub, heartbeat: heartbeatInterval, sessionCheck: sessionCheck,

		Exchange:     newExchange(opts, k.Now, k.Log),
		clients:      &clients{trusted: opts.TrustedProxies, log: k.Log},
		rejections:   kernel.NewLimiter(rejectionsBeforeClose, time.Minute),
		bodies:       newBodies(opts.Limits),
		readiness:    &readiness{checks: opts.Ready, stopping: opts.Stopping, now: k.Now},
		latest:       opts.Latest,
		rejectionLog: sampler{every: rejectionLogInterval},
	}
	s.requests = s.Exchange.limiter("requests", opts.Limits.Requests, time.Minute)
	s.metrics = newMetrics(opts.Metrics, opts.Hub, func() (int, int) { return s.connections.counts() })
	s.connections = newConnections(opts, k.Now, s.metrics)
	if k.Market != nil {
		s.hub.describeWith(s.describeChange)
	}
	return s
}

// Handler returns the front of a router.
func (s *Front) Handler(router http.Handler) http.Handler { return s.onConnection(s.fastPath(router)) }

// Server returns an http.Server for the handler, with limits on time and size set and open event streams ended at Shutdown.
// Its requests live in ctx. It is to serve on a listener that listener has returned.
func (s *Front) Server(ctx context.Context, handler http.Handler) *http.Server {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second, // event streams set their own
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug), // what clients do wrong below HTTP
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       withConn,
		ConnState:         s.connections.state,
	}
	server.RegisterOnShutdown(s.hub.Close)
	server.RegisterOnShutdown(s.bodies.stop)
	return server
}
