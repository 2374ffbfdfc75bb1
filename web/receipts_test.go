package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func (b *browser) receipts(query string) []any {
	b.s.t.Helper()
	return b.get("/api/me/receipts" + query).wants(http.StatusOK).json()["receipts"].([]any)
}

func TestBothSidesOfAnAcceptHaveAReceipt(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, juniper := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	address := maple.posts(object{"quantity": 12, "maxPricePerUnit": 999_999_999_999, "ign": "Maple of the Mill"})
	made := rowan.offers(address, object{"quantityOffered": 12})
	maple.post(made+"/accept", object{"quantity": 12}).wants(http.StatusOK) // which fills the request

	want := map[string]object{
		"buyer": {"name": "Fern", "contact": "rowan.ashdown", "verified": true,
			"discordUrl": "https://discord.com/users/" + s.discord.Player(t, "rowan.ashdown").ID()},
		"seller": {"name": "Maple", "contact": "maple", "verified": true,
			"discordUrl": "https://discord.com/users/" + s.discord.Player(t, "maple").ID()},
	}
	for side, reader := range map[string]*browser{"buyer": maple, "seller": rowan} {
		for _, query := range []string{"", "?request=" + address[len("/api/orders/"):], "?offer=" + made[len("/api/offers/"):]} {
			all := reader.receipts(query)
			if len(all) != 1 {
				t.Fatalf("the %s has %d receipts at %q", side, len(all), query)
			}
			r := all[0].(object)
			if r["side"] != side || r["itemName"] != "Iron Ore" || r["quantity"] != 12.0 || r["pricePerUnit"] != 999_999_999_999.0 ||
				r["total"] != "11999999999988" || r["ign"] != "Maple of the Mill" {
				t.Errorf("the %s reads %v", side, r)
			}
			if fmt.Sprint(r["with"]) != fmt.Sprint(want[side]) {
				t.Errorf("the %s reads %v, want %v", side, r["with"], want[side])
			}
		}
	}
	if others := juniper.receipts("?request=" + address[len("/api/orders/"):]); len(others) != 0 {
		t.Errorf("another user reads %v", others)
	}
	s.visitor().get("/api/me/receipts").wantsProblem(http.StatusUnauthorized)

	// A deleted request leaves what was agreed, without its texts.
	maple.delete(address).wants(http.StatusNoContent)
	r := rowan.receipts("")[0].(object)
	with := r["with"].(object)
	if r["orderId"] != nil || r["ign"] != nil || with["contact"] != nil || with["discordUrl"] != want["seller"]["discordUrl"] || r["total"] != "11999999999988" {
		t.Errorf("of a deleted request the seller reads %v", r)
	}
	if with := maple.receipts("")[0].(object)["with"].(object); with["contact"] != nil || with["discordUrl"] != want["buyer"]["discordUrl"] {
		t.Errorf("of a deleted request the buyer reads %v", with)
	}
}

func TestAReceiptOfAVisitorsOfferIsMarkedAsUnverified(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts(object{"buyerContact": "@another-name"})
	made := s.visitor().offers(address, object{"quantityOffered": 3, "sellerName": "Fern (the tall)", "sellerContact": "@maple"})
	maple.post(made+"/accept", object{"quantity": 2}).wants(http.StatusOK)
	maple.post(address+"/sales", object{"quantitySold": 1}).wants(http.StatusOK)

	all := maple.receipts("")
	if len(all) != 1 {
		t.Fatalf("a logged sale has a receipt: %v", all)
	}
	with := all[0].(object)["with"].(object)
	if with["name"] != "Fern (the tall)" || with["contact"] != "@maple" || with["verified"] != false || with["discordUrl"] != nil {
		t.Errorf("the buyer reads %v", with)
	}

	rowan := s.signedIn("rowan.ashdown")
	second := rowan.offers(address, object{"quantityOffered": 1})
	maple.post(second+"/accept", object{"quantity": 1}).wants(http.StatusOK)
	if with := rowan.receipts("")[0].(object)["with"].(object); with["contact"] != "@another-name" || with["verified"] != false {
		t.Errorf("a contact that is not the buyer's account reads %v", with)
	}
}

func TestReceiptsComeInPages(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	made := rowan.offers(maple.posts(), object{"quantityOffered": 70})
	for range 61 {
		maple.post(made+"/accept", object{"quantity": 1}).wants(http.StatusOK)
	}
	page := rowan.get("/api/me/receipts").wants(http.StatusOK).json()
	next, _ := page["nextCursor"].(string)
	if len(page["receipts"].([]any)) != 60 || next == "" {
		t.Fatalf("the first page has %d receipts, then %q", len(page["receipts"].([]any)), next)
	}
	if rest := rowan.receipts("?cursor=" + next); len(rest) != 1 {
		t.Errorf("the second page has %d receipts", len(rest))
	}
	rowan.get("/api/me/receipts?cursor=x").wantsProblem(http.StatusUnprocessableEntity, "cursor")
	rowan.get("/api/me/receipts?request=1"+strings.Repeat("&request=2", 60)).wantsProblem(http.StatusUnprocessableEntity, "request")
}
