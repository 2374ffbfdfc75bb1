package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// What happened to a trade, as its page lists it for one of the two.
func history(trade object) (said []string) {
	for _, e := range trade["history"].([]any) {
		by, _ := e.(object)["by"].(string)
		said = append(said, strings.TrimSpace(fmt.Sprint(by, " ", e.(object)["kind"])))
	}
	return said
}

func TestATradeIsReadByItsTwoSidesAlone(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	deal := func(quantity int) any {
		address := b.rowan.offers(b.maple.posts(object{"buyerContact": "maple", "ign": "Maple#1", "description": "Any grade", "quantity": 100 + quantity}),
			object{"quantityOffered": quantity, "message": "Tonight?"})
		b.clock.forward(time.Minute)
		return b.maple.post(address+"/accept", object{"quantity": quantity}).wants(http.StatusOK).json()["sale"].(object)["id"]
	}
	first, second := deal(20), deal(10)
	page := func(sale any) string { return fmt.Sprint("/api/me/trades/", sale) }
	b.clock.forward(time.Minute)
	b.rowan.put(fmt.Sprint("/api/me/slips/", b.maple.User.ID, "/place"), object{"place": "By the fountain"}).wants(http.StatusOK)

	for _, side := range []*browser{b.maple, b.rowan} {
		got := side.get(page(first)).wants(http.StatusOK).json()
		other := map[*browser]string{b.maple: "rowan.ashdown", b.rowan: "maple"}[side]
		if got["with"].(object)["contact"] != other || got["receipt"].(object)["total"] != "5000" || got["handover"].(object)["canSay"] != true ||
			got["description"] != "Any grade" || got["message"] != "Tonight?" || got["place"].(object)["text"] != "By the fountain" {
			t.Errorf("%s reads %v", side.User.Username, got)
		}
		if open := got["open"].([]any); len(open) != 2 || got["canSayPlace"] != true {
			t.Errorf("open between the two are %v", open)
		}
	}
	for _, other := range []*browser{b.mod, b.signedIn("juniper_fox")} {
		other.get(page(first)).wantsProblem(http.StatusNotFound)
		other.get(page(999)).wantsProblem(http.StatusNotFound)
	}
	b.visitor.get(page(first)).wantsProblem(http.StatusUnauthorized)

	b.clock.forward(time.Hour)
	b.rowan.post("/api/handovers/say", object{"sales": []any{first}, "word": "met"}).wants(http.StatusOK)
	got := b.maple.get(page(first)).json()
	if said := fmt.Sprint(history(got)); said != "[you accepted them placed them met]" {
		t.Errorf("the buyer reads %s", said)
	}
	if next := got["next"].(object); next["state"] != "met" {
		t.Errorf("next comes %v", next)
	}
	b.clock.forward(time.Minute)
	b.maple.post("/api/handovers/say", object{"sales": []any{first, second}, "word": "met"}).wants(http.StatusOK)
	got = b.rowan.get(page(first)).json()
	if said := fmt.Sprint(history(got)); said != "[them accepted you placed you met them met]" || got["next"] != nil || len(got["open"].([]any)) != 1 {
		t.Errorf("the seller reads %s, %v", said, got)
	}
}

func TestAnUndoneTradeKeepsItsAddress(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	address := b.rowan.offers(b.maple.posts())
	sale := b.maple.post(address+"/accept", object{"quantity": 5}).wants(http.StatusOK).json()["sale"].(object)["id"]
	page := fmt.Sprint("/api/me/trades/", sale)
	if undo := b.maple.get(page).json()["receipt"].(object)["undo"]; undo == nil {
		t.Error("the buyer can't undo it there")
	}
	b.clock.forward(time.Minute)
	b.maple.post(fmt.Sprintf("/api/sales/%v/undo", sale), nil).wants(http.StatusOK)
	for _, side := range []*browser{b.maple, b.rowan} {
		got := side.get(page).wants(http.StatusOK).json()
		if got["undoneAt"] == nil || got["handover"] != nil || got["receipt"].(object)["undo"] != nil || got["canSayPlace"] != false {
			t.Errorf("%s reads %v", side.User.Username, got)
		}
		if said := history(got); len(said) != 2 || !strings.HasSuffix(said[1], "undone") {
			t.Errorf("%s reads %v", side.User.Username, said)
		}
	}
	b.mod.get(page).wantsProblem(http.StatusNotFound)
}

// A visitor's offer has no handover: the buyer reads the receipt.
func TestATradeWithAVisitorHasAPage(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	address := b.visitor.offers(b.maple.posts(), object{"sellerName": "Fern", "sellerContact": "fern"})
	sale := b.maple.post(address+"/accept", object{"quantity": 5}).wants(http.StatusOK).json()["sale"].(object)["id"]
	got := b.maple.get(fmt.Sprint("/api/me/trades/", sale)).wants(http.StatusOK).json()
	if got["handover"] != nil || got["with"] != nil || got["receipt"].(object)["with"].(object)["name"] != "Fern" || len(got["open"].([]any)) != 0 ||
		got["you"].(object)["contact"] != "maple" {
		t.Errorf("maple reads %v", got)
	}
	b.rowan.get(fmt.Sprint("/api/me/trades/", sale)).wantsProblem(http.StatusNotFound)
}
