package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/match"
)

// forSale lists some things: Rowan has iron and logs, Juniper iron.
func forSale(t *testing.T) (s *site, ids map[string]string) {
	t.Helper()
	s, ids = open(t), map[string]string{}
	s.has("name,made_by,made_at_level\nIron Ore,Miner,20\n")
	for who, names := range map[string][]string{"rowan.ashdown": {"Iron Ore", "Oak Log"}, "juniper_fox": {"Iron Ore"}} {
		seller := s.signedIn(who)
		for _, name := range names {
			entry := object{"itemName": name, "quantity": 300, "price": 40 + len(ids), "public": true, "note": "Whisper Rowanberry"}
			saved := seller.post("/api/me/stock", object{"stock": []object{entry}, "confirmPrice": true}).wants(http.StatusOK).json()
			for _, row := range saved["stock"].([]any) {
				ids[who+" "+fmt.Sprint(row.(object)["itemName"])] = fmt.Sprint(row.(object)["id"])
			}
			s.clock.forward(time.Second)
		}
	}
	seller := s.signedIn("juniper_fox")
	seller.post("/api/me/stock", object{"stock": []object{{"itemName": "Moon Pearl", "quantity": 3, "price": 9}}, "confirmPrice": true}).wants(http.StatusOK)
	return s, ids
}

func publicListings(t *testing.T, r *reply) (list struct {
	Listings []struct {
		ID             int
		ItemName, URL  string
		ItemID         int
		Quantity, Left int
	}
	Total      int
	NextCursor *string
}) {
	t.Helper()
	r.wants(http.StatusOK).into(&list)
	return list
}

func TestPublicListingsNameNobodyAndShowNoAsks(t *testing.T) {
	t.Parallel()
	s, ids := forSale(t)
	maple := s.signedIn("maple")
	iron := ids["rowan.ashdown Iron Ore"]
	asked := maple.post("/api/listings/"+iron+"/asks", object{"quantity": 120, "ign": "Maplewood"}).wants(http.StatusCreated).json()
	s.clock.forward(core.Day / 24)
	for _, path := range []string{"/api/public/listings", "/api/public/listings?ids=" + iron, "/api/public/listings?itemId=1&sort=cheapest"} {
		seen := s.visitor().get(path).wants(http.StatusOK)
		text := strings.ToLower(string(seen.body) + fmt.Sprint(seen.header))
		for _, name := range []string{"maple", "rowan", "juniper", "seller", "note", "user", "contact", "ign\"", "session", "moon pearl"} {
			if strings.Contains(text, name) {
				t.Errorf("%s has %q: %s", path, name, text)
			}
		}
		for who, reader := range map[string]*browser{"who asks": maple, "a seller": s.signedIn("rowan.ashdown")} {
			if got := reader.get(path); string(got.body) != string(seen.body) || got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s reads another %s: %s", who, path, got.body)
			}
		}
	}
	// A buyer's own blocks change the page's list, not the one for everyone.
	only := publicListings(t, s.visitor().get("/api/public/listings?ids="+iron))
	if len(only.Listings) != 1 || only.Listings[0].Left != 180 || only.Listings[0].Quantity != 300 || only.Listings[0].URL != s.url+"/items/1" {
		t.Errorf("after an ask it is %+v", only)
	}
	for _, path := range []string{"/api/public/orders", "/api/public/orders?ids=" + fmt.Sprint(asked["id"]), "/requests.json"} {
		var list struct{ Orders []any }
		s.visitor().get(path).wants(http.StatusOK).into(&list)
		if len(list.Orders) != 0 {
			t.Errorf("%s shows an ask: %v", path, list.Orders)
		}
	}
	if changes := s.visitor().get("/api/public/changes").wants(http.StatusOK); strings.Contains(string(changes.body), fmt.Sprint(`"id":`, asked["id"])) {
		t.Errorf("the changes name an ask: %s", changes.body)
	}
}

func TestPublicListingsAreReadPageByPageAndByNumber(t *testing.T) {
	t.Parallel()
	s, ids := forSale(t)
	b := s.visitor()
	next := regexp.MustCompile(`^<` + regexp.QuoteMeta(s.url) + `(/api/public/listings\?[^>]+)>; rel="next"$`)
	seen, pages := map[string]bool{}, 0
	for path := "/api/public/listings?limit=1&sort=cheapest"; path != ""; pages++ {
		page := b.get(path)
		list := publicListings(t, page)
		if list.Total != 3 {
			t.Errorf("of %d in all", list.Total)
		}
		for _, l := range list.Listings {
			seen[fmt.Sprint(l.ID)] = true
		}
		link := next.FindStringSubmatch(page.header.Get("Link"))
		if (link == nil) != (list.NextCursor == nil) {
			t.Fatalf("the link is %q beside %v", page.header.Get("Link"), list.NextCursor)
		}
		path = ""
		if link != nil {
			path = link[1]
		}
	}
	if len(seen) != 3 || pages != 3 {
		t.Errorf("%d pages have %v", pages, seen)
	}
	log := ids["rowan.ashdown Oak Log"]
	some := publicListings(t, b.get("/api/public/listings?ids="+log+",999999&ids="+log))
	if len(some.Listings) != 1 || some.Total != 1 || some.Listings[0].ItemName != "Oak Log" || some.Listings[0].URL != s.url+"/?q=Oak+Log&side=sale" {
		t.Errorf("of two numbers there is %+v", some)
	}
	many := "1"
	for i := 2; i <= 100; i++ {
		many += fmt.Sprint(",", i)
	}
	if all := publicListings(t, b.get("/api/public/listings?ids="+many)); len(all.Listings) != 3 {
		t.Errorf("of a hundred numbers there is %+v", all)
	}
	for query, field := range map[string]string{
		"ids=" + many + ",101": "ids", "ids=x": "ids", "ids=1&sort=cheapest": "ids", "ids=1&itemId=1": "ids", "ids=1&limit=5": "ids", "limit=0": "limit", "limit=61": "limit",
		"cursor=x": "cursor", "q=rowanberry": "q",
	} {
		b.get("/api/public/listings?"+query).wantsProblem(http.StatusUnprocessableEntity, field)
	}

	first := b.get("/api/public/listings").wants(http.StatusOK)
	tag := first.header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || first.header.Get("Cache-Control") != "public, max-age=5" || first.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("it is kept as %v", first.header)
	}
	s.clock.forward(core.Day / 24)
	b.get("/api/public/listings", "If-None-Match", tag).wants(http.StatusNotModified)
	s.clock.forward(match.StockLifetime)
	if none := publicListings(t, b.get("/api/public/listings", "If-None-Match", tag)); none.Total != 0 {
		t.Errorf("run out, there is %+v", none)
	}
}

// An open page reads what changed: an ask is not among it, for it is its buyer's and its seller's alone.
func TestEventsDoNotDescribeAsks(t *testing.T) {
	t.Parallel()
	s, ids := forSale(t)
	s.readsChanges()
	maple, stranger := s.signedIn("maple"), s.visitor().listens()
	asked := maple.post("/api/listings/"+ids["rowan.ashdown Iron Ore"]+"/asks", object{"quantity": 120}).wants(http.StatusCreated).json()
	posted := idOf(maple.posts(object{"itemName": "Moon Pearl"}))
	for {
		heard := stranger.next()
		if strings.Contains(heard.data, fmt.Sprintf(`"id":%v,`, asked["id"])) || strings.Contains(heard.data, `"listingId":`+ids["rowan.ashdown Iron Ore"]) {
			t.Fatalf("a stranger hears of an ask: %s", heard.data)
		}
		if strings.Contains(heard.data, `"id":`+posted+",") {
			return
		}
	}
}
