package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"tradepost/core/trade"
)

// publicPaths are all public reads that need no input.
var publicPaths = []string{"/api/public/orders", "/api/public/listings", "/api/public/catalogue", "/api/public/prices", "/api/public/prices/history", "/api/public/prices/history.csv", "/api/public/wanted", "/api/public/rules"}

func TestPublicReadsNameNobody(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	request := b.maple.posts(object{"buyerContact": "maple.in.guild", "ign": "Maplewood", "description": "Whisper Maplesyrup in game"})
	b.rowan.offers(request, object{"sellerName": "Rowanberry", "message": "Ask for Rowanberry"})
	b.rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 6, "price": 40, "public": true, "note": "Rowanberry"}}}).wants(http.StatusOK)
	for _, path := range append(publicPaths, "/api/public/orders?ids="+idOf(request), "/api/public/orders?category=Miner") {
		seen := b.visitor.get(path).wants(http.StatusOK)
		text := strings.ToLower(string(seen.body) + fmt.Sprint(seen.header))
		for _, name := range []string{"maple", "rowan", "userid", "contact", "ign\"", "description", "session"} {
			if strings.Contains(text, name) {
				t.Errorf("%s has %q: %s", path, name, text)
			}
		}
		for who, reader := range map[string]*browser{"the buyer": b.maple, "a moderator": b.mod} {
			got := reader.get(path).wants(http.StatusOK)
			if string(got.body) != string(seen.body) || got.header.Get("ETag") != seen.header.Get("ETag") || got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s reads another %s: %s", who, path, got.body)
			}
		}
	}
	if found := b.visitor.get("/api/public/orders?q=Maplewood"); found.status != http.StatusUnprocessableEntity {
		t.Errorf("a search for an in-game name is answered %d: %s", found.status, found.body)
	}
}

func TestAPublicListIsReadPageByPage(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	want := map[string]bool{idOf(b.order): true}
	for range 6 {
		want[idOf(b.maple.posts())] = true
	}
	next := regexp.MustCompile(`^<` + regexp.QuoteMeta(b.url) + `(/api/public/orders\?[^>]+)>; rel="next"$`)
	pages := 0
	for path := "/api/public/orders?limit=3&category=Miner"; path != ""; pages++ {
		page := b.visitor.get(path).wants(http.StatusOK)
		for _, o := range page.json()["orders"].([]any) {
			delete(want, fmt.Sprint(o.(object)["id"]))
		}
		link := next.FindStringSubmatch(page.header.Get("Link"))
		if (link == nil) != (page.json()["nextCursor"] == nil) {
			t.Fatalf("the link is %q beside %v", page.header.Get("Link"), page.json()["nextCursor"])
		}
		path = ""
		if link != nil {
			path = link[1]
		}
	}
	if len(want) > 0 || pages != 3 {
		t.Errorf("%d pages lack %v", pages, want)
	}
}

func TestAPublicReadOfSomeIDs(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	gone, hidden := b.maple.posts(), b.rowan.posts()
	b.maple.post(gone+"/close", nil).wants(http.StatusOK)
	b.mod.post(hidden+"/remove", object{"reason": "The game has no such item"}).wants(http.StatusNoContent)
	query := "/api/public/orders?ids=" + idOf(hidden) + "," + idOf(gone) + "&ids=" + idOf(b.order) + ",999999," + idOf(b.order)
	if all := b.visitor.get(query).wants(http.StatusOK).json(); len(all["orders"].([]any)) != 1 || all["total"] != 1.0 {
		t.Errorf("of three numbers are open: %v", all)
	}
	b.clock.forward(trade.OrderLifetime)
	if all := b.visitor.get(query).wants(http.StatusOK).json(); len(all["orders"].([]any)) != 0 {
		t.Errorf("expired, there is %v", all)
	}
	for query, field := range map[string]string{
		"ids=x": "ids", "ids=0": "ids", "ids=-7": "ids", "ids=7,": "ids", "ids=7&sort=price": "ids", "ids=7&limit=5": "ids",
		"ids=" + strings.Repeat("1,2,3,", 40) + "4": "", // 4 different ones
		"limit=0": "limit", "limit=-1": "limit", "limit=61": "limit", "cursor=x": "cursor", "category=Cook": "category", "q=iron": "q",
	} {
		r := b.visitor.get("/api/public/orders?" + query)
		if field == "" {
			r.wants(http.StatusOK)
			continue
		}
		r.wantsProblem(http.StatusUnprocessableEntity, field)
	}
	many := "1"
	for i := 2; i <= 101; i++ {
		many += fmt.Sprintf(",%d", i)
	}
	b.visitor.get("/api/public/orders?ids="+many).wantsProblem(http.StatusUnprocessableEntity, "ids")
	b.visitor.get("/api/public/catalogue?ids=1,2").wants(http.StatusOK)
	b.visitor.get("/api/public/prices?ids=1,2").wants(http.StatusOK)
}

// The page's own lists ask again each time, and are 304 while nothing has changed.
func TestThePagesListsAreTagged(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for _, path := range []string{"/api/orders?importance=medium", "/api/orders?limit=3", "/api/orders/counts?q=iron", "/api/catalogue", "/api/wanted", "/api/rules"} {
		first := b.visitor.get(path).wants(http.StatusOK)
		tag := first.header.Get("ETag")
		if tag == "" || first.header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s has the tag %q and is kept as %q", path, tag, first.header.Get("Cache-Control"))
		}
		if path == "/api/wanted" {
			continue // it has the time
		}
		if again := b.visitor.get(path, "If-None-Match", tag).wants(http.StatusNotModified); len(again.body) > 0 {
			t.Errorf("%s has a body: %s", path, again.body)
		}
	}
	tag := b.visitor.get("/api/orders?limit=3").header.Get("ETag")
	b.maple.posts()
	b.visitor.get("/api/orders?limit=3", "If-None-Match", tag).wants(http.StatusOK)
	b.visitor.get("/api/orders?limit=0").wantsProblem(http.StatusUnprocessableEntity, "limit")
	b.visitor.get("/api/catalogue?limit=0").wantsProblem(http.StatusUnprocessableEntity, "limit")
}
