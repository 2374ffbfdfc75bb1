package kernel

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/go-chi/httprate"
)

// Limits are the rate limits and the shares of each client. A client is an IPv4 address or an IPv6 network
// of 64 bits.
type Limits struct {
	Requests       int // by one client in a minute; 600 by default
	Writes         int // by one client, and by one user, in a minute; 120
	SignIns        int // begun or finished by one client in a minute; 30
	VisitorOffers  int // by one client that is not signed in, in ten minutes; 20
	VisitorNetwork int // the same by one network of 48 bits of IPv6 or 24 of IPv4; 60
	VisitorsInAll  int // the same by all visitors; 300
	VisitorReports int // by one client that is not signed in, in ten minutes; 5
	Streams        int // open event streams of one client; 24
	InFlight       int // concurrent requests by all clients; further ones are rejected; 512
	Share          int // of them by one client; a twenty-fifth of InFlight, below 0 for no limit
	Pictures       int // drawn for one client in a minute; 30

	Connections          int // open connections; 10,000
	ConnectionsPerClient int // open connections of one client; 100, below 0 for no limit
}

// WithDefaults returns the limits with the default for each that is zero.
func (l Limits) WithDefaults() Limits {
	for _, f := range []struct {
		limit    *int
		standard int
	}{
		{&l.Requests, 600}, {&l.Writes, 120}, {&l.SignIns, 30}, {&l.VisitorOffers, 20},
		{&l.VisitorNetwork, 60}, {&l.VisitorsInAll, 300}, {&l.VisitorReports, 5}, {&l.Streams, 24},
		{&l.InFlight, 512}, {&l.Pictures, 30}, {&l.Connections, 10_000}, {&l.ConnectionsPerClient, 100},
	} {
		if *f.limit == 0 {
			*f.limit = f.standard
		}
	}
	if l.Share == 0 {
		l.Share = max(4, l.InFlight/25)
	}
	return l
}

const visitorOfferWindow = 10 * time.Minute

// LimitKey returns the key under which limits count a client: its IPv4 address, or its IPv6 network of 64
// bits. All clients without a readable address share one.
func LimitKey(ip netip.Addr) string {
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

// Limiter counts what each client does within a window of time.
type Limiter struct {
	*httprate.RateLimiter
	times  int
	Window time.Duration

	name   string       // among the limits that are counted exactly
	shared SharedLimits // nil for a limit that is not
}

// NewLimiter returns a limiter of so many times within a window.
func NewLimiter(times int, window time.Duration, options ...httprate.Option) Limiter {
	options = append(options, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
	return Limiter{RateLimiter: httprate.NewRateLimiter(times, window, options...), times: times,
		Window: window}
}

// Exceeds counts a request and reports whether it is beyond the limit of the client.
func (l Limiter) Exceeds(r *http.Request, client string) bool {
	return l.OnLimit(nil, r, client) || l.sharedExceeds(r.Context(), client)
}

// TooMany returns the problem of a client beyond a limit, which may try again after the window.
func TooMany(window time.Duration) *Problem {
	p := NewProblem(http.StatusTooManyRequests, "That was too much at once. Please wait a moment.")
	p.RetryAfter = window
	return p
}

const visitorReportWindow = 10 * time.Minute
