package web_test

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/web"
)

type atom struct {
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Links   []atomLink `xml:"link"`
	Entries []struct {
		ID      string     `xml:"id"`
		Title   string     `xml:"title"`
		Updated time.Time  `xml:"updated"`
		Links   []atomLink `xml:"link"`
		Summary string     `xml:"summary"`
	} `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

func (r *reply) atom() (a atom) {
	r.t.Helper()
	if err := xml.Unmarshal(r.wants(http.StatusOK).body, &a); err != nil {
		r.t.Fatalf("%s is no Atom: %v: %s", r.asked, err, r.body)
	}
	return a
}

func (r *reply) rows() [][]string {
	r.t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(r.wants(http.StatusOK).body))).ReadAll()
	must(r.t, err)
	return rows
}

func TestAFeedHasTheRequestsOfItsQuery(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	fish := b.maple.posts(object{"itemName": "Emperor Cod", "category": "Fisher", "maxPricePerUnit": 5000})
	b.maple.posts(object{"itemName": "Blue Cod", "category": "Fisher", "maxPricePerUnit": 20})
	all := b.visitor.get("/requests.atom").atom()
	if len(all.Entries) != 3 || all.ID != b.url+"/requests.atom" {
		t.Errorf("the board's feed is %+v", all)
	}
	of := b.visitor.get("/requests.atom?category=Fisher&min=4s&view=list&for=me").atom()
	if len(of.Entries) != 1 || of.Entries[0].Title != "500 × Emperor Cod" || !strings.Contains(of.Entries[0].Summary, "5s each, 500 of 500 left") ||
		of.Entries[0].Links[0].Href != b.url+"/requests/"+idOf(fish) {
		t.Errorf("the feed of a query is %+v", of)
	}
	if !slices.Contains(of.Links, atomLink{"alternate", b.url + "/?category=Fisher&for=me&min=4s&view=list"}) {
		t.Errorf("it leads to %+v", of.Links)
	}
	// An entry is the same one while its request changes.
	id := of.Entries[0].ID
	b.clock.forward(time.Minute)
	b.maple.patch(fish, object{"version": 1, "itemName": "Emperor Cod, fresh"}).wants(http.StatusOK)
	changed := b.visitor.get("/requests.atom?category=Fisher&min=4s&view=list&for=me").atom()
	if len(changed.Entries) != 1 || changed.Entries[0].ID != id || !strings.HasPrefix(id, "tag:127.0.0.1,2026:requests/") ||
		changed.Entries[0].Title != "500 × Emperor Cod, fresh" || !changed.Entries[0].Updated.After(of.Entries[0].Updated) {
		t.Errorf("after an edit the entry is %+v, before it was %+v", changed.Entries, of.Entries)
	}
	if sorted := b.visitor.get("/requests.csv?sort=price").rows(); len(sorted) != 4 || sorted[1][1] != "Emperor Cod, fresh" || sorted[0][0] != "id" {
		t.Errorf("by price there is %q", sorted)
	}
	var list struct {
		Orders []struct{ ItemName, URL string }
	}
	b.visitor.get("/requests.json?q=blue").wants(http.StatusOK).into(&list)
	if len(list.Orders) != 1 || list.Orders[0].ItemName != "Blue Cod" {
		t.Errorf("the search has %+v", list)
	}
	if none := b.visitor.get("/requests.atom?q=nothing").atom(); len(none.Entries) != 0 || none.Updated == "" {
		t.Errorf("an empty feed is %+v", none)
	}
}

func TestFeedsAreTaggedAndNameNobody(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.maple.posts(object{"buyerContact": "maple.in.guild", "ign": "Maplewood", "description": "Whisper Maplesyrup"})
	for _, path := range []string{"/requests.atom", "/requests.csv", "/requests.json"} {
		first := b.visitor.get(path, "Cookie", "tradepost_language=de", "Accept-Language", "de").wants(http.StatusOK)
		text := strings.ToLower(string(first.body) + fmt.Sprint(first.header))
		if strings.Contains(text, "maple") || strings.Contains(text, "set-cookie") {
			t.Errorf("%s names somebody: %s", path, text)
		}
		tag := first.header.Get("ETag")
		if !strings.HasPrefix(tag, `"`) || first.header.Get("Cache-Control") != "public, max-age=5" || first.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s is kept as %v", path, first.header)
		}
		b.maple.get(path, "If-None-Match", tag).wants(http.StatusNotModified)
	}
	if found := b.visitor.get("/requests.csv?q=maplewood").rows(); len(found) != 1 {
		t.Errorf("a search finds a request by the name of its buyer: %q", found)
	}
	if found := b.visitor.get("/requests.csv?q=iron").rows(); len(found) != 3 {
		t.Errorf("a search finds %q", found)
	}
}

// A spreadsheet runs what begins like a formula.
func TestASpreadsheetTakesNoFieldForAFormula(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	items := []string{`=HYPERLINK("http://evil.example";"Iron")`, "+1 Iron", "-1 Iron", "@SUM(1)", "＝1+1", `Iron, "best"`, "O'Neill's Ore"}
	for _, item := range items {
		b.rowan.posts(object{"itemName": item})
	}
	rows := b.visitor.get("/requests.csv?sort=newest").rows()
	var names []string
	for _, row := range rows[1:] {
		names = append(names, row[1])
		for _, field := range row {
			if strings.ContainsRune("=+-@\t\r＝＋－＠", []rune(field + " ")[0]) {
				t.Errorf("a spreadsheet runs %q", field)
			}
		}
	}
	for _, item := range items {
		if !slices.Contains(names, item) && !slices.Contains(names, "'"+item) && item != "＝1+1" {
			t.Errorf("%q is missing in %q", item, names)
		}
	}
	if !slices.Contains(names, "O'Neill's Ore") {
		t.Errorf("a harmless name has changed: %q", names)
	}
}

func TestAnItemHasAFeedThatItsPageNames(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.has("name\nIron Ore\nOak Log\n")
	b.rowan.posts(object{"itemName": "Oak Log"})
	var found struct{ Items []struct{ ID int } }
	b.visitor.get("/api/catalogue?q=oak").wants(http.StatusOK).into(&found)
	path := fmt.Sprintf("/items/%d", found.Items[0].ID)
	feed := b.visitor.get(path + ".atom").atom()
	if len(feed.Entries) != 1 || feed.Title != "Oak Log" || feed.Entries[0].Title != "500 × Oak Log" {
		t.Errorf("the item's feed is %+v", feed)
	}
	if rows := b.visitor.get(path + ".csv").rows(); len(rows) != 2 {
		t.Errorf("as CSV it has %q", rows)
	}
	b.visitor.get("/items/999999.atom").wantsProblem(http.StatusNotFound)
	b.visitor.get("/items/x.json").wantsProblem(http.StatusNotFound)
	link := func(page string) string {
		t.Helper()
		_, after, _ := strings.Cut(string(b.visitor.get(page).wants(http.StatusOK).body), `rel="alternate" type="application/atom+xml"`)
		_, after, _ = strings.Cut(after, `href="`)
		address, _, _ := strings.Cut(after, `"`)
		return address
	}
	for page, want := range map[string]string{
		"/":                                 "/requests.atom",
		"/?category=Fisher&sort=price":      "/requests.atom?category=Fisher&amp;sort=price",
		"/?category=Fisher&q=cod&view=list": "/requests.atom?category=Fisher&amp;q=cod",
		path + "/oak-log":                   path + ".atom",
	} {
		if got := link(page); got != want {
			t.Errorf("%s names the feed %q, want %q", page, got, want)
		}
	}
}

func TestWithoutItemsThereIsNoFeedOfOne(t *testing.T) {
	t.Parallel()
	b := openBoard(t, func(o *web.Options) { o.Features.Items, o.Features.Prices, o.Features.Stock = false, false, false })
	b.visitor.get("/items/1.atom").wants(http.StatusNotFound)
	b.visitor.get("/api/public/catalogue").wants(http.StatusNotFound)
	b.visitor.get("/api/public/prices").wants(http.StatusNotFound)
	b.visitor.get("/requests.atom").wants(http.StatusOK)
	b.visitor.get("/api/public/orders?itemId=1").wantsProblem(http.StatusUnprocessableEntity, "itemId")
}

func TestAnyOtherSiteMayShowTheBoardInAFrame(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.has("name\nIron Ore\nOak Log\n")
	b.rowan.posts(object{"itemName": "Oak Log", "category": "Woodcutter", "levelRequirement": 120, "maxPricePerUnit": 5000, "buyerContact": "rowan.in.guild", "ign": "Rowanwood"})
	b.rowan.posts(object{"itemName": "<script>alert(1)</script>"})
	list := b.visitor.get("/embed?category=Woodcutter&theme=dark&lang=de&sort=price").wants(http.StatusOK)
	html := string(list.body)
	for _, want := range []string{`lang="de" data-theme="dark"`, "Oak Log", "5s pro Stück · noch 500 von 500 · Holzfäller 120&#43;", b.url + "/?category=Woodcutter&amp;sort=price", `target="_blank"`} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is missing in %s", want, html)
		}
	}
	if policy := list.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || !strings.HasSuffix(policy, "frame-ancestors *") {
		t.Errorf("its policy is %s", policy)
	}
	if list.header.Get("X-Frame-Options") != "" || list.header.Get("Cache-Control") != "public, max-age=5" || strings.Contains(strings.ToLower(html), "rowan") {
		t.Errorf("it is sent with %v: %s", list.header, html)
	}
	b.maple.get("/embed?category=Woodcutter&theme=dark&lang=de&sort=price", "If-None-Match", list.header.Get("ETag")).wants(http.StatusNotModified)
	if all := string(b.visitor.get("/embed", "Accept-Language", "de").wants(http.StatusOK).body); strings.Contains(all, "<script") || !strings.Contains(all, "Showing 3 active requests") {
		t.Errorf("without a query it has %s", all)
	}
	if none := string(b.visitor.get("/embed?q=nothing").wants(http.StatusOK).body); !strings.Contains(none, "No open requests right now.") {
		t.Errorf("an empty list is %s", none)
	}
	if item := string(b.visitor.get("/embed/items/2").wants(http.StatusOK).body); !strings.Contains(item, "Oak Log") || strings.Contains(item, "Iron Ore") {
		t.Errorf("an item's list is %s", item)
	}
	gone := b.visitor.get("/embed/items/999999").wants(http.StatusNotFound)
	if !strings.Contains(string(gone.body), "not in the catalogue") || gone.header.Get("X-Frame-Options") != "" {
		t.Errorf("without the item there is %v %s", gone.header, gone.body)
	}
	// No other page may be in a frame.
	for _, path := range []string{"/", "/requests.json", "/api/orders"} {
		if page := b.visitor.get(path); page.header.Get("X-Frame-Options") != "DENY" || !strings.Contains(page.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s may be in a frame: %v", path, page.header)
		}
	}
}
