package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core/coretest"
)

// balancer is a load balancer as hosts have one: it asks each page whether it is ready, sends requests in turn to those that
// are, and sends one on to another page only when its connection was refused, so that nothing of it had been sent.
type balancer struct {
	url   string
	pages []*page
	turn  atomic.Uint64

	mu     sync.Mutex
	failed []error
}

// page is a program with a page behind a balancer.
type page struct {
	address string
	ready   atomic.Bool
	through *http.Transport
}

// checkEvery is how often a balancer asks a page whether it is ready.
const checkEvery = 100 * time.Millisecond

func newBalancer(t *testing.T, addresses ...string) *balancer {
	b := &balancer{}
	ctx, stop := context.WithCancel(t.Context())
	var checks sync.WaitGroup
	for _, address := range addresses {
		p := &page{address: address, through: &http.Transport{MaxIdleConnsPerHost: 16}}
		b.pages = append(b.pages, p)
		checks.Go(func() { p.check(ctx) })
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.Host = "http", r.In.Host
			r.SetXForwarded()
		},
		Transport: b,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil { // else the client has gone
				b.fails(fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err))
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	server := httptest.NewServer(proxy)
	b.url = server.URL
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		stop()
		checks.Wait()
		for _, p := range b.pages {
			p.through.CloseIdleConnections()
		}
	})
	return b
}

func (b *balancer) fails(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = append(b.failed, err)
}

func (b *balancer) failures() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return errors.Join(b.failed...)
}

// check asks a page whether it is ready, again and again.
func (p *page) check(ctx context.Context) {
	client := &http.Client{Timeout: coretest.Patience(3 * time.Second), Transport: &http.Transport{DisableKeepAlives: true}}
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		resp, err := client.Get("http://" + p.address + "/readyz")
		if err == nil {
			_ = resp.Body.Close()
		}
		p.ready.Store(err == nil && resp.StatusCode == http.StatusOK)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// RoundTrip sends a request to a page that is ready.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	ready := slices.DeleteFunc(slices.Clone(b.pages), func(p *page) bool { return !p.ready.Load() })
	if len(ready) == 0 {
		return nil, errors.New("no page is ready")
	}
	first := int(b.turn.Add(1) % uint64(len(ready)))
	var refused error
	for _, p := range slices.Concat(ready[first:], ready[:first]) {
		sent := 0
		ctx := httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent++ }})
		out := r.Clone(ctx)
		out.URL.Host = p.address
		if body != nil {
			out.Body = io.NopCloser(bytes.NewReader(body))
		}
		resp, err := p.through.RoundTrip(out)
		if sent > 1 { // Go retries some requests by itself; other balancers do not
			b.fails(fmt.Errorf("%s %s was cut off on a connection that had been kept open", r.Method, r.URL.Path))
		}
		if failed, dialled := errors.AsType[*net.OpError](err); dialled && failed.Op == "dial" {
			refused = err
			continue
		}
		if err == nil && resp.StatusCode >= http.StatusInternalServerError {
			b.fails(fmt.Errorf("%s %s: %s", r.Method, r.URL.Path, resp.Status))
		}
		return resp, err
	}
	return nil, refused
}

// replica is one of several programs on one database. It can be started again at the same addresses.
type replica struct {
	host    *host
	args    []string
	address string // of the page; empty for a bot
	metrics string
	running *served
}

func (r *replica) start() { r.running = r.host.serve(r.args...) }

// stop asks it to end and says how long that took.
func (r *replica) stop(t *testing.T) time.Duration {
	t.Helper()
	asked := time.Now()
	r.running.end(t)
	return time.Since(asked)
}

// gateway is the state of a bot's connection to Discord, from its metrics.
func (r *replica) gateway() string {
	resp, err := http.Get("http://" + r.metrics + "/metrics")
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	for _, state := range []string{"ready", "waiting"} {
		if strings.Contains(string(text), `tradepost_discord_gateway{state="`+state+`"} 1`) {
			return state
		}
	}
	return ""
}
