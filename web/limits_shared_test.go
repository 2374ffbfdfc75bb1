package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/web"
)

// countedLimits are those of the store, which does not answer while it is away.
type countedLimits struct {
	web.SharedLimits
	asked atomic.Int32
	away  atomic.Bool
}

func (c *countedLimits) CountUses(ctx context.Context, uses []core.LimitUse) ([]float64, error) {
	c.asked.Add(1)
	if c.away.Load() {
		return nil, errors.New("the database is away")
	}
	// Servers count by themselves once the store takes longer than kernel.TellTime, as on a busy machine it may.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), coretest.Patience(10*time.Second))
	defer cancel()
	return c.SharedLimits.CountUses(ctx, uses)
}

// replica is one of several pages on one market.
type replica struct {
	*site
	door *web.Server
}

// replicas opens two more pages on the market, with limits that they share.
func (s *site) replicas(limits web.Limits) (pages [2]replica, shared *countedLimits) {
	s.t.Helper()
	shared = &countedLimits{SharedLimits: s.store}
	for i := range pages {
		opts := web.Options{
			PublicURL: s.url, Sessions: s.store.Sessions(), Dist: page, Now: s.clock.now, Log: silence, Limits: limits, Shared: shared, Cache: s.store.Feed().Cache(),
			Discord: web.Discord{ClientID: "1", ClientSecret: "2", AuthURL: s.discord.OAuthEndpoint().AuthURL},
		}
		behindAProxy(&opts)
		door, err := web.New(s.market, opts)
		must(s.t, err)
		server := httptest.NewServer(door)
		s.t.Cleanup(server.Close)
		other := *s
		other.url = server.URL
		pages[i] = replica{&other, door}
	}
	return pages, shared
}

func TestReplicasShareEachLimitOfVisitors(t *testing.T) {
	t.Parallel()
	s := open(t)
	paths := s.postsThree("")
	from := func(address string) []string { return []string{"X-Forwarded-For", address} }
	for _, tt := range []struct {
		name   string
		limits web.Limits
		use    func(page replica, n int) *reply
		over   int
	}{
		{"offers of all", web.Limits{VisitorsInAll: 2}, func(page replica, n int) *reply {
			return page.visitor().post(paths[0]+"/offers", offer(object{"quantityOffered": n + 1}), from(fmt.Sprintf("192.0.%d.7", n))...)
		}, http.StatusUnauthorized},
		{"offers of one client", web.Limits{VisitorOffers: 2}, func(page replica, n int) *reply {
			return page.visitor().post(paths[1]+"/offers", offer(object{"quantityOffered": n + 1}), from("203.0.113.7")...)
		}, http.StatusTooManyRequests},
		{"offers of one network", web.Limits{VisitorNetwork: 2}, func(page replica, n int) *reply {
			return page.visitor().post(paths[2]+"/offers", offer(object{"quantityOffered": n + 1}), from(fmt.Sprintf("198.51.100.%d", n))...)
		}, http.StatusTooManyRequests},
		{"reports", web.Limits{VisitorReports: 2}, func(page replica, n int) *reply {
			return page.visitor().post(paths[n%3]+"/report", object{"reason": "No such item"}, from("203.0.113.8")...)
		}, http.StatusTooManyRequests},
		{"sign-ins", web.Limits{SignIns: 2}, func(page replica, _ int) *reply {
			return page.visitor().get("/auth/discord?moved=1", from("203.0.113.9")...)
		}, http.StatusTooManyRequests},
	} {
		s.run(tt.name, func(t *testing.T) {
			pages, shared := s.replicas(tt.limits)
			for n := range 2 {
				if r := tt.use(pages[n], n); r.status >= 400 {
					t.Fatalf("use %d is answered %d: %s", n, r.status, r.body)
				}
			}
			for n := range 2 {
				if r := tt.use(pages[n], n+2); r.status != tt.over {
					t.Errorf("a third use is answered %d, want %d: %s", r.status, tt.over, r.body)
				}
			}
			shared.away.Store(true)
			if r := tt.use(pages[0], 2); r.status >= 400 {
				t.Errorf("while the database does not count, a use within the limit of one replica is answered %d: %s", r.status, r.body)
			}
			if r := tt.use(pages[0], 3); r.status != tt.over {
				t.Errorf("while the database does not count, a use beyond the limit of one replica is answered %d: %s", r.status, r.body)
			}
		})
	}
}

// withinAMinute waits for the next minute when little of this one is left: uses of a minute weigh less in the next, by a clock that a
// test cannot set.
func withinAMinute() {
	now := time.Now()
	if next := now.Truncate(time.Minute).Add(time.Minute); next.Sub(now) < coretest.Patience(5*time.Second) {
		time.Sleep(next.Sub(now))
	}
}

func TestReplicasShareTheCountsOfBusyClients(t *testing.T) {
	t.Parallel()
	s := open(t)
	for name, tt := range map[string]struct {
		limits web.Limits
		use    func(page replica) *reply
	}{
		"requests": {web.Limits{Requests: 30}, func(page replica) *reply { return page.visitor().get("/api/orders") }},
		"writes":   {web.Limits{Writes: 30}, func(page replica) *reply { return page.visitor().post("/api/orders", object{}) }}, // refused, and counted
	} {
		s.run(name, func(t *testing.T) {
			pages, shared := s.replicas(tt.limits)
			use := func(page replica, times int, want bool) {
				t.Helper()
				for n := range times {
					if r := tt.use(page); r.status == http.StatusTooManyRequests == want {
						t.Fatalf("use %d is answered %d: %s", n, r.status, r.body)
					}
				}
			}
			const taken, refused = true, false
			for _, page := range pages {
				page.door.HoldLimits()
			}
			withinAMinute()
			use(pages[0], 20, taken)
			pages[0].door.TellLimits()
			use(pages[1], 3, taken) // fewer are not told
			pages[1].door.TellLimits()
			use(pages[1], 7, taken)
			use(pages[1], 2, refused)
			pages[1].door.TellLimits()
			use(pages[0], 1, taken) // it has not heard of them
			pages[0].door.TellLimits()
			use(pages[0], 2, refused)
			if n := shared.asked.Load(); n != 4 {
				t.Errorf("31 uses asked the database %d times, want 4", n)
			}
			s.clock.forward(time.Minute) // what was known is too old, and here nobody has used much
			shared.away.Store(true)
			use(pages[1], 5, taken)
		})
	}
}

// A write that failed on our side is refunded on every replica.
func TestARefundIsShared(t *testing.T) {
	t.Parallel()
	s := open(t)
	path := s.signedIn("maple").posts() + "/offers"
	shared := &countedLimits{SharedLimits: s.store}
	failing, unlucky := s.unlucky(web.Limits{VisitorOffers: 1}, shared)
	other, _ := s.unlucky(web.Limits{VisitorOffers: 1}, shared)
	unlucky.fails.Store(1)
	failing.visitor().post(path, offer()).wantsProblem(http.StatusServiceUnavailable)
	other.visitor().post(path, offer()).wants(http.StatusCreated)
	failing.visitor().post(path, offer(object{"quantityOffered": 2})).wantsProblem(http.StatusTooManyRequests)
}
