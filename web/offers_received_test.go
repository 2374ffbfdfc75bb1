package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core/trade"
)

// idOf is the id in the address of an offer or a request.
func idOf(address string) string { return address[strings.LastIndex(address, "/")+1:] }

func TestOffersThatWaitAreListedByRequest(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, juniper := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	ore, coal, closed := maple.posts(), maple.posts(object{"itemName": "Coal"}), maple.posts(object{"itemName": "Hide"})
	best := rowan.offers(ore)
	juniper.offers(ore)
	rowan.offers(coal)
	rowan.offers(closed)
	maple.post(closed+"/close", nil).wants(http.StatusOK)
	rowan.offers(juniper.posts()) // on another buyer's

	list := maple.get("/api/me/offers/received").wants(http.StatusOK).json()
	requests := list["requests"].([]any)
	if len(requests) != 2 || list["nextCursor"] != nil {
		t.Fatalf("the buyer reads %v", list)
	}
	first, second := requests[0].(object), requests[1].(object)
	if first["order"].(object)["itemName"] != "Coal" || len(first["offers"].([]any)) != 1 {
		t.Errorf("first is %v", first)
	}
	if offers := second["offers"].([]any); len(offers) != 2 || fmt.Sprint(offers[0].(object)["id"]) != idOf(best) {
		t.Errorf("second is %v", second)
	}
	if counts := maple.get("/api/me").json()["counts"].(object); counts["received"] != 3.0 {
		t.Errorf("beside the tab is %v", counts["received"])
	}
	s.visitor().get("/api/me/offers/received").wantsProblem(http.StatusUnauthorized)
	for _, cursor := range []string{"x", "1", "1.x", "0.0"} {
		maple.get("/api/me/offers/received?cursor="+cursor).wantsProblem(http.StatusUnprocessableEntity, "cursor")
	}

	// Nothing waits on a request that has expired.
	s.clock.forward(trade.OrderLifetime + time.Hour)
	maple = s.signedIn("maple") // the session has ended meanwhile
	if counts := maple.get("/api/me").json()["counts"].(object); counts["received"] != 0.0 {
		t.Errorf("beside the tab is %v", counts["received"])
	}
	if list := maple.get("/api/me/offers/received").json(); len(list["requests"].([]any)) != 0 {
		t.Errorf("after a year the buyer reads %v", list)
	}
}

func TestTheOfferToChooseFirstComesFirstAndSaysWhy(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	met := b.rowan.offers(b.maple.posts(), object{"quantityOffered": 2})
	accepted := b.maple.post(met+"/accept", object{"quantity": 2, "agreedBy": b.clock.now().Add(5 * time.Hour)}).wants(http.StatusOK)
	sale := accepted.json()["sale"].(object)["id"].(float64)
	b.clock.forward(6 * time.Hour)
	for _, side := range []*browser{b.maple, b.rowan} {
		side.post("/api/handovers/say", object{"sales": []float64{sale}, "word": "met"}).wants(http.StatusOK)
	}
	ore := b.maple.posts(object{"quantity": 60, "itemName": "Coal"})
	b.visitor.offers(ore, object{"quantityOffered": 60})
	b.mod.offers(ore, object{"quantityOffered": 60})
	b.rowan.offers(ore, object{"quantityOffered": 2})

	list := b.maple.get("/api/me/offers/received").wants(http.StatusOK).json()
	var got []string
	for _, o := range list["requests"].([]any)[0].(object)["offers"].([]any) {
		got = append(got, fmt.Sprint(o.(object)["quantityOffered"], o.(object)["verified"], o.(object)["met"], o.(object)["why"]))
	}
	if want := "[2 true 1 [met] 60 true 0 [all] 60 false 0 [all earliest]]"; fmt.Sprint(got) != want {
		t.Errorf("the offers are %v, want %s", got, want)
	}
	here := b.maple.get(ore + "/offers").wants(http.StatusOK).json()["offers"]
	if fmt.Sprint(here) != fmt.Sprint(list["requests"].([]any)[0].(object)["offers"]) {
		t.Errorf("on the request the offers are %v", here)
	}
}

func TestAPageOfReceivedOffersEndsWithARequest(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor, rowan := s.signedIn("maple"), s.visitor(), s.signedIn("rowan.ashdown")
	several := maple.posts()
	for range 30 {
		visitor.offers(several)
	}
	rowan.offers(several) // the latest, and the best
	latest := maple.posts(object{"itemName": "Coal"})
	for range 30 {
		visitor.offers(latest)
	}
	first := maple.get("/api/me/offers/received").wants(http.StatusOK).json()
	if requests := first["requests"].([]any); len(requests) != 1 || len(requests[0].(object)["offers"].([]any)) != 30 {
		t.Fatalf("the first page has %v", requests)
	}
	next := maple.get(fmt.Sprintf("/api/me/offers/received?cursor=%s", first["nextCursor"])).wants(http.StatusOK).json()
	offers := next["requests"].([]any)[0].(object)["offers"].([]any)
	if len(offers) != 31 || offers[0].(object)["verified"] != true || offers[1].(object)["verified"] != false {
		t.Errorf("the second page has %d, first %v", len(offers), offers[0])
	}
}

func TestReceivedOffersGoOnWhereThePageEnded(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	ore, coal := maple.posts(), maple.posts(object{"itemName": "Coal"})
	for i := range 61 {
		visitor.offers([]string{ore, coal}[i%2])
	}
	seen := map[any]bool{}
	for cursor, pages := "", 1; ; pages++ {
		page := maple.get("/api/me/offers/received" + cursor).wants(http.StatusOK).json()
		for _, request := range page["requests"].([]any) {
			for _, o := range request.(object)["offers"].([]any) {
				seen[o.(object)["id"]] = true
			}
		}
		if page["nextCursor"] == nil {
			if pages != 2 {
				t.Errorf("there are %d pages", pages)
			}
			break
		}
		cursor = fmt.Sprintf("?cursor=%s", page["nextCursor"])
	}
	if len(seen) != 61 {
		t.Errorf("%d offers are listed, want 61", len(seen))
	}
}

func TestSeveralOffersAreAnsweredEachOnItsOwn(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, juniper := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	ore, coal := maple.posts(object{"quantity": 10}), maple.posts(object{"quantity": 40, "itemName": "Coal"})
	all, late := rowan.offers(ore, object{"quantityOffered": 10}), juniper.offers(ore, object{"quantityOffered": 4})
	declined, foreign := rowan.offers(coal), maple.offers(juniper.posts())
	answers := object{"answers": []object{
		{"id": number(all), "accept": 10}, {"id": number(late), "accept": 4},
		{"id": number(declined), "accept": 0}, {"id": number(foreign), "accept": 0},
	}}
	const key = "0c9f1c2e-6c0b-4f0a-9a53-6a4b4f0e7d11"
	for range 2 { // a repeat with the same key has the effect of one
		got := maple.post("/api/offers/answer", answers, "Idempotency-Key", key).wants(http.StatusOK).json()
		outcomes := got["outcomes"].([]any)
		if len(outcomes) != 4 {
			t.Fatalf("outcomes: %v", got)
		}
		if first := outcomes[0].(object); first["problem"] != nil || first["accepted"].(object)["sale"].(object)["quantitySold"] != 10.0 {
			t.Errorf("the first offer: %v", first)
		}
		if second := outcomes[1].(object); second["accepted"] != nil || second["problem"].(object)["status"] == nil {
			t.Errorf("an offer on a request that has just been filled: %v", second)
		}
		if third := outcomes[2].(object); third["problem"] != nil {
			t.Errorf("a declined offer: %v", third)
		}
		if fourth := outcomes[3].(object)["problem"].(object); fourth["status"] != 403.0 {
			t.Errorf("an offer of the buyer's own on another's request: %v", fourth)
		}
	}
	state := rowan.get("/api/me/offers").json()["offers"].([]any)
	if state[0].(object)["state"] != "declined" || state[1].(object)["state"] != "accepted" {
		t.Errorf("the seller reads %v", state)
	}
	if sold := maple.get(ore).json()["sold"]; sold != 10.0 {
		t.Errorf("sold are %v", sold)
	}
	if mine := maple.get("/api/me/offers").json()["offers"].([]any); mine[0].(object)["state"] != "open" {
		t.Errorf("the buyer's own offer is %v", mine[0])
	}
	maple.post("/api/offers/answer", object{"answers": []object{}}).wantsProblem(http.StatusUnprocessableEntity, "answers")
	maple.post("/api/offers/answer", object{"answers": 5}).wantsProblem(http.StatusUnprocessableEntity, "answers")
	maple.post("/api/offers/answer", object{"answers": []object{{"id": "x"}}}).wantsProblem(http.StatusUnprocessableEntity, "answers")
	s.visitor().post("/api/offers/answer", answers).wantsProblem(http.StatusUnauthorized)
}

func number(address string) int {
	var n int
	_, _ = fmt.Sscan(idOf(address), &n)
	return n
}
