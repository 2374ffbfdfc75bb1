package web_test

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/web"
)

// emptyStore has no orders.
type emptyStore struct{ market.Store }

func (emptyStore) Orders(context.Context, match.OrderQuery) (match.OrderPage, error) {
	return match.OrderPage{}, nil
}

// hall is a server whose connections a test opens by hand.
type hall struct {
	t     *testing.T
	url   string
	clock *clock
}

func openHall(t *testing.T, limits web.Limits, proxies ...string) *hall {
	t.Helper()
	h := &hall{t: t, clock: &clock{}}
	limits.Requests, limits.Share = 100_000, -1
	opts := web.Options{Limits: limits, Now: h.clock.now}
	for _, p := range proxies {
		opts.TrustedProxies = append(opts.TrustedProxies, netip.MustParsePrefix(p))
	}
	h.clock.forward(time.Hour)
	h.url = serveOnly(t, emptyStore{}, opts).URL
	return h
}

// opens opens a connection and has one request answered on it.
func (h *hall) opens(from string, headers ...string) *line {
	h.t.Helper()
	l := dial(h.t, h.url, from)
	l.gets("/api/orders", headers...).is(http.StatusOK)
	return l
}

func (l *line) gets(path string, headers ...string) *line {
	l.t.Helper()
	return l.sends(http.MethodGet, path, headers...)
}

// refused opens a connection that is answered with the status and closed.
func (h *hall) refused(status int, from string, headers ...string) {
	h.t.Helper()
	l := dial(h.t, h.url, from)
	// A client beyond its own limit is answered at once: what it sends afterwards would reset the connection. A
	// proxy's is known by its request.
	if status != http.StatusTooManyRequests || len(headers) > 0 {
		request := append([]string{"GET /api/orders HTTP/1.1", "Host: x"}, headers...)
		_, _ = io.WriteString(l, strings.Join(request, "\r\n")+"\r\n\r\n")
	}
	response := l.is(status)
	if response.Header.Get("Retry-After") == "" || !response.Close {
		h.t.Errorf("refused with %v, closes %t", response.Header, response.Close)
	}
}

// opensSoon opens a connection as soon as there is a place for it: a server learns a little later that one was closed.
func (h *hall) opensSoon(from string, headers ...string) *line {
	h.t.Helper()
	for {
		l := dial(h.t, h.url, from)
		l.gets("/api/orders", headers...)
		if response, err := http.ReadResponse(l.answers, nil); err == nil && response.StatusCode == http.StatusOK {
			_, _ = io.ReadAll(response.Body)
			return l
		}
		_ = l.Close()
		if h.t.Context().Err() != nil {
			h.t.Fatal("the place is not given again")
		}
	}
}

func TestConnectionsOfOneClientAreLimited(t *testing.T) {
	t.Parallel()
	h := openHall(t, web.Limits{Connections: 100, ConnectionsPerClient: 3})
	open := []*line{h.opens("127.0.0.2"), h.opens("127.0.0.2"), h.opens("127.0.0.2")}
	for range 5 {
		h.refused(http.StatusTooManyRequests, "127.0.0.2")
	}
	h.opens("127.0.0.3")
	open[1].gets("/api/orders").is(http.StatusOK)
	must(t, open[0].Close())
	h.opensSoon("127.0.0.2")
}

func TestConnectionsBeyondTheLimitAreRefusedUntilOneCloses(t *testing.T) {
	t.Parallel()
	h := openHall(t, web.Limits{Connections: 3, ConnectionsPerClient: -1})
	open := []*line{h.opens("127.0.0.2"), h.opens("127.0.0.3"), h.opens("127.0.0.4")}
	for range 5 {
		h.refused(http.StatusServiceUnavailable, "127.0.0.5")
	}
	open[1].gets("/api/orders").is(http.StatusOK)
	must(t, open[0].Close())
	h.opensSoon("127.0.0.5")
}

// checksHealth checks that a health check is answered and its connection closed. A server learns a little later that the ones before
// were closed, so its places for health checks may all be taken for a moment.
func (h *hall) checksHealth(path string) {
	h.t.Helper()
	for {
		l := dial(h.t, h.url, "127.0.0.9").gets(path)
		response, err := http.ReadResponse(l.answers, nil)
		if err == nil && response.StatusCode == http.StatusOK {
			_, _ = io.ReadAll(response.Body)
			if !response.Close {
				h.t.Error("a health check keeps its connection")
			}
			l.ends()
			return
		}
		_ = l.Close()
		if h.t.Context().Err() != nil {
			h.t.Fatal("the place is not given again")
		}
	}
}

func TestHealthChecksAreAnsweredWhileEveryConnectionIsTaken(t *testing.T) {
	t.Parallel()
	h := openHall(t, web.Limits{Connections: 2, ConnectionsPerClient: -1})
	h.opens("127.0.0.2")
	h.opens("127.0.0.3")
	for range 3 * 16 {
		for _, path := range []string{"/healthz", "/readyz"} {
			h.checksHealth(path)
		}
	}
	h.refused(http.StatusServiceUnavailable, "127.0.0.9")
}

func TestConnectionsOfAProxyAreItsClients(t *testing.T) {
	t.Parallel()
	const proxy, forwarded = "127.0.0.9", "X-Forwarded-For: 203.0.113.7"
	h := openHall(t, web.Limits{Connections: 20, ConnectionsPerClient: 2}, proxy+"/32")

	// Without a forwarded address they count like those of any client.
	first, second := h.opens(proxy), h.opens(proxy)
	h.refused(http.StatusTooManyRequests, proxy, "Accept: */*")
	h.refused(http.StatusTooManyRequests, proxy, "X-Forwarded-For: nonsense")
	// With one they do not, up to nine tenths of all.
	first.gets("/api/orders", forwarded).is(http.StatusOK)
	second.gets("/api/orders", forwarded).is(http.StatusOK)
	for range 18 - 2 {
		h.opensSoon(proxy, forwarded)
	}
	h.refused(http.StatusServiceUnavailable, proxy, forwarded)
	h.opens("127.0.0.2")
	// One that stops to forward is a client's again.
	first.gets("/api/orders").is(http.StatusOK)
	second.gets("/api/orders").is(http.StatusOK)
	third := h.opens(proxy, forwarded).gets("/api/orders")
	if !third.is(http.StatusTooManyRequests).Close {
		t.Error("a connection beyond the limit stays open")
	}
	third.ends()
	// Others cannot forward. The place of the one that was refused is given again a little later.
	h.opensSoon("127.0.0.2", forwarded)
	h.refused(http.StatusTooManyRequests, "127.0.0.2", forwarded)
}

func TestIdleConnectionsAreClosedSoonerAsTheyFillUp(t *testing.T) {
	t.Parallel()
	h := openHall(t, web.Limits{Connections: 10, ConnectionsPerClient: -1})
	few := []*line{h.opens("127.0.0.2"), h.opens("127.0.0.2"), h.opens("127.0.0.2")}
	h.clock.forward(time.Minute)
	must(t, h.opens("127.0.0.3").Close())
	for _, l := range few {
		l.gets("/api/orders").is(http.StatusOK) // there is room
	}
	var idle []*line
	for range 6 {
		idle = append(idle, h.opens("127.0.0.2"))
	}
	ended := make(chan struct{}, 9)
	for _, l := range append(few, idle...) {
		go func() {
			if rest, err := io.ReadAll(l.answers); err == nil && len(rest) == 0 { // an error is the end of the test
				ended <- struct{}{}
			}
		}()
	}
	for closed := 0; closed < 5; { // then there is room again
		h.clock.forward(6 * time.Second)
		l := dial(t, h.url, "127.0.0.3") // served or not: connections are looked at when one comes
		_ = l.Close()
		select {
		case <-ended:
			closed++
		default:
		}
	}
	h.opensSoon("127.0.0.3")
}
