package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/web"
)

// retryAfter checks that a response has a Retry-After.
func (r *reply) retryAfter(t *testing.T) {
	t.Helper()
	if seconds, err := strconv.Atoi(r.header.Get("Retry-After")); err != nil || seconds < 1 {
		t.Errorf("%s is refused without saying for how long: %q", r.asked, r.header.Get("Retry-After"))
	}
}

func behindAProxy(o *web.Options) {
	o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

func limitedTo(l web.Limits) func(*web.Options) { return func(o *web.Options) { o.Limits = l } }

func TestVisitorsOffersFromOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{VisitorOffers: 3}))
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts()
	for range 3 {
		s.visitor().offers(address)
	}
	for name, headers := range map[string][]string{
		"from the same address":              {},
		"with a forged X-Forwarded-For":      {"X-Forwarded-For", "203.0.113.7"},
		"with several forged ones":           {"X-Forwarded-For", "203.0.113.8, 203.0.113.9"},
		"with a forged X-Real-IP":            {"X-Real-IP", "203.0.113.7"},
		"with a forged True-Client-IP":       {"True-Client-IP", "203.0.113.7"},
		"with a forged Forwarded":            {"Forwarded", "for=203.0.113.7"},
		"with a forged CF-Connecting-IP":     {"CF-Connecting-IP", "203.0.113.7"},
		"with a key of its own":              {"Idempotency-Key", "another"},
		"with a cookie of its own invention": {"Cookie", "session=abc"},
	} {
		s.run(name, func(t *testing.T) {
			r := s.visitor().post(address+"/offers", offer(), headers...)
			r.wantsProblem(http.StatusTooManyRequests)
			r.retryAfter(t)
		})
	}
	rowan.offers(address) // who signs in is not held back by others at the same address
	if list := maple.get(address + "/offers").json(); list["total"] != 4.0 {
		t.Errorf("%v offers are open, want 4", list["total"])
	}
}

func TestVisitorsBehindATrustedProxyAreSeparateClients(t *testing.T) {
	t.Parallel()
	s := open(t, behindAProxy, limitedTo(web.Limits{VisitorOffers: 1}))
	address := s.signedIn("maple").posts()
	from := func(forwarded string) *reply {
		return s.visitor().post(address+"/offers", offer(), "X-Forwarded-For", forwarded)
	}
	from("203.0.113.7").wants(http.StatusCreated)
	from("203.0.113.8").wants(http.StatusCreated)
	from("203.0.113.7").wantsProblem(http.StatusTooManyRequests)
	// What the client has put in front of what the proxy adds is not believed.
	from("198.51.100.1, 203.0.113.7").wantsProblem(http.StatusTooManyRequests)
	from("::ffff:203.0.113.7").wantsProblem(http.StatusTooManyRequests)
	from("203.0.113.7, 127.0.0.1").wantsProblem(http.StatusTooManyRequests)
	// An IPv6 network of 64 bits is one client.
	from("2001:db8:1:2::1").wants(http.StatusCreated)
	for _, neighbour := range []string{"2001:db8:1:2::2", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:0db8:0001:0002:0:0:0:9", "2001:db8:1:2::3%eth0"} {
		from(neighbour).wantsProblem(http.StatusTooManyRequests)
	}
	from("2001:db8:1:3::1").wants(http.StatusCreated)
	// Clients without a valid address share one limit.
	from("nonsense").wants(http.StatusCreated)
	from("other nonsense").wantsProblem(http.StatusTooManyRequests)
}

func TestRequestsOfOneClientAreLimited(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		limits web.Limits
		ask    func(*browser) *reply
	}{
		"reading":    {web.Limits{Requests: 5}, func(b *browser) *reply { return b.get("/api/orders") }},
		"writing":    {web.Limits{Writes: 5}, func(b *browser) *reply { return b.post("/api/orders", another()) }},
		"signing in": {web.Limits{SignIns: 5}, func(b *browser) *reply { return b.get("/auth/discord") }},
		"the page":   {web.Limits{Requests: 5}, func(b *browser) *reply { return b.get("/") }},
		"pictures":   {web.Limits{Requests: 5}, func(b *browser) *reply { return b.get("/requests/1/card.png") }},
		"many addresses": {web.Limits{Requests: 5}, func() func(*browser) *reply {
			n := 0
			return func(b *browser) *reply { n++; return b.get(fmt.Sprintf("/api/orders/%d", n)) }
		}()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, limitedTo(tt.limits))
			b := s.visitor()
			for i := range 5 {
				if r := tt.ask(b); r.status == http.StatusTooManyRequests {
					t.Fatalf("request %d was refused", i+1)
				}
			}
			r := tt.ask(b)
			r.wantsProblem(http.StatusTooManyRequests)
			r.retryAfter(t)
			b.get("/healthz").wants(http.StatusOK)
		})
	}
}

func TestRequestsBeyondTheLimitInFlightAreRejected(t *testing.T) {
	t.Parallel()
	stuck := &stuckStore{arrived: make(chan struct{}, 8), release: make(chan struct{})}
	opts := web.Options{
		PublicURL: "http://trade.example", Sessions: noSessions{}, Log: silence,
		Limits: web.Limits{InFlight: 2},
	}
	door, err := web.New(marketOn(stuck, opts), opts)
	must(t, err)
	server := httptest.NewServer(door)
	defer server.Close()
	s := &site{t: t, url: server.URL}
	answers := make(chan *reply, 2)
	for range 2 {
		go func() { answers <- s.visitor().get("/api/orders") }()
		<-stuck.arrived
	}
	turned := s.visitor().get("/api/orders")
	turned.wantsProblem(http.StatusServiceUnavailable)
	turned.retryAfter(t)
	s.visitor().get("/healthz").wants(http.StatusOK)
	close(stuck.release)
	for range 2 {
		(<-answers).wants(http.StatusOK)
	}
	s.visitor().get("/api/orders").wants(http.StatusOK)
}

func TestHeadersProtectEveryAnswer(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.PublicURL = "https://trade.example" })
	for _, path := range []string{"/", "/api/orders", "/api/nothing", "/requests/1", "/assets/app-1a2b.js", "/assets/nothing.js", "/healthz", "/auth/discord", "/api/openapi.json", "/nothing"} {
		h := s.visitor().get(path).header
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Strict-Transport-Security": "max-age=31536000",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %s = %q, want %q", path, name, h.Get(name), want)
			}
		}
		policy := h.Get("Content-Security-Policy")
		for _, directive := range []string{"default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, directive) {
				t.Errorf("%s: the policy lacks %s", path, directive)
			}
		}
		if strings.Contains(strings.SplitN(policy, "style-src", 2)[0], "unsafe") || strings.Contains(policy, "unsafe-eval") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: the policy lets scripts in: %s", path, policy)
		}
		if len(h.Get("X-Request-Id")) != 16 || h.Get("Permissions-Policy") == "" {
			t.Errorf("%s: request id %q, permissions %q", path, h.Get("X-Request-Id"), h.Get("Permissions-Policy"))
		}
		if h.Get("Access-Control-Allow-Origin") != "" || h.Get("Server") != "" || h.Get("X-Powered-By") != "" {
			t.Errorf("%s: tells too much: %v", path, h)
		}
	}
	if id := s.visitor().get("/healthz", "X-Request-Id", "forged").header.Get("X-Request-Id"); strings.Contains(id, "forged") {
		t.Errorf("a client names its own requests: %q", id)
	}
}

func TestInvalidPublicURLs(t *testing.T) {
	t.Parallel()
	for _, public := range []string{"", "trade.example", "//trade.example", "ftp://trade.example", "https://", "https://trade.example/market", "https://user:secret@trade.example", "https://trade.example?x", "https://trade.example#x", "http://[::1"} {
		if _, err := web.New(nil, web.Options{PublicURL: public, Sessions: noSessions{}}); err == nil {
			t.Errorf("%q passes for a public URL", public)
		}
	}
	if _, err := web.New(nil, web.Options{PublicURL: "https://trade.example/"}); err == nil {
		t.Error("a server starts without sessions")
	}
}

func TestHeadersThatAreTooLarge(t *testing.T) {
	t.Parallel()
	s := open(t)
	if r := s.visitor().get("/api/orders", "X-Junk", strings.Repeat("x", 64<<10)); r.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("answered %d", r.status)
	}
	if r := s.visitor().get("/api/orders?q=" + strings.Repeat("x", 64<<10)); r.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("answered %d", r.status)
	}
}

func TestHundredsOfOffersOnOneRequest(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()
	for i := range 300 {
		r := visitor.post(address+"/offers", offer())
		if i < core.LimitVisitorsHere.Limit {
			r.wants(http.StatusCreated)
			continue
		}
		r.wantsProblem(http.StatusTooManyRequests)
		r.retryAfter(t)
	}
	visitor.offers(maple.posts()) // on another request
	s.signedIn("rowan.ashdown").offers(address)
	list := maple.get(address + "/offers").wants(http.StatusOK).json()
	if list["total"] != float64(core.LimitVisitorsHere.Limit+1) {
		t.Errorf("%v offers are listed", list["total"])
	}
	first := list["offers"].([]any)[5].(object)["id"].(float64)
	maple.delete(fmt.Sprintf("/api/offers/%d", int(first))).wants(http.StatusNoContent)
	visitor.offers(address) // once one is gone
}

func TestChangesOfOneUserAreLimitedFromHoweverManyAddresses(t *testing.T) {
	t.Parallel()
	s := open(t, behindAProxy, limitedTo(web.Limits{Writes: 5}))
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	for i := range 5 {
		maple.post("/api/orders", another(), "X-Forwarded-For", fmt.Sprint("203.0.113.", i)).wants(http.StatusCreated)
	}
	r := maple.post("/api/orders", another(), "X-Forwarded-For", "203.0.113.9")
	r.wantsProblem(http.StatusTooManyRequests)
	r.retryAfter(t)
	maple.get("/api/me", "X-Forwarded-For", "203.0.113.9").wants(http.StatusOK)
	rowan.post("/api/orders", order(), "X-Forwarded-For", "203.0.113.10").wants(http.StatusCreated)
	maple.post("/auth/sign-out", nil, "X-Forwarded-For", "203.0.113.9").wants(http.StatusNoContent)
}
