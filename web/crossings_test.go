package web_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"tradepost/core"
)

func TestAStandingRequestMeetsAStandingListingOverHTTP(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	sells := func(daily int) *reply {
		return rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 300, "price": 40,
			"public": true, "sellsDaily": daily}}, "confirmPrice": true})
	}
	sells(1_000_001).wantsProblem(http.StatusUnprocessableEntity, "sellsDaily")
	if saved := sells(120).wants(http.StatusOK).json()["stock"].([]any)[0].(object); saved["sellsDaily"] != float64(120) {
		t.Errorf("saved %v", saved)
	}
	address := maple.posts(object{"itemName": "Iron Ore", "quantity": 200, "maxPricePerUnit": 50, "confirmPrice": true})
	maple.put(address+"/standing", object{"sellers": "anybody", "fromPartners": 0, "fromOthers": 200,
		"until": s.clock.now().Add(core.Day).Format(time.RFC3339)}).wants(http.StatusOK)

	for name, b := range map[string]*browser{"buyer": maple, "seller": rowan} {
		receipts := b.receipts("")
		if len(receipts) != 1 {
			t.Fatalf("the %s has %d receipts", name, len(receipts))
		}
		receipt := receipts[0].(object)
		if receipt["crossed"] != true || receipt["quantity"] != float64(120) || receipt["pricePerUnit"] != float64(40) || receipt["undo"] == nil {
			t.Errorf("the %s sees %v", name, receipt)
		}
		trade := b.get(fmt.Sprintf("/api/me/trades/%.0f", receipt["id"])).wants(http.StatusOK).json()
		if trade["receipt"].(object)["undo"] == nil || trade["handover"] == nil {
			t.Errorf("the %s's trade is %v", name, trade)
		}
	}
	if heard := rowan.get("/api/me/notices").wants(http.StatusOK).json()["notices"].([]any)[0].(object); heard["kind"] != "listing_sold" {
		t.Errorf("the seller heard %v", heard)
	}
	s.visitor().post(fmt.Sprintf("/api/sales/%.0f/undo", rowan.receipts("")[0].(object)["id"]), nil).wantsProblem(http.StatusUnauthorized)
	rowan.post(fmt.Sprintf("/api/sales/%.0f/undo", rowan.receipts("")[0].(object)["id"]), nil).wants(http.StatusOK)
	if left := len(maple.receipts("")) + len(rowan.receipts("")); left != 0 {
		t.Errorf("%d receipts after the undo", left)
	}
	if heard := maple.get("/api/me/notices").wants(http.StatusOK).json()["notices"].([]any)[0].(object); heard["kind"] != "crossing_undone" {
		t.Errorf("the buyer heard %v", heard)
	}
	sells(120).wants(http.StatusOK)
	if again := len(maple.receipts("")); again != 0 {
		t.Errorf("the same two rows trade again: %d", again)
	}
}

func TestAPostStandsAtOnceOverHTTP(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 300, "price": 40,
		"public": true, "sellsDaily": 120}}, "confirmPrice": true}).wants(http.StatusOK)
	draft := object{"itemName": "Iron Ore", "quantity": 200, "maxPricePerUnit": 50, "confirmPrice": true, "buyerContact": "maple"}
	draft["standing"] = "friends"
	maple.post("/api/orders", draft).wantsProblem(http.StatusUnprocessableEntity, "standing")
	draft["standing"] = "anybody"
	posted := maple.post("/api/orders", draft).wants(http.StatusCreated).json()
	if posted["sold"] != float64(120) || posted["status"] != "active" {
		t.Errorf("posted %v", posted)
	}
	if receipts := maple.receipts(""); len(receipts) != 1 || receipts[0].(object)["pricePerUnit"] != float64(40) {
		t.Errorf("the buyer has %v", receipts)
	}
	terms := maple.get(fmt.Sprintf("/api/orders/%.0f/terms", posted["id"])).wants(http.StatusOK).json()
	if standing := terms["standing"].([]any)[0].(object); standing["fromOthers"] != float64(200) || standing["takenFromOthers"] != float64(120) {
		t.Errorf("it stands as %v", standing)
	}
}
