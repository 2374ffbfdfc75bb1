package firstlook_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/web/firstlook"
)

var update = flag.Bool("update", false, "write what is drawn to testdata")

// fixture has the requests that dashboard/src/test/firstLook.test.tsx draws too.
type fixture struct {
	Now    time.Time       `json:"now"`
	Page   json.RawMessage `json:"page"`
	Counts json.RawMessage `json:"counts"`
}

func board(t testing.TB) firstlook.Board {
	t.Helper()
	data, err := os.ReadFile("../../core/testdata/first_look.json")
	must(t, err)
	var f fixture
	must(t, json.Unmarshal(data, &f))
	return firstlook.Board{Game: game.Standard(), Sort: match.Newest, Page: f.Page, Counts: f.Counts, Now: f.Now}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func draw(t *testing.T, b firstlook.Board) string {
	t.Helper()
	html, err := firstlook.Draw(b)
	must(t, err)
	return string(html)
}

// What is drawn is in testdata, where the dashboard's test compares it with what its components draw.
func TestTheFirstLookMatchesTestdata(t *testing.T) {
	wantInTestdata(t, "orders.html", drawEach(t, cases(t).Board))
	for _, tt := range []struct {
		file string
		list bool
	}{{"cards.html", false}, {"list.html", true}} {
		b := board(t)
		b.List = tt.list
		wantInTestdata(t, tt.file, draw(t, b))
	}
}

func wantInTestdata(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		must(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if got != string(want) {
		t.Errorf("%s differs: after a change of the templates run go test ./web/firstlook -update, "+
			"and then the dashboard's test of the first look", path)
	}
}

// orderCase is a request that dashboard/scripts/first-look.mjs made from the API's type.
type orderCase struct {
	Case  string          `json:"case"`
	Order json.RawMessage `json:"order"`
}

// cases returns requests as the board has them, and some that are over or hidden.
func cases(t *testing.T) (c struct{ Board, Over []orderCase }) {
	t.Helper()
	data, err := os.ReadFile("testdata/orders.gen.json")
	must(t, err)
	must(t, json.Unmarshal(data, &c))
	return c
}

func pageOf(t *testing.T, cases ...orderCase) []byte {
	t.Helper()
	orders := make([]json.RawMessage, len(cases))
	for i, c := range cases {
		orders[i] = c.Order
	}
	page, err := json.Marshal(map[string]any{"orders": orders, "total": len(orders), "nextCursor": nil})
	must(t, err)
	return page
}

var oneRequest = regexp.MustCompile(`(?s)<(article|tr data-row|li data-row).*?</(article|tr|li)>`)

// drawEach draws each request of one page as a card, as a row of the table and as a row of a phone. A board has
// room for the first ones only, so that it is drawn several times, each time from another request on.
func drawEach(t *testing.T, cases []orderCase) string {
	t.Helper()
	drawn := map[string][]string{}
	for _, list := range []bool{false, true} {
		step := map[bool]int{false: firstlook.Cards, true: firstlook.Rows}[list]
		for at := 0; at < len(cases); at += step {
			b := board(t)
			b.List, b.Page = list, pageOf(t, slices.Concat(cases[at:], cases[:at])...)
			for _, found := range oneRequest.FindAllStringSubmatch(draw(t, b), -1) {
				if name := found[2]; len(drawn[name]) < len(cases) {
					drawn[name] = append(drawn[name], found[0])
				}
			}
		}
	}
	parts := func(name string) string { return strings.Join(drawn[name], "\n") }
	return fmt.Sprintf("%s\n<table><tbody>\n%s\n</tbody></table>\n<ul>\n%s\n</ul>\n",
		parts("article"), parts("tr"), parts("li"))
}

// The frame of a document has the places that its market has, as links.
func TestTheFrameHasTheLinksOfTheMarketsPlaces(t *testing.T) {
	for _, tt := range []struct {
		name     string
		features core.Features
		has, not []string
	}{
		{"every feature", core.AllFeatures(), []string{`"/items"`, `"/selling"`, `"/trades"`, "No account needed."}, nil},
		{"none", core.Features{}, []string{`"/mine"`, `"/completed"`, `"/?dialog=post"`, `"/auth/discord?return=%2F"`},
			[]string{`"/items"`, `"/selling"`, `"/trades"`}},
	} {
		drawn, err := firstlook.Frame{Features: tt.features, VisitorsOffer: true, Browse: true, Board: true}.Draw()
		must(t, err)
		html := string(drawn.Header) + string(drawn.Below)
		for _, part := range tt.has {
			if !strings.Contains(html, part) {
				t.Errorf("%s: %s is missing", tt.name, part)
			}
		}
		for _, part := range tt.not {
			if strings.Contains(html, part) {
				t.Errorf("%s: %s is there", tt.name, part)
			}
		}
		if tt.not == nil {
			wantInTestdata(t, "frame.html", "<div>"+string(drawn.Header)+"</div>\n"+string(drawn.Below)+"\n")
		}
	}
	drawn, err := firstlook.Frame{Browse: true}.Draw()
	must(t, err)
	if strings.Contains(string(drawn.Below), "No account needed.") {
		t.Error("visitors who may not offer read that no account is needed")
	}
}

// Whatever trade.Fields declares to be a detail or in rows is drawn: here the description, too.
func TestTheFirstLookDrawsWhatIsDeclared(t *testing.T) {
	description := &trade.Fields[1]
	before := *description
	t.Cleanup(func() { *description = before })
	description.OnCard, description.InRow = true, true
	every := cases(t).Board[0]
	for list, want := range map[bool]string{
		false: `>Description</dt><dd class="tabular flex min-w-0 items-center truncate"><span dir="auto" class="truncate" title="For the new guild hall">`,
		true:  `<span class="sr-only">Description: </span>For the new guild hall</span>`,
	} {
		b := board(t)
		b.List, b.Page = list, pageOf(t, every)
		times := map[bool]int{false: 1, true: 2}[list] // in the table, and on a phone
		if html := draw(t, b); strings.Count(html, want) != times {
			t.Errorf("%s is drawn %d times, want %d:\n%s", want, strings.Count(html, want), times, html)
		}
	}
}

func TestABoardWithARequestThatIsNotOpenHasNoFirstLook(t *testing.T) {
	c := cases(t)
	for _, over := range c.Over {
		b := board(t)
		b.Page = pageOf(t, c.Board[0], over)
		if html := draw(t, b); html != "" {
			t.Errorf("one that is %s is drawn: %s", over.Case, html)
		}
	}
}

func TestUserTextIsEscaped(t *testing.T) {
	for _, list := range []bool{false, true} {
		b := board(t)
		b.List = list
		html := draw(t, b)
		for _, broken := range []string{"<b>", "<script", "</script", "<i>", "ZgotmplZ"} {
			if strings.Contains(html, broken) {
				t.Errorf("list %v: %s is in the document", list, broken)
			}
		}
	}
}

func TestLinksKeepTheCategoryTheSortAndTheView(t *testing.T) {
	b := board(t)
	b.Category, b.Sort, b.View, b.List = "Miner", match.HighestPay, "list", true
	html := draw(t, b)
	for _, link := range []string{
		`href="/?category=Chef&amp;sort=price&amp;view=list"`, // another category
		`href="/?sort=price&amp;view=list"`,                   // every category
		`href="/?category=Miner&amp;sort=price&amp;view=cards"`,
		`href="/?category=Miner&amp;sort=total&amp;view=list"`, // the head of a column
		`href="/?q=Salted&#43;Cod&amp;view=list"`,              // several requests of one item
		`href="/requests/100"`,
		`<h1 class="shrink-0 text-lg sm:text-xl">Miner Requests</h1>`,
	} {
		if !strings.Contains(html, link) {
			t.Errorf("%s is missing", link)
		}
	}
}

func TestABoardWithoutRequestsHasNoFirstLook(t *testing.T) {
	b := board(t)
	b.Page = []byte(`{"orders":[],"total":0,"nextCursor":null}`)
	if html := draw(t, b); html != "" {
		t.Errorf("it is drawn: %s", html)
	}
}

func TestARequestOfAGameWithOtherCoins(t *testing.T) {
	b := board(t)
	b.Game.Coins = []game.Coin{{Name: "crown & co", Letter: "k", Worth: 1, Style: "gold"}}
	if html := draw(t, b); !strings.Contains(html, `2,500,000</data> crown &amp; co`) || !strings.Contains(html, `href="#coin-gold"`) {
		t.Errorf("the amounts are not in the game's coins")
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, list := range []bool{false, true} {
		look := board(b)
		look.List = list
		b.Run(map[bool]string{false: "cards", true: "list"}[list], func(b *testing.B) {
			for b.Loop() {
				if _, err := firstlook.Draw(look); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestTheFirstLookIsInTheDocumentsLanguage(t *testing.T) {
	english, german := text.For("en"), text.For("de")
	for _, list := range []bool{false, true} {
		b := board(t)
		b.List, b.Language = list, "de"
		html := draw(t, b)
		for key := range english.Language.Page {
			own, other := english.Language.Page[key].String(), german.Language.Page[key].String()
			if !strings.HasPrefix(key, "first_look_") && !strings.HasPrefix(key, "orders_") || strings.ContainsAny(own, "{<") || own == other || own == "" {
				continue
			}
			// Between tags, or an attribute: a word such as "left" is also a part of class names.
			for _, part := range []string{">" + own + "<", `"` + own + `"`} {
				if strings.Contains(html, part) {
					t.Errorf("list %v: %s is in English: %s", list, key, part)
				}
			}
		}
		for _, want := range []string{"offene Gesuche", ">heute<", "von 500", "Dringend", "Für mich", " Silber"} {
			if !strings.Contains(html, want) && !(list && want == ">heute<") {
				t.Errorf("list %v: %q is missing", list, want)
			}
		}
		if want := `<data value="14240">14.240</data>`; list && !strings.Contains(html, want) {
			t.Errorf("%s is missing", want)
		}
		b.Category = "Miner"
		html = draw(t, b)
		for _, want := range []string{"Gesuche: Bergmann", `name="category" value="Miner"`, ">Holzfäller<", "/?category=Woodcutter"} {
			if !strings.Contains(html, want) {
				t.Errorf("list %v of a category: %q is missing", list, want)
			}
		}
	}
}
