package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core/trade"
)

func TestAPostedRequestIsOnTheBoardForEverybody(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()

	posted := maple.post("/api/orders", order(object{"levelRequirement": 120, "ign": "Maple", "importance": "high"})).wants(http.StatusCreated)
	got := posted.json()
	for name, want := range map[string]any{
		"userId": float64(maple.User.ID), "version": 1.0, "itemName": "Iron Ore", "quantity": 500.0, "sold": 0.0, "progress": 0.0,
		"maxPricePerUnit": 250.0, "totalValue": "125000", "remainingValue": "125000", "description": "Any grade", "buyerContact": "maple",
		"ign": "Maple", "levelRequirement": 120.0, "category": "Miner", "importance": "high", "status": "active", "closeReason": nil,
		"expired": false, "closedAt": nil, "createdAt": "2026-05-01T12:00:00Z", "expiresAt": "2027-05-01T12:00:00Z",
	} {
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s = %v, want %v", name, got[name], want)
		}
	}
	if tag := posted.header.Get("ETag"); tag != `"v1"` {
		t.Errorf("ETag = %s", tag)
	}

	var board struct {
		Orders     []object
		Total      int
		NextCursor *string
	}
	visitor.get("/api/orders").wants(http.StatusOK).into(&board)
	if board.Total != 1 || len(board.Orders) != 1 || board.NextCursor != nil || !reflect.DeepEqual(board.Orders[0], got) {
		t.Errorf("the board shows %+v, posted was %v", board, got)
	}
	if one := visitor.get(posted.at("/api/orders/", "id")).wants(http.StatusOK).json(); !reflect.DeepEqual(one, got) {
		t.Errorf("a visitor reads %v, posted was %v", one, got)
	}
}

func TestARequestIsTheSameForEverybodyExceptForTheOfferCount(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan, visitor := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.visitor()
	address := maple.posts()
	visitor.offers(address)

	own := maple.get(address).json()
	if own["offerCount"] != 1.0 {
		t.Errorf("the buyer reads %v offers, want 1", own["offerCount"])
	}
	delete(own, "offerCount")
	for name, reader := range map[string]*browser{"a visitor": visitor, "another user": rowan} {
		if got := reader.get(address).json(); !reflect.DeepEqual(got, own) {
			t.Errorf("%s reads %v, the buyer %v", name, got, own)
		}
	}
	mine, others := maple.get("/api/orders").body, visitor.get("/api/orders").body
	if string(mine) != string(others) {
		t.Errorf("the board is not the same for everybody:\n%s\n%s", mine, others)
	}
}

func TestRequestsOfOneItemAreFolded(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	for _, o := range []object{
		{"itemName": "Iron Ore", "category": "Miner", "maxPricePerUnit": 250, "quantity": 400},
		{"itemName": "Oak Plank", "category": "Carpenter", "maxPricePerUnit": 900, "quantity": 1},
		{"itemName": "IRON ORE", "category": "Miner", "maxPricePerUnit": 200, "quantity": 800, "levelRequirement": 50},
		{"itemName": "Iron Ore Chunk", "category": "Miner", "maxPricePerUnit": 10, "quantity": 2},
		{"itemName": "iron ore", "category": "Merchant", "maxPricePerUnit": 100, "quantity": 40},
	} {
		maple.posts(o)
		s.clock.forward(time.Minute)
	}
	type group struct{ Requests, Wanted, Best int }
	list := func(t *testing.T, query string) (names []string, groups []group) {
		t.Helper()
		var page struct {
			Orders []struct {
				ItemName string
				Group    *group
			}
			NextCursor *string
		}
		for cursor := ""; ; cursor = "&cursor=" + *page.NextCursor {
			page.NextCursor = nil
			s.visitor().get("/api/orders?" + query + cursor).wants(http.StatusOK).into(&page)
			for _, o := range page.Orders {
				names = append(names, o.ItemName)
				if o.Group != nil {
					groups = append(groups, *o.Group)
				}
			}
			if page.NextCursor == nil {
				return names, groups
			}
		}
	}
	for name, tt := range map[string]struct {
		query  string
		names  []string
		groups []group
	}{
		"by their newest":            {"group=item", []string{"iron ore", "Iron Ore Chunk", "Oak Plank"}, []group{{3, 1240, 250}, {1, 2, 10}, {1, 1, 900}}},
		"by their best price":        {"sort=price&group=item", []string{"Oak Plank", "Iron Ore", "Iron Ore Chunk"}, []group{{1, 1, 900}, {3, 1240, 250}, {1, 2, 10}}},
		"by their best total":        {"sort=total&group=item", []string{"IRON ORE", "Oak Plank", "Iron Ore Chunk"}, []group{{3, 1240, 250}, {1, 1, 900}, {1, 2, 10}}},
		"by the first to end":        {"sort=ending&group=item", []string{"Iron Ore", "Oak Plank", "Iron Ore Chunk"}, []group{{3, 1240, 250}, {1, 1, 900}, {1, 2, 10}}},
		"in pages":                   {"sort=price&group=item&limit=1", []string{"Oak Plank", "Iron Ore", "Iron Ore Chunk"}, []group{{1, 1, 900}, {3, 1240, 250}, {1, 2, 10}}},
		"of those that match":        {"group=item&category=Miner&level=20", []string{"Iron Ore Chunk", "Iron Ore"}, []group{{1, 2, 10}, {1, 400, 250}}},
		"of those with a word":       {"group=item&q=chunk", []string{"Iron Ore Chunk"}, []group{{1, 2, 10}}},
		"and are listed by the item": {"item=Iron+Ore", []string{"iron ore", "IRON ORE", "Iron Ore"}, nil},
	} {
		s.run(name, func(t *testing.T) {
			if names, groups := list(t, tt.query); !slices.Equal(names, tt.names) || !slices.Equal(groups, tt.groups) {
				t.Errorf("got %q %v, want %q %v", names, groups, tt.names, tt.groups)
			}
		})
	}
	s.visitor().get("/api/orders?group=buyer").wants(http.StatusUnprocessableEntity)

	// The cached list follows.
	maple.posts(object{"itemName": "Oak plank", "category": "Carpenter", "maxPricePerUnit": 950, "quantity": 9})
	if names, groups := list(t, "group=item"); names[0] != "Oak plank" || groups[0] != (group{2, 10, 950}) {
		t.Errorf("after another request the list is %q %v", names, groups)
	}
}

func TestTheBoardIsFilteredAndSorted(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	for i, o := range []object{
		{"itemName": "Iron Ore", "category": "Miner", "maxPricePerUnit": 250, "quantity": 10, "levelRequirement": 50},
		{"itemName": "Oak Plank", "category": "Carpenter", "maxPricePerUnit": 900, "quantity": 1, "importance": "high"},
		{"itemName": "Iron Bar", "category": "Blacksmith", "maxPricePerUnit": 400, "quantity": 100, "importance": "low"},
	} {
		maple.posts(o)
		s.clock.forward(time.Duration(i+1) * time.Minute)
	}
	for name, tt := range map[string]struct {
		query string
		want  []string
	}{
		"newest first":                     {"", []string{"Iron Bar", "Oak Plank", "Iron Ore"}},
		"part of a word":                   {"q=iro", []string{"Iron Bar", "Iron Ore"}},
		"one category":                     {"category=Carpenter", []string{"Oak Plank"}},
		"several categories":               {"category=Carpenter&category=Miner", []string{"Oak Plank", "Iron Ore"}},
		"several, by price":                {"category=Miner&category=Blacksmith&category=Miner&sort=price&limit=60", []string{"Iron Bar", "Iron Ore"}},
		"several, of each item one":        {"category=Miner&category=Blacksmith&group=item", []string{"Iron Bar", "Iron Ore"}},
		"each with a level of its own":     {"skill=Miner%3A50&skill=Carpenter%3A1", []string{"Oak Plank", "Iron Ore"}},
		"a level that is too low":          {"skill=Miner%3A49&skill=Carpenter%3A1", []string{"Oak Plank"}},
		"a level, within a category":       {"skill=Miner%3A50&skill=Carpenter%3A1&category=Miner", []string{"Iron Ore"}},
		"a category without a level":       {"skill=Miner%3A50&category=Carpenter", nil},
		"a level by item":                  {"skill=Miner%3A49&skill=Blacksmith%3A1&group=item&sort=total", []string{"Iron Bar"}},
		"any of several importances":       {"importance=high&importance=low", []string{"Iron Bar", "Oak Plank"}},
		"what a level can fill":            {"level=49", []string{"Iron Bar", "Oak Plank"}},
		"a range of prices":                {"minPrice=300&maxPrice=500", []string{"Iron Bar"}},
		"best price first":                 {"sort=price", []string{"Oak Plank", "Iron Bar", "Iron Ore"}},
		"best total first":                 {"sort=total", []string{"Iron Bar", "Iron Ore", "Oak Plank"}},
		"ending soon first":                {"sort=ending", []string{"Iron Ore", "Oak Plank", "Iron Bar"}},
		"every filter":                     {"q=iron&category=Miner&importance=medium&level=60&minPrice=1&maxPrice=250&sort=total", []string{"Iron Ore"}},
		"a buyer":                          {"q=mapl&category=Miner", []string{"Iron Ore"}},
		"a profession":                     {"q=carpen", []string{"Oak Plank"}},
		"a hyphen":                         {"q=oak-plank", []string{"Oak Plank"}},
		"a typo":                           {"q=oka+plank", []string{"Oak Plank"}},
		"nothing":                          {"q=unobtainium", nil},
		"characters that a query may hold": {"q=" + url.QueryEscape("100% _ ' \" \\ \x00 \xff"), nil},
	} {
		s.run(name, func(t *testing.T) {
			var page struct {
				Orders []struct{ ItemName string }
				Total  int
			}
			s.visitor().get("/api/orders?" + tt.query).wants(http.StatusOK).into(&page)
			var got []string
			for _, o := range page.Orders {
				got = append(got, o.ItemName)
			}
			if !slices.Equal(got, tt.want) || page.Total != len(tt.want) {
				t.Errorf("got %q of %d, want %q", got, page.Total, tt.want)
			}
		})
	}
}

func TestACorrectedTypoIsShown(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.signedIn("maple").posts(object{"itemName": "Oak Plank"})
	if page := s.visitor().get("/api/orders?q=oka-plank&group=item").json(); page["alsoFor"] != "oak plank" || page["total"] != 1.0 {
		t.Errorf("the page is %v", page)
	}
	if page := s.visitor().get("/api/orders?q=oak").json(); page["alsoFor"] != nil {
		t.Errorf("what was written right is searched as %v too", page["alsoFor"])
	}
}

func TestAListGoesOnWhereThePageEnded(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	for i := range 5 {
		maple.posts(object{"itemName": fmt.Sprintf("Item %d", i)})
		s.clock.forward(time.Second)
	}
	var seen []string
	cursor := ""
	for range 5 {
		var page struct {
			Orders     []struct{ ItemName string }
			Total      int
			NextCursor *string
		}
		s.visitor().get("/api/orders?limit=2&cursor=" + cursor).wants(http.StatusOK).into(&page)
		if page.Total != 5 {
			t.Errorf("total = %d on every page, want 5", page.Total)
		}
		for _, o := range page.Orders {
			seen = append(seen, o.ItemName)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if want := []string{"Item 4", "Item 3", "Item 2", "Item 1", "Item 0"}; !slices.Equal(seen, want) {
		t.Errorf("read %q, want %q", seen, want)
	}
}

func TestCategoriesAreCountedUnderTheSearch(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	maple.posts(object{"itemName": "Iron Ore", "category": "Miner"})
	maple.posts(object{"itemName": "Iron Bar", "category": "Blacksmith"})
	maple.posts(object{"itemName": "Oak Plank", "category": "Carpenter"})

	var counts struct {
		All        int
		Categories map[string]int
	}
	maple.posts(object{"itemName": "Iron Dust", "category": "Miner", "levelRequirement": 80})
	s.visitor().get("/api/orders/counts?skill=Miner%3A79&skill=Carpenter%3A5").wants(http.StatusOK).into(&counts)
	if counts.All != 2 || counts.Categories["Miner"] != 1 || counts.Categories["Carpenter"] != 1 || counts.Categories["Blacksmith"] != 0 {
		t.Errorf("counts for two skills = %+v", counts)
	}
	s.visitor().get("/api/orders/counts?q=iron&level=79").wants(http.StatusOK).into(&counts)
	if counts.All != 2 || len(counts.Categories) != 15 || counts.Categories["Miner"] != 1 || counts.Categories["Carpenter"] != 0 {
		t.Errorf("counts = %+v", counts)
	}
}

func TestListParametersAreValidatedByTheCore(t *testing.T) {
	t.Parallel()
	s := open(t)
	for query, field := range map[string]string{
		"category=Pirate":                  "category",
		"category=Miner&category=Pirate":   "category",
		"skill=Pirate:5":                   "skill",
		"skill=Miner:501":                  "skill",
		"skill=Miner":                      "skill",
		"skill=Miner:5&skill=Miner:6":      "skill",
		"importance=extreme":               "importance",
		"level=501":                        "level",
		"level=ten":                        "level",
		"level=1.5":                        "level",
		"minPrice=-1":                      "minPrice",
		"maxPrice=99999999999999999999999": "maxPrice",
		"minPrice=5&maxPrice=4":            "maxPrice",
		"sort=random":                      "sort",
		"limit=61":                         "limit",
		"limit=-1":                         "limit",
		"limit=x":                          "limit",
		"cursor=nonsense":                  "cursor",
		"cursor=%00":                       "cursor",
		"offset=10":                        "offset",
		"q=" + strings.Repeat("a", 101):    "q",
	} {
		s.visitor().get("/api/orders?"+query).wantsProblem(http.StatusUnprocessableEntity, field)
	}
}

func TestAnEditNamesTheVersionItWasMadeFrom(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts()

	maple.patch(address, object{"quantity": 600}).wantsProblem(http.StatusUnprocessableEntity, "version")
	edited := maple.patch(address, object{"version": 1, "quantity": 600}).wants(http.StatusOK)
	if o := edited.json(); o["quantity"] != 600.0 || o["version"] != 2.0 || o["itemName"] != "Iron Ore" || edited.header.Get("ETag") != `"v2"` {
		t.Errorf("edited to %v, %s", o, edited.header.Get("ETag"))
	}
	stale := maple.patch(address, object{"version": 1, "quantity": 700}).wantsProblem(http.StatusConflict)
	if stale.Current == nil || stale.Current.Version != 2 || stale.Current.Quantity != 600 {
		t.Errorf("a stale edit is shown %+v", stale.Current)
	}
	maple.patch(address, object{"quantity": 650}, "If-Match", `"v2"`).wants(http.StatusOK)
	maple.patch(address, object{"quantity": 660}, "If-Match", `W/"v3"`).wants(http.StatusOK)
	maple.patch(address, object{"quantity": 670}, "If-Match", `"v2"`).wantsProblem(http.StatusConflict)
	maple.patch(address, object{"version": 4, "quantity": 670}, "If-Match", `"v3"`).wantsProblem(http.StatusUnprocessableEntity, "version")
	for _, tag := range []string{"*", "v4", `"4"`, `"v4`, `"v 4"`, `"v+4"`, `"v04"`, `"v4", "v5"`} {
		maple.patch(address, object{"quantity": 670}, "If-Match", tag).wantsProblem(http.StatusUnprocessableEntity, "version")
	}
}

func TestNullAndMissingAreNotTheSameInAnEdit(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts(object{"levelRequirement": 120, "ign": "Maple", "description": "Any grade", "category": "Chef"})

	edited := maple.patch(address, object{"version": 1}).wants(http.StatusOK).json()
	if edited["levelRequirement"] != 120.0 || edited["ign"] != "Maple" || edited["description"] != "Any grade" || edited["category"] != "Chef" {
		t.Errorf("fields that were left out became %v", edited)
	}
	emptied := maple.patch(address, object{"version": 2, "levelRequirement": nil, "ign": nil, "description": nil}).wants(http.StatusOK).json()
	if emptied["levelRequirement"] != nil || emptied["ign"] != nil || emptied["description"] != "" {
		t.Errorf("fields that were set to null are %v", emptied)
	}
	maple.patch(address, object{"version": 3, "itemName": nil, "quantity": nil, "maxPricePerUnit": nil, "buyerContact": nil}).
		wantsProblem(http.StatusUnprocessableEntity, "itemName", "quantity", "maxPricePerUnit", "buyerContact")
}

func TestAnUnchangedRequestIsNotSentTwice(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()

	tag := visitor.get(address).header.Get("ETag")
	if again := visitor.get(address, "If-None-Match", tag).wants(http.StatusNotModified); len(again.body) != 0 {
		t.Errorf("not modified, and yet %q", again.body)
	}
	maple.patch(address, object{"version": 1, "quantity": 600}).wants(http.StatusOK)
	visitor.get(address, "If-None-Match", tag).wants(http.StatusOK)

	board := visitor.get("/api/orders").header.Get("ETag")
	visitor.get("/api/orders", "If-None-Match", board).wants(http.StatusNotModified)
	maple.patch(address, object{"version": 2, "quantity": 700}).wants(http.StatusOK)
	visitor.get("/api/orders", "If-None-Match", board).wants(http.StatusOK)

	own := maple.get(address).header.Get("ETag")
	visitor.offers(address)
	if o := maple.get(address, "If-None-Match", own).wants(http.StatusOK).json(); o["offerCount"] != 1.0 {
		t.Errorf("the buyer does not see the new offer: %v", o)
	}
}

func TestARequestIsClosedRenewedAndDeletedByItsBuyer(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	address := maple.posts()

	s.clock.forward(24 * time.Hour)
	if o := maple.post(address+"/renew", nil).wants(http.StatusOK).json(); o["expiresAt"] != "2027-05-02T12:00:00Z" {
		t.Errorf("renewed until %v", o["expiresAt"])
	}
	closed := maple.post(address+"/close", nil).wants(http.StatusOK).json()
	if closed["status"] != "fulfilled" || closed["progress"] != 100.0 || closed["closeReason"] != "closed_early" || closed["sold"] != 0.0 || closed["closedAt"] == nil {
		t.Errorf("closed as %v", closed)
	}
	if again := maple.post(address+"/close", nil).wantsProblem(http.StatusConflict); again.Current == nil || again.Current.Status != "fulfilled" {
		t.Errorf("a closed request is shown as %+v", again.Current)
	}
	maple.delete(address).wants(http.StatusNoContent)
	maple.get(address).wantsProblem(http.StatusNotFound)
	maple.delete(address).wantsProblem(http.StatusNotFound)
}

func TestAnExpiredRequestIsSeenByItsBuyerOnly(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()
	s.clock.forward(trade.OrderLifetime + time.Second)
	maple = s.signedIn("maple") // the old session is over too

	visitor.get(address).wantsProblem(http.StatusNotFound)
	if o := maple.get(address).wants(http.StatusOK).json(); o["expired"] != true || o["status"] != "active" {
		t.Errorf("its buyer reads %v", o)
	}
	visitor.post(address+"/offers", offer()).wantsProblem(http.StatusConflict)
	if page := maple.get("/api/me/orders?status=expired").wants(http.StatusOK).json(); page["total"] != 1.0 {
		t.Errorf("expired requests of one's own: %v", page)
	}
}

func TestTheNameOfAnItemIsCompleted(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	maple, rowan, visitor := b.maple, b.rowan, b.visitor
	maple.posts(object{"itemName": "Iron Ore"})
	rowan.posts(object{"itemName": "iron ore"})
	if items := visitor.get("/api/items?q=iro").wants(http.StatusOK).json()["items"].([]any); len(items) != 0 {
		t.Errorf("a name from two people without trust is completed to %v", items)
	}
	for _, trader := range []*browser{maple, rowan} {
		b.mod.post("/api/moderation/vouches", object{"userId": trader.User.ID}).wants(http.StatusNoContent)
	}
	rowan.posts(object{"itemName": "Iron of rowan"})
	if items := rowan.get("/api/items?q=rowan").wants(http.StatusOK).json()["items"].([]any); len(items) != 1 {
		t.Errorf("one's own names are completed to %v", items)
	}
	for query, want := range map[string]int{"": 1, "?q=iro": 1, "?q=ore%20iron": 1, "?q=rope": 0} {
		if items := visitor.get("/api/items" + query).wants(http.StatusOK).json()["items"].([]any); len(items) != want {
			t.Errorf("%q is completed to %v, want %d names", query, items, want)
		}
	}
}
