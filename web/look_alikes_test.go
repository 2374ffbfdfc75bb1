package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tradepost/core"
)

// establish makes a user an established trader on a moderator's word, known in game by a name.
func (b *board) establish(trader *browser, inGame string) {
	b.t.Helper()
	b.mod.post("/api/moderation/vouches", object{"userId": trader.User.ID}).wants(http.StatusNoContent)
	request := trader.posts(object{"ign": inGame, "description": "a lot"})
	trader.post(b.rowan.offers(request)+"/accept", object{"quantity": 1}).wants(http.StatusOK)
	b.clock.forward(core.UndoWindow)
	must(b.t, b.market.Trust.FindTraders(b.t.Context()))
	changed, err := b.market.Trust.LearnTraders(b.t.Context())
	must(b.t, err)
	if !changed {
		b.t.Fatal("nobody is established")
	}
	b.store.Feed().Refresh()
}

func TestNamesThatLookLikeAnEstablishedTradersAreMarked(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	early := b.rowan.posts(object{"buyerContact": "rowan.ashdown", "ign": "Hаrbourmaster", "description": "before"}) // the first а is Cyrillic
	b.establish(b.maple, "Harbourmaster")

	// On requests: in the list, by its number, and also on what was there before.
	marks := func(who *browser, path string) string {
		t.Helper()
		return fmt.Sprint(who.get(path).wants(http.StatusOK).json()["lookAlike"])
	}
	forged := b.rowan.posts(object{"buyerContact": "MAPLE", "ign": "harb0urrnaster", "description": "after"})
	for path, want := range map[string]string{early: "map[contact:false name:true]", forged: "map[contact:true name:true]"} {
		if got := marks(b.visitor, path); got != want {
			t.Errorf("%s has the marks %s, want %s", path, got, want)
		}
	}
	if own := b.maple.posts(object{"ign": "Harbourmaster", "description": "own"}); marks(b.visitor, own) != "<nil>" {
		t.Error("a trader's own name is marked")
	}
	listed := 0
	for _, o := range b.visitor.get("/api/orders").wants(http.StatusOK).json()["orders"].([]any) {
		if o.(object)["lookAlike"] != nil {
			listed++
		}
	}
	if listed != 2 {
		t.Errorf("%d requests of the list are marked, want 2", listed)
	}
	if reply := b.visitor.get(early, "If-None-Match", `"v1"`); reply.status != http.StatusOK {
		t.Errorf("a marked request that was read without its mark answers %d", reply.status)
	}

	// On offers: for the buyer, and in the receipt.
	sent := b.visitor.post(b.order+"/offers", object{"sellerName": "ｍａｐｌｅ", "sellerContact": "ma\u0301ple", "message": "Here", "quantityOffered": 5}).wants(http.StatusCreated)
	offer := fmt.Sprintf("/api/offers/%.0f", sent.json()["offer"].(object)["id"])
	b.maple.post(offer+"/accept", object{"quantity": 1}).wants(http.StatusOK)
	for path, name := range map[string]string{b.order + "/offers": "offers", "/api/me/receipts": "receipts", "/api/me/offers/received": "received offers"} {
		if body := string(b.maple.get(path).wants(http.StatusOK).body); !strings.Contains(body, `"lookAlike":{"contact":true,"name":true}`) {
			t.Errorf("the %s have no mark: %s", name, body)
		}
	}

	// The trader has a notice of each, which leads to the request.
	var notices []string
	for _, n := range b.maple.get("/api/me/notices").wants(http.StatusOK).json()["notices"].([]any) {
		if n := n.(object); n["kind"] == "look_alike" {
			notices = append(notices, fmt.Sprint(n["counterpart"].(object)["name"], " ", n["orderId"]))
		}
	}
	want := []string{"máple " + idOf(b.order), "MAPLE " + idOf(forged)}
	if fmt.Sprint(notices) != fmt.Sprint(want) {
		t.Errorf("the notices are %q, want %q", notices, want)
	}
}

func TestTheElderUseOfANameIsNotMarked(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	elder := b.rowan.posts(object{"buyerContact": "rowan.ashdown", "ign": "Harb0urmaster", "description": "first"})
	early := b.visitor.post(b.order+"/offers", object{"sellerName": "Harbourrnaster", "sellerContact": "someone", "message": "Here", "quantityOffered": 5}).wants(http.StatusCreated)
	b.clock.forward(core.UndoWindow)
	b.establish(b.maple, "Harbourmaster")
	marked := func(path string) bool {
		t.Helper()
		return strings.Contains(string(b.maple.get(path).wants(http.StatusOK).body), `"lookAlike":{`)
	}
	if marked(elder) {
		t.Error("the request of who had the name before its trader is marked")
	}
	if marked(b.order + "/offers") {
		t.Errorf("a visitor's offer of before the trader had the name is marked: %s", early.body)
	}
	if later := b.rowan.posts(object{"buyerContact": "rowan.ashdown", "ign": "harbourmaster", "description": "again"}); marked(later) {
		t.Error("a later request of who had the name before its trader is marked")
	}
	b.visitor.post(b.order+"/offers", object{"sellerName": "Harbourrnaster", "sellerContact": "another", "message": "Here", "quantityOffered": 5}).wants(http.StatusCreated)
	if !marked(b.order + "/offers") {
		t.Error("a visitor's offer of after the trader had the name is not marked")
	}
}

func TestAModeratorLiftsTheMarkOfAName(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.establish(b.maple, "Harbourmaster")
	request := b.rowan.posts(object{"buyerContact": "rowan.ashdown", "ign": "harb0urmaster", "description": "later"})
	sent := b.visitor.post(b.order+"/offers", object{"sellerName": "Harbourrnaster", "sellerContact": "someone", "message": "Here", "quantityOffered": 5}).wants(http.StatusCreated)
	offer := fmt.Sprintf("/api/offers/%.0f", sent.json()["offer"].(object)["id"])
	marked := func(path string) bool {
		t.Helper()
		return strings.Contains(string(b.maple.get(path).wants(http.StatusOK).body), `"lookAlike":{`)
	}
	for _, who := range []*browser{b.visitor, b.rowan, b.maple} {
		if status := who.post(request+"/allow-names", nil).status; status != http.StatusUnauthorized && status != http.StatusForbidden {
			t.Errorf("who is no moderator gets %d", status)
		}
	}
	for path, about := range map[string]string{request: request, b.order + "/offers": offer} {
		if !marked(path) {
			t.Fatalf("%s has no mark", path)
		}
		b.mod.post(about+"/allow-names", nil).wants(http.StatusNoContent)
		if marked(path) {
			t.Errorf("%s still has a mark", path)
		}
		b.mod.post(about+"/allow-names", nil).wants(http.StatusConflict)
	}
	var undo []string
	for _, e := range b.mod.get("/api/moderation/audit").wants(http.StatusOK).json()["entries"].([]any) {
		if e := e.(object); e["action"] == "name_allowed" {
			undo = append(undo, fmt.Sprintf("/api/moderation/audit/%.0f/undo", e["id"]))
		}
	}
	if len(undo) != 2 {
		t.Fatalf("the log has %d entries of it, want 2", len(undo))
	}
	for _, path := range undo {
		b.mod.post(path, nil).wants(http.StatusNoContent)
		b.mod.post(path, nil).wants(http.StatusConflict)
	}
	if !marked(request) || !marked(b.order+"/offers") {
		t.Error("after the undo, the names are not marked again")
	}
}

// posesAsMaple posts a request with a name like that of maple, who is vouched for.
func (b *board) posesAsMaple() string {
	b.t.Helper()
	must(b.t, b.market.Trust.FindTraders(b.t.Context()))
	_, err := b.market.Trust.LearnTraders(b.t.Context())
	must(b.t, err)
	return b.signedIn("juniper_fox").posts(object{"buyerContact": "rnaple"})
}

// offersAsMaple has a visitor offer with a name like maple's.
func (b *board) offersAsMaple() string {
	b.t.Helper()
	request := b.signedIn("juniper_fox").posts(object{"buyerContact": "juniper_fox", "description": "another"})
	sent := b.visitor.post(request+"/offers", object{
		"sellerName": "rnaple", "sellerContact": "someone", "message": "Here", "quantityOffered": 1,
	}).wants(http.StatusCreated)
	return fmt.Sprintf("/api/offers/%.0f", sent.json()["offer"].(object)["id"])
}
