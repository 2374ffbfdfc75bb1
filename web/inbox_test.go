package web_test

import (
	"fmt"
	"net/http"
	"testing"
)

func TestANoticeOfAnOfferSaysWhatHasBecomeOfIt(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, visitor := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.visitor()
	address := maple.posts(object{"quantity": 20})
	offers := map[string]string{}
	for _, name := range []string{"open", "declined", "undone", "partly", "wholly"} {
		offers[name] = visitor.offers(address, object{"sellerName": name, "quantityOffered": 4})
	}
	maple.delete(offers["declined"]).wants(http.StatusNoContent)
	sale := maple.post(offers["undone"]+"/accept", object{"quantity": 4}).wants(http.StatusOK).at("/api/sales/", "sale", "id")
	maple.post(sale+"/undo", nil).wants(http.StatusOK)
	maple.delete(offers["undone"]).wants(http.StatusNoContent)
	maple.post(offers["partly"]+"/accept", object{"quantity": 3}).wants(http.StatusOK)
	maple.post(offers["wholly"]+"/accept", object{"quantity": 4}).wants(http.StatusOK)

	want := map[string]object{
		"open": {"open": true, "accepted": 0.0}, "declined": {"open": false, "accepted": 0.0}, "undone": {"open": false, "accepted": 0.0},
		"partly": {"open": true, "accepted": 3.0}, "wholly": {"open": false, "accepted": 4.0},
	}
	for _, n := range maple.get("/api/me/notices").wants(http.StatusOK).json()["notices"].([]any) {
		notice := n.(object)
		name := notice["counterpart"].(object)["name"].(string)
		if got := notice["offer"]; fmt.Sprint(got) != fmt.Sprint(want[name]) {
			t.Errorf("the notice of the %s offer says %v, want %v", name, got, want[name])
		}
		delete(want, name)
	}
	if len(want) != 0 {
		t.Errorf("there are no notices of %v", want)
	}
	maple.post(rowan.offers(address, object{"quantityOffered": 1})+"/accept", object{"quantity": 1}).wants(http.StatusOK)
	if n := rowan.get("/api/me/notices").json()["notices"].([]any)[0].(object); n["kind"] != "offer_accepted" || n["offer"] != nil {
		t.Errorf("the seller reads %v", n)
	}
}

// A message about an offer that was not sent in time says why, until the buyer has answered the offer: then it is no alarm.
func TestANoticeOfAnAnsweredOfferIsNoAlarm(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	made, _ := s.visitor().linked(maple.posts())
	s.sql("update notices set state = 'expired', settled_at = created_at, reason = 'It could not be delivered in time' where kind = 'offer_received'")
	reason := func() any {
		return maple.get("/api/me/notices").wants(http.StatusOK).json()["notices"].([]any)[0].(object)["reason"]
	}
	if got := reason(); got != "It could not be delivered in time" {
		t.Errorf("before an answer the reason is %v", got)
	}
	maple.post(made+"/accept", object{"quantity": 10}).wants(http.StatusOK)
	if got := reason(); got != nil {
		t.Errorf("of an offer that was accepted the reason is %v", got)
	}
}
