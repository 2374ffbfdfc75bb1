package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestASlipIsReadAndAnsweredAsAWhole(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	deal := func(buyer, seller *browser, quantity int) any {
		address := seller.offers(buyer.posts(object{"buyerContact": buyer.User.Username, "ign": buyer.User.Username + "#1"}), object{"quantityOffered": quantity})
		return buyer.post(address+"/accept", object{"quantity": quantity}).wants(http.StatusOK).json()["sale"].(object)["id"]
	}
	bought, sold, more := deal(b.maple, b.rowan, 20), deal(b.rowan, b.maple, 8), deal(b.maple, b.rowan, 10)
	with := func(partner *browser) string { return fmt.Sprint("/api/me/slips/", partner.User.ID) }
	b.maple.put("/api/me/in-game-name", object{"inGameName": "Maple#1234"}).wants(http.StatusOK)
	b.maple.put("/api/me/in-game-name", object{"inGameName": strings.Repeat("x", 65)}).wantsProblem(http.StatusUnprocessableEntity, "inGameName")
	b.rowan.put(with(b.maple)+"/place", object{"place": "By the fountain"}).wants(http.StatusOK)
	b.rowan.put(with(b.maple)+"/place", object{"place": "Click here"}).wantsProblem(http.StatusUnprocessableEntity, "place")

	slip := b.maple.get(with(b.rowan)).wants(http.StatusOK).json()
	if lines := slip["lines"].([]any); len(lines) != 3 || lines[0].(object)["handover"].(object)["partnerId"] != float64(b.rowan.User.ID) {
		t.Fatalf("lines: %v", lines)
	}
	if got := fmt.Sprint(slip["bring"], " ", slip["get"], " ", slip["pay"], " ", slip["earn"], " ", slip["net"]); got !=
		"[map[itemName:Iron Ore quantity:8]] [map[itemName:Iron Ore quantity:30]] 7500 2000 5500" {
		t.Errorf("totals: %s", got)
	}
	if place := slip["place"].(object); place["text"] != "By the fountain" || place["saidByYou"] != false || slip["canSayPlace"] != true {
		t.Errorf("place: %v", slip)
	}
	if you, other := slip["you"].(object), slip["with"].(object); fmt.Sprint(you["inGameNames"]) != "[Maple#1234 maple#1]" ||
		fmt.Sprint(other["inGameNames"]) != "[rowan.ashdown#1]" || other["contact"] != "rowan.ashdown" {
		t.Errorf("names: %v, %v", you, other)
	}
	for _, other := range []*browser{b.mod, b.signedIn("juniper_fox")} {
		other.get(with(b.rowan)).wantsProblem(http.StatusNotFound)
		other.put(with(b.rowan)+"/place", object{"place": "Here"}).wantsProblem(http.StatusNotFound)
	}
	b.visitor.get(with(b.rowan)).wantsProblem(http.StatusUnauthorized)
	if text := string(b.maple.get(with(b.rowan)).body); strings.Contains(text, "discord") {
		t.Errorf("the slip names accounts at Discord: %s", text)
	}

	b.rowan.post("/api/handovers/say", object{"sales": []any{sold}, "word": "not_met"}).wants(http.StatusOK)
	all := object{"sales": []any{bought, sold, more}, "word": "met"}
	b.maple.post("/api/handovers/say", all).wantsProblem(http.StatusConflict, "sales[2]")
	if lines := b.maple.get(with(b.rowan)).json()["lines"].([]any); len(lines) != 2 || lines[0].(object)["handover"].(object)["canSay"] != true {
		t.Errorf("something was half saved: %v", lines)
	}
	rest := object{"sales": []any{bought, more}, "word": "met"}
	b.maple.post("/api/handovers/say", rest).wants(http.StatusOK)
	if slip := b.maple.get(with(b.rowan)).json(); slip["pay"] != "0" || len(slip["lines"].([]any)) != 2 {
		t.Errorf("after both were answered: %v", slip)
	}
	b.rowan.post("/api/handovers/say", rest).wants(http.StatusOK)
	b.maple.get(with(b.rowan)).wantsProblem(http.StatusNotFound)
	exported := b.maple.get("/api/me/data").json()
	if places := exported["meetingPlaces"].([]any); len(places) != 1 || exported["user"].(object)["inGameName"] != "Maple#1234" {
		t.Errorf("the export has %v", places)
	}
}
