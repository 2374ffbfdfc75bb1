package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tradepost/core/trade"
)

func TestTheContactsOfAClosedRequestAreForItsTwoSides(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	fern := b.signedIn("juniper_fox")
	request := b.maple.posts(object{"buyerContact": "maple.in.guild", "ign": "Maplewood"})
	b.maple.post(b.rowan.offers(request)+"/accept", object{"quantity": 5}).wants(http.StatusOK)
	sale := b.maple.post(fern.offers(request)+"/accept", object{"quantity": 5}).wants(http.StatusOK).json()["sale"].(object)["id"]
	b.maple.post(fmt.Sprintf("/api/sales/%.0f/undo", sale), nil).wants(http.StatusOK)
	sees := func(who *browser, path string) bool {
		t.Helper()
		body := string(who.get(path).wants(http.StatusOK).body)
		if strings.Contains(body, "maple.in.guild") != strings.Contains(body, "Maplewood") {
			t.Errorf("%s shows one of the two: %s", path, body)
		}
		return strings.Contains(body, "Maplewood")
	}
	tag := b.visitor.get(request).wants(http.StatusOK).header.Get("ETag")
	if !sees(b.visitor, request) {
		t.Error("an open request has no contacts")
	}
	b.maple.post(request+"/close", nil).wants(http.StatusOK)
	for who, want := range map[*browser]bool{b.maple: true, b.rowan: true, b.mod: true, fern: false, b.visitor: false} {
		if got := sees(who, request); got != want {
			t.Errorf("%q sees the contacts: %v, want %v", who.name, got, want)
		}
	}
	b.visitor.get(request, "If-None-Match", tag).wants(http.StatusOK)
	b.rowan.get(request, "If-None-Match", b.visitor.get(request).header.Get("ETag")).wants(http.StatusOK)
	if sees(b.rowan, "/requests/"+idOf(request)) {
		t.Error("the page of a link shows the contacts")
	}
	for _, who := range []*browser{fern, b.visitor} {
		refused := who.post(request+"/offers", offer())
		if p := refused.wantsProblem(http.StatusConflict); p.Current == nil || strings.Contains(string(refused.body), "Maplewood") {
			t.Errorf("a refused offer of %q shows %s", who.name, refused.body)
		}
	}
}

// A request that has expired is not found by others, so an error must not show it either.
func TestARefusedOfferShowsNothingOfAnExpiredRequest(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	request := b.maple.posts(object{"description": "For the harbour guild", "ign": "Maplewood"})
	b.clock.forward(trade.OrderLifetime)
	fern := b.signedIn("juniper_fox")
	for _, who := range []*browser{fern, b.visitor} {
		who.get(request).wantsProblem(http.StatusNotFound)
		refused := who.post(request+"/offers", offer())
		if refused.wantsProblem(http.StatusConflict); strings.Contains(string(refused.body), "harbour") {
			t.Errorf("a refused offer of %q shows %s", who.name, refused.body)
		}
	}
}
