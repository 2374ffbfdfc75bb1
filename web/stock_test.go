package web_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/web"
)

// stockOf lists what somebody has as "Iron Ore 600 4000".
func stockOf(r *reply) (all []string) {
	for _, s := range r.json()["stock"].([]any) {
		e := s.(object)
		all = append(all, fmt.Sprint(e["itemName"], " ", e["quantity"], " ", e["price"]))
	}
	return all
}

func TestStockIsSavedListedAndLoweredByAccepts(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,kind,aliases\nIron Ore,Ore,Eisenerz\nSturdy Hickory Log,Log,\n")
	maple, rowan, tamsin := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	entry := func(name string, quantity, price int, public bool) object {
		return object{"itemName": name, "quantity": quantity, "price": price, "public": public}
	}
	list := func(entries ...object) object { return object{"stock": entries} }
	saved := rowan.post("/api/me/stock", list(entry("eisenerz", 600, 4000, true), entry("Sturdy Hickory Log", 5, 7, false))).wants(http.StatusOK)
	if got := fmt.Sprint(stockOf(saved)); got != "[Iron Ore 600 4000 Sturdy Hickory Log 5 7]" {
		t.Errorf("saved is %s", got)
	}
	tamsin.post("/api/me/stock", list(entry("Iron Ore", 100, 5000, false))).wants(http.StatusOK)
	for field, bad := range map[string]object{
		"quantity": entry("Iron Ore", 0, 5, false), "price": entry("Iron Ore", 1, 0, false), "itemName": entry(" ", 1, 1, false),
	} {
		rowan.post("/api/me/stock", list(bad)).wantsProblem(http.StatusUnprocessableEntity, field)
	}
	rowan.post("/api/me/stock", list(entry("Iron Ore", 1, 1, false), entry("Eisenerz", 2, 1, false))).wantsProblem(http.StatusUnprocessableEntity, "itemName")
	s.visitor().get("/api/me/stock").wantsProblem(http.StatusUnauthorized)

	// While posting, a buyer sees what there is; on the item's page, whose it is where that is public.
	sum := func(of *browser, query string) string {
		v := of.get("/api/stock?itemName=iron%20ore" + query).wants(http.StatusOK).json()
		return fmt.Sprint(v["sellers"], " have ", v["quantity"], " up to ", v["upTo"])
	}
	for query, want := range map[string]string{"": "2 have 700 up to 5000", "&maxPrice=4999": "1 have 600 up to 4000", "&maxPrice=3": "0 have 0 up to 0"} {
		if got := sum(maple, query); got != want {
			t.Errorf("with %q %s, want %s", query, got, want)
		}
	}
	if got := sum(rowan, ""); got != "1 have 100 up to 5000" {
		t.Errorf("without one's own: %s", got)
	}
	public := maple.get("/api/catalogue/1/stock").wants(http.StatusOK).json()["public"].([]any)
	if len(public) != 1 || public[0].(object)["seller"].(object)["username"] != "rowan.ashdown" {
		t.Errorf("public is %v", public)
	}

	// An accept takes from it, and undoing the sale gives it back.
	order := maple.post("/api/orders", order(object{"itemName": "Iron Ore", "quantity": 1000, "maxPricePerUnit": 5000})).wants(http.StatusCreated).at("/api/orders/", "id")
	sent := rowan.post(order+"/offers", object{"sellerName": "Rowan", "message": "All of it", "quantityOffered": 900}).wants(http.StatusCreated).at("/api/offers/", "offer", "id")
	accepted := maple.post(sent+"/accept", object{"quantity": 200}).wants(http.StatusOK)
	own := func() string { return stockOf(rowan.get("/api/me/stock"))[0] }
	if got := own(); got != "Iron Ore 400 4000" {
		t.Errorf("after 200 were accepted: %s", got)
	}
	more := maple.post(sent+"/accept", object{"quantity": 700}).wants(http.StatusOK)
	if got := own(); got != "Iron Ore 0 4000" {
		t.Errorf("after more was accepted than there was: %s", got)
	}
	if got := sum(maple, ""); got != "1 have 100 up to 5000" {
		t.Errorf("what is sold is still listed: %s", got)
	}
	for _, r := range []*reply{more, accepted} {
		maple.post(r.at("/api/sales/", "sale", "id")+"/undo", nil).wants(http.StatusOK)
	}
	if got := own(); got != "Iron Ore 600 4000" {
		t.Errorf("after both were undone: %s", got)
	}

	// One who is blocked, or whom the buyer has blocked, has nothing to the buyer.
	maple.post(sent+"/block-seller", nil).wants(http.StatusNoContent)
	if got := sum(maple, ""); got != "1 have 100 up to 5000" {
		t.Errorf("of a blocked seller: %s", got)
	}
	if data := rowan.get("/api/me/data").json()["stock"].([]any); len(data) != 2 {
		t.Errorf("the export has %v", data)
	}
	read := rowan.post("/api/me/stock/read", object{"lines": "Iron Ore 5 4s\n\nIrn Ore 5 4s"}).wants(http.StatusOK).json()["lines"].([]any)
	if len(read) != 2 || read[0].(object)["why"] != nil || read[1].(object)["why"] != "No item is called Irn Ore. Did you mean Iron Ore?" || read[1].(object)["number"] != 3.0 {
		t.Errorf("read is %v", read)
	}
	rowan.delete(fmt.Sprint("/api/me/stock/", saved.json()["stock"].([]any)[1].(object)["id"])).wants(http.StatusNoContent)
	if got := stockOf(rowan.get("/api/me/stock")); len(got) != 1 {
		t.Errorf("after one was removed: %v", got)
	}
}

func TestUntouchedStockIsAskedAboutAndRemoved(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	save := func(name string) {
		rowan.post("/api/me/stock", object{"stock": []object{{"itemName": name, "quantity": 6, "price": 4}}}).wants(http.StatusOK)
	}
	save("Iron Ore")
	save("Coal")
	pass := func() {
		s.clock.forward(14 * 24 * time.Hour)
		maple, rowan = s.signedIn("maple"), s.signedIn("rowan.ashdown") // sessions end before
	}
	asks := func(want int) {
		t.Helper()
		if _, _, err := s.market.Match.AskForStock(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
		asked := 0
		for _, n := range rowan.get("/api/me/notices").json()["notices"].([]any) {
			if n.(object)["kind"] == "stock_stale" {
				asked++
			}
		}
		if asked != want {
			t.Errorf("asked %d times, want %d", asked, want)
		}
	}
	asks(0)
	pass()
	asks(2)
	asks(2) // once
	rowan.post("/api/me/stock/confirm", nil).wants(http.StatusOK)
	pass()
	asks(4)
	save("Coal")
	pass()
	if got := fmt.Sprint(stockOf(rowan.get("/api/me/stock"))); got != "[Coal 6 4]" {
		t.Errorf("after 28 days it has %s", got)
	}
	if got := maple.get("/api/stock?itemName=Iron%20Ore").json()["sellers"]; got != 0.0 {
		t.Errorf("buyers still see %v sellers", got)
	}
	asks(5)
}

func TestARequestAlertsSellersWithTheItem(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,kind,aliases\nIron Ore,Ore,Eisenerz\n")
	maple, rowan, fox := s.signedIn("maple"), s.signedIn("rowan.ashdown"), s.signedIn("juniper_fox")
	have := func(of *browser, name string, price int, public bool) string {
		saved := of.post("/api/me/stock", object{"stock": []object{{"itemName": name, "quantity": 200, "price": price, "public": public}}})
		return fmt.Sprint(saved.wants(http.StatusOK).json()["stock"].([]any)[0].(object)["id"])
	}
	have(rowan, "Eisenerz", 4000, false)
	asked := have(fox, "Iron Ore", 9000, true)
	alerts := func(of *browser) (got []string) {
		for _, n := range of.get("/api/me/notices").json()["notices"].([]any) {
			if n := n.(object); n["kind"] == "request_watched" {
				got = append(got, fmt.Sprint(n["quantity"], " ", n["itemName"]))
			}
		}
		return got
	}
	plan := func() {
		t.Helper()
		s.clock.forward(time.Second)
		if _, err := s.market.Match.AlertWatchers(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
	}
	s.clock.forward(time.Second)
	post := func(quantity, price int, query string) string {
		t.Helper()
		draft := order(object{"itemName": "iron ORE", "quantity": quantity, "maxPricePerUnit": price})
		return maple.post("/api/orders"+query, draft).wants(http.StatusCreated).at("/api/orders/", "id")
	}
	post(600, 3999, "") // pays too little
	plan()
	if got := alerts(rowan); len(got) != 0 {
		t.Errorf("alerted to too little: %v", got)
	}
	fits := post(601, 4000, "")
	plan()
	plan()
	if got := fmt.Sprint(alerts(rowan), alerts(fox), alerts(maple)); got != "[200 iron ORE] [] []" {
		t.Errorf("alerted are %s", got)
	}
	// Deleting and posting again alerts nobody twice; an edit alerts those whom it newly concerns.
	maple.delete(fits).wants(http.StatusNoContent)
	edited := post(602, 4000, "")
	plan()
	maple.patch(edited, object{"version": 1, "maxPricePerUnit": 9000}).wants(http.StatusOK)
	plan()
	if got := fmt.Sprint(alerts(rowan), alerts(fox)); got != "[200 iron ORE] [200 iron ORE]" {
		t.Errorf("after an edit, alerted are %s", got)
	}
	// Who is asked hears of it with the post, whatever it pays.
	post(150, 5000, "?askStock="+asked)
	if got := fmt.Sprint(alerts(fox)); got != "[150 iron ORE 200 iron ORE]" {
		t.Errorf("who was asked heard of %s", got)
	}
	post(151, 5000, "?askStock=999") // is no longer there
	plan()
	if got := fmt.Sprint(len(alerts(rowan)), len(alerts(fox))); got != "1 2" {
		t.Errorf("in the end they have %s alerts", got)
	}
	// An alert leads to fewer of them, and what was stopped can be turned on again.
	latest := fmt.Sprint("/api/me/notices/", rowan.get("/api/me/notices").json()["notices"].([]any)[0].(object)["id"])
	rowan.post(latest+"/snooze-stock", object{"for": "next year"}).wants(http.StatusUnprocessableEntity)
	maple.post(latest+"/snooze-stock", object{"for": "hour"}).wants(http.StatusNotFound)
	if until := rowan.post(latest+"/snooze-stock", object{"for": "hour"}).wants(http.StatusOK).json()["snoozedUntil"]; until == nil {
		t.Error("it is not snoozed")
	}
	people := func() any {
		draft := order(object{"itemName": "iron ORE", "quantity": 9, "maxPricePerUnit": 4000})
		return maple.post("/api/orders/audience", draft).wants(http.StatusOK).json()["people"]
	}
	if got := people(); got != 1.0 {
		t.Errorf("%v people will hear", got)
	}
	stopped := rowan.post(latest+"/stop-stock", nil).wants(http.StatusOK).json()
	s.clock.forward(25 * time.Hour) // within a day an equal request of a buyer alerts nobody twice
	post(160, 4000, "")
	plan()
	if got := fmt.Sprint(stopped["alerts"], people(), len(alerts(rowan))); got != "false 0 1" {
		t.Errorf("stopped: %s", got)
	}
	rowan.put(fmt.Sprint("/api/me/stock/", stopped["id"], "/alerts"), object{"on": true}).wants(http.StatusOK)
	post(161, 4000, "")
	plan()
	if got := fmt.Sprint(people(), len(alerts(rowan))); got != "1 2" {
		t.Errorf("turned on: %s", got)
	}
	// The board shows what one can fill as the list does, page by page, narrowed by its filter, or sorted otherwise.
	ids := func(path string) (all []string) {
		for path != "" {
			page := rowan.get(path).wants(http.StatusOK).json()
			for _, o := range page["orders"].([]any) {
				all = append(all, fmt.Sprint(o.(object)["id"]))
			}
			first, _, _ := strings.Cut(path, "&cursor=")
			path = ""
			if next := page["nextCursor"]; next != nil {
				path = first + "&cursor=" + fmt.Sprint(next)
			}
		}
		return all
	}
	var ranked []string
	for _, f := range rowan.get("/api/me/fill").json()["fillable"].([]any) {
		ranked = append(ranked, fmt.Sprint(f.(object)["order"].(object)["id"]))
	}
	if got := ids("/api/orders/fillable?limit=2"); len(got) < 4 || !slices.Equal(got, ranked) {
		t.Errorf("the board has %v, the list %v", got, ranked)
	}
	newest := slices.Clone(ranked)
	slices.SortFunc(newest, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(b, a)) })
	if got := ids("/api/orders/fillable?limit=3&sort=newest"); !slices.Equal(got, newest) {
		t.Errorf("the newest first are %v, want %v", got, newest)
	}
	if got := ids("/api/orders/fillable?minPrice=9000"); len(got) != 1 {
		t.Errorf("from a price: %v", got)
	}
	rowan.get("/api/orders/fillable?cursor=x").wants(http.StatusUnprocessableEntity)
}

// A seller hears no more of a buyer where there is stock and watches are off, and takes that back.
func TestStockSaysWhichProfessionMakesIt(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by\nIron Ore,Miner\nKeepsake,\n")
	rowan := s.signedIn("rowan.ashdown")
	rowan.post("/api/me/stock", object{"stock": []object{
		{"itemName": "Iron Ore", "quantity": 5, "price": 4, "public": false},
		{"itemName": "Keepsake", "quantity": 5, "price": 4, "public": false},
	}}).wants(http.StatusOK)
	var got []any
	for _, e := range rowan.get("/api/me/stock").wants(http.StatusOK).json()["stock"].([]any) {
		got = append(got, e.(object)["category"])
	}
	if !slices.Equal(got, []any{"Miner", "Merchant"}) {
		t.Errorf("the professions are %v", got)
	}
}

func TestStockAloneMutesBuyers(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.Features{Items: true, Stock: true} })
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	rowan.post("/api/me/stock", object{"stock": []object{{"itemName": "Iron Ore", "quantity": 6, "price": 4}}}).wants(http.StatusOK)
	s.clock.forward(time.Second)
	draft := order(object{"itemName": "Iron Ore"})
	if got := maple.post("/api/orders/audience", draft).wants(http.StatusOK).json()["people"]; got != 1.0 {
		t.Errorf("%v people will hear", got)
	}
	maple.post("/api/orders", draft).wants(http.StatusCreated)
	if _, err := s.market.Match.AlertWatchers(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	alert := rowan.get("/api/me/notices").json()["notices"].([]any)[0].(object)
	rowan.post(fmt.Sprint("/api/me/notices/", alert["id"], "/mute-buyer"), nil).wants(http.StatusNoContent)
	sources := rowan.get("/api/me/watches").wants(http.StatusOK).json()
	muted := sources["mutedBuyers"].([]any)
	if len(muted) != 1 || len(sources["watches"].([]any)) != 0 {
		t.Fatalf("watches and muted buyers are %v", sources)
	}
	rowan.delete(fmt.Sprint("/api/me/muted-buyers/", muted[0].(object)["id"])).wants(http.StatusNoContent)
	rowan.post("/api/me/watches", object{"q": "iron"}).wantsProblem(http.StatusMethodNotAllowed)
}

// What lines of stock and of a list probably meant is said with a line to put in their place.
func TestLinesAreOfferedAsTheyWereProbablyMeant(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,kind\nIron Ore,Ore\n")
	maple := s.signedIn("maple")
	read := maple.post("/api/me/stock/read", object{"lines": "Irn Ore 5 4s\nIron Ore 6 4s\nIron Ore 7"}).wants(http.StatusOK).json()["lines"].([]any)
	if fix := read[0].(object)["fix"].(object); fix["line"] != "Iron Ore x5 4s" || fix["usual"] != false || fix["price"] != 4_000.0 {
		t.Errorf("stock is offered as %v", fix)
	}
	if read[1].(object)["fix"] != nil || read[2].(object)["fix"] != nil { // nobody has traded it
		t.Errorf("offered are %v", read)
	}
	fixes := maple.post("/api/lists/fixes", object{"text": "6x Iron Ore 4s\n\n5x Irn Ore 4s\n7x Iron Ore"}).wants(http.StatusOK).json()["fixes"].([]any)
	if len(fixes) != 1 {
		t.Fatalf("offered are %v", fixes)
	}
	fix := fixes[0].(object)
	if fix["number"] != 3.0 || fix["why"] != "No item is called Irn Ore. Did you mean Iron Ore?" || fix["fix"].(object)["line"] != "Iron Ore x5 4s" {
		t.Errorf("a list is offered as %v", fix)
	}
	s.visitor().post("/api/lists/fixes", object{"text": "x"}).wantsProblem(http.StatusUnauthorized)
}
