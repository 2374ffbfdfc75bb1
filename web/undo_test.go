package web_test

import (
	"fmt"
	"net/http"
	"testing"

	"tradepost/core"
)

func TestAClosedAndAFilledRequestAreOpenAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts(object{"quantity": 20})
	made := rowan.offers(address, object{"quantityOffered": 20})
	maple.post(address+"/sales", object{"quantitySold": 5}).wants(http.StatusOK)
	isOpen := func(o object, sold float64) {
		t.Helper()
		if o["status"] != "active" || o["sold"] != sold || o["progress"] != sold*5 || o["closedAt"] != nil || o["closeReason"] != nil {
			t.Errorf("after the undo the request is %v", o)
		}
		if list := maple.get(address + "/offers").json(); list["total"] != 1.0 {
			t.Errorf("the offers are %v", list)
		}
		for _, list := range []string{"/api/orders", "/api/me/orders"} {
			if page := maple.get(list).json(); page["total"] != 1.0 {
				t.Errorf("%s has %v", list, page)
			}
		}
	}

	maple.post(address+"/undo-close", nil).wantsProblem(http.StatusConflict)
	maple.post(address+"/close", nil).wants(http.StatusOK)
	rowan.post(address+"/undo-close", nil).wantsProblem(http.StatusForbidden)
	s.visitor().post(address+"/undo-close", nil).wantsProblem(http.StatusUnauthorized)
	isOpen(maple.post(address+"/undo-close", nil, "Idempotency-Key", "undo-1").wants(http.StatusOK).json(), 5)
	isOpen(maple.post(address+"/undo-close", nil, "Idempotency-Key", "undo-1").wants(http.StatusOK).json(), 5) // the same write
	if p := maple.post(address+"/undo-close", nil).wantsProblem(http.StatusConflict); p.Detail != "This was undone already" {
		t.Errorf("a second undo is refused with %q", p.Detail)
	}

	accepted := maple.post(made+"/accept", object{"quantity": 15}).wants(http.StatusOK).json()
	if o := accepted["order"].(object); o["status"] != "fulfilled" {
		t.Fatalf("the request is %v", o)
	}
	if p := maple.post(address+"/undo-close", nil).wantsProblem(http.StatusConflict); p.Detail != "This request was filled. Undo the sale that filled it." {
		t.Errorf("undoing it as a closing is refused with %q", p.Detail)
	}
	isOpen(maple.post(fmt.Sprintf("/api/sales/%.0f/undo", accepted["sale"].(object)["id"]), nil).wants(http.StatusOK).json(), 5)

	maple.post(address+"/close", nil).wants(http.StatusOK)
	maple.posts(object{"itemName": "Coal"})
	s.clock.forward(core.UndoWindow)
	if p := maple.post(address+"/undo-close", nil).wantsProblem(http.StatusConflict); p.Detail != "This can only be undone within 10 minutes" {
		t.Errorf("too late is refused with %q", p.Detail)
	}
}

func TestDeclinedOffersAreListedAsLongAsTheyCanBeUndone(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts()
	declined := func(wanted int, received bool) []any {
		t.Helper()
		list := maple.get(address + "/offers").wants(http.StatusOK).json()
		found := list["declined"].([]any)
		if len(found) != wanted || list["received"] != received {
			t.Fatalf("the offers are %v", list)
		}
		return found
	}
	declined(0, false)
	made := rowan.offers(address, object{"quantityOffered": 20, "sellerName": "Rowan"})
	maple.delete(made).wants(http.StatusNoContent)
	one := declined(1, true)[0].(object)
	if one["sellerName"] != "Rowan" || one["quantityOffered"] != 20.0 || fmt.Sprintf("/api/offers/%.0f", one["id"]) != made {
		t.Errorf("the declined offer is %v", one)
	}
	maple.post(made+"/undo", nil).wants(http.StatusNoContent)
	declined(0, true)
	rowan.delete(made).wants(http.StatusNoContent) // what the seller withdraws is not the buyer's to have back
	declined(0, true)
	made = rowan.offers(address)
	maple.delete(made).wants(http.StatusNoContent)
	declined(1, true)
	s.clock.forward(core.UndoWindow)
	declined(0, true)
}

func TestAnAcceptAndASaleAreUndone(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts()
	made := rowan.offers(address, object{"quantityOffered": 20})
	sale := func(of any) string { return fmt.Sprintf("/api/sales/%.0f/undo", of.(object)["sale"].(object)["id"]) }
	accepted := sale(maple.post(made+"/accept", object{"quantity": 20}).wants(http.StatusOK).json())

	rowan.post(accepted, nil).wantsProblem(http.StatusForbidden)
	s.visitor().post(accepted, nil).wantsProblem(http.StatusUnauthorized)
	if after := maple.post(accepted, nil).wants(http.StatusOK).json(); after["sold"] != 0.0 {
		t.Errorf("after the undo the request is %v", after)
	}
	if p := maple.post(accepted, nil).wantsProblem(http.StatusConflict); p.Detail != "This was undone already" {
		t.Errorf("a second undo is refused with %q", p.Detail)
	}
	if list := maple.get(address + "/offers").json(); list["total"] != 1.0 {
		t.Errorf("the offers are %v", list)
	}
	if sales := maple.get(address + "/sales").json(); sales["sales"].([]any)[0].(object)["reversed"] != true {
		t.Errorf("the sales are %v", sales)
	}
	maple.post("/api/sales/99/undo", nil).wantsProblem(http.StatusNotFound)

	logged := sale(maple.post(address+"/sales", object{"quantitySold": 3}).wants(http.StatusOK).json())
	maple.post(logged, nil, "Idempotency-Key", "undo-1").wants(http.StatusOK)
	maple.post(logged, nil, "Idempotency-Key", "undo-1").wants(http.StatusOK) // the same write

	maple.delete(made).wants(http.StatusNoContent)
	rowan.post(made+"/undo", nil).wantsProblem(http.StatusForbidden)
	maple.post(made+"/undo", nil).wants(http.StatusNoContent)
	rowan.delete(made).wants(http.StatusNoContent)
	s.clock.forward(core.UndoWindow)
	if p := rowan.post(made+"/undo", nil).wantsProblem(http.StatusConflict); p.Detail != "This can only be undone within 10 minutes" {
		t.Errorf("too late is refused with %q", p.Detail)
	}
}
