package web_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

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

// An act that the reader may undo says how where it is shown, and one address undoes every kind.
func TestEveryActThatCanBeUndoneSaysHowAndOneAddressUndoesIt(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	acts := func(of *browser, list, name string) (undo []object) {
		t.Helper()
		for _, one := range of.get(list).wants(http.StatusOK).json()[name].([]any) {
			if act, told := one.(object)["undo"].(object); told {
				undo = append(undo, act)
			}
		}
		return undo
	}
	keys := 0
	undoes := func(of, other *browser, act any, kind string, until any) object {
		t.Helper()
		told, _ := act.(object)
		if told["kind"] != kind || told["until"] != until {
			t.Fatalf("to undo %s: %v, want until %v", kind, act, until)
		}
		address := fmt.Sprintf("/api/undo/%s/%.0f", kind, told["id"])
		other.post(address, nil).wantsProblem(http.StatusForbidden)
		b.visitor.post(address, nil).wantsProblem(http.StatusUnauthorized)
		keys++
		key := fmt.Sprint("undo-", keys)
		done := of.post(address, nil, "Idempotency-Key", key).wants(http.StatusOK).json()
		if again := of.post(address, nil, "Idempotency-Key", key).wants(http.StatusOK).json(); fmt.Sprint(again) != fmt.Sprint(done) {
			t.Errorf("repeated: %v, before %v", again, done)
		}
		if order, about := done["order"].(object); about != (kind == "sale" || kind == "close") || about && order["status"] != "active" {
			t.Errorf("undoing %s returns %v", kind, done)
		}
		return done
	}
	inTen := func() any { return b.clock.now().Add(core.UndoWindow).Format(time.RFC3339Nano) }
	order := b.maple.posts(object{"quantity": 20})
	offer := b.rowan.offers(order, object{"quantityOffered": 20})

	logged := b.maple.post(order+"/sales", object{"quantitySold": 3}).wants(http.StatusOK).json()
	undoes(b.maple, b.rowan, logged["sale"].(object)["undo"], "sale", inTen())
	accepted := b.maple.post(offer+"/accept", object{"quantity": 5}).wants(http.StatusOK).json()
	if got := fmt.Sprint(acts(b.maple, order+"/sales", "sales"), acts(b.maple, "/api/me/receipts", "receipts")); got !=
		fmt.Sprint([]any{accepted["sale"].(object)["undo"]}, []any{accepted["sale"].(object)["undo"]}) {
		t.Errorf("the accept is told as %s", got)
	}
	if told := acts(b.rowan, "/api/me/receipts", "receipts"); told != nil {
		t.Errorf("its seller reads %v", told)
	}
	undoes(b.maple, b.rowan, acts(b.maple, "/api/me/receipts", "receipts")[0], "sale", inTen())

	b.maple.delete(offer).wants(http.StatusNoContent)
	undoes(b.maple, b.rowan, acts(b.maple, order+"/offers", "declined")[0], "offer", inTen())
	b.rowan.delete(offer).wants(http.StatusNoContent)
	undoes(b.rowan, b.maple, acts(b.rowan, "/api/me/offers", "offers")[0], "offer", inTen())
	number, _ := strconv.Atoi(strings.TrimPrefix(offer, "/api/offers/"))
	answered := b.maple.post("/api/offers/answer", object{"answers": []object{{"id": number, "accept": 0}}}).wants(http.StatusOK).json()
	undoes(b.maple, b.rowan, answered["outcomes"].([]any)[0].(object)["undo"], "offer", inTen())

	closed := b.maple.post(order+"/close", nil).wants(http.StatusOK).json()
	if told := acts(b.maple, "/api/me/orders?status=fulfilled", "orders"); fmt.Sprint(told) != fmt.Sprint([]any{closed["undo"]}) {
		t.Errorf("the closing is told as %v", told)
	}
	if told := b.visitor.get(order).json()["undo"]; told != nil {
		t.Errorf("a visitor reads %v", told)
	}
	undoes(b.maple, b.rowan, closed["undo"], "close", inTen())
	filled := b.maple.post(offer+"/accept", object{"quantity": 20}).wants(http.StatusOK).json()["order"].(object)
	if told := b.maple.get(order).json(); fmt.Sprint(told["undo"]) != fmt.Sprint(filled["undo"]) {
		t.Errorf("what filled it is told as %v", told)
	}
	undoes(b.maple, b.rowan, filled["undo"], "sale", inTen())
	b.maple.post(order+"/close", nil).wants(http.StatusOK)
	b.clock.forward(core.UndoWindow)
	if told := b.maple.get(order).json()["undo"]; told != nil {
		t.Errorf("when it is too late: %v", told)
	}

	trade := b.maple.post(b.rowan.offers(b.maple.posts())+"/accept", object{"quantity": 2}).wants(http.StatusOK).json()["sale"].(object)["id"]
	b.clock.forward(time.Minute)
	b.maple.post("/api/handovers/say", object{"sales": []any{trade}, "word": "met"}).wants(http.StatusOK)
	b.clock.forward(time.Minute)
	b.rowan.post("/api/handovers/say", object{"sales": []any{trade}, "word": "not_met"}).wants(http.StatusOK)
	if told := acts(b.maple, "/api/me/receipts", "receipts"); told != nil {
		t.Errorf("an accept of which its sides have spoken is told as %v", told)
	}
	undoes(b.rowan, b.mod, acts(b.rowan, "/api/me/handovers", "handovers")[0], "word", nil)
	if told := acts(b.rowan, "/api/me/handovers", "handovers"); told != nil {
		t.Errorf("a word that was taken back is told as %v", told)
	}

	b.mod.post(b.order+"/remove", object{"reason": "No such item"}).wants(http.StatusNoContent)
	undoes(b.mod, b.rowan, acts(b.mod, "/api/moderation/audit", "entries")[0], "removal", b.clock.now().Add(30*24*time.Hour).Format(time.RFC3339Nano))
	if told := acts(b.mod, "/api/moderation/audit", "entries"); told != nil {
		t.Errorf("an undone removal is told as %v", told)
	}
	b.maple.post("/api/undo/everything/1", nil).wantsProblem(http.StatusNotFound)
}

// Removed stock comes back as it would be, and not as it was: an accept meanwhile has taken from it.
func TestRemovedStockReturnsWithoutWhatWasAcceptedMeanwhile(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	list := func(quantity int) (address string) {
		saved := rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": quantity, "price": 4000, "note": "In Ravenia", "public": true}}})
		return fmt.Sprint(saved.wants(http.StatusOK).json()["stock"].([]any)[0].(object)["id"])
	}
	wants := func(stock string, shown float64) {
		t.Helper()
		if got := fmt.Sprint(stockOf(rowan.get("/api/me/stock"))); got != stock {
			t.Errorf("the stock is %s, want %s", got, stock)
		}
		if sum := maple.get("/api/stock?itemName=Iron%20Ore").json(); sum["quantity"] != shown {
			t.Errorf("buyers are shown %v, want %v", sum, shown)
		}
	}
	offer := rowan.offers(maple.posts(), object{"quantityOffered": 20})
	id := list(600)
	rowan.put("/api/me/stock/"+id+"/alerts", object{"on": false}).wants(http.StatusOK)
	rowan.delete("/api/me/stock/" + id).wants(http.StatusNoContent)
	wants("[]", 0)
	rowan.delete("/api/me/stock/" + id).wantsProblem(http.StatusNotFound)
	accepted := maple.post(offer+"/accept", object{"quantity": 5}).wants(http.StatusOK)
	maple.post("/api/undo/stock/"+id, nil).wantsProblem(http.StatusNotFound)
	rowan.post("/api/undo/stock/"+id, nil).wants(http.StatusOK)
	rowan.post("/api/undo/stock/"+id, nil).wants(http.StatusOK) // it is there
	wants("[Iron Ore 595 4000]", 595)
	if back := rowan.get("/api/me/stock").json()["stock"].([]any)[0].(object); back["note"] != "In Ravenia" || back["alerts"] != false || back["asked"] != false {
		t.Errorf("it returned as %v", back)
	}
	maple.post(accepted.at("/api/undo/sale/", "sale", "id"), nil).wants(http.StatusOK)
	wants("[Iron Ore 600 4000]", 600)
	rowan.delete("/api/me/stock/" + id).wants(http.StatusNoContent)
	rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Zinc Ore", "quantity": 1, "price": 4000}}}).wants(http.StatusOK)
	rowan.post("/api/undo/stock/"+id, nil).wants(http.StatusOK) // another item was listed
	wants("[Iron Ore 600 4000 Zinc Ore 1 4000]", 600)

	rowan.delete("/api/me/stock/" + id).wants(http.StatusNoContent)
	s.clock.forward(core.UndoWindow)
	rowan.post("/api/undo/stock/"+id, nil).wantsProblem(http.StatusConflict)
	again := list(7)
	rowan.post("/api/undo/stock/"+id, nil).wantsProblem(http.StatusNotFound)
	rowan.delete("/api/me/stock/" + again).wants(http.StatusNoContent)
	s.clock.forward(core.UndoWindow)
	if asked, removed, err := s.market.Match.AskForStock(t.Context(), 10); asked != 0 || removed != 1 || err != nil {
		t.Errorf("%d were asked about and %d removed for good, %v", asked, removed, err)
	}
}
