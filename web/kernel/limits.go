package kernel

import (
	"cmp"
	"math"
	"net/http"
	"net/netip"
	"slices"

	"github.com/go-chi/httprate"

	"tradepost/core"
)

// Limits are the limits of clients as this program has them: each is declared in core, and its usual one when
// zero. A client is an IPv4 address or an IPv6 network of 64 bits.
type Limits struct {
	Requests       int // core.LimitCalls
	Writes         int // core.LimitWrites, and LimitUserWrites
	SignIns        int // core.LimitSignIns
	VisitorOffers  int // core.LimitVisitorOffers
	VisitorNetwork int // core.LimitNetworkOffers
	VisitorsInAll  int // core.LimitVisitors
	VisitorReports int // core.LimitVisitorReports
	Streams        int // core.LimitStreams, and LimitUserStreams
	InFlight       int // core.LimitInFlight
	Share          int // core.LimitShare; the same part of InFlight when zero, no limit below 0
	Pictures       int // core.LimitPictures

	Connections          int // core.LimitConnections
	ConnectionsPerClient int // core.LimitClientConnections; no limit below 0
}

// WithDefaults returns the limits with the default for each that is zero.
func (l Limits) WithDefaults() Limits {
	for limit, declared := range map[*int]core.Limit{
		&l.Requests: core.LimitCalls, &l.Writes: core.LimitWrites, &l.SignIns: core.LimitSignIns,
		&l.VisitorOffers: core.LimitVisitorOffers, &l.VisitorNetwork: core.LimitNetworkOffers,
		&l.VisitorsInAll: core.LimitVisitors, &l.VisitorReports: core.LimitVisitorReports,
		&l.Streams: core.LimitStreams, &l.InFlight: core.LimitInFlight, &l.Pictures: core.LimitPictures,
		&l.Connections: core.LimitConnections, &l.ConnectionsPerClient: core.LimitClientConnections,
	} {
		if *limit == 0 {
			*limit = declared.Limit
		}
	}
	if l.Share == 0 {
		l.Share = max(4, l.InFlight*core.LimitShare.Limit/core.LimitInFlight.Limit)
	}
	return l
}

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

// Limiter counts what each client does within the time of a limit.
type Limiter struct {
	*httprate.RateLimiter
	Limit core.Limit // as this program has it

	shared SharedLimits // nil for a limit that is not counted exactly

	headers *advertised // nil for a limit that responses do not say
}

// NewLimiter returns a limiter of so many times within the time of a declared limit.
func NewLimiter(declared core.Limit, times int, options ...httprate.Option) Limiter {
	options = append(options, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
	declared.Limit = times
	return Limiter{RateLimiter: httprate.NewRateLimiter(times, declared.Per, options...), Limit: declared}
}

// Exceeds counts a request and reports whether it is beyond the limit of the client.
func (l Limiter) Exceeds(r *http.Request, client string) bool {
	return l.OnLimit(nil, r, client) || l.sharedExceeds(r.Context(), client)
}

// Advertised returns the limiter with headers that say what is left.
func (l Limiter) Advertised() Limiter {
	l.headers = advertise(l.Limit)
	return l
}

// Advertise sets the headers that say what is left for a client, beside those of another limit. It does
// nothing for a limiter that is not Advertised.
func (l Limiter) Advertise(h http.Header, client string) {
	if l.headers == nil {
		return
	}
	_, used, err := l.Status(client)
	if err != nil {
		return
	}
	n := max(0, l.Limit.Limit-int(math.Round(used)))
	var left []string
	if n < len(l.headers.left) {
		left = l.headers.left[n]
	} else {
		left = l.headers.leftValue(n)
	}
	if of := h[rateLimit]; len(of) > 0 {
		h[rateLimit] = append(slices.Clip(of), left...)
		h[rateLimitPolicy] = append(slices.Clip(h[rateLimitPolicy]), l.headers.policy...)
		return
	}
	h[rateLimit], h[rateLimitPolicy] = left, l.headers.policy
}

// Beyond returns the problem of a client beyond a limit.
func Beyond(l core.Limit) *Problem {
	err := l.Over(0)
	p := NewProblem(statuses[err.Kind], err.Message)
	p.said = err.Text
	p.name(cmp.Or(err.Code, err.Text.Code))
	p.RetryAfter = err.RetryAfter
	return p
}
