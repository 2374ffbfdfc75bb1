package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/web"
)

// pastEveryDefault is longer than the deadline that huma sets on a connection when an operation names none (5 s), and shorter
// than a write may take.
const pastEveryDefault = 6 * time.Second

// oneConnection sends every request on the same connection, and says of each whether it was so.
type oneConnection struct {
	*http.Transport
	reused bool // was the connection of the last request
}

func (o *oneConnection) RoundTrip(r *http.Request) (*http.Response, error) {
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { o.reused = info.Reused }}
	return o.Transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
}

func TestAWriteThatTakesSixSecondsLeavesItsConnectionUsable(t *testing.T) {
	t.Parallel()
	for name, proxied := range map[string]bool{"direct": false, "through a proxy that keeps connections open": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s *site
			s = open(t, func(o *web.Options) {
				o.Ready = map[string]func(context.Context) error{"database": func(ctx context.Context) error { return s.store.Ping(ctx) }}
			})
			maple := s.signedIn("maple")
			address := maple.posts()

			conn := &oneConnection{Transport: &http.Transport{MaxConnsPerHost: 1}}
			t.Cleanup(conn.CloseIdleConnections)
			maple.client.Transport = conn
			if proxied {
				upstream, err := url.Parse(s.url)
				must(t, err)
				proxy := httputil.NewSingleHostReverseProxy(upstream)
				proxy.Transport = conn
				front := httptest.NewServer(proxy)
				t.Cleanup(front.Close)
				cookies := maple.client.Jar.Cookies(upstream)
				s.url = front.URL
				public, err := url.Parse(front.URL)
				must(t, err)
				maple.client.Jar.SetCookies(public, cookies)
				maple.client.Transport = http.DefaultTransport
			}
			maple.get("/api/me").wants(http.StatusOK)

			release := s.lockOrder(strings.TrimPrefix(address, "/api/orders/"))
			answer := make(chan *reply, 1)
			go func() { answer <- maple.patch(address, object{"version": 1, "quantity": 600}) }()
			s.waitForLock()
			time.Sleep(pastEveryDefault) // the time itself is what is tested
			release()
			(<-answer).wants(http.StatusOK)

			for range 2 {
				maple.get("/api/me").wants(http.StatusOK)
				if !conn.reused {
					t.Fatal("the next request was sent on another connection")
				}
				maple.patch(address, object{"version": 1}).wantsProblem(http.StatusConflict)
				maple.get("/readyz").wants(http.StatusOK)
			}
		})
	}
}

// lockOrder locks the row of an order, as a long transaction does.
func (s *site) lockOrder(id string) (release func()) {
	s.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.dsn)
	must(s.t, err)
	tx, err := conn.Begin(ctx)
	must(s.t, err)
	var locked int64
	must(s.t, tx.QueryRow(ctx, "select id from orders where id = $1::bigint for update", id).Scan(&locked))
	s.t.Cleanup(func() { _ = conn.Close(ctx) })
	return func() { must(s.t, tx.Rollback(ctx)) }
}

// waitForLock returns once a statement waits for a lock.
func (s *site) waitForLock() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.dsn)
	must(s.t, err)
	defer conn.Close(context.Background())
	for waits := false; !waits; {
		must(s.t, conn.QueryRow(ctx, `select exists (select from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock') from pg_sleep(0.01)`).Scan(&waits))
	}
}

func TestAnEndThatIsNotTheClientsIsAFailureOfOurs(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]error{"cancelled": context.Canceled, "too slow": context.DeadlineExceeded} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := &log{}
			server := serveOnly(t, failingStore{err: cause}, web.Options{Log: textLog(log)})
			r := (&site{t: t, url: server.URL}).visitor().get("/api/orders")
			r.wantsProblem(http.StatusServiceUnavailable)
			r.retryAfter(t)
			if logged := log.String(); !strings.Contains(logged, "level=ERROR") || !strings.Contains(logged, "status=503") {
				t.Errorf("logged %s", logged)
			}
		})
	}
}

func TestAClientThatLeavesIsLoggedAs499(t *testing.T) {
	t.Parallel()
	log := &log{}
	store := patientStore{arrived: make(chan struct{}), left: make(chan struct{})}
	server := serveOnly(t, store, web.Options{Log: textLog(log)})
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/orders?q=iron", nil)
	must(t, err)
	go func() {
		<-store.arrived
		leave()
	}()
	if response, err := http.DefaultClient.Do(request); err == nil {
		response.Body.Close()
		t.Fatalf("answered %s", response.Status)
	}
	<-store.left
	server.Close() // waits for the request to be logged
	if logged := log.String(); !strings.Contains(logged, "level=INFO") || !strings.Contains(logged, "status=499") {
		t.Errorf("logged %s", logged)
	}
}

// patientStore lists nothing before the request is cancelled.
type patientStore struct {
	manyMatches
	arrived, left chan struct{}
}

func (m patientStore) Orders(ctx context.Context, _ match.OrderQuery) (match.OrderPage, error) {
	close(m.arrived)
	<-ctx.Done()
	close(m.left)
	return match.OrderPage{}, ctx.Err()
}

// serveOnly serves a market on a double of the store, without a database.
func serveOnly(t *testing.T, store market.Store, opts web.Options) *httptest.Server {
	t.Helper()
	opts.PublicURL, opts.Sessions = "http://trade.example", noSessions{}
	if opts.Log == nil {
		opts.Log = silence
	}
	door, err := web.New(marketOn(store, opts), opts)
	must(t, err)
	server := httptest.NewUnstartedServer(nil)
	server.Config = door.HTTP(context.Background())
	server.Listener = door.Listener(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	return server
}
