package serving

import (
	"context"
	"sync/atomic"
	"time"

	"tradepost/web/kernel"
)

// Front handles every request before an operation or a page answers it. It has connections, limits,
// the cache of responses, compression, logs and metrics. It also answers what is not about the market:
// events and health.
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

	Cached        *cachedRoutes
	public        *kernel.API // its public reads; nil before CachePublic
	publicMetrics map[string]*routeMetrics
	metrics       *metrics
}
