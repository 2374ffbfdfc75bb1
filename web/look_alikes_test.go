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
