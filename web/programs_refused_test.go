package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/token"
	"tradepost/web"
)

func TestARequestTakesNoOffersOfPrograms(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.letsProgramsTrade()
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	secret, _ := rowan.makes(token.Read, token.Trade, token.Inbox)
	program := s.program(secret)
	before := maple.posts()
	program.post(before+"/offers", offer(), keyed(1)...).wants(http.StatusCreated)
	maple.patch(before, object{"version": 1, "noPrograms": true}).wants(http.StatusOK)
	if offers := maple.get(before + "/offers").json()["offers"].([]any); len(offers) != 1 {
		t.Errorf("an offer that was there went: %v", offers)
	}

	address := maple.posts(object{"itemName": "Tin Ore", "noPrograms": true})
	for _, path := range []string{address, "/api/orders?q=tin", "/api/public/orders"} {
		if shown := program.get(path).wants(http.StatusOK); !strings.Contains(string(shown.body), `"noPrograms":true`) {
			t.Errorf("%s is %s", path, shown.body)
		}
	}
	if own := maple.get("/api/me/orders").json()["orders"].([]any); own[0].(object)["noPrograms"] != true {
		t.Errorf("its buyer reads %v", own[0])
	}
	for language, want := range map[string]string{"en": "no offers by programs", "de": "keine Angebote von Programmen"} {
		p := program.post(address+"/offers", offer(), append(keyed(2), "X-Tradepost-Language", language)...).wantsProblem(http.StatusForbidden)
		if p.Code != "programs_refused" || !strings.Contains(p.Detail, want) {
			t.Errorf("refused with %+v", p)
		}
	}
	rowan.post(address+"/offers", offer()).wants(http.StatusCreated) // the same person on the page
	if p := program.post(address+"/offers", offer(object{"quantityOffered": 3}), keyed(3)...).wantsProblem(http.StatusForbidden); p.Code != "programs_refused" {
		t.Errorf("an offer of the person is replaced by a program: %+v", p)
	}

	if edited := maple.patch(address, object{"version": 1, "quantity": 400}).wants(http.StatusOK).json(); edited["noPrograms"] != true {
		t.Errorf("another edit left %v", edited)
	}
	if again := maple.patch(address, object{"version": 2, "noPrograms": false}).wants(http.StatusOK).json(); again["noPrograms"] != nil {
		t.Errorf("switched off it is %v", again)
	}
	program.post(address+"/offers", offer(object{"quantityOffered": 3}), keyed(4)...).wants(http.StatusCreated)
}

func TestAListTakesNoOffersOfPrograms(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.letsProgramsTrade()
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	posted := maple.post("/api/lists", list(object{"noPrograms": true})).wants(http.StatusCreated).json()
	orders := posted["orders"].([]any)
	for _, o := range orders {
		if o.(object)["noPrograms"] != true {
			t.Errorf("posted is %v", o)
		}
	}
	offers := object{"sellerName": "Fern", "message": "I have it", "lines": []object{{"orderId": orders[0].(object)["id"], "quantity": 1}}}
	path := fmt.Sprint("/api/lists/", posted["id"], "/offers")
	secret, _ := rowan.makes(token.Trade)
	if p := s.program(secret).post(path, offers, keyed(1)...).wantsProblem(http.StatusForbidden); p.Code != "programs_refused" {
		t.Errorf("refused with %+v", p)
	}
	rowan.post(path, offers).wants(http.StatusCreated)
}

func TestAKeyOfAProgramNamesOneWrite(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.letsProgramsTrade()
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	one, address := maple.makes(token.Read, token.Trade)
	two, _ := maple.makes(token.Trade)
	theirs, _ := rowan.makes(token.Trade)
	first := s.program(one).post("/api/orders", order(), keyed(1)...).wants(http.StatusCreated).json()["id"]
	s.program(one).post("/api/orders", order(object{"quantity": 1}), keyed(1)...).wantsProblem(http.StatusUnprocessableEntity, "Idempotency-Key")
	s.program(one).post("/api/orders/1/close", nil, keyed(1)...).wantsProblem(http.StatusUnprocessableEntity, "Idempotency-Key")
	// A key is its owner's, whichever token sends it, and not another person's.
	if again := s.program(two).post("/api/orders", order(), keyed(1)...).wants(http.StatusCreated).json()["id"]; again != first {
		t.Errorf("the other token posted %v after %v", again, first)
	}
	if other := s.program(theirs).post("/api/orders", order(), keyed(1)...).wants(http.StatusCreated).json()["id"]; other == first {
		t.Error("another person's program was answered with maple's request")
	}
	// An ended token reads nothing back with a key that it knows.
	maple.delete(address).wants(http.StatusNoContent)
	s.program(one).post("/api/orders", order(), keyed(1)...).wantsProblem(http.StatusUnauthorized)
	// Neither does a token without the scope, nor any while programs may not trade.
	reads, _ := maple.makes(token.Read)
	s.program(reads).post("/api/orders", order(), keyed(1)...).wantsProblem(http.StatusForbidden)
	s.signedIn(moderator).delete("/api/moderation/programs-trade").wants(http.StatusNoContent)
	s.program(two).post("/api/orders", order(), keyed(1)...).wantsProblem(http.StatusForbidden)
	if mine := maple.get("/api/me/orders").json()["orders"].([]any); len(mine) != 1 {
		t.Errorf("maple has %v", mine)
	}
}

func TestWithoutTokensNoRequestSpeaksOfPrograms(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.AllFeatures() })
	if document := string(s.visitor().get("/api/openapi.json").wants(http.StatusOK).body); strings.Contains(document, "noPrograms") {
		t.Error("the description has the term")
	}
	maple := s.signedIn("maple")
	if shown := maple.get(maple.posts()).wants(http.StatusOK); strings.Contains(string(shown.body), "noPrograms") {
		t.Errorf("a request is %s", shown.body)
	}
	posted := maple.post("/api/orders", order(object{"noPrograms": true})).wants(http.StatusCreated)
	edited := maple.patch(posted.at("/api/orders/", "id"), object{"version": 1, "quantity": 7, "noPrograms": true}).wants(http.StatusOK)
	listed := maple.post("/api/lists", list(object{"noPrograms": true})).wants(http.StatusCreated)
	for _, r := range []*reply{posted, edited, listed} {
		if strings.Contains(string(r.body), "noPrograms") {
			t.Errorf("answered is %s", r.body)
		}
	}
}
