package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/prometheus/client_golang/prometheus"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/security"
	"tradepost/core/text"
	"tradepost/web/feeds"
	"tradepost/web/kernel"
	"tradepost/web/operating"
	"tradepost/web/pages"
	"tradepost/web/people"
	"tradepost/web/serving"
)

// Options are what a Server needs besides the market. PublicURL and Sessions are required.
type Options struct {
	// PublicURL is the public address of the site, such as https://trade.example. The Host header
	// of a request is never believed.
	PublicURL string
	Name      string    // of the site; "Tradepost" when empty
	Version   string    // of the program, which /healthz shows; may be empty
	Release   string    // the version as people say it, which the page's footer shows; may be empty
	Built     time.Time // the day of the version, beside it; may be zero
	Tagline   string    // what it is powered by; may be empty
	Branding  pages.Branding
	Game      game.Game // game.Standard when it has no coins
	Features  core.Features
	Languages []string // that are offered, as IETF tags; those of core/text when nil

	// Operators are the Discord ids of those who may read how the market's machine is: what Examine finds.
	Operators []string
	Examine   func(context.Context) operating.Machine // nil where nothing can be examined

	// SecurityContact is the contact for vulnerability reports, as in RFC 9116; it may be empty.
	SecurityContact string
	// SubdomainsToo tells browsers to use TLS for all subdomains of the site, too.
	SubdomainsToo bool

	Discord  people.Discord
	Sessions scs.Store
	Hub      *serving.Hub // a new one when nil
	Dist     fs.FS        // the built dashboard; nil shows build instructions

	Cache *cache.Cache // the store's; a new one that is never fresh when nil

	// SharedCaches says that caches in front of the program are told what changes (Purger): responses that
	// are the same for everybody say how long these may keep them, and what changes them.
	SharedCaches bool

	TrustedProxies []netip.Prefix // reverse proxies with a trusted X-Forwarded-For; none when empty
	// NoVisitorOffers has visitors sign in before they offer.
	NoVisitorOffers bool

	Limits kernel.Limits // zero fields take the defaults

	// RetryTime limits the time that a write is repeated before the client reads that its outcome is not
	// known yet; the time of its request when zero.
	RetryTime time.Duration

	SlowRequest time.Duration // how long a request takes that is logged as slow; 0 for none
	// how long a document waits for the requests that it shows first; zero for half a second
	LookPatience time.Duration

	Ready map[string]func(context.Context) error // what /readyz asks, by name; an answer counts for a second
	// Latest has what is read next include everything that was committed until now, also by another
	// replica. It is called for a request that bypasses the cache; may be nil.
	Latest func(context.Context)

	Stopping func() bool // reports whether the program was asked to stop; never when nil

	Security *security.Log // nil for none

	Shared kernel.SharedLimits // counts for all replicas; nil for limits of this one alone

	Metrics prometheus.Registerer // nil for no metrics
	Log     *slog.Logger          // slog.Default() when nil
	Now     func() time.Time      // time.Now when nil
}

// Server answers HTTP. It is safe for concurrent use.
type Server struct {
	opts    Options
	kernel  *kernel.Kernel
	front   *serving.Front
	site    *pages.Site
	auth    *people.Auth
	feeds   *feeds.Feeds
	handler http.Handler
}

// New returns a server for the market.
func New(m *market.Market, opts Options) (*Server, error) {
	public, err := parsePublicURL(opts.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	if opts.Sessions == nil {
		return nil, errors.New("web: a session store is needed")
	}
	s, err := assemble(m, public, withDefaults(opts))
	if err != nil {
		return nil, err
	}
	routes, _ := s.routes()
	s.handler = s.front.Handler(routes)
	return s, nil
}

// assemble makes the parts of a server, which has no routes yet.
func assemble(m *market.Market, public *url.URL, opts Options) (*Server, error) {
	languages := kernel.NewLanguages(opts.Languages)
	k := &kernel.Kernel{
		Market: m, Public: public, Log: opts.Log, Now: opts.Now, Game: opts.Game,
		Features: opts.Features, Languages: languages, Operators: opts.Operators,
		Cache:    opts.Cache,
		Session:  kernel.NewSessions(opts.Sessions, public.Scheme == "https", languages, opts.Now),
		Visitors: kernel.NewVisitorLimits(opts.NoVisitorOffers, opts.Limits, opts.Shared),
		Stopping: opts.Stopping, RetryTime: opts.RetryTime,
	}
	light, dark := opts.Branding.Accent.Links()
	s := &Server{opts: opts, kernel: k, auth: people.NewAuth(k, opts.Discord),
		feeds: feeds.New(k, opts.Name, light.String(), dark.String())}
	s.front = serving.New(k, serving.Options{
		Version: opts.Version, SubdomainsToo: opts.SubdomainsToo, Hub: opts.Hub, Cache: opts.Cache,
		SharedCaches:   opts.SharedCaches,
		TrustedProxies: opts.TrustedProxies, Limits: opts.Limits, Shared: opts.Shared,
		SlowRequest: opts.SlowRequest,
		Ready:       opts.Ready, Latest: opts.Latest, Stopping: opts.Stopping, Security: opts.Security,
		Metrics: opts.Metrics,
	})
	var err error
	s.site, err = pages.New(k, pages.Options{
		Name: opts.Name, Version: opts.Release, Built: opts.Built, Tagline: opts.Tagline,
		Branding:        opts.Branding,
		SecurityContact: opts.SecurityContact, NoVisitorOffers: opts.NoVisitorOffers,
		SharedCaches: opts.SharedCaches, LookPatience: cmp.Or(opts.LookPatience, 500*time.Millisecond),
		Dist: opts.Dist, Pictures: opts.Limits.Pictures, Reject: s.front.Reject,
	})
	return s, err
}

func withDefaults(o Options) Options {
	if o.Name == "" {
		o.Name = "Tradepost"
	}
	if len(o.Game.Coins) == 0 {
		o.Game = game.Standard()
	}
	if o.Languages == nil {
		o.Languages = text.Names()
	}
	if o.Hub == nil {
		o.Hub = serving.NewHub()
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
	o.Limits = o.Limits.WithDefaults()
	return o
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// HTTP returns an http.Server for the handler, with limits on time and size set and open event streams
// ended at Shutdown. Its requests live in ctx. It is to serve on a listener that Listener has returned.
func (s *Server) HTTP(ctx context.Context) *http.Server { return s.front.Server(ctx, s) }

// Listener returns a listener that rejects connections beyond the limits, for the server that HTTP returns.
func (s *Server) Listener(l net.Listener) net.Listener { return s.front.Listener(l) }

// SessionFor signs a user in without Discord, and returns the cookie of the session. It is for the canary.
func (s *Server) SessionFor(ctx context.Context, id core.UserID) (*http.Cookie, error) {
	cookie, err := s.kernel.Session.CookieFor(ctx, id, "Canary")
	if err != nil {
		return nil, fmt.Errorf("session of the canary: %w", err)
	}
	return cookie, nil
}
