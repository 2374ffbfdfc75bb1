package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core"
)

// readyOn lists what one press offers as "7: 260" with the reason that refuses it, and the message.
func readyOn(r *reply) (all []string, message string) {
	body := r.wants(http.StatusOK).json()
	for _, o := range body["ready"].([]any) {
		e := o.(object)
		line := fmt.Sprint(e["orderId"], ": ", e["quantity"])
		if e["why"] != nil {
			line += " " + fmt.Sprint(e["why"])
		}
		all = append(all, line)
	}
	return all, fmt.Sprint(body["message"], " ", body["remembered"])
}

func TestOnePressOffersWhatIsFreeOfStock(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,kind,aliases\nIron Ore,Ore,Eisenerz\n")
	maple, rowan, tamsin := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	post := func(of *browser, name string, quantity, price int) string {
		return of.post("/api/orders", order(object{"itemName": name, "quantity": quantity, "maxPricePerUnit": price})).wants(http.StatusCreated).at("/api/orders/", "id")
	}
	number := func(address string) string { return strings.TrimPrefix(address, "/api/orders/") }
	ready := func() string {
		all, message := readyOn(rowan.get("/api/me/offers/ready"))
		return fmt.Sprint(all, " ", message)
	}
	want := func(when, want string) {
		t.Helper()
		if got := ready(); got != want {
			t.Errorf("%s it is %s, want %s", when, got, want)
		}
	}
	large, small := post(maple, "Iron Ore", 400, 5000), post(tamsin, "Eisenerz", 100, 6000)
	post(maple, "Iron Ore", 300, 3000) // for less than its seller asks
	post(maple, "Coal", 10, 5000)
	post(rowan, "Iron Ore", 7, 9000) // one's own
	want("without stock", "[] I have these ready. false")
	rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 260, "price": 4000}}}).wants(http.StatusOK)
	l, sm := number(large), number(small)
	want("with stock", fmt.Sprintf("[%s: 260 %s: 100] I have these ready. false", l, sm))

	// The press is an offer like any other, at the price that was seen.
	draft := object{"sellerName": "Rowan", "message": "I have these ready.", "quantityOffered": 100, "replaces": 0, "price": 5999}
	if p := rowan.post(small+"/offers", draft).wantsProblem(http.StatusConflict); p.Current == nil || !strings.HasPrefix(p.Detail, "The price has changed since") {
		t.Errorf("at another price: %+v", p)
	}
	draft["price"] = 6000
	sent := rowan.post(small+"/offers", draft).wants(http.StatusCreated).at("/api/offers/", "offer", "id")
	want("with 100 in an open offer", fmt.Sprintf("[%s: 160] I have these ready. false", l))
	undo := func() (until any) {
		for _, o := range rowan.get("/api/me/offers/open").json()["offers"].([]any) {
			until = o.(object)["undoUntil"]
		}
		return until
	}
	if got, want := undo(), s.clock.now().Add(10*time.Minute).UTC().Format(time.RFC3339Nano); got != want {
		t.Errorf("it can be undone until %v, want %s", got, want)
	}
	s.clock.forward(10 * time.Minute)
	if got := undo(); got != nil {
		t.Errorf("ten minutes later it can be undone until %v", got)
	}
	// Withdrawing it is the undo.
	rowan.delete(sent).wants(http.StatusNoContent)
	want("after undoing it", fmt.Sprintf("[%s: 260 %s: 100] I have these ready. false", l, sm))

	// One's own message is remembered, if it is about no number.
	say := func(message string) {
		offer := rowan.post(small+"/offers", object{"sellerName": "Rowan", "message": message, "quantityOffered": 1}).wants(http.StatusCreated).at("/api/offers/", "offer", "id")
		rowan.delete(offer).wants(http.StatusNoContent)
	}
	say("At the harbour, every evening")
	say("I have 12 of it")
	want("with a message", fmt.Sprintf("[%s: 260 %s: 100] At the harbour, every evening true", l, sm))

	// An accepted part can't be undone.
	sent = rowan.post(large+"/offers", object{"sellerName": "Rowan", "message": "m", "quantityOffered": 20}).wants(http.StatusCreated).at("/api/offers/", "offer", "id")
	maple.post(sent+"/accept", object{"quantity": 5}).wants(http.StatusOK)
	if got := undo(); got != nil {
		t.Errorf("it can be undone until %v", got)
	}
	want("with 5 sold and 15 in an open offer", fmt.Sprintf("[%s: 100] m true", sm))
	s.visitor().get("/api/me/offers/ready").wantsProblem(http.StatusUnauthorized)
}

func TestOnePressSaysWhatRefusesIt(t *testing.T) {
	t.Parallel()
	s := openLimited(t, core.Quotas{OffersPerRequest: core.Quota{Limit: 1, Per: core.Day}})
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.post("/api/orders", order(object{"itemName": "Iron Ore", "quantity": 400, "maxPricePerUnit": 5000})).wants(http.StatusCreated).at("/api/orders/", "id")
	rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 260, "price": 4000}}}).wants(http.StatusOK)
	why := func(want string) {
		t.Helper()
		all, _ := readyOn(rowan.get("/api/me/offers/ready"))
		if len(all) != 1 || !strings.HasSuffix(all[0], want) {
			t.Errorf("it is %v, want one that ends with %q", all, want)
		}
	}
	why(": 260")
	maple.put(address+"/least-record", object{"sellers": "met", "newUpTo": 10}).wants(http.StatusOK)
	why(": 260 You can offer up to 10. Once you have met this buyer, you can offer more.")
	maple.delete(address + "/least-record")
	why(": 260")
	rowan.delete(rowan.post(address+"/offers", offer()).wants(http.StatusCreated).at("/api/offers/", "offer", "id")).wants(http.StatusNoContent)
	why("hours.")
}
