package web_test

import (
	"fmt"
	"net/http"
	"testing"

	"tradepost/core"
	"tradepost/web"
)

// planOf plans a text for a buyer and returns its lines.
func planOf(b *browser, query object) (lines []object) {
	for _, line := range b.post("/api/lists/plan", query).wants(http.StatusOK).json()["lines"].([]any) {
		lines = append(lines, line.(object))
	}
	return lines
}

// postable is what the page posts of a plan.
func postable(name string, lines []object) object {
	var posted []object
	for _, line := range lines {
		for _, l := range line["listings"].([]any) {
			l := l.(object)
			if l["take"] != float64(0) {
				posted = append(posted, object{"itemName": line["itemName"], "listingId": l["id"], "quantity": l["take"], "price": l["price"]})
			}
		}
		if line["request"] != float64(0) && line["price"] != nil {
			posted = append(posted, object{"itemName": line["itemName"], "quantity": line["request"], "price": line["price"]})
		}
	}
	return object{"name": name, "buyerContact": "maple", "lines": posted, "confirmPrice": true}
}

func TestAListIsPlannedAndPostedOverHTTP(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by,made_at_level\nIron Ore,Miner,20\nOak Log,Woodcutter,1\n")
	maple, rowan, fern := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	sells := func(b *browser, item string, quantity, price, daily int) {
		b.post("/api/me/stock", object{"stock": []object{{"itemName": item, "quantity": quantity, "price": price, "public": true,
			"sellsDaily": daily}}, "confirmPrice": true}).wants(http.StatusOK)
	}
	sells(rowan, "Iron Ore", 100, 42, 0)
	sells(fern, "Iron Ore", 20, 30, 20)
	query := object{"text": "30x Iron Ore 50c\n\n10x Oak Log 20c\nOak Log"}
	s.visitor().post("/api/lists/plan", query).wantsProblem(http.StatusUnauthorized)
	maple.post("/api/lists/plan", object{"text": " "}).wantsProblem(http.StatusUnprocessableEntity, "text")

	lines := planOf(maple, query)
	if len(lines) != 3 || lines[1]["number"] != float64(3) || lines[1]["request"] != float64(10) || lines[2]["why"] == nil {
		t.Fatalf("planned %v", lines)
	}
	cheapest := lines[0]["listings"].([]any)[0].(object)
	if cheapest["take"] != float64(20) || cheapest["atOnce"] != true || cheapest["price"] != float64(30) {
		t.Errorf("the cheapest is %v", cheapest)
	}
	seller := cheapest["seller"].(object)["id"]
	without := planOf(maple, object{"text": query["text"], "without": []any{seller}, "prefer": "price",
		"edits": []object{{"number": 1, "quantity": 12}, {"number": 3, "quantity": 0}}})
	for _, l := range without[0]["listings"].([]any) {
		if l := l.(object); l["seller"].(object)["id"] == seller && l["take"] != float64(0) || l["take"] == float64(20) {
			t.Errorf("without the cheapest seller %v", l)
		}
	}
	if without[1]["quantity"] != float64(0) {
		t.Errorf("a line that is left out is %v", without[1])
	}

	draft := postable("Guild hall", lines)
	sells(fern, "Iron Ore", 20, 31, 20) // dearer than it was shown
	maple.post("/api/lists/planned", draft).wantsProblem(http.StatusUnprocessableEntity, "lines[1]")
	if n := len(maple.get("/api/me/lists").wants(http.StatusOK).json()["lists"].([]any)); n != 0 {
		t.Errorf("%d lists were posted with a listing that is dearer", n)
	}
	sells(fern, "Iron Ore", 20, 29, 20) // cheaper
	posted := maple.post("/api/lists/planned", draft).wants(http.StatusCreated).json()
	if posted["agreed"] != float64(1) || posted["asked"] != float64(1) || posted["requested"] != float64(1) {
		t.Errorf("posted %v", posted)
	}
	if receipts := maple.receipts(""); len(receipts) != 1 || receipts[0].(object)["pricePerUnit"] != float64(29) {
		t.Errorf("agreed at once: %v", receipts)
	}
	list := fmt.Sprintf("/api/lists/%.0f", posted["listId"])
	own := maple.get(list).wants(http.StatusOK).json()
	if n, progress := len(own["orders"].([]any)), own["progress"].(object); n != 3 || progress["sold"] != float64(20) || progress["wanted"] != float64(40) {
		t.Errorf("the list has %d requests: %v", n, progress)
	}
	if n := len(rowan.get(list).wants(http.StatusOK).json()["orders"].([]any)); n != 1 {
		t.Errorf("others see %d requests of the list", n)
	}
}

func TestWithoutListingsNothingIsPlanned(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.AllFeatures() })
	maple := s.signedIn("maple")
	maple.post("/api/lists/plan", object{"text": "5x Iron Ore 4s"}).wantsProblem(http.StatusMethodNotAllowed)
	maple.post("/api/lists/planned", object{"name": "Mine"}).wantsProblem(http.StatusMethodNotAllowed)
}
