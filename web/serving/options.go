package serving

import (
	"context"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tradepost/core/cache"
	"tradepost/core/security"
	"tradepost/web/kernel"
)

// Options are the settings of a Front.
type Options struct {
	Version string // of the program, which /healthz shows

	// SubdomainsToo tells browsers to use TLS for all subdomains of the site, too.
	SubdomainsToo bool

	Hub          *Hub
	Cache        *cache.Cache
	SharedCaches bool // caches in front of the program are told what changes

	TrustedProxies []netip.Prefix // reverse proxies with a trusted X-Forwarded-For
	Limits         kernel.Limits
	Shared         kernel.SharedLimits // counts for all replicas; nil for limits of this one alone

	SlowRequest time.Duration // how long a request takes that is logged as slow; 0 for none

	Ready map[string]func(context.Context) error // what /readyz asks, by name
	// has what is read next include everything committed until now; may be nil
	Latest   func(context.Context)
	Stopping func() bool // reports whether the program was asked to stop

	Security *security.Log         // nil for none
	Metrics  prometheus.Registerer // nil for no metrics
}
