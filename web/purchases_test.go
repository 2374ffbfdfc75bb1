package web_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func TestACompletedRequestShowsItsBuyerThePurchases(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, visitor := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.visitor()
	address := maple.posts(object{"quantity": 10})
	first := rowan.offers(address, object{"quantityOffered": 6, "sellerName": "Rowan"})
	second := visitor.offers(address, object{"quantityOffered": 4, "sellerName": "Fern"})
	if shown := maple.get(address).json(); shown["purchases"] != nil {
		t.Errorf("an open request says %v", shown["purchases"])
	}

	maple.post(first+"/accept", object{"quantity": 2}).wants(http.StatusOK)
	began := s.clock.now()
	s.clock.forward(time.Hour)
	maple.post(second+"/accept", object{"quantity": 3}).wants(http.StatusOK)
	undone := maple.post(address+"/sales", object{"quantitySold": 4}).wants(http.StatusOK).at("/api/sales/", "sale", "id")
	maple.post(undone+"/undo", nil).wants(http.StatusOK)
	version := maple.get(address).json()["version"]
	maple.patch(address, object{"version": version, "maxPricePerUnit": 300}).wants(http.StatusOK)
	maple.post(address+"/sales", object{"quantitySold": 1}).wants(http.StatusOK) // at the new price
	s.clock.forward(time.Hour)
	maple.post(first+"/accept", object{"quantity": 4}).wants(http.StatusOK)

	want := object{
		"firstAt": began.Format(time.RFC3339), "lastAt": s.clock.now().Format(time.RFC3339), "paid": fmt.Sprint(9*250 + 300),
		"sellers": []any{"Rowan", "Fern"}, "sellerCount": 2.0,
	}
	listed := maple.get("/api/me/orders?status=fulfilled").wants(http.StatusOK).json()["orders"].([]any)[0].(object)
	for where, shown := range map[string]object{"the list": listed, "the request": maple.get(address).json()} {
		if got := shown["purchases"]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s says %v, want %v", where, got, want)
		}
	}
	for who, reader := range map[string]*browser{"a visitor": visitor, "the seller": rowan} {
		if shown := reader.get(address).wants(http.StatusOK).json(); shown["purchases"] != nil {
			t.Errorf("%s reads %v", who, shown["purchases"])
		}
	}
	unsold := maple.posts()
	if closed := maple.post(unsold+"/close", nil).wants(http.StatusOK); closed.json()["purchases"] != nil || maple.get(unsold).json()["purchases"] != nil {
		t.Error("a request without sales says what was bought")
	}
}
