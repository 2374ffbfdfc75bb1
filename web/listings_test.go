package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/web"
)

func TestListingsAreAskedForAndAnsweredOverHTTP(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by,made_at_level\nIron Ore,Miner,20\nOak Log,Woodcutter,1\n")
	maple, rowan, tamsin := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	until := s.clock.now().Add(core.Day).Format("2006-01-02T15:04:05Z")
	entry := func(name string, quantity, price int, more object) object {
		e := object{"itemName": name, "quantity": quantity, "price": price, "public": true}
		for k, v := range more {
			e[k] = v
		}
		return e
	}
	saved := rowan.post("/api/me/stock", object{"stock": []object{entry("Iron Ore", 300, 40, object{"note": "Docks", "until": until}),
		entry("Oak Log", 5, 7, nil)}, "confirmPrice": true}).wants(http.StatusOK).json()["stock"].([]any)
	if got := saved[0].(object)["until"]; got != until {
		t.Errorf("for sale until %v", got)
	}
	rowan.post("/api/me/stock", object{"stock": []object{entry("Oak Log", 5, 7, object{"until": "2020-01-01T00:00:00Z"})}}).wantsProblem(http.StatusUnprocessableEntity, "until")

	names := func(query string) string {
		var all []string
		page := maple.get("/api/listings" + query).wants(http.StatusOK).json()
		for _, l := range page["listings"].([]any) {
			all = append(all, fmt.Sprint(l.(object)["itemName"], " ", l.(object)["left"]))
		}
		return strings.Join(all, ", ")
	}
	for query, want := range map[string]string{
		"": "Oak Log 5, Iron Ore 300", "?sort=cheapest": "Oak Log 5, Iron Ore 300", "?category=Miner": "Iron Ore 300", "?q=docks": "Iron Ore 300",
		"?itemId=2": "Oak Log 5", "?maxPrice=10": "Oak Log 5", "?q=none": "",
	} {
		if got := names(query); got != want {
			t.Errorf("with %q %s, want %s", query, got, want)
		}
	}
	first := maple.get("/api/listings?limit=1").wants(http.StatusOK).json()
	second := maple.get(fmt.Sprint("/api/listings?limit=1&cursor=", first["nextCursor"])).wants(http.StatusOK).json()
	if second["nextCursor"] != nil || second["total"] != float64(2) || second["listings"].([]any)[0].(object)["itemName"] != "Iron Ore" {
		t.Errorf("the second page is %v", second)
	}
	maple.get("/api/listings?cursor=x").wantsProblem(http.StatusUnprocessableEntity, "cursor")

	iron := fmt.Sprint("/api/listings/", saved[0].(object)["id"], "/asks")
	s.visitor().post(iron, object{"quantity": 5}).wantsProblem(http.StatusUnauthorized)
	rowan.post(iron, object{"quantity": 5}).wantsProblem(http.StatusForbidden)
	maple.post(iron, object{"quantity": 301}).wantsProblem(http.StatusUnprocessableEntity, "quantity")
	maple.post(iron, object{"quantity": 5, "price": 39}).wantsProblem(http.StatusConflict)
	ask := maple.post(iron, object{"quantity": 200, "price": 40}).wants(http.StatusCreated).json()
	if ask["hidden"] != false || ask["listingId"] != saved[0].(object)["id"] {
		t.Errorf("asked %v", ask)
	}
	for b, want := range map[*browser]string{rowan: "map[count:1 endsAt:<nil> kind:answer_asks order:<nil> partner:<nil>]", maple: "", tamsin: ""} {
		got := strings.Trim(fmt.Sprint(b.get("/api/me").wants(http.StatusOK).json()["todo"]), "[]")
		if got != strings.Trim(want, "[]") {
			t.Errorf("with an ask %s waits, want %s", got, want)
		}
	}
	for who, b := range map[string]*browser{"visitor": s.visitor(), "other": tamsin, "seller": rowan} {
		if orders := b.get("/api/orders").wants(http.StatusOK).json(); orders["total"] != float64(0) {
			t.Errorf("the %s sees %v", who, orders)
		}
		b.get(fmt.Sprint("/api/orders/", ask["id"])).wantsProblem(http.StatusNotFound)
	}
	if mine := maple.get("/api/me/orders").wants(http.StatusOK).json()["orders"].([]any); len(mine) != 1 {
		t.Errorf("my requests %v", mine)
	}
	if asks := maple.get("/api/me/asks").wants(http.StatusOK).json()["asks"].([]any); len(asks) != 1 || asks[0].(object)["seller"].(object)["username"] != "rowan.ashdown" {
		t.Errorf("my asks %v", asks)
	}
	own := rowan.get("/api/me/listings").wants(http.StatusOK).json()["listings"].([]any)
	if asks := own[0].(object)["asks"].([]any); len(asks) != 1 || asks[0].(object)["buyer"].(object)["username"] != "maple" {
		t.Errorf("own listings %v", own)
	}
	answer := fmt.Sprint("/api/me/asks/", ask["id"], "/answer")
	tamsin.post(answer, object{"accept": 1}).wantsProblem(http.StatusNotFound)
	done := rowan.post(answer, object{"accept": 150, "message": "At the docks"}).wants(http.StatusOK).json()
	if done["accepted"] != float64(150) || done["saleId"] == nil {
		t.Errorf("answered %v", done)
	}
	if got := names("?itemId=1"); got != "Iron Ore 150" {
		t.Errorf("after the trade %s", got)
	}
	tamsin.post(iron, object{"quantity": 150}).wants(http.StatusCreated)
	asked := tamsin.get("/api/me/asks").json()["asks"].([]any)[0].(object)["id"]
	no := rowan.post(fmt.Sprint("/api/me/asks/", asked, "/answer"), object{"accept": 0}).wants(http.StatusOK).json()
	if no["accepted"] != float64(0) || no["saleId"] != nil {
		t.Errorf("a no is %v", no)
	}
}

// Without the feature there is no trace of it.
func TestListingsAreNotThereWithoutTheFeature(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.AllFeatures() })
	maple := s.signedIn("maple")
	maple.get("/api/listings").wantsProblem(http.StatusNotFound)
	maple.get("/api/public/listings").wants(http.StatusNotFound)
	maple.get("/api/me/asks").wantsProblem(http.StatusNotFound)
	described := maple.get("/api/openapi.json").wants(http.StatusOK).body
	for _, word := range []string{"listing", "ask_received", "stock is shown no more"} {
		if strings.Contains(string(described), word) {
			t.Errorf("the API's description says %s", word)
		}
	}
}

// Who asks for as many as a listing sells without asking has them at once; beyond that its seller answers.
func TestAskingForWhatIsSoldWithoutAskingIsAgreedAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	maple, rowan, fern := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	saved := rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 300, "price": 40,
		"public": true, "sellsDaily": 100}}, "confirmPrice": true}).wants(http.StatusOK).json()["stock"].([]any)
	asks := fmt.Sprint("/api/listings/", saved[0].(object)["id"], "/asks")
	for _, step := range []struct {
		by       *browser
		quantity int
		status   string
	}{{maple, 60, "fulfilled"}, {fern, 60, "active"}, {maple, 40, "fulfilled"}} {
		order := step.by.post(asks, object{"quantity": step.quantity, "price": 40}).wants(http.StatusCreated).json()
		if order["status"] != step.status {
			t.Errorf("an ask for %d is %v, want %s", step.quantity, order["status"], step.status)
		}
	}
	if left := maple.get("/api/listings").wants(http.StatusOK).json()["listings"].([]any)[0].(object)["left"]; left != float64(140) {
		t.Errorf("%v are left of 300 after 100 were sold and 60 asked for", left)
	}
	sales := maple.get("/api/me/handovers").wants(http.StatusOK).json()
	if n := len(sales["handovers"].([]any)); n != 2 {
		t.Errorf("the buyer has %d trades, want 2", n)
	}
}
