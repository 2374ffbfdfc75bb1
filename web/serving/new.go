package serving

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"tradepost/core"
	"tradepost/web/kernel"
)

// New returns the front of a kernel. Options need a hub, a cache and limits.
func New(k *kernel.Kernel, opts Options) *Front {
	s := &Front{
		Kernel: k, opts: opts, slow: opts.SlowRequest, hub: opts.Hub, heartbeat: heartbeatInterval,
		sessionCheck: sessionCheck,

		Exchange:     newExchange(opts, k.Now, k.Log),
		clients:      &clients{trusted: opts.TrustedProxies, log: k.Log},
		rejections:   kernel.NewLimiter(core.LimitRejections, core.LimitRejections.Limit),
		bodies:       newBodies(opts.Limits),
		readiness:    &readiness{checks: opts.Ready, stopping: opts.Stopping, now: k.Now},
		latest:       opts.Latest,
		rejectionLog: sampler{every: rejectionLogInterval},
	}
	s.requests = s.Exchange.limiter(core.LimitCalls, opts.Limits.Requests).Advertised()
	s.metrics = newMetrics(opts.Metrics, opts.Hub, func() (int, int) { return s.connections.counts() })
	s.connections = newConnections(opts, k.Now, s.metrics)
	if k.Market != nil {
		s.hub.describeWith(s.describeChange)
	}
	return s
}

// Handler returns the front of a router.
func (s *Front) Handler(router http.Handler) http.Handler { return s.onConnection(s.fastPath(router)) }

// Server returns an http.Server for the handler, with limits on time and size set and open event streams
// ended at Shutdown. Its requests live in ctx. It is to serve on a listener that listener has returned.
func (s *Front) Server(ctx context.Context, handler http.Handler) *http.Server {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second, // event streams set their own
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		// what clients do wrong below HTTP
		ErrorLog:    slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: withConn,
		ConnState:   s.connections.state,
	}
	server.RegisterOnShutdown(s.hub.Close)
	server.RegisterOnShutdown(s.bodies.stop)
	return server
}
