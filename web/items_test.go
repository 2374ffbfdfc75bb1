package web_test

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/web"
)

// has imports a file of items.
func (s *site) has(file string) {
	s.t.Helper()
	rows, err := items.ReadRows([]byte(file), coretest.Forms)
	must(s.t, err)
	_, err = s.market.Items.Import(s.t.Context(), rows, false)
	must(s.t, err)
}

// names joins the names of the items in an answer.
func names(r *reply) string {
	var page struct{ Items []struct{ Name string } }
	r.into(&page)
	all := make([]string, len(page.Items))
	for i, item := range page.Items {
		all[i] = item.Name
	}
	return strings.Join(all, ", ")
}

func TestTheCatalogueIsListedFilteredAndPaged(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,kind,made_by,made_at_level,used_by,used_at_level,link\n" +
		"Iron Ore,Ore,Miner,20,Blacksmith,18,https://items.example/1\nIron Bar,Bar,Blacksmith; Stonemason,30,,,\nCopper Ore,Ore,Miner,600,,,\nLantern,,Delver,9,,,\n")
	for query, want := range map[string]string{
		"":                          "Copper Ore, Iron Bar, Iron Ore, Lantern",
		"?q=ore":                    "Copper Ore, Iron Ore",
		"?profession=Blacksmith":    "Iron Bar, Iron Ore",
		"?level=30":                 "Iron Bar, Iron Ore, Lantern",
		"?q=iron&profession=Miner":  "Iron Ore",
		"?limit=2":                  "Copper Ore, Iron Bar",
		"?profession=Nobody&q=iron": "",
	} {
		if got := names(s.visitor().get("/api/catalogue" + query).wants(http.StatusOK)); got != want {
			t.Errorf("%q lists %s, want %s", query, got, want)
		}
	}
	first := s.visitor().get("/api/catalogue?limit=3").json()
	rest := s.visitor().get("/api/catalogue?limit=3&cursor=" + first["nextCursor"].(string))
	if got := names(rest); got != "Lantern" || rest.json()["nextCursor"] != nil {
		t.Errorf("the second page lists %s", got)
	}
	for query, field := range map[string]string{"?limit=99": "limit", "?level=-1": "level", "?cursor=*": "cursor", "?q=" + strings.Repeat("x", 101): "q"} {
		s.visitor().get("/api/catalogue"+query).wantsProblem(http.StatusUnprocessableEntity, field)
	}
	ore := s.visitor().get("/api/catalogue/1").wants(http.StatusOK).json()
	if p := ore["proposes"].(map[string]any); p["category"] != "Miner" || p["level"] != 20.0 || ore["link"] != "https://items.example/1" {
		t.Errorf("the item is %v", ore)
	}
	s.visitor().get("/api/catalogue/99").wants(http.StatusNotFound)
}

func TestTheCatalogueIsSortedAndEachSortIsPaged(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by,made_at_level\nIron Ore,Miner,20\nIron Bar,Blacksmith,30\nCopper Ore,Miner,10\nLantern,,\nPearl,Fisher,5\n")
	maple := s.signedIn("maple")
	for i, name := range []string{"Pearl", "lantern", "Pearl"} {
		maple.post("/api/orders", order(object{"itemName": name, "quantity": 10 + i})).wants(http.StatusCreated)
	}
	for sort, want := range map[string]string{
		"":           "Copper Ore, Iron Bar, Iron Ore, Lantern, Pearl",
		"name":       "Copper Ore, Iron Bar, Iron Ore, Lantern, Pearl",
		"open":       "Pearl, Lantern, Copper Ore, Iron Bar, Iron Ore",
		"price":      "Pearl, Lantern, Copper Ore, Iron Bar, Iron Ore", // none has one
		"profession": "Iron Bar, Pearl, Copper Ore, Iron Ore, Lantern",
		"level":      "Pearl, Copper Ore, Iron Ore, Iron Bar, Lantern",
	} {
		if got := names(s.visitor().get("/api/catalogue?sort=" + sort).wants(http.StatusOK)); got != want {
			t.Errorf("sorted by %q are listed %s, want %s", sort, got, want)
		}
		var parts []string
		for after := ""; len(parts) < 9; {
			part := s.visitor().get("/api/catalogue?limit=2&sort=" + sort + "&cursor=" + after).wants(http.StatusOK)
			parts = append(parts, names(part))
			next, more := part.json()["nextCursor"].(string)
			if after = next; !more {
				break
			}
		}
		if got := strings.Join(parts, ", "); got != want {
			t.Errorf("sorted by %q the pages list %s, want %s", sort, got, want)
		}
	}
	if open := s.visitor().get("/api/catalogue?sort=open&limit=1").json()["items"].([]any)[0].(object); open["summary"].(object)["open"] != 2.0 {
		t.Errorf("the most wanted item is %v", open)
	}
	byName := s.visitor().get("/api/catalogue?limit=1").json()["nextCursor"].(string)
	for query, field := range map[string]string{"?sort=best": "sort", "?sort=open&cursor=" + byName: "cursor", "?sort=open&cursor=e30": "cursor"} {
		s.visitor().get("/api/catalogue"+query).wantsProblem(http.StatusUnprocessableEntity, field)
	}
}

func TestANearMissIsOfferedAndTheItemOfARequestIsShown(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name\nSturdy Hickory Log\n")
	maple := s.signedIn("maple")
	typed := s.visitor().get("/api/catalogue/completions?q=Sturdy%20Hikory%20Log").json()
	if near, _ := typed["near"].(map[string]any); near["name"] != "Sturdy Hickory Log" || typed["named"] != nil {
		t.Errorf("for a near miss the page gets %v", typed)
	}
	exact := maple.post("/api/orders", order(object{"itemName": "sturdy  hickory LOG"})).wants(http.StatusCreated).json()
	if exact["itemId"] != 1.0 || exact["itemName"] != "sturdy hickory LOG" {
		t.Errorf("the request is %v", exact)
	}
	near := maple.post("/api/orders", order(object{"itemName": "Sturdy Hikory Log"})).wants(http.StatusCreated).json()
	if _, has := near["itemId"]; has {
		t.Errorf("a near miss names the item %v", near["itemId"])
	}
	completed := s.visitor().get("/api/catalogue/completions?q=hick").json()["items"].([]any)[0].(object)
	if summary, _ := completed["summary"].(object); summary["open"] == nil || summary["traded"] != nil {
		t.Errorf("a completion has the summary %v", completed["summary"])
	}
	if listed := s.visitor().get("/api/orders?itemId=1").json(); listed["total"] != 1.0 {
		t.Errorf("of the item are listed %v", listed)
	}
}

func TestAnItemHasAPageWithItsNamePictureAndFacts(t *testing.T) {
	t.Parallel()
	b := openBoard(t, func(o *web.Options) {
		o.Dist = fstest.MapFS{"index.html": {Data: []byte("<html><head><title>x</title></head><body><!-- first look --><!-- /first look --></body></html>")}}
	})
	b.has("name,kind,made_by,made_at_level\nCaric Adathril Ore,Adathril Ore,Miner,180\n<Moon> & Pearl,,,\n")
	b.asksFor("Caric Adathril")
	b.mod.post("/api/moderation/items/3/merge", object{"into": 1}).wants(http.StatusNoContent)
	for path, has := range map[string][]string{
		"/items": {"<title>Items · Tradepost</title>", `href="/api/catalogue?sort=open"`},
		"/items/1": {"<title>Caric Adathril Ore</title>", `content="Made by Miner from level 180"`, "/items/1/caric-adathril-ore\"",
			"/items/1/card.png?v=", `href="/api/catalogue/1"`, `href="/api/orders?itemId=1&amp;sort=price"`},
		"/items/1/any-name":   {"<title>Caric Adathril Ore</title>"},
		"/items/2/moon-pearl": {"<title>&lt;Moon&gt; &amp; Pearl</title>", "/items/2/moon-pearl\"", "wrap-anywhere\">&lt;Moon&gt; &amp; Pearl</h1>"},
	} {
		body := string(b.visitor.get(path).wants(http.StatusOK).body)
		for _, text := range has {
			if !strings.Contains(body, text) {
				t.Errorf("%s lacks %s in %s", path, text, body)
			}
		}
	}
	b.visitor.get("/items/99").wants(http.StatusNotFound)
	b.visitor.get("/items/x").wants(http.StatusNotFound)
	if r := b.visitor.get("/items/3/caric-adathril"); r.status != http.StatusMovedPermanently || r.header.Get("Location") != "/items/1/caric-adathril-ore" {
		t.Errorf("a merged item answers %d and leads to %s", r.status, r.header.Get("Location"))
	}
	for _, path := range []string{"/items/1/card.png", "/items/3/card.png"} {
		card := b.visitor.get(path).wants(http.StatusOK)
		if config, err := png.DecodeConfig(bytes.NewReader(card.body)); err != nil || config.Width != 1200 || config.Height != 630 {
			t.Errorf("%s is a picture of %dx%d, %v", path, config.Width, config.Height, err)
		}
	}
	b.visitor.get("/items/99/card.png").wantsProblem(http.StatusNotFound)
}

func TestDisabledFeaturesLeaveNoTrace(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features = core.Features{} })
	for _, path := range []string{"/api/catalogue", "/api/catalogue/1", "/api/catalogue/completions?q=iron", "/items", "/items/1", "/items/1/iron-ore", "/items/1/card.png", "/api/moderation/items"} {
		if resp, err := http.Get(s.url + path); err != nil || resp.Body.Close() != nil || resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %v, %v", path, resp, err)
		}
	}
	s.visitor().get("/api/orders?itemId=1").wantsProblem(http.StatusUnprocessableEntity, "itemId")
	for _, path := range []string{"/api/openapi.json", "/api/docs", "/"} {
		for _, word := range []string{"catalogue", "itemId", `name="features"`} {
			if strings.Contains(string(s.visitor().get(path).body), word) {
				t.Errorf("%s has the word %s", path, word)
			}
		}
	}
}

func TestARequestWithoutCategoryGetsTheProfessionOfItsItem(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.has("name,made_by,made_at_level\nGoethite Iron Ore,Miner,85\nHorseshoe,Blacksmith; Carpenter,9\n")
	maple := s.signedIn("maple")
	for name, tt := range map[string]struct{ said, item, want string }{
		"a known item":                {"", "goethite iron ore", "Miner"},
		"one that several make":       {"", "Horseshoe", "Merchant"},
		"a name nobody knows":         {"", "Unheard-of", "Merchant"},
		"a category that was chosen":  {"Chef", "Goethite Iron Ore", "Chef"},
		"the default, chosen by hand": {"Merchant", "Goethite Iron Ore", "Merchant"},
	} {
		draft := order(object{"itemName": tt.item})
		delete(draft, "category")
		if tt.said != "" {
			draft["category"] = tt.said
		}
		posted := maple.post("/api/orders", draft).wants(http.StatusCreated).json()
		if posted["category"] != tt.want || posted["levelRequirement"] != draft["levelRequirement"] {
			t.Errorf("%s: the request is %v", name, posted)
		}
	}
	edited := maple.post("/api/orders", order(object{"itemName": "Lantern", "category": "Chef", "quantity": 7})).wants(http.StatusCreated).json()
	path := fmt.Sprintf("/api/orders/%v", edited["id"])
	edited = maple.patch(path, object{"version": 1, "itemName": "Goethite Iron Ore"}).wants(http.StatusOK).json()
	if edited["category"] != "Chef" {
		t.Errorf("an edit of the name changed the category: %v", edited)
	}
}
