package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tradepost/web"
)

// sells lists an item for sale and returns the address of the listing.
func (b *browser) sells(name string, quantity, price int) string {
	saved := b.post("/api/me/stock", object{"stock": []object{{"itemName": name, "quantity": quantity, "price": price, "note": "Docks", "public": true}},
		"confirmPrice": true}).wants(http.StatusOK).json()["stock"].([]any)
	for _, s := range saved {
		if s.(object)["itemName"] == name {
			return fmt.Sprint("/api/listings/", s.(object)["id"])
		}
	}
	panic(fmt.Sprintf("no %s in stock: %v", name, saved))
}

// forSale names what is for sale.
func (b *browser) forSale() string {
	var names []string
	for _, l := range b.get("/api/listings").wants(http.StatusOK).json()["listings"].([]any) {
		names = append(names, fmt.Sprint(l.(object)["itemName"], " ", l.(object)["left"]))
	}
	return strings.Join(names, ", ")
}

func TestAReportedListingIsTakenOffSaleAndItsSellerIsNotified(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	maple, rowan, juniper, mod := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox"), s.signedIn(moderator)
	visitor := s.visitor()
	iron := rowan.sells("Iron Ore", 300, 40)

	// Anybody but the seller reports, once each.
	spam := object{"reason": "There is no such ore"}
	rowan.post(iron+"/report", spam).wantsProblem(http.StatusForbidden)
	maple.post(iron+"/report", object{"reason": " "}).wantsProblem(http.StatusUnprocessableEntity, "reason")
	maple.post("/api/listings/999/report", spam).wantsProblem(http.StatusNotFound)
	maple.post(iron+"/report", spam).wants(http.StatusNoContent)
	if p := maple.post(iron+"/report", spam).wantsProblem(http.StatusConflict); !strings.Contains(p.Detail, "already") {
		t.Errorf("a second report is refused with %q", p.Detail)
	}
	visitor.post(iron+"/report", object{"reason": "spam"}).wants(http.StatusNoContent)
	visitor.post(iron+"/report", object{"reason": "spam"}).wantsProblem(http.StatusConflict)
	if told := mod.get("/api/me/notices").json()["notices"].([]any); len(told) != 1 || told[0].(object)["kind"] != "report_received" || told[0].(object)["itemName"] != "Iron Ore" {
		t.Errorf("the moderator reads %v", told)
	}

	// One line in the queue, for both.
	reports := mod.get("/api/moderation/reports").wants(http.StatusOK).json()["reports"].([]any)
	if len(reports) != 1 {
		t.Fatalf("%d lines, want one: %v", len(reports), reports)
	}
	r := reports[0].(object)
	if r["count"] != 2.0 || r["orderId"] != 0.0 || fmt.Sprint("/api/listings/", r["listingId"]) != iron || r["subject"].(object)["username"] != "rowan.ashdown" {
		t.Errorf("listed %v", r)
	}
	if l := r["listing"].(object); l["quantity"] != 300.0 || l["price"] != 40.0 || l["note"] != "Docks" {
		t.Errorf("the queue shows %v", l)
	}

	// Removed: the stock stays with its seller, and so does what was asked for.
	ask := maple.post(iron+"/asks", object{"quantity": 5}).wants(http.StatusCreated).json()
	visitor.post(iron+"/remove", spam).wantsProblem(http.StatusUnauthorized)
	juniper.post(iron+"/remove", spam).wantsProblem(http.StatusForbidden)
	mod.post(iron+"/remove", object{"reason": ""}).wantsProblem(http.StatusUnprocessableEntity, "reason")
	mod.post(iron+"/remove", spam, "Idempotency-Key", "once").wants(http.StatusNoContent)
	mod.post(iron+"/remove", spam, "Idempotency-Key", "once").wants(http.StatusNoContent)
	mod.post(iron+"/remove", spam).wantsProblem(http.StatusNotFound)
	if got := maple.forSale(); got != "" {
		t.Errorf("for sale: %s", got)
	}
	if own := rowan.get("/api/me/stock").json()["stock"].([]any); len(own) != 1 || own[0].(object)["public"] != false || own[0].(object)["quantity"] != 300.0 {
		t.Errorf("the seller has %v", own)
	}
	if left := mod.get("/api/moderation/reports").json()["reports"].([]any); len(left) != 0 {
		t.Errorf("reports left: %v", left)
	}
	told := rowan.get("/api/me/notices")
	var kinds []string
	for _, n := range told.json()["notices"].([]any) {
		if kinds = append(kinds, n.(object)["kind"].(string)); n.(object)["kind"] == "listing_removed" && n.(object)["message"] != "There is no such ore" {
			t.Errorf("the seller reads %v", n)
		}
	}
	if !strings.Contains(strings.Join(kinds, " "), "listing_removed") || strings.Contains(string(told.body), moderator) {
		t.Errorf("the seller is told %v", kinds)
	}
	rowan.post(fmt.Sprint("/api/me/asks/", ask["id"], "/answer"), object{"accept": 2}).wants(http.StatusOK)
	if data := rowan.get("/api/me/data").json(); len(data["removed"].([]any)) != 1 || data["removed"].([]any)[0].(object)["listing"].(object)["quantity"] != 300.0 {
		t.Errorf("their data says %v", data["removed"])
	}

	// Undone: for sale again, with what is left now.
	entry := mod.get("/api/moderation/audit").json()["entries"].([]any)[0].(object)
	if entry["action"] != "listing_removed" || entry["itemName"] != "Iron Ore" || fmt.Sprint("/api/listings/", entry["listingId"]) != iron || entry["orderId"] != nil || entry["undoable"] != true {
		t.Errorf("noted %v", entry)
	}
	undo := fmt.Sprint("/api/moderation/audit/", entry["id"], "/undo")
	rowan.post(undo, nil).wantsProblem(http.StatusForbidden)
	mod.post(undo, nil).wants(http.StatusNoContent)
	mod.post(undo, nil).wantsProblem(http.StatusConflict)
	if got := maple.forSale(); got != "Iron Ore 298" {
		t.Errorf("for sale again: %s", got)
	}
	if n := rowan.get("/api/me/notices").json()["notices"].([]any)[0].(object); n["kind"] != "listing_restored" || n["quantity"] != 298.0 {
		t.Errorf("the seller reads %v", n)
	}
	if e := mod.get("/api/moderation/audit").json()["entries"].([]any)[0].(object); e["action"] != "listing_restored" {
		t.Errorf("noted %v", e)
	}
}

func TestARemovedListingThatItsSellerShowsAgainIsNotRestored(t *testing.T) {
	t.Parallel()
	s := open(t)
	rowan, mod := s.signedIn("rowan.ashdown"), s.signedIn(moderator)
	undoOfRemoval := func() string {
		return fmt.Sprint("/api/moderation/audit/", mod.get("/api/moderation/audit").json()["entries"].([]any)[0].(object)["id"], "/undo")
	}
	iron := rowan.sells("Iron Ore", 300, 40)
	mod.post(iron+"/remove", object{"reason": "Dear"}).wants(http.StatusNoContent)
	rowan.sells("Iron Ore", 200, 30)
	if p := mod.post(undoOfRemoval(), nil).wantsProblem(http.StatusConflict); !strings.Contains(p.Detail, "shows it for sale again") {
		t.Errorf("refused with %q", p.Detail)
	}
	mod.post(iron+"/remove", object{"reason": "Dear"}).wants(http.StatusNoContent)
	rowan.delete(strings.Replace(iron, "/api/listings", "/api/me/stock", 1)).wants(http.StatusNoContent)
	mod.post(undoOfRemoval(), nil).wantsProblem(http.StatusConflict)
	if got := rowan.forSale(); got != "" {
		t.Errorf("for sale: %s", got)
	}
}

func TestAModeratorDoesNotDecideOnListingsTheyTradeWith(t *testing.T) {
	t.Parallel()
	s := open(t)
	rowan, mod := s.signedIn("rowan.ashdown"), s.signedIn(moderator)
	own, rowans := mod.sells("Iron Ore", 300, 40), rowan.sells("Oak Log", 20, 9)
	mod.post(own+"/remove", object{"reason": "Mine"}).wantsProblem(http.StatusForbidden)
	mod.post(rowans+"/asks", object{"quantity": 5}).wants(http.StatusCreated)
	rowan.post(own+"/report", object{"reason": "Dear"}).wants(http.StatusNoContent)
	s.visitor().post(rowans+"/report", object{"reason": "Dear"}).wants(http.StatusNoContent)
	const because = "This is about you. Another moderator has to decide on it."
	for what, path := range map[string]string{"of their own listing": "/api/moderation/reports/1/dismiss", "of one they ask for": "/api/moderation/reports/2/dismiss",
		"by removing it": rowans + "/remove"} {
		if p := mod.post(path, object{"reason": "No"}).wantsProblem(http.StatusForbidden); p.Detail != because {
			t.Errorf("%s: refused with %q", what, p.Detail)
		}
	}
}

func TestWithoutListingsNoneIsReported(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features.Listings = false; o.Features.Crossing = false })
	maple, mod := s.signedIn("maple"), s.signedIn(moderator)
	for _, path := range []string{"/api/listings/1/report", "/api/listings/1/remove"} {
		mod.post(path, object{"reason": "x"}).wantsProblem(http.StatusMethodNotAllowed)
	}
	document := string(maple.get("/api/openapi.json").body)
	for _, word := range []string{"listing_removed", "listing_restored", "ReportedListing", "RemovedListing", "report-listing"} {
		if strings.Contains(document, word) {
			t.Errorf("the description of the API names %s", word)
		}
	}
}
