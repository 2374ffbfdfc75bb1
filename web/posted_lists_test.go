package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/web"
)

func TestAListIsPostedAsAWhole(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	preview := maple.post("/api/lists/preview", list()).wants(http.StatusOK).json()
	if orders := preview["orders"].([]any); len(orders) != 3 || preview["id"] != 0.0 {
		t.Errorf("the preview is %v", preview)
	}
	if page := visitor.get("/api/orders").json(); page["total"] != 0.0 {
		t.Errorf("a preview posted %v", page)
	}
	posted := maple.post("/api/lists", list())
	address := posted.wants(http.StatusCreated).at("/api/lists/", "id")
	seen := visitor.get(address).wants(http.StatusOK).json()
	orders := seen["orders"].([]any)
	if len(orders) != 3 || seen["name"] != "Guild hall" || seen["progress"].(object)["wanted"] != 73.0 {
		t.Errorf("others read %v", seen)
	}
	if first := orders[0].(object); first["itemName"] != "Iron Ore" || first["maxPricePerUnit"] != 10000.0 || first["listId"] != seen["id"] {
		t.Errorf("the first request is %v", first)
	}
	if board := visitor.get("/api/orders").json(); board["total"] != 3.0 {
		t.Errorf("the board has %v", board["total"])
	}
	// Again: each line equals an open request.
	maple.post("/api/lists", list()).wantsProblem(http.StatusUnprocessableEntity, "lines[1]", "lines[3]", "lines[4]")
	maple.post("/api/lists", list(object{"text": "5x Tin 1s\nCoal 1s"})).wantsProblem(http.StatusUnprocessableEntity, "lines[2]")
	if board := visitor.get("/api/orders").json(); board["total"] != 3.0 {
		t.Errorf("something was half posted: the board has %v", board["total"])
	}
	mine := maple.get("/api/me/lists").wants(http.StatusOK).json()["lists"].([]any)
	if len(mine) != 1 || mine[0].(object)["progress"].(object)["orders"] != 3.0 {
		t.Errorf("my lists are %v", mine)
	}
	visitor.post("/api/lists", list()).wantsProblem(http.StatusUnauthorized)
	visitor.get("/api/lists/999").wantsProblem(http.StatusNotFound)
	if exported := maple.get("/api/me/data").json()["lists"].([]any); len(exported) != 1 {
		t.Errorf("the export has %v", exported)
	}
}

func TestASellerOffersOnSeveralRequestsOfAListAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	posted := maple.post("/api/lists", list())
	address := posted.at("/api/lists/", "id") + "/offers"
	orders := posted.json()["orders"].([]any)
	id := func(i int) any { return orders[i].(object)["id"] }
	offers := func(lines ...object) object {
		return object{"sellerName": "Rowan", "message": "Tonight", "lines": lines}
	}
	line := func(i, quantity int) object { return object{"orderId": id(i), "quantity": quantity} }

	rowan.post(address, offers(line(0, 5), line(1, 999), object{"orderId": 999, "quantity": 1})).wantsProblem(http.StatusUnprocessableEntity, "lines[2]", "lines[3]")
	if sent := rowan.get("/api/me/offers").json()["offers"].([]any); len(sent) != 0 {
		t.Errorf("some were sent: %v", sent)
	}
	sent := rowan.post(address, offers(line(2, 2), line(0, 5))).wants(http.StatusCreated).json()["offers"].([]any)
	if len(sent) != 2 || sent[0].(object)["quantityOffered"] != 2.0 {
		t.Errorf("sent %v", sent)
	}
	if received := maple.get("/api/me/offers/received").json()["requests"].([]any); len(received) != 2 {
		t.Errorf("the buyer has offers on %d requests", len(received))
	}
	maple.post(address, offers(line(0, 5))).wantsProblem(http.StatusForbidden)
	s.visitor().post(address, offers(line(0, 5))).wantsProblem(http.StatusUnauthorized)
	rowan.post(address, offers(line(0, 5), line(0, 6))).wantsProblem(http.StatusUnprocessableEntity, "lines[2]")
}

func TestAListCountsAsOnePost(t *testing.T) {
	t.Parallel()
	s := openLimited(t, core.Quotas{OpenRequests: 12, NewRequests: core.Quota{Limit: 20, Per: time.Hour}})
	maple := s.signedIn("maple") // on their first day: five posts
	var first string
	for i := range 4 {
		address := maple.post("/api/lists", list(object{"text": fmt.Sprintf("%dx Iron Ore 1s\n%dx Tin 1s", i+1, i+1)})).wants(http.StatusCreated).json()
		first = fmt.Sprint(address["orders"].([]any)[0].(object)["id"])
	}
	maple.delete("/api/orders/" + first).wants(http.StatusNoContent)
	maple.posts()
	maple.post("/api/lists", list()).wantsQuotaProblem("You can post again in ")
	rowan := s.signedIn("rowan.ashdown")
	rowan.posts(object{"buyerContact": "rowan.ashdown"})
	posts := func(lines int) *reply { return rowan.post("/api/lists", list(object{"text": listed(lines)})) }
	posts(12).wantsQuotaProblem("You have 1 open requests and may have 12, so this list may have 11 lines.")
	posts(5).wantsQuotaProblem("You can post 4 more requests now, so this list may have 4 lines.")
	posts(4).wants(http.StatusCreated)
	s.clock.forward(core.Day)
	posts(7).wants(http.StatusCreated)
}

// listed is a list of so many different lines.
func listed(lines int) string {
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, "%dx Iron Ore 1s\n", 100*lines+i+1)
	}
	return text.String()
}

func TestWithoutListsNothingOfThemIsThere(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.Features{Items: true} })
	maple := s.signedIn("maple")
	maple.get("/api/lists/1").wantsProblem(http.StatusNotFound)
	if text := string(s.visitor().get("/api/openapi.json").body); strings.Contains(text, "listId") || strings.Contains(text, "/api/lists") {
		t.Error("the description names lists")
	}
}
