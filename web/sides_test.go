package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/web"
)

func TestASavedSearchHasItsSide(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	watch := func(side string) object { return object{"q": "iron", "side": side} }
	made := maple.post("/api/me/watches", watch("sale")).wants(http.StatusCreated).json()
	if made["side"] != "sale" {
		t.Errorf("saved is %v", made)
	}
	address := fmt.Sprint("/api/me/watches/", made["id"])
	if edited := maple.put(address, watch("both")).wants(http.StatusOK).json(); edited["side"] != "both" {
		t.Errorf("edited is %v", edited)
	}
	maple.put(address, watch("auction")).wantsProblem(http.StatusUnprocessableEntity, "side")
	if saved := maple.get("/api/me/saved").json()["saved"].([]any)[0].(object); saved["side"] != "both" {
		t.Errorf("listed is %v", saved)
	}
	if edited := maple.put(address, watch("")).wants(http.StatusOK).json(); edited["side"] != nil {
		t.Errorf("for requests it is %v", edited)
	}
	maple.post("/api/me/watches", object{"forMe": true, "side": "sale"}).wantsProblem(http.StatusUnprocessableEntity, "q")
	plain := maple.post("/api/me/searches", object{"name": "Ores", "q": "ore", "side": "both"}).wants(http.StatusCreated).json()
	if plain["side"] != "both" {
		t.Errorf("saved without a bell is %v", plain)
	}
	if given := maple.post(fmt.Sprint("/api/me/searches/", plain["id"], "/bell"), nil).wants(http.StatusOK).json(); given["side"] != "both" {
		t.Errorf("with a bell it is %v", given)
	}
}

func TestAListSaysWhatIsForSale(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 5, "price": 100, "public": true}}}).wants(http.StatusOK)
	posted := maple.post("/api/lists", list()).wants(http.StatusCreated).json()
	path := fmt.Sprint("/api/lists/", posted["id"], "/for-sale")
	lines := s.visitor().get(path).wants(http.StatusOK).json()["lines"].([]any)
	if len(lines) != 1 || lines[0].(object)["quantity"] != 5.0 || lines[0].(object)["lowest"] != 100.0 {
		t.Errorf("for sale is %v", lines)
	}
	if own := rowan.get(path).wants(http.StatusOK).json()["lines"].([]any); len(own) != 0 {
		t.Errorf("one's own is among it: %v", own)
	}
	s.visitor().get("/api/lists/999/for-sale").wantsProblem(http.StatusNotFound)
}

func TestWithoutListingsSearchesHaveNoSide(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.AllFeatures() })
	described := s.visitor().get("/api/openapi.json").wants(http.StatusOK)
	for _, trace := range []string{`"listingId"`, "for-sale"} {
		if strings.Contains(string(described.body), trace) {
			t.Errorf("the description has %s", trace)
		}
	}
	schemas := described.json()["components"].(object)["schemas"].(object)
	for _, name := range []string{"Saved", "Search", "SearchDraft", "Watch", "WatchDraft"} {
		if side := schemas[name].(object)["properties"].(object)["side"]; side != nil {
			t.Errorf("%s has the side %v", name, side)
		}
	}
}
