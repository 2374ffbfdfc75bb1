package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/web"
)

func TestTermsAreTheBuyersToSet(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, visitor := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.visitor()
	address := maple.posts()
	standing := object{"sellers": "trusted", "fromPartners": 200, "fromOthers": 20, "until": "2026-05-03T12:00:00Z"}
	rowan.put(address+"/standing", standing).wantsProblem(http.StatusForbidden)
	visitor.put(address+"/standing", standing).wantsProblem(http.StatusUnauthorized)
	maple.put(address+"/standing", object{"sellers": "friends", "fromPartners": 999, "fromOthers": 0, "until": "2026-08-03T12:00:00Z"}).
		wantsProblem(http.StatusUnprocessableEntity, "sellers", "fromPartners", "until")
	if set := maple.put(address+"/standing", standing).wants(http.StatusOK).json(); set["stands"] != true || set["takenFromOthers"] != 0.0 {
		t.Errorf("set %v", set)
	}
	sent := rowan.post(address+"/offers", offer()).wants(http.StatusCreated).json()
	if sent["accepted"] != 20.0 {
		t.Errorf("sent %v", sent)
	}
	if terms := visitor.get(address + "/terms").wants(http.StatusOK).json(); len(terms["standing"].([]any)) != 0 || terms["leastRecord"] != nil {
		t.Errorf("others read %v", terms)
	}
	maple.put(address+"/least-record", object{"sellers": "trusted", "newUpTo": 5}).wants(http.StatusOK)
	refused := rowan.post(address+"/offers", offer(object{"quantityOffered": 6})).wantsProblem(http.StatusUnprocessableEntity, "quantityOffered")
	if !strings.Contains(refused.Detail, "You can offer up to 5, and established sellers more.") {
		t.Errorf("the seller reads %q", refused.Detail)
	}
	if terms := visitor.get(address + "/terms").json()["leastRecord"].(object); terms["sellers"] != "trusted" || terms["newUpTo"] != 5.0 {
		t.Errorf("others read %v", terms)
	}
	// A program from before names a number of partners instead.
	if terms := maple.put(address+"/least-record", object{"partners": 3, "newUpTo": 0}).wants(http.StatusOK).json(); terms["leastRecord"].(object)["sellers"] != "trusted" {
		t.Errorf("it sets %v", terms)
	}
	maple.delete(address + "/least-record").wants(http.StatusNoContent)
	maple.delete(address + "/standing").wants(http.StatusNoContent)

	records := visitor.get("/api/traders?user=1&user=999").wants(http.StatusOK).json()["records"].([]any)
	if first := records[0].(object); len(records) != 2 || first["new"] != true || first["kept"] != nil {
		t.Errorf("the records are %v", records)
	}
	if page := visitor.get("/api/traders/1").wants(http.StatusOK).json(); page["name"] == "" || strings.Contains(string(visitor.get("/api/traders/1").body), "username") {
		t.Errorf("a trader is %v", page)
	}
	visitor.get("/api/traders/999").wantsProblem(http.StatusNotFound)
	visitor.get(fmt.Sprint("/api/traders/", rowan.User.ID)).wantsProblem(http.StatusNotFound) // has no open request
}

func TestWithoutRecordsNothingOfThemIsThere(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.Features{Items: true, Handover: true} })
	s.visitor().get("/api/traders/1").wantsProblem(http.StatusNotFound)
	if text := string(s.visitor().get("/api/openapi.json").body); strings.Contains(text, "sellerId") || strings.Contains(text, "/api/traders") {
		t.Error("the description names records")
	}
}
