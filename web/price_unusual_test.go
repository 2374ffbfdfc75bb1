package web_test

import (
	"fmt"
	"net/http"
	"testing"
)

// asksAbout expects the question about a price, with both readings.
func asksAbout(t *testing.T, r *reply, field string, typed, suggested float64) {
	t.Helper()
	problem := r.wants(http.StatusConflict).json()
	prices, _ := problem["prices"].([]any)
	if problem["code"] != "price_unusual" || len(prices) != 1 {
		t.Fatalf("the answer is %v", problem)
	}
	price := prices[0].(map[string]any)
	if price["field"] != field || price["typed"] != typed || price["suggested"] != suggested || price["from"] != "asked" {
		t.Errorf("the price in question is %v", price)
	}
	if problem["detail"] != "That is 1,000 times what others pay. Did you mean 4s?" {
		t.Errorf("the question is %q", problem["detail"])
	}
}

func TestASlipOfACoinIsAskedAboutOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	fern, maple := s.signedIn("rowan.ashdown"), s.signedIn("maple")
	// The first price of an item is compared with nothing, nor is it with one's own.
	first := fern.post("/api/orders", order(object{"itemName": "Tin Ore", "maxPricePerUnit": 4_000})).wants(http.StatusCreated).json()
	fern.post("/api/orders", order(object{"itemName": "Tin Ore", "maxPricePerUnit": 4_000_000})).wants(http.StatusCreated)
	fern.delete(fmt.Sprintf("/api/orders/%v", first["id"].(float64)+1)).wants(http.StatusNoContent)

	slip := order(object{"itemName": "tin ore", "maxPricePerUnit": 4_000_000})
	key := "0b7e8f5e-4a58-4d2c-9b8e-8f2f5c1f0a11"
	asksAbout(t, maple.post("/api/orders", slip, "Idempotency-Key", key), "maxPricePerUnit", 4_000_000, 4_000)
	asksAbout(t, maple.post("/api/orders", slip, "Idempotency-Key", key), "maxPricePerUnit", 4_000_000, 4_000) // nothing was posted
	slip["confirmPrice"] = true
	posted := maple.post("/api/orders", slip, "Idempotency-Key", key).wants(http.StatusCreated).json()
	if _, stored := posted["confirmPrice"]; posted["maxPricePerUnit"] != 4e6 || stored {
		t.Errorf("the confirmed request is %v", posted)
	}
	delete(slip, "confirmPrice") // a repeat of what was posted gets its answer, not the question
	if again := maple.post("/api/orders", slip, "Idempotency-Key", key).wants(http.StatusCreated).json(); again["id"] != posted["id"] {
		t.Errorf("the repeat is %v, want request %v", again, posted["id"])
	}
	maple.delete(fmt.Sprintf("/api/orders/%v", posted["id"])).wants(http.StatusNoContent)

	fair := maple.post("/api/orders", order(object{"itemName": "Tin Ore", "maxPricePerUnit": 4_100})).wants(http.StatusCreated).json()
	path := fmt.Sprintf("/api/orders/%v", fair["id"])
	asksAbout(t, maple.patch(path, object{"version": 1, "maxPricePerUnit": 4_000_000}), "maxPricePerUnit", 4_000_000, 4_000)
	maple.patch(path, object{"version": 1, "maxPricePerUnit": 4_000_000, "confirmPrice": true}).wants(http.StatusOK)
	// Of an edit of something else, and of the same price, nothing is asked.
	maple.patch(path, object{"version": 2, "maxPricePerUnit": 4_000_000, "quantity": 7}).wants(http.StatusOK)
	maple.delete(path).wants(http.StatusNoContent)

	several := list(object{"text": "5x Coal 1s\n\n5x Tin Ore 4g"})
	asksAbout(t, maple.post("/api/lists", several), "lines[3]", 4_000_000, 4_000)
	several["confirmPrice"] = true
	maple.post("/api/lists", several).wants(http.StatusCreated)

	stock := func(price int, confirmed bool) object {
		entry := object{"itemName": "Tin Ore", "quantity": 5, "price": price}
		return object{"stock": []object{entry}, "confirmPrice": confirmed}
	}
	other := s.signedIn("oldtamsin")
	maple.delete(path) // already gone: what others pay is fern's
	asksStock := other.post("/api/me/stock", stock(1, false)).wants(http.StatusConflict).json()
	if asksStock["code"] != "price_unusual" {
		t.Errorf("stock at a copper: %v", asksStock)
	}
	other.post("/api/me/stock", stock(1, true)).wants(http.StatusOK)
	other.post("/api/me/stock", stock(1, false)).wants(http.StatusOK) // it has that price already
}
