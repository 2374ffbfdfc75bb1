package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/web"
)

func TestOneClientHoldsAShareOfTheSlots(t *testing.T) {
	t.Parallel()
	stuck := &stuckStore{arrived: make(chan struct{}, 8), release: make(chan struct{})}
	opts := web.Options{Limits: web.Limits{InFlight: 100, Share: 2}}
	behindAProxy(&opts)
	server := serveOnly(t, stuck, opts)
	s := &site{t: t, url: server.URL}
	ask := func(from string, n int) *reply {
		return s.visitor().get(fmt.Sprint("/api/orders?q=", n), "X-Forwarded-For", from)
	}
	answers := make(chan *reply, 3)
	for n := range 2 {
		go func() { answers <- ask("203.0.113.7", n) }()
		<-stuck.arrived
	}
	refused := ask("203.0.113.7", 2)
	refused.wantsProblem(http.StatusTooManyRequests)
	refused.retryAfter(t)
	go func() { answers <- ask("203.0.113.8", 3) }()
	<-stuck.arrived // another client finds a place
	close(stuck.release)
	for range 3 {
		(<-answers).wants(http.StatusOK)
	}
	go func() { answers <- ask("203.0.113.7", 4) }()
	<-stuck.arrived
	(<-answers).wants(http.StatusOK)
}

func TestAClientWithManyRejectionsLosesItsConnection(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{Requests: 3}))
	l := dial(t, s.url, "127.0.0.1")
	for range 3 {
		l.gets("/api/orders").is(http.StatusOK)
	}
	for range 5 {
		if l.gets("/api/orders").is(http.StatusTooManyRequests).Close {
			t.Fatal("the connection is closed too early")
		}
	}
	if !l.gets("/api/orders").is(http.StatusTooManyRequests).Close {
		t.Error("the connection stays open")
	}
	l.ends()
	if !dial(t, s.url, "127.0.0.1").gets("/").is(http.StatusTooManyRequests).Close {
		t.Error("the next connection stays open")
	}
}

func TestRejectionsAreSampledInTheLog(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{Requests: 1}))
	visitor := s.visitor()
	visitor.get("/api/orders").wants(http.StatusOK)
	for range 50 {
		visitor.get("/api/orders").wantsProblem(http.StatusTooManyRequests)
	}
	if n := strings.Count(s.log.String(), "status=429"); n != 1 {
		t.Errorf("%d rejections are logged within a moment", n)
	}
	s.clock.forward(time.Second)
	visitor.get("/healthz").wants(http.StatusOK)
	if !strings.Contains(s.log.String(), `msg="requests refused" suppressed=49`) {
		t.Error("the log does not say how many were not logged")
	}
	s.clock.forward(time.Second)
	for range 10 {
		visitor.get("/").wants(http.StatusTooManyRequests)
	}
	s.clock.forward(time.Second)
	visitor.get("/").wants(http.StatusTooManyRequests)
	if n := strings.Count(s.log.String(), "suppressed="); n != 2 || !strings.Contains(s.log.String(), "suppressed=9") {
		t.Errorf("the log counts %d times what it does not hold:\n%s", n, s.log)
	}
}

func TestUnknownAddressesAndMethodsCountAgainstTheLimit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		method, path string
		status       int
	}{
		"wrong method on the page":    {http.MethodDelete, "/", http.StatusMethodNotAllowed},
		"wrong method on readiness":   {http.MethodPost, "/readyz", http.StatusMethodNotAllowed},
		"wrong method on the API":     {http.MethodDelete, "/api/orders", http.StatusMethodNotAllowed},
		"a method that there is not":  {"BREW", "/api/orders", http.StatusMethodNotAllowed},
		"unknown address on the page": {http.MethodGet, "/wp-login.php", http.StatusNotFound},
		"unknown address of the API":  {http.MethodGet, "/api/nothing", http.StatusNotFound},
		"unknown asset":               {http.MethodGet, "/assets/nothing.js", http.StatusNotFound},
		"written to an asset":         {http.MethodPost, "/assets/app-1a2b.js", http.StatusMethodNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, limitedTo(web.Limits{Requests: 3}))
			for range 3 {
				s.visitor().do(tt.method, tt.path, nil).wants(tt.status)
			}
			s.visitor().do(tt.method, tt.path, nil).wants(http.StatusTooManyRequests)
		})
	}
}

func TestStaticFilesAreOutsideOfTheLimit(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{Requests: 2}))
	for range 20 {
		s.visitor().get("/assets/app-1a2b.js").wants(http.StatusOK)
		s.visitor().get("/theme.js").wants(http.StatusOK)
	}
	s.visitor().get("/").wants(http.StatusOK)
	s.visitor().get("/api/orders").wants(http.StatusOK)
	s.visitor().get("/").wants(http.StatusTooManyRequests)
	s.visitor().get("/assets/app-1a2b.js").wants(http.StatusOK)
}

func TestARejectedPageLoadGetsAPage(t *testing.T) {
	t.Parallel()
	const browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	s := open(t, limitedTo(web.Limits{Requests: 1}))
	s.visitor().get("/").wants(http.StatusOK)
	for _, path := range []string{"/", "/requests/1", "/mine", "/nothing", "/auth/discord"} {
		r := s.visitor().get(path, "Accept", browsers).wants(http.StatusTooManyRequests)
		r.retryAfter(t)
		if got := r.header.Get("Content-Type"); got != "text/html; charset=utf-8" || !strings.Contains(string(r.body), "<h1>Please wait a moment</h1>") {
			t.Errorf("%s is refused as %s: %s", path, got, r.body)
		}
		if r.header.Get("Content-Security-Policy") == "" || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s is refused with %v", path, r.header)
		}
	}
	s.visitor().get("/api/orders", "Accept", browsers).wantsProblem(http.StatusTooManyRequests)
}

func TestReadinessIsCachedForASecond(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	var stopping atomic.Bool
	begun, release := make(chan struct{}, 100), make(chan struct{})
	s := open(t, func(o *web.Options) {
		o.Stopping = stopping.Load
		o.Ready = map[string]func(context.Context) error{"database": func(context.Context) error {
			asked.Add(1)
			begun <- struct{}{}
			<-release
			return nil
		}}
	})
	var probes sync.WaitGroup
	for range 8 {
		probes.Go(func() { s.visitor().get("/readyz").wants(http.StatusOK) })
	}
	<-begun
	close(release)
	probes.Wait()
	for range 20 {
		s.visitor().get("/readyz").wants(http.StatusOK)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the database was asked %d times within a second", n)
	}
	s.clock.forward(time.Second)
	s.visitor().get("/readyz").wants(http.StatusOK)
	if n := asked.Load(); n != 2 {
		t.Errorf("a second later the database was asked %d times in all", n)
	}
	stopping.Store(true) // load balancers see it without delay
	r := s.visitor().get("/readyz").wants(http.StatusServiceUnavailable).json()
	if checks := r["checks"].(object); checks["program"] != "failed" || checks["database"] != "ok" {
		t.Errorf("a program that stops says %v", r)
	}
}

func TestPicturesDrawnForOneClientAreLimited(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{Pictures: 2}))
	maple := s.signedIn("maple")
	var pictures []string
	for range 3 {
		pictures = append(pictures, strings.TrimPrefix(maple.posts(), "/api/orders")+"/card.png")
	}
	get := func(i int) *reply { return s.visitor().get("/requests" + pictures[i]) }
	get(0).wants(http.StatusOK)
	get(1).wants(http.StatusOK)
	r := get(2)
	r.wantsProblem(http.StatusTooManyRequests)
	r.retryAfter(t)
	for range 5 { // what is drawn already costs nothing
		get(0).wants(http.StatusOK)
	}
}

func TestHeadHoldsNoStream(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{Streams: 1}))
	for range 3 {
		r := s.visitor().do(http.MethodHead, "/api/events", nil).wants(http.StatusOK)
		if r.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("answered with %v", r.header)
		}
	}
	if n := s.hub.Subscribers(); n != 0 {
		t.Errorf("%d streams are held", n)
	}
	s.visitor().listens()
}

// A deadline that something leaves on a connection cancels its requests. That is no client that left.
func TestADeadlineLeftOnAConnectionIsAServerError(t *testing.T) {
	t.Parallel()
	log := &log{}
	store := patientStore{arrived: make(chan struct{}), left: make(chan struct{})}
	opts := web.Options{PublicURL: "http://trade.example", Sessions: noSessions{}, Log: textLog(log)}
	door, err := web.New(marketOn(store, opts), opts)
	must(t, err)
	server := httptest.NewUnstartedServer(nil)
	server.Config = door.HTTP(context.Background())
	answer := server.Config.Handler
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		must(t, http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Millisecond)))
		answer.ServeHTTP(w, r)
	})
	server.Listener = door.Listener(server.Listener)
	server.Start()
	defer server.Close()
	l := dial(t, server.URL, "127.0.0.1")
	if !l.gets("/api/orders?q=iron").is(http.StatusServiceUnavailable).Close {
		t.Error("the connection stays open and cancels the next request")
	}
	l.ends()
	if logged := log.String(); !strings.Contains(logged, "status=503") || !strings.Contains(logged, "level=ERROR") {
		t.Errorf("logged %s", logged)
	}
}
