package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"
)

// Rankings by worth are not led by slips of a coin. Maple's are a thousand times what others pay for the item, and for its neighbour.
func TestRankingsLeaveOutPricesFarBeyondWhatIsKnown(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,kind,aliases\nIron Ore,Ore,Eisenerz\nZinc Ore,Ore,\nCoal,,\n")
	seller, maple := s.signedIn("rowan.ashdown"), s.signedIn("maple")
	var stock []object
	for _, item := range []string{"Iron Ore", "Zinc Ore", "Coal"} {
		stock = append(stock, object{"itemName": item, "quantity": 500, "price": 1})
	}
	seller.post("/api/me/stock", object{"stock": stock, "confirmPrice": true}).wants(http.StatusOK)
	post := func(buyer *browser, item string, price int) string {
		o := order(object{"itemName": item, "quantity": 10, "maxPricePerUnit": price, "confirmPrice": true})
		return fmt.Sprint(buyer.post("/api/orders", o).wants(http.StatusCreated).json()["id"])
	}
	var fair []string
	s.discord.NewPlayer(t, "bramble")
	for i, buyer := range []string{"juniper_fox", "oldtamsin", "bramble"} {
		fair = append(fair, post(s.signedIn(buyer), []string{"Iron Ore", "Eisenerz", "Iron Ore"}[i], 4_000+i))
	}
	slips := []string{post(maple, "Iron Ore", 4_000_000), post(maple, "Zinc Ore", 4_000_001)}
	dear := post(maple, "Coal", 100_000_000) // nothing is known of it

	ranking := func() (ids []string) {
		for cursor := any(""); cursor != nil && len(ids) < 10; {
			page := seller.get(fmt.Sprintf("/api/orders/fillable?limit=1&cursor=%v", cursor)).wants(http.StatusOK).json()
			for _, o := range page["orders"].([]any) {
				ids = append(ids, fmt.Sprint(o.(object)["id"]))
			}
			cursor = page["nextCursor"]
		}
		return ids
	}
	if got, want := ranking(), []string{dear, fair[2], fair[1], fair[0], slips[1], slips[0]}; !slices.Equal(got, want) {
		t.Errorf("by earnings come %v, want %v", got, want)
	}
	byPrice := seller.get("/api/orders/fillable?sort=price").wants(http.StatusOK).json()["orders"].([]any)
	if got := fmt.Sprint(byPrice[1].(object)["id"]); len(byPrice) != 6 || got != slips[1] {
		t.Errorf("sorted by price the second of %d is %v", len(byPrice), got)
	}
	wanted := seller.get("/api/wanted").wants(http.StatusOK).json()["unmet"].([]any)
	group := wanted[0].(object)
	if len(wanted) != 1 || group["value"] != "1000120030" || group["requests"] != 4.0 {
		t.Errorf("wanted is %v", wanted)
	}

	// Once its price is put right, a request is ranked like the others.
	maple.patch("/api/orders/"+slips[0], object{"version": 1, "maxPricePerUnit": 5_000}).wants(http.StatusOK)
	s.clock.forward(5 * time.Minute)
	if got, want := ranking(), []string{dear, slips[0], fair[2], fair[1], fair[0], slips[1]}; !slices.Equal(got, want) {
		t.Errorf("after the edit come %v, want %v", got, want)
	}
}

// One other buyer says too little: a request for a copper would take what is honest out of the ranking.
func TestARequestForACopperTakesNoOtherOutOfRankings(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,kind,aliases\nCoal,,\nYew Bow,,\n")
	seller := s.signedIn("rowan.ashdown")
	stock := []object{{"itemName": "Coal", "quantity": 500, "price": 1}, {"itemName": "Yew Bow", "quantity": 500, "price": 1}}
	seller.post("/api/me/stock", object{"stock": stock, "confirmPrice": true}).wants(http.StatusOK)
	post := func(buyer, item string, price int) {
		o := order(object{"itemName": item, "quantity": 10, "maxPricePerUnit": price, "confirmPrice": true})
		s.signedIn(buyer).post("/api/orders", o).wants(http.StatusCreated)
	}
	post("juniper_fox", "Yew Bow", 5_000)
	post("maple", "Coal", 4_000)
	post("oldtamsin", "Yew Bow", 1)
	first := seller.get("/api/orders/fillable?limit=1").wants(http.StatusOK).json()["orders"].([]any)[0].(object)
	if first["itemName"] != "Yew Bow" || first["maxPricePerUnit"] != "5000" && first["maxPricePerUnit"] != 5_000.0 {
		t.Errorf("what pays most comes after %v at %v", first["itemName"], first["maxPricePerUnit"])
	}
}
