package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestAVisitorsOfferReachesTheBuyer(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()

	sent := visitor.post(address+"/offers", offer()).wants(http.StatusCreated).json()
	if made := sent["offer"].(object); sent["replaced"] != false || made["verified"] != false || made["pricePerUnit"] != 250.0 || made["quantityOffered"] != 20.0 {
		t.Errorf("sent %v", sent)
	}
	list := maple.get(address + "/offers").wants(http.StatusOK).json()
	if offers := list["offers"].([]any); list["total"] != 1.0 || offers[0].(object)["sellerContact"] != "fern" {
		t.Errorf("the buyer reads %v", list)
	}
	visitor.get(address + "/offers").wantsProblem(http.StatusUnauthorized)
	s.signedIn("rowan.ashdown").get(address + "/offers").wantsProblem(http.StatusForbidden)
}

func TestASignedInSellersContactIsTheirOwn(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts()

	sent := rowan.post(address+"/offers", offer(object{"sellerContact": "maple"})).wants(http.StatusCreated).json()
	if made := sent["offer"].(object); made["verified"] != true || made["sellerContact"] != "rowan.ashdown" {
		t.Errorf("sent %v", made)
	}
	again := rowan.post(address+"/offers", offer(object{"quantityOffered": 30})).wants(http.StatusCreated).json()
	if again["replaced"] != true {
		t.Errorf("a second offer did not replace the first: %v", again)
	}
	if list := maple.get(address + "/offers").json(); list["total"] != 1.0 {
		t.Errorf("the buyer reads %v", list)
	}
	maple.post(address+"/offers", offer()).wantsProblem(http.StatusForbidden)
}

func TestAcceptingMovesEverythingAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts(object{"quantity": 10})
	made := rowan.offers(address, object{"quantityOffered": 8})

	part := maple.post(made+"/accept", object{"quantity": 3}).wants(http.StatusOK).json()
	left, sale, after := part["offer"].(object), part["sale"].(object), part["order"].(object)
	if left["quantityOffered"] != 5.0 || after["sold"] != 3.0 || after["progress"] != 30.0 || after["remainingValue"] != "1750" {
		t.Errorf("part of it left %v and %v", left, after)
	}
	if sale["quantitySold"] != 3.0 || sale["notes"] != "Accepted offer from Fern (rowan.ashdown)" || sale["unitPrice"] != 250.0 {
		t.Errorf("logged %v", sale)
	}
	over := maple.post(made+"/accept", object{"quantity": 6}).wantsProblem(http.StatusUnprocessableEntity, "quantity")
	if over.Errors["quantity"] != "Choose a quantity from 1 to 5" || over.Current == nil || over.Current.Sold != 3 {
		t.Errorf("too much is refused with %+v", over)
	}
	whole := maple.post(made+"/accept", object{"quantity": 5}).wants(http.StatusOK).json()
	if whole["offer"] != nil {
		t.Errorf("an offer that was taken whole is still %v", whole["offer"])
	}
	maple.post(made+"/accept", object{"quantity": 1}).wantsProblem(http.StatusNotFound)

	sent := rowan.get("/api/me/offers").wants(http.StatusOK).json()["offers"].([]any)[0].(object)
	if sent["state"] != "accepted" || sent["quantityAccepted"] != 8.0 || sent["quantityLeft"] != 0.0 || sent["buyerContact"] != "maple" {
		t.Errorf("the seller reads %v", sent)
	}
}

func TestAnOfferIsDeclinedByTheBuyerOrWithdrawnByItsSeller(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, juniper := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	address := maple.posts()
	state := func(seller *browser) any {
		return seller.get("/api/me/offers").wants(http.StatusOK).json()["offers"].([]any)[0].(object)["state"]
	}

	declined := rowan.offers(address)
	juniper.delete(declined).wantsProblem(http.StatusForbidden)
	s.visitor().delete(declined).wantsProblem(http.StatusUnauthorized)
	maple.delete(declined).wants(http.StatusNoContent)
	if got := state(rowan); got != "declined" {
		t.Errorf("the seller reads %v", got)
	}
	withdrawn := juniper.offers(address)
	juniper.delete(withdrawn).wants(http.StatusNoContent)
	if got := state(juniper); got != "withdrawn" {
		t.Errorf("the seller reads %v", got)
	}
	juniper.delete(withdrawn).wantsProblem(http.StatusNotFound)
}

func TestSalesAreLoggedAndListed(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts(object{"quantity": 10})

	for range 4 {
		maple.post(address+"/sales", object{"quantitySold": 2, "notes": "Met at the docks"}).wants(http.StatusOK)
	}
	list := maple.get(address + "/sales").wants(http.StatusOK).json()
	if sales := list["sales"].([]any); list["total"] != 4.0 || len(sales) != 3 || sales[0].(object)["notes"] != "Met at the docks" {
		t.Errorf("the last three are %v", list)
	}
	if all := maple.get(address + "/sales?limit=60").wants(http.StatusOK).json(); len(all["sales"].([]any)) != 4 {
		t.Errorf("all are %v", all)
	}
	maple.get(address+"/sales?limit=61").wantsProblem(http.StatusUnprocessableEntity, "limit")
	over := maple.post(address+"/sales", object{"quantitySold": 3}).wantsProblem(http.StatusUnprocessableEntity, "quantitySold")
	if over.Detail != "Cannot sell more than remaining quantity (2)" || over.Current == nil || over.Current.Sold != 8 {
		t.Errorf("too much is refused with %+v", over)
	}
	last := maple.post(address+"/sales", object{"quantitySold": 2, "notes": nil}).wants(http.StatusOK).json()
	if o := last["order"].(object); o["status"] != "fulfilled" || o["closeReason"] != "filled" || last["sale"].(object)["notes"] != nil {
		t.Errorf("the last sale made %v", last)
	}
	maple.post(address+"/sales", object{"quantitySold": 1}).wantsProblem(http.StatusConflict)
	s.visitor().get(address + "/sales").wantsProblem(http.StatusUnauthorized)
	s.signedIn("rowan.ashdown").get(address + "/sales").wantsProblem(http.StatusForbidden)
}

func TestSentOffersGoOnWhereThePageEnded(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts()
	const sent = 61
	for range sent {
		rowan.offers(address)
	}
	var first, second struct {
		Offers     []struct{ State string }
		NextCursor *string
	}
	rowan.get("/api/me/offers").wants(http.StatusOK).into(&first)
	if len(first.Offers) != 60 || first.NextCursor == nil || first.Offers[0].State != "open" || first.Offers[1].State != "replaced" {
		t.Fatalf("the first page has %d offers and leads to %v", len(first.Offers), first.NextCursor)
	}
	rowan.get("/api/me/offers?cursor=" + *first.NextCursor).wants(http.StatusOK).into(&second)
	if len(second.Offers) != 1 || second.NextCursor != nil {
		t.Errorf("the second page has %d offers and leads to %v", len(second.Offers), second.NextCursor)
	}
	for _, cursor := range []string{"x", "-1", "0", "9999999999999999999999", "1.5"} {
		rowan.get("/api/me/offers?cursor="+cursor).wantsProblem(http.StatusUnprocessableEntity, "cursor")
	}
}

func TestABuyerMayTakeOffersOfSignedInSellersOnly(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, visitor := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.visitor()
	address := maple.posts(object{"signedInOnly": true})
	if shown := visitor.get(address).json(); shown["signedInOnly"] != true {
		t.Errorf("a visitor is shown %v", shown)
	}
	if listed := visitor.get("/api/orders").json()["orders"].([]any)[0].(object); listed["signedInOnly"] != true {
		t.Errorf("a visitor finds %v", listed)
	}
	if p := visitor.post(address+"/offers", offer()).wantsProblem(http.StatusUnauthorized); p.Detail != "Only signed-in sellers can offer on this request" {
		t.Errorf("a visitor reads %q", p.Detail)
	}
	rowan.post(address+"/offers", offer()).wants(http.StatusCreated)

	if edited := maple.patch(address, object{"version": 1, "quantity": 400}).wants(http.StatusOK).json(); edited["signedInOnly"] != true {
		t.Errorf("another edit left %v", edited)
	}
	rowan.patch(address, object{"version": 2, "signedInOnly": false}).wantsProblem(http.StatusForbidden)
	maple.patch(address, object{"version": 2, "signedInOnly": "no"}).wantsProblem(http.StatusUnprocessableEntity, "signedInOnly")
	maple.patch(address, object{"version": 2, "signedInOnly": false}).wants(http.StatusOK)
	visitor.post(address+"/offers", offer()).wants(http.StatusCreated)
}

func TestAnOfferReplacesOnlyTheOneThatItsSellerKnows(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	address := maple.posts(object{"quantity": 40})
	if own := rowan.get(address + "/my-offer").wants(http.StatusOK).json(); own["offer"] != nil {
		t.Errorf("before the first offer the seller reads %v", own)
	}
	first := rowan.post(address+"/offers", offer(object{"quantityOffered": 8, "replaces": 0})).wants(http.StatusCreated).json()
	id := first["offer"].(object)["id"].(float64)

	// From a form that was opened before.
	p := rowan.post(address+"/offers", offer(object{"quantityOffered": 12, "replaces": 0})).wantsProblem(http.StatusConflict)
	if p.Code != "offered" || p.Detail != "You already offered 8 on this request. Change that offer instead." {
		t.Errorf("a second offer is refused with %+v", p)
	}
	own := rowan.get(address + "/my-offer").wants(http.StatusOK).json()["offer"].(object)
	if own["id"] != id || own["quantityOffered"] != 8.0 || own["message"] != "I have plenty" || own["sellerName"] != "Fern" {
		t.Errorf("the seller reads %v", own)
	}
	maple.post(fmt.Sprintf("/api/offers/%.0f/accept", id), object{"quantity": 3}).wants(http.StatusOK)
	open := rowan.get("/api/me/offers/open").wants(http.StatusOK).json()["offers"].([]any)
	if len(open) != 1 || open[0].(object)["quantityOffered"] != 8.0 || open[0].(object)["quantityAccepted"] != 3.0 {
		t.Errorf("open are %v", open)
	}
	changed := rowan.post(address+"/offers", offer(object{"quantityOffered": 12, "replaces": id})).wants(http.StatusCreated).json()
	if changed["replaced"] != true {
		t.Errorf("the change answers %v", changed)
	}
	p = rowan.post(address+"/offers", offer(object{"replaces": id})).wantsProblem(http.StatusConflict)
	if p.Code != "offered" || p.Detail != "Your earlier offer has changed since. Look at it again and repeat your change." {
		t.Errorf("a change of the first offer is refused with %+v", p)
	}
	maple.delete(fmt.Sprintf("/api/offers/%.0f", changed["offer"].(object)["id"])).wants(http.StatusNoContent)
	p = rowan.post(address+"/offers", offer(object{"replaces": changed["offer"].(object)["id"]})).wantsProblem(http.StatusConflict)
	if p.Code != "offered" || !strings.HasPrefix(p.Detail, "Your earlier offer is no longer open.") {
		t.Errorf("a change of a declined offer is refused with %+v", p)
	}
	if open := rowan.get("/api/me/offers/open").json()["offers"].([]any); len(open) != 0 {
		t.Errorf("open are %v", open)
	}
	s.visitor().get("/api/me/offers/open").wantsProblem(http.StatusUnauthorized)
	s.visitor().get(address + "/my-offer").wantsProblem(http.StatusUnauthorized)
}

func TestSentOffersComeInParts(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	open, lapsed, declined := maple.posts(), maple.posts(object{"itemName": "Coal"}), maple.posts(object{"itemName": "Hide"})
	rowan.offers(open)
	maple.post(rowan.offers(lapsed, object{"quantityOffered": 20})+"/accept", object{"quantity": 5}).wants(http.StatusOK)
	maple.post(lapsed+"/close", nil).wants(http.StatusOK)
	maple.delete(rowan.offers(declined)).wants(http.StatusNoContent)
	for part, state := range map[string]string{"open": "open", "accepted": "lapsed", "past": "declined"} {
		page := rowan.get("/api/me/offers?part=" + part).wants(http.StatusOK).json()
		if offers := page["offers"].([]any); len(offers) != 1 || offers[0].(object)["state"] != state {
			t.Errorf("%s are %v", part, offers)
		}
		if counts := page["counts"].(object); counts["open"] != 1.0 || counts["accepted"] != 1.0 || counts["past"] != 1.0 {
			t.Errorf("counted are %v", counts)
		}
	}
	rowan.get("/api/me/offers?part=other").wantsProblem(http.StatusUnprocessableEntity, "part")
}
