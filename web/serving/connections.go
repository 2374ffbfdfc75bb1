package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/core"
	"tradepost/web/kernel"
)

const (
	// idleTime is how long a connection may be idle while few are open, and leastIdleTime near the
	// limit.
	idleTime      = 2 * time.Minute
	leastIdleTime = 5 * time.Second
	// trimEvery is how often idle connections are checked while more than half are open.
	trimEvery = 100 * time.Millisecond
	// spareConnections may be open beyond the limit, and spareOfOne by one client. Each serves one
	// health check.
	spareConnections = 16
	spareOfOne       = 2
)

// connections limits the number of open connections: in total, per client and for all trusted
// proxies together. It is safe for concurrent use.
type connections struct {
	total, proxied, perClient int
	trusted                   []netip.Prefix
	now                       func() time.Time
	metrics                   *metrics

	mu        sync.Mutex
	open      map[*conn]struct{} // except spare ones
	byProxies int
	byClient  map[string]int // except connections of proxies
	spare     map[string]int
	spares    int
	trimmed   time.Time
}

func newConnections(opts Options, now func() time.Time, m *metrics) *connections {
	return &connections{
		total: opts.Limits.Connections, proxied: opts.Limits.Connections * 9 / 10,
		perClient: opts.Limits.ConnectionsPerClient,
		trusted:   opts.TrustedProxies, now: now, metrics: m,
		open: map[*conn]struct{}{}, byClient: map[string]int{}, spare: map[string]int{},
	}
}

// kind is the counter that a connection counts in.
type kind int

const (
	ofClient kind = iota
	ofProxy       // of a trusted proxy, while its requests carry a forwarded address
	isSpare       // for one health check
)

// conn is a connection that counts until it is closed.
type conn struct {
	net.Conn
	limits *connections
	client string // the limit key of its peer
	proxy  bool   // its peer is a trusted proxy
	leave  func()

	// set by the goroutine that serves the connection; guarded by limits.mu for the others
	kind      kind
	idleSince atomic.Int64 // in nanoseconds; 0 while a request is served
	timedOut  atomic.Bool  // a deadline has fired since the request began
}

// Read notes when a deadline has fired: the client is still there then.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		c.timedOut.Store(true)
	}
	return n, err
}

// DeadlineFired reports whether a deadline has fired since the request began.
func (c *conn) DeadlineFired() bool { return c.timedOut.Load() }

// CloseWrite shuts down the writing side. net/http calls it before it closes a connection that has
// unread bytes.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection and stops counting it.
func (c *conn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// Reasons for rejecting a connection, as the metric names them.
const (
	refusedFull    = "full"
	refusedClient  = "client"
	refusedProxies = "proxies"
)

// limitOf returns the limit by which a connection is rejected.
func limitOf(refused string) core.Limit {
	if refused == refusedClient {
		return core.LimitClientConnections
	}
	return core.LimitConnections
}

// refusal is the response on a connection that is rejected by a limit. It fits into the send buffer, so
// writing it never waits for the peer.
func refusal(by core.Limit) string {
	p := kernel.Beyond(by)
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nRetry-After: %d\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		p.Status, p.Title, int(p.RetryAfter.Seconds()))
}

type limitedListener struct {
	net.Listener
	limits *connections
}

func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c, refused := l.limits.admit(raw)
		if refused == "" {
			return c, nil
		}
		l.limits.metrics.refuseConnection(refused)
		_ = raw.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
		_, _ = io.WriteString(raw, refusal(limitOf(refused))) // best effort: it is closed either way
		_ = raw.Close()
	}
}

// admit counts a new connection, or returns why it is rejected.
func (l *connections) admit(raw net.Conn) (c *conn, refused string) {
	c = &conn{Conn: raw, limits: l}
	peer, _ := netip.ParseAddrPort(raw.RemoteAddr().String())
	address := peer.Addr().Unmap()
	c.client, c.proxy = kernel.LimitKey(address), l.trusts(address)
	c.leave = sync.OnceFunc(func() { l.leave(c) })

	l.mu.Lock()
	defer l.mu.Unlock()
	l.trim()
	switch {
	case !c.proxy && l.perClient > 0 && l.byClient[c.client] >= l.perClient:
		return nil, refusedClient
	case c.proxy && l.byProxies >= l.proxied:
		refused = refusedProxies
	case len(l.open) >= l.total:
		refused = refusedFull
	}
	if refused != "" {
		if l.spares >= spareConnections || l.spare[c.client] >= spareOfOne {
			return nil, refused
		}
		c.kind = isSpare
		l.spares++
		l.spare[c.client]++
		return c, ""
	}
	if c.proxy {
		c.kind = ofProxy
	}
	l.open[c] = struct{}{}
	l.count(c, 1)
	return c, ""
}

func (l *connections) trusts(address netip.Addr) bool {
	for _, network := range l.trusted {
		if network.Contains(address.WithZone("")) {
			return true
		}
	}
	return false
}

// count adds `by` to the counter of the connection's kind.
func (l *connections) count(c *conn, by int) {
	if c.kind == ofProxy {
		l.byProxies += by
		return
	}
	if l.byClient[c.client] += by; l.byClient[c.client] == 0 {
		delete(l.byClient, c.client)
	}
}

func (l *connections) leave(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.kind == isSpare {
		l.spares--
		if l.spare[c.client]--; l.spare[c.client] == 0 {
			delete(l.spare, c.client)
		}
		return
	}
	delete(l.open, c)
	l.count(c, -1)
}

// trim closes connections that have been idle for longer than idleTime.
func (l *connections) trim() {
	now := l.now()
	if 2*len(l.open) < l.total || !l.trimmed.IsZero() && now.Sub(l.trimmed).Abs() < trimEvery {
		return
	}
	l.trimmed = now
	allowed := l.idleTime()
	for c := range l.open {
		if since := c.idleSince.Load(); since != 0 && now.Sub(time.Unix(0, since)) > allowed {
			_ = c.SetReadDeadline(time.Unix(1, 0)) // the server waits for a request, sees this, and closes it
		}
	}
}

// idleTime returns how long a connection may be idle: idleTime while at most half of the limit is
// open, falling to leastIdleTime at nine tenths.
func (l *connections) idleTime() time.Duration {
	left := float64(l.total*9/10-len(l.open)) / float64(max(1, l.total*9/10-l.total/2))
	return leastIdleTime + time.Duration(min(max(left, 0), 1)*float64(idleTime-leastIdleTime))
}

// state tracks the state of a connection, for http.Server.ConnState.
func (l *connections) state(nc net.Conn, state http.ConnState) {
	c, ok := nc.(*conn)
	if !ok {
		return
	}
	switch state {
	case http.StateIdle:
		c.idleSince.Store(l.now().UnixNano())
	case http.StateActive:
		c.idleSince.Store(0)
	}
}

// counts returns how many connections of clients and of proxies are open.
func (l *connections) counts() (clients, proxies int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open) - l.byProxies, l.byProxies
}

type connKey struct{}

func withConn(ctx context.Context, nc net.Conn) context.Context {
	if c, ok := nc.(*conn); ok {
		return context.WithValue(kernel.WithConnection(ctx, c), connKey{}, c)
	}
	return ctx
}

// request updates what a connection counts as by its request, or returns why the request is
// rejected.
func (l *connections) request(c *conn, r *http.Request) (refused string) {
	if c.kind == isSpare {
		if isHealthCheck(r) {
			return ""
		}
		return refusedFull
	}
	if !c.proxy {
		return ""
	}
	kind := ofClient
	if forwards(r) {
		kind = ofProxy
	}
	if kind == c.kind {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case kind == ofProxy && l.byProxies >= l.proxied:
		return refusedProxies
	case kind == ofClient && l.perClient > 0 && l.byClient[c.client] >= l.perClient:
		return refusedClient
	}
	l.count(c, -1)
	c.kind = kind
	l.count(c, 1)
	return ""
}

func isHealthCheck(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		(r.URL.Path == "/healthz" || r.URL.Path == "/readyz")
}

// forwards reports whether a request has a forwarded client address.
func forwards(r *http.Request) bool {
	for _, list := range r.Header["X-Forwarded-For"] {
		for entry := range strings.SplitSeq(list, ",") {
			if _, err := netip.ParseAddr(strings.TrimSpace(entry)); err == nil {
				return true
			}
		}
	}
	return false
}
