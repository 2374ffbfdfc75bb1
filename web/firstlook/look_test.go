package firstlook_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"tradepost/core"
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
	return firstlook.Board{Game: core.StandardGame(), Sort: core.Newest, Page: f.Page, Counts: f.Counts, Now: f.Now}
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
func TestTheFirstLookIsWhatTestdataHas(t *testing.T) {
	for _, tt := range []struct {
		file string
		list bool
	}{{"testdata/cards.html", false}, {"testdata/list.html", true}} {
		b := board(t)
		b.List = tt.list
		got := draw(t, b)
		if *update {
			must(t, os.WriteFile(tt.file, []byte(got), 0o600))
		}
		want, err := os.ReadFile(tt.file)
		must(t, err)
		if got != string(want) {
			t.Errorf("%s differs: after a change of the templates run go test ./web/firstlook -update, and then the dashboard's test of the first look", tt.file)
		}
	}
}

func TestWhatUsersTypedStaysText(t *testing.T) {
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
	b.Category, b.Sort, b.View, b.List = "Miner", core.HighestPay, "list", true
	html := draw(t, b)
	for _, link := range []string{
		`href="/?category=Chef&amp;sort=price&amp;view=list"`, // another category
		`href="/?sort=price&amp;view=list"`,                   // every category
		`href="/?category=Miner&amp;sort=price&amp;view=cards"`,
		`href="/?category=Miner&amp;sort=total&amp;view=list"`, // the head of a column
		`href="/?q=Salted&#43;Cod&amp;view=list"`,              // several requests of one item
		`href="/requests/100"`,
		`<h1 class="text-lg sm:text-xl">Miner Requests</h1>`,
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
	b.Game.Coins = []core.Coin{{Name: "crown & co", Letter: "k", Worth: 1, Style: "gold"}}
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
