package discord

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// link is one session of the library with what it does not offer: access to the connection below, the
// address at which it can be resumed, and signals instead of waiting.
type link struct {
	session   *discordgo.Session
	isReady   chan struct{}
	dropped   chan struct{}
	lastEvent atomic.Int64 // nanoseconds since 1970

	again time.Duration // see Gateway.Again
	tls   *tls.Config
	proxy func(*http.Request) (*url.URL, error)

	stuck time.Time // since when the library has locked the session; zero when it has not

	mu       sync.Mutex
	conn     net.Conn
	resumeAt *url.URL
}

// open connects and waits until Discord reports that it is ready. The library's own Open has no time limit
// and can deadlock, so it runs in its own goroutine, and its connection is closed after the limit.
func (l *link) open(ctx context.Context, limit time.Duration) error {
	drain(l.isReady)
	drain(l.dropped)
	l.lastEvent.Store(time.Now().UnixNano())
	timer := time.NewTimer(limit)
	defer timer.Stop()
	opened := make(chan error, 1)
	go func() { opened <- l.session.Open() }()
	select {
	case err := <-opened:
		if errors.Is(err, discordgo.ErrWSAlreadyOpen) {
			return nil // the close that brought us here had been reported twice
		}
		if err != nil {
			l.forgetAddress()
			return err
		}
	case <-timer.C:
		l.cut()
		return errStuck
	case <-ctx.Done():
		l.cut()
		return ctx.Err()
	}
	// A rejected session makes Open return before READY.
	select {
	case <-l.isReady:
		return nil
	case <-l.dropped:
		return errDropped
	case <-timer.C:
		l.close(closeUnknownError)
		return errStuck
	case <-ctx.Done():
		l.close(websocket.CloseNormalClosure)
		return ctx.Err()
	}
}

// resumable reports whether the session is worth another try after open failed.
func (l *link) resumable(err error) bool {
	var closed *websocket.CloseError
	switch {
	case errors.Is(err, errStuck), errors.Is(err, context.Canceled):
		return false
	case errors.As(err, &closed):
		return closed.Code != closeInvalidSeq && closed.Code != closeSessionExpired
	}
	return true
}

// close ends the connection. The library takes a second for it, and blocks when the other side no
// longer reads.
func (l *link) close(code int) {
	l.mu.Lock()
	conn := l.conn
	l.mu.Unlock()
	if conn != nil {
		_ = conn.SetDeadline(time.Now().Add(3 * time.Second)) // a closed connection needs no deadline
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = l.session.CloseWithCode(code) // what it cannot close is cut
	}()
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
	}
	l.cut()
}

func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		_ = l.conn.Close() // it may be closed already
	}
}

// lastAck is when Discord last acknowledged a heartbeat. While the library has locked the session it
// returns the present, and after ten seconds of that the zero time.
func (l *link) lastAck() time.Time {
	now := time.Now()
	if l.session.TryRLock() {
		defer l.session.RUnlock()
		l.stuck = time.Time{}
		return l.session.LastHeartbeatAck
	}
	if l.stuck.IsZero() {
		l.stuck = now
	}
	if now.Sub(l.stuck) > 10*time.Second {
		l.cut()
		return time.Time{}
	}
	return now
}

// dialer connects the library through a frameConn.
func (l *link) dialer(log *slog.Logger) *websocket.Dialer {
	plain := &net.Dialer{Timeout: 10 * time.Second}
	var secure *tls.Config // of the connection that is being made; there is one at a time
	return &websocket.Dialer{
		HandshakeTimeout: 10 * time.Second,
		NetDialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := plain.DialContext(ctx, network, addr)
			l.mu.Lock()
			defer l.mu.Unlock()
			l.conn = conn
			if err != nil {
				return nil, err
			}
			return &frameConn{Conn: conn, tls: secure, log: log, again: l.again}, nil
		},
		// The library knows one address; this is the place where it can be sent to the one for resuming.
		// The frameConn does the TLS of an https address, so the websocket library must see http.
		Proxy: func(r *http.Request) (*url.URL, error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			if to := l.resumeAt; to != nil {
				r.URL.Scheme, r.URL.Host, r.Host = to.Scheme, to.Host, to.Host
			}
			proxy, err := l.proxy(r)
			secure = nil
			if r.URL.Scheme == "https" {
				secure = l.tls.Clone()
				secure.ServerName = r.URL.Hostname()
				if r.URL.Port() == "" {
					r.URL.Host = net.JoinHostPort(r.URL.Hostname(), "443")
				}
				r.URL.Scheme = "http"
			}
			return proxy, err
		},
	}
}

// rememberAddress stores the address for resuming the session, from READY.
func (l *link) rememberAddress(ready json.RawMessage) {
	var said struct {
		ResumeGatewayURL string `json:"resume_gateway_url"`
	}
	if json.Unmarshal(ready, &said) != nil {
		return
	}
	to, err := url.Parse(said.ResumeGatewayURL)
	if err != nil || to.Host == "" {
		return
	}
	switch to.Scheme {
	case "wss":
		to.Scheme = "https"
	case "ws":
		to.Scheme = "http"
	default:
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resumeAt = to
}

func (l *link) forgetAddress() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resumeAt = nil
}
