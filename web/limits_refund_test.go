package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/sql/postgres"
	"tradepost/web"
)

// unluckyStore fails the next writes of visitors, as a database does that is away.
type unluckyStore struct {
	*postgres.Store
	fails atomic.Int32
}

func (m *unluckyStore) Atomically(ctx context.Context, do func(market.Tx) error) error {
	return m.Store.Atomically(ctx, func(tx market.Tx) error { return do(unluckyTx{tx, m}) })
}

// unluckyTx fails where an offer or a report begins. Whether a key was taken can be found out even so.
type unluckyTx struct {
	market.Tx
	store *unluckyStore
}

func (tx unluckyTx) LockOrder(ctx context.Context, id core.OrderID) (trade.Order, error) {
	if tx.store.fails.Add(-1) < 0 {
		return tx.Tx.LockOrder(ctx, id)
	}
	return trade.Order{}, core.NewUnavailable(core.Text{Plain: "The market cannot be reached just now."})
}

// unlucky is a site beside another, on the same database, whose writes can be made to fail.
func (s *site) unlucky(limits web.Limits, shared ...web.SharedLimits) (*site, *unluckyStore) {
	s.t.Helper()
	m := &unluckyStore{Store: s.store}
	opts := web.Options{PublicURL: s.url, Sessions: s.store.Sessions(), Dist: page, Now: s.clock.now, Log: silence, Limits: limits}
	if len(shared) > 0 {
		opts.Shared = shared[0]
	}
	door, err := web.New(s.marketOn(m, core.Quotas{}), opts)
	must(s.t, err)
	server := httptest.NewServer(door)
	s.t.Cleanup(server.Close)
	other := *s
	other.url = server.URL
	return &other, m
}

// spentOn are the writes of visitors that limits hold back, at most twice. A network reports a request once, so each write is about
// a request of its own.
var spentOn = map[string]struct {
	limits web.Limits
	path   string
	body   func(n int) any
	status int
}{
	"offers": {
		web.Limits{VisitorOffers: 2}, "/offers", func(n int) any { return offer(object{"quantityOffered": n + 1}) }, http.StatusCreated,
	},
	"reports": {
		web.Limits{VisitorReports: 2}, "/report", func(n int) any { return object{"reason": fmt.Sprint("no such item ", n)} }, http.StatusNoContent,
	},
	"writes": {
		web.Limits{Writes: 2}, "/offers", func(n int) any { return offer(object{"quantityOffered": n + 1}) }, http.StatusCreated,
	},
}

// postsThree returns the addresses below three requests.
func (s *site) postsThree(path string) (paths [3]string) {
	maple := s.signedIn("maple")
	for i := range paths {
		paths[i] = maple.posts(object{"description": fmt.Sprint("lot ", i)}) + path
	}
	return paths
}

func keyNumber(n int) string { return fmt.Sprintf("0c9f1c2e-6c0b-4f0a-9a53-%012d", n) }

func TestOurFailuresDoNotCountAgainstLimits(t *testing.T) {
	t.Parallel()
	for name, tt := range spentOn {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			paths := s.postsThree(tt.path)
			unlucky, store := s.unlucky(tt.limits)
			visitor := unlucky.visitor()
			send := func(n int) *reply { return visitor.post(paths[n], tt.body(n), "Idempotency-Key", keyNumber(n)) }
			store.fails.Store(5)
			for range 5 {
				send(0).wantsProblem(http.StatusServiceUnavailable)
			}
			store.fails.Store(0)
			send(0).wants(tt.status)
			send(1).wants(tt.status)
			send(2).wantsProblem(http.StatusTooManyRequests)
		})
	}
}

func TestRetriesUnderAKnownKeyDoNotCountAgainstLimits(t *testing.T) {
	t.Parallel()
	for name, tt := range spentOn {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			paths := s.postsThree(tt.path)
			unlucky, _ := s.unlucky(tt.limits)
			visitor := unlucky.visitor()
			send := func(n int) *reply { return visitor.post(paths[n], tt.body(n), "Idempotency-Key", keyNumber(n)) }
			send(0).wants(tt.status)
			for range 5 {
				send(0).wants(tt.status)
			}
			send(1).wants(tt.status)
			if name != "writes" { // of those, a repeat beyond the limit waits for the next minute
				send(0).wants(tt.status)
				send(1).wants(tt.status)
			}
			send(2).wantsProblem(http.StatusTooManyRequests)
		})
	}
}

func TestManyOffersAtOnceDoNotPassTheLimit(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{VisitorOffers: 3}))
	maple := s.signedIn("maple")
	address := maple.posts()
	var sent sync.WaitGroup
	for n := range 20 {
		sent.Go(func() { s.visitor().post(address+"/offers", offer(), "Idempotency-Key", keyNumber(n)) })
	}
	sent.Wait()
	if list := maple.get(address + "/offers").json(); list["total"] != 3.0 {
		t.Errorf("%v offers are open, want 3", list["total"])
	}
}

func TestAVisitorsRetryFromAnotherAddressIsTheSameOffer(t *testing.T) {
	t.Parallel()
	s := open(t, behindAProxy, limitedTo(web.Limits{VisitorOffers: 1}))
	maple := s.signedIn("maple")
	address := maple.posts()
	from := func(ip, key string) *reply {
		return s.visitor().post(address+"/offers", offer(), "X-Forwarded-For", ip, "Idempotency-Key", key)
	}
	first := from("203.0.113.7", keyNumber(1)).wants(http.StatusCreated).json()
	second := from("2001:db8:1:2::1", keyNumber(1)).wants(http.StatusCreated).json()
	if fmt.Sprint(first["offer"]) != fmt.Sprint(second["offer"]) { // each has a link of its own
		t.Errorf("answered %v, then %v", first, second)
	}
	from("2001:db8:1:2::1", keyNumber(2)).wants(http.StatusCreated) // the retry has cost nothing
	if list := maple.get(address + "/offers").json(); list["total"] != 2.0 {
		t.Errorf("%v offers are open, want 2", list["total"])
	}
	other := s.visitor().post(address+"/offers", offer(object{"quantityOffered": 3}), "X-Forwarded-For", "198.51.100.1", "Idempotency-Key", keyNumber(1))
	if other.wantsProblem(http.StatusUnprocessableEntity, "Idempotency-Key"); len(other.json()) == 0 || other.json()["offer"] != nil {
		t.Errorf("another visitor with the key learns %v", other.json())
	}
}
