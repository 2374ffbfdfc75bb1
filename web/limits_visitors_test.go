package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tradepost/web"
)

func TestVisitorsOfOneNetworkAndOfAllAreLimited(t *testing.T) {
	t.Parallel()
	s := open(t, behindAProxy, limitedTo(web.Limits{VisitorOffers: 100, VisitorNetwork: 3, VisitorsInAll: 5}))
	address, visitor := s.signedIn("maple").posts(), s.visitor()
	send := func(from string) *reply { return visitor.post(address+"/offers", offer(), "X-Forwarded-For", from) }
	for i := range 3 {
		send(fmt.Sprintf("2001:db8:1:%d::1", i)).wants(http.StatusCreated) // each its own client
	}
	asked := send("2001:db8:1:9::1")
	asked.wantsProblem(http.StatusTooManyRequests)
	asked.retryAfter(t)
	if problem := asked.json(); problem["code"] != web.CodeSignIn || !strings.Contains(problem["detail"].(string), "Sign in") {
		t.Errorf("over the limit of its network, a visitor is answered %v", problem)
	}
	send("2001:db8:2::1").wants(http.StatusCreated)
	send("203.0.113.7").wants(http.StatusCreated)
	r := send("198.51.100.7")
	r.wantsProblem(http.StatusUnauthorized)
	if problem := r.json(); problem["code"] != web.CodeSignIn {
		t.Errorf("over the limit of all, a visitor is answered %v", problem)
	}
	s.signedIn("rowan.ashdown").offers(address)
}

func TestVisitorsAreAskedToSignIn(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.NoVisitorOffers = true })
	address := s.signedIn("maple").posts()
	r := s.visitor().post(address+"/offers", offer())
	r.wantsProblem(http.StatusUnauthorized)
	if problem := r.json(); problem["code"] != web.CodeSignIn || problem["detail"] != "Sign in with Discord to send an offer" {
		t.Errorf("a visitor is answered %v", problem)
	}
	s.signedIn("rowan.ashdown").offers(address)
}

func TestAVisitorOverTheLimitIsAskedToSignIn(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{VisitorOffers: 1, VisitorReports: 1}))
	address, visitor := s.signedIn("maple").posts(), s.visitor()
	for path, body := range map[string]object{"/offers": offer(), "/report": {"reason": "No such item"}} {
		visitor.post(address+path, body)
		r := visitor.post(address+path, body)
		r.wantsProblem(http.StatusTooManyRequests)
		if problem := r.json(); problem["code"] != web.CodeSignIn {
			t.Errorf("%s: over the limit of an address, a visitor is answered %v", path, problem)
		}
	}
}

func TestEveryPageCarriesTheWelcome(t *testing.T) {
	t.Parallel()
	const tag = `<meta name="welcome" content="Be kind" />`
	s := open(t, func(o *web.Options) { o.Branding.Welcome = "Be kind" })
	order := strings.Replace(s.signedIn("maple").posts(), "/api/orders/", "/requests/", 1)
	for path, status := range map[string]int{"/": http.StatusOK, order: http.StatusOK, "/requests/999": http.StatusNotFound} {
		if r := s.visitor().get(path).wants(status); !strings.Contains(string(r.body), tag) {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}

func TestThePageLearnsThatVisitorsSignInToOffer(t *testing.T) {
	t.Parallel()
	const tag = `<meta name="visitor-offers" content="off" />`
	for _, off := range []bool{true, false} {
		s := open(t, func(o *web.Options) { o.NoVisitorOffers = off })
		order := s.signedIn("maple").posts()
		for _, path := range []string{"/", "/?category=Miner", "/mine", strings.TrimPrefix(order, "/api")} {
			path = strings.Replace(path, "/orders/", "/requests/", 1)
			if r := s.visitor().get(path).wants(http.StatusOK); strings.Contains(string(r.body), tag) != off {
				t.Errorf("%s, without offers of visitors %v: %s", path, off, r.body)
			}
		}
	}
}
