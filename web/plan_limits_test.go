package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core"
)

// defaultQuotas are every limit of a user as it is declared.
func defaultQuotas() core.Quotas {
	return core.Quotas{
		OpenRequests: core.LimitOpenRequests.Limit, NewRequests: core.LimitRequests.Quota, Offers: core.LimitOffers.Quota,
		OffersPerRequest: core.LimitOffersHere.Quota, Reports: core.LimitReports.Quota, DMPair: core.LimitDMPair.Quota,
		DMReader: core.LimitDMReader.Quota, Alerts: core.LimitDMAlerts.Quota, Reach: core.LimitReach.Quota,
	}
}

// planFor is a text of so many items, and the market that sells the first of them: ten of each of three
// sellers. The last of them sells without asking.
type planFor struct {
	*site
	items []string
}

func openPlanned(t *testing.T, items, sold int) planFor {
	t.Helper()
	s := openLimited(t, defaultQuotas())
	p := planFor{site: s}
	catalogue := "name,made_by,made_at_level\n"
	for i := range items {
		p.items = append(p.items, fmt.Sprintf("Hall Thing Q%c%c", 'A'+i/26, 'A'+i%26))
		catalogue += p.items[i] + ",Miner,20\n"
	}
	s.has(catalogue)
	sellers := []*browser{s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox"), s.signedIn("oldtamsin")}
	for i, item := range p.items[:sold] {
		daily := 0
		if i%3 == 2 {
			daily = 10
		}
		sellers[i%3].post("/api/me/stock", object{"stock": []object{{"itemName": item, "quantity": 10, "price": 40 + i, "public": true,
			"sellsDaily": daily}}, "confirmPrice": true}).wants(http.StatusOK)
	}
	return p
}

// draft returns the body that the page posts of a plan for the items from and to.
func (p planFor) draft(b *browser, from, to int) object {
	text := strings.Builder{}
	for _, item := range p.items[from:to] {
		fmt.Fprintf(&text, "10x %s 1s\n", item)
	}
	return postable("Guild hall", planOf(b, object{"text": text.String()}))
}

func TestAPlanOfThirtyLinesIsPostedInOnePress(t *testing.T) {
	t.Parallel()
	p := openPlanned(t, 30, 27)
	maple := p.signedIn("maple")
	p.clock.forward(25 * time.Hour)
	maple.posts()
	draft := p.draft(maple, 0, 30)
	if n := len(draft["lines"].([]object)); n != 30 {
		t.Fatalf("the plan has %d lines", n)
	}
	posted := maple.post("/api/lists/planned", draft, "Idempotency-Key", "press").wants(http.StatusCreated).json()
	if posted["agreed"] != float64(9) || posted["asked"] != float64(18) || posted["requested"] != float64(3) {
		t.Errorf("posted %v", posted)
	}
	again := maple.post("/api/lists/planned", draft, "Idempotency-Key", "press").wants(http.StatusCreated).json()
	if again["listId"] != posted["listId"] {
		t.Errorf("a repeat answers %v", again)
	}
	if n := len(maple.receipts("")); n != 9 {
		t.Errorf("%d trades are agreed", n)
	}
	for range 18 { // the plan counts as one post of twenty
		maple.posts(another())
	}
	maple.post("/api/orders", another()).wantsQuotaProblem("You can post again in ")
}

func TestASecondPlanWithinAnHourIsAsShortAsPostsAreLeft(t *testing.T) {
	t.Parallel()
	p := openPlanned(t, 50, 0)
	maple := p.signedIn("maple")
	p.clock.forward(25 * time.Hour)
	first, second := p.draft(maple, 0, 30), p.draft(maple, 30, 50)
	maple.post("/api/lists/planned", first).wants(http.StatusCreated) // nothing of it is for sale: thirty requests
	p.clock.forward(20 * time.Minute)
	r := maple.post("/api/lists/planned", second)
	r.wantsQuotaProblem("This plan asks 0 sellers and posts 20 requests. You can do 19 of these now. " +
		"Leave some out, or post the whole plan in 40 minutes.")
	if wait := r.header.Get("Retry-After"); wait != "2400" {
		t.Errorf("again after %s", wait)
	}
	maple.post("/api/lists/planned", p.draft(maple, 30, 49)).wants(http.StatusCreated)
	p.clock.forward(2 * time.Hour)
	third := p.draft(maple, 0, 30)
	for i := range third["lines"].([]object) {
		third["lines"].([]object)[i]["quantity"] = 11
	}
	maple.post("/api/lists/planned", third).wantsQuotaProblem("You have 49 open requests and may have 60, so this list may have 11 lines.")
}

func TestAPlanOfANewAccountReachesAsManyAsSinglePosts(t *testing.T) {
	t.Parallel()
	p := openPlanned(t, 40, 28)
	maple := p.signedIn("maple")
	maple.post("/api/lists/planned", p.draft(maple, 28, 34)).wantsQuotaProblem("This plan asks 0 sellers and posts 6 requests. You can do 5 of these now.")
	if n := len(maple.get("/api/me/lists").wants(http.StatusOK).json()["lists"].([]any)); n != 0 {
		t.Errorf("%d lists are posted beyond the limit", n)
	}
	// Three sellers and two requests are five posts.
	maple.post("/api/lists/planned", p.draft(maple, 0, 30)).wants(http.StatusCreated)
	maple.post("/api/lists/planned", p.draft(maple, 30, 35)).wantsQuotaProblem("This plan asks 0 sellers and posts 5 requests. You can do 4 of these now. " +
		"Leave some out, or post the whole plan in 24 hours.")
}
