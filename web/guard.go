package web

import (
	"context"
	"net/http"
	"net/netip"
	"runtime"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"

	"tradepost/core"
)

// Limits hold back clients that ask too much. A client is an IPv4 address or an IPv6 network of 64 bits.
type Limits struct {
	Requests       int // by one client in a minute; 600 by default
	Writes         int // by one client, and by one user, in a minute; 120
	SignIns        int // begun or finished by one client in a minute; 30
	VisitorOffers  int // by one client that is not signed in, in ten minutes; 20
	VisitorReports int // by one client that is not signed in, in ten minutes; 5
	Streams        int // open event streams of one client; 24
	InFlight       int // requests at once by everybody, before they are turned away; 512
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		limit     *int
		otherwise int
	}{{&l.Requests, 600}, {&l.Writes, 120}, {&l.SignIns, 30}, {&l.VisitorOffers, 20}, {&l.VisitorReports, 5}, {&l.Streams, 24}, {&l.InFlight, 512}} {
		if *f.limit == 0 {
			*f.limit = f.otherwise
		}
	}
	return l
}

const visitorOfferWindow = 10 * time.Minute

// clientAddress finds out who is asking: the peer, or behind a trusted proxy whom it speaks for.
func (s *Server) clientAddress() func(http.Handler) http.Handler {
	if len(s.opts.TrustedProxies) == 0 {
		return middleware.ClientIPFromRemoteAddr
	}
	prefixes := make([]string, len(s.opts.TrustedProxies))
	for i, p := range s.opts.TrustedProxies {
		prefixes[i] = p.String()
	}
	return middleware.ClientIPFromXFF(prefixes...)
}

// addressOf returns what stands for a client in limits. Those whose address cannot be told share one.
func addressOf(ctx context.Context) string { return standsFor(middleware.GetClientIPAddr(ctx)) }

// peerOf is addressOf where there is no proxy, and nobody has looked at the request yet.
func peerOf(r *http.Request) string {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return standsFor(peer.Addr().Unmap())
}

func standsFor(ip netip.Addr) string {
	if !ip.IsValid() {
		return "unknown"
	}
	if ip.Is4() {
		return ip.String()
	}
	network, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return "unknown"
	}
	return network.String()
}

// limiter lets a client through so many times in a window.
type limiter struct {
	*httprate.RateLimiter
	window time.Duration
}

func limit(times int, window time.Duration) limiter {
	return limiter{httprate.NewRateLimiter(times, window, httprate.WithResponseHeaders(httprate.ResponseHeaders{})), window}
}

// refuses counts a request and tells whether it is one too many.
func (l limiter) refuses(r *http.Request, address string) bool { return l.OnLimit(nil, r, address) }

func (l limiter) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l.refuses(r, addressOf(r.Context())) {
			tooMany(l.window).write(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func tooMany(window time.Duration) *Problem {
	p := newProblem(http.StatusTooManyRequests, "That was too much at once. Please wait a moment.")
	p.retryAfter = window
	return p
}

// limitRequests holds back clients that ask too often, sooner where they write.
func (s *Server) limitRequests() func(http.Handler) http.Handler {
	writes := limit(s.opts.Limits.Writes, time.Minute)
	return func(next http.Handler) http.Handler {
		reading := s.requests.handler(next)
		writing := writes.handler(reading)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				reading.ServeHTTP(w, r)
			} else {
				writing.ServeHTTP(w, r)
			}
		})
	}
}

// limitUsers holds back a user who changes too much, from however many addresses.
func (s *Server) limitUsers() func(http.Handler) http.Handler {
	writes := limit(s.opts.Limits.Writes, time.Minute)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Path != signOutPath {
				id := s.session.userID(r.Context())
				if id != 0 && writes.refuses(r, strconv.FormatInt(int64(id), 10)) {
					tooMany(writes.window).write(w, r)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

func (s *Server) limitSignIns() func(http.Handler) http.Handler {
	return limit(s.opts.Limits.SignIns, time.Minute).handler
}

// limitVisitorOffers refuses with TooMany when visitors at this address have sent enough offers for now.
func (s *Server) limitVisitorOffers(ctx context.Context, actor core.Actor) error {
	if actor.SignedIn() {
		return nil
	}
	request := (&http.Request{}).WithContext(ctx) // the limiter wants one, for its context
	if !s.visitorOffers.refuses(request, actor.Address) {
		return nil
	}
	return &core.Error{
		Kind: core.TooMany, Message: "Too many offers from here. Sign in with Discord, or wait a few minutes.", RetryAfter: visitorOfferWindow,
	}
}

// sameSiteOnly refuses writes that another site makes a browser send.
func (s *Server) sameSiteOnly() func(http.Handler) http.Handler {
	guard := http.NewCrossOriginProtection()
	if s.public.Host != "" {
		if err := guard.AddTrustedOrigin(s.public.String()); err != nil {
			panic("web: public URL: " + err.Error()) // New has checked it
		}
	}
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		newProblem(http.StatusForbidden, "This was sent from another site").write(w, r)
	}))
	return guard.Handler
}

// shedLoad turns requests away when too many are being answered already, so that those are answered in time. Each that is
// let in has a time limit.
func (s *Server) shedLoad() func(http.Handler) http.Handler {
	places := make(chan struct{}, s.opts.Limits.InFlight)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case places <- struct{}{}:
				defer func() { <-places }()
				s.answering.Add(1)
				defer s.answering.Add(-1)
			default:
				p := newProblem(http.StatusServiceUnavailable, "Too busy at the moment. Please try again.")
				p.retryAfter = time.Second
				p.write(w, r)
				return
			}
			ctx, cancel := context.WithTimeout(r.Context(), requestTime)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// compressAtLeisure compresses answers as long as there is a processor for each. When there is not, it would take from
// answering others ten times what it saves: to compress a page takes longer than to read it from the database and write it.
func (s *Server) compressAtLeisure(kinds ...string) func(http.Handler) http.Handler {
	compress := middleware.Compress(5, kinds...)
	return func(next http.Handler) http.Handler {
		small := compress(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if int(s.answering.Load()) <= runtime.GOMAXPROCS(0) {
				small.ServeHTTP(w, r)
				return
			}
			w.Header().Add("Vary", "Accept-Encoding")
			next.ServeHTTP(w, r)
		})
	}
}

// requestTime is how long an answer may take.
const requestTime = 15 * time.Second

// policy is what the page may load and do. Styles may be inline because dialogs lock the page's scrolling that way.
const policy = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; " +
	"form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"

func (s *Server) secureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.secure(w.Header())
		next.ServeHTTP(w, r)
	})
}

// The headers of every answer. Their lists are shared by all answers: none may be added to.
var (
	securityHeaders = http.Header{
		"Content-Security-Policy":    {policy},
		"X-Content-Type-Options":     {"nosniff"},
		"Referrer-Policy":            {"same-origin"},
		"Permissions-Policy":         {"camera=(), microphone=(), geolocation=(), payment=(), usb=()"},
		"Cross-Origin-Opener-Policy": {"same-origin"},
		"X-Frame-Options":            {"DENY"},
	}
	onlyEncrypted = []string{"max-age=31536000; includeSubDomains"}
)

func (s *Server) secure(h http.Header) {
	for name, value := range securityHeaders {
		h[name] = value
	}
	if s.public.Scheme == "https" {
		h["Strict-Transport-Security"] = onlyEncrypted
	}
}

// notKept keeps answers out of caches, unless an operation says otherwise.
func notKept(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
