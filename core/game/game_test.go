package game_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/trade"
)

// anotherGame is what core/testdata/game.json has about a community of its own.
type anotherGame struct {
	Icons           []string
	Game            json.RawMessage
	Parse           []struct{ Text, Copper, Error string }
	Print           []struct{ Copper, Text string }
	UnknownCategory string
}

func TestAnotherGameHasItsOwnCoinsAndProfessions(t *testing.T) {
	t.Parallel()
	v := coretest.Vectors[anotherGame](t, "game.json")
	g, err := game.Read(v.Game)
	if err != nil {
		t.Fatal(err)
	}
	if g.IsStandard() || !game.Standard().IsStandard() {
		t.Error("the game as it comes is not known from another")
	}
	if want := []game.Category{"Bow Maker", "Pearl Diver", "Éclaireur"}; !slices.Equal(g.Categories(), want) {
		t.Errorf("the categories are %q", g.Categories())
	}
	for _, tt := range v.Parse {
		got, err := g.ParseCopper("price", tt.Text)
		if tt.Error != "" && coretest.FieldsOf(err)["price"] != tt.Error || tt.Error == "" && (err != nil || got != coretest.CopperOf(t, tt.Copper)) {
			t.Errorf("ParseCopper(%q) = %d, %v; want %s%s", tt.Text, got, err, tt.Copper, tt.Error)
		}
	}
	for _, tt := range v.Print {
		if got := g.Format(coretest.CopperOf(t, tt.Copper)); got != tt.Text {
			t.Errorf("%s prints as %q, want %q", tt.Copper, got, tt.Text)
		}
	}
	if got := g.Format(-350); got != "-3K 50d" {
		t.Errorf("a debt prints as %q", got)
	}

	order, err := trade.NewOrder(coretest.OrderDraft(func(d *trade.OrderDraft) { d.Category = "" }), 1, g, coretest.Forms, coretest.Noon)
	if err != nil || order.Category != "Pearl Diver" {
		t.Errorf("by default an order belongs to %q, %v", order.Category, err)
	}
	old := coretest.OrderDraft(func(d *trade.OrderDraft) { d.Category, d.MaxPrice = "Miner", core.MaxPrice+1 })
	want := map[string]string{"category": v.UnknownCategory, "maxPricePerUnit": "Max price must be 9999999999K 99d or less"}
	if _, err = trade.NewOrder(old, 1, g, coretest.Forms, coretest.Noon); len(coretest.FieldsOf(err)) != 2 || coretest.FieldsOf(err)["category"] != want["category"] || coretest.FieldsOf(err)["maxPricePerUnit"] != want["maxPricePerUnit"] {
		t.Errorf("a profession of another game and a price too high return %v, want %v", coretest.FieldsOf(err), want)
	}

	// What was saved under another game stays as it is until its buyer chooses.
	saved := coretest.Order()
	name, diver := "Iron Bar", game.Category("Pearl Diver")
	if _, err := saved.Edit(trade.OrderEdit{Version: 1, ItemName: &name}, g, coretest.Forms, coretest.Noon); coretest.FieldsOf(err)["category"] != v.UnknownCategory {
		t.Errorf("it can be edited as it is: %v", err)
	}
	if edited, err := saved.Edit(trade.OrderEdit{Version: 1, ItemName: &name, Category: &diver}, g, coretest.Forms, coretest.Noon); err != nil || edited.Category != diver {
		t.Errorf("with a profession of the game: %v", err)
	}
	if _, err := saved.Close(coretest.Noon); err != nil {
		t.Errorf("it cannot be closed: %v", err)
	}
}

func TestIconsMatchThePage(t *testing.T) {
	t.Parallel()
	if v := coretest.Vectors[anotherGame](t, "game.json"); !slices.Equal(game.Icons, v.Icons) {
		t.Errorf("the icons are %q, and the page draws %q", game.Icons, v.Icons)
	}
}

func TestInvalidGameReturnsAnErrorThatNamesTheField(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile("game.json")
	if err != nil {
		t.Fatal(err)
	}
	many := strings.Repeat(`{ "name": "P", "icon": "leaf" },`, 25)
	for name, tt := range map[string]struct{ from, to, want string }{
		"no JSON":                           {`"professions"`, `professions`, "it is no JSON: invalid character 'p'"},
		"cut off":                           {"500g 250s 100c\"\n}", "500g", "it is no JSON"},
		"something behind it":               {"100c\"\n}", "100c\"\n} {}", "unexpected text after the game's closing brace"},
		"a field that is not known":         {`"example"`, `"specimen"`, `unknown field "specimen"`},
		"a text for a number":               {`"worth": 1000,`, `"worth": "1000",`, "coins.worth: a string is not allowed there"},
		"a fraction":                        {`"worth": 1000,`, `"worth": 1000.5,`, "coins.worth: a number 1000.5 is not allowed there"},
		"no professions":                    {`"default"`, `"professions": [], "default"`, "professions: there is none"},
		"more professions than Discord has": {`"professions": [`, `"professions": [` + many, "professions: there are 40, and Discord shows 24 at most"},
		"a profession without a name":       {`"Fisher"`, `""`, "professions[1].name: it is missing"},
		"a name that is long":               {`"Fisher"`, `"` + strings.Repeat("é", 33) + `"`, "professions[1].name: \"" + strings.Repeat("é", 33) + "\" has more than 32 characters"},
		"a name of many bytes":              {`"Fisher"`, `"` + strings.Repeat("狩", 22) + `"`, "professions[1].name: \"" + strings.Repeat("狩", 22) + "\" has more than 64 bytes"},
		"a name with spaces around":         {`"Fisher"`, `" Fisher"`, "professions[1].name: \" Fisher\" begins, ends or is filled with what cannot be seen"},
		"a name with a line feed":           {`"Fisher"`, `"Fi\nsher"`, "professions[1].name"},
		"a name of a direction":             {`"Fisher"`, `"Fi\u202esher"`, "professions[1].name"},
		"two professions of one name":       {`"Fisher"`, `"forager"`, "professions[1].name: \"forager\" is taken already"},
		"the word for all":                  {`"Fisher"`, `"All"`, "professions[1].name: \"All\" is taken already"},
		"an unknown icon":                   {`"fish"`, `"rocket"`, "professions[1].icon: \"rocket\" is none of leaf, fish, "},
		"a default that is none of them":    {`"default": "Merchant"`, `"default": "Pirate"`, "default: \"Pirate\" is none of the professions"},
		"no default":                        {`"default": "Merchant",`, ``, "default: \"\" is none of the professions"},
		"no coins":                          {`"example"`, `"coins": [], "example"`, "coins: there is none"},
		"more coins than looks":             {`"coins": [`, `"coins": [{ "name": "a", "letter": "a", "worth": 2000000000, "look": "gold" },`, "coins: there are 5, and the market knows 4 at most"},
		"a coin without a name":             {`"platinum", "letter"`, `"", "letter"`, "coins[0].name: it is missing"},
		"two coins of one name":             {`"name": "gold"`, `"name": "Platinum"`, "coins[1].name: \"Platinum\" is taken already"},
		"a letter of two":                   {`"letter": "g"`, `"letter": "gg"`, "coins[1].letter: \"gg\" is no single letter from a to z"},
		"a letter that is a digit":          {`"letter": "g"`, `"letter": "7"`, "coins[1].letter: \"7\" is no single letter"},
		"a letter of another script":        {`"letter": "g"`, `"letter": "ø"`, "coins[1].letter: \"ø\" is no single letter"},
		"a letter that folds to one":        {`"letter": "g"`, `"letter": "\u212a"`, "coins[1].letter: \"\u212a\" is no single letter"},
		"a letter twice":                    {`"letter": "g"`, `"letter": "P"`, "coins[1].letter: \"P\" is another coin's already"},
		"an unknown look":                   {`"look": "gold"`, `"look": "jade"`, "coins[1].look: \"jade\" is none of platinum, gold, silver, copper"},
		"a look twice":                      {`"look": "gold"`, `"look": "platinum"`, "coins[1].look: \"platinum\" is another coin's already"},
		"worths that rise":                  {`1000000,`, `2000000000,`, "coins[0].worth: 1000000000: a coin is worth more than the one after it (2000000000), and a multiple of it"},
		"worths that do not part evenly":    {`1000000,`, `1000500,`, "coins[0].worth: 1000000000: a coin is worth more than the one after it (1000500), and a multiple of it"},
		"a coin worth nothing":              {`1000000,`, `0,`, "coins[0].worth"},
		"a coin worth less than nothing":    {`1000000,`, `-5,`, "coins[0].worth"},
		"a last coin that is worth more":    {`"worth": 1,`, `"worth": 10,`, "coins[3].worth: 10: the last coin is the smallest, and worth 1"},
		"a coin that nothing costs":         {`1000000000`, `1000000000000`, "coins[0].worth: 1000000000000: nothing costs more than 999999999999"},
		"an example in other coins":         {`100c"`, `100d"`, "example: \"1p 500g 250s 100d\" is no amount in these coins"},
		"an example of nothing":             {`"1p 500g 250s 100c"`, `""`, "example: \"\" is no amount in these coins"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(string(whole), tt.from) {
				t.Fatalf("%q is not in the game", tt.from)
			}
			_, err := game.Read([]byte(strings.Replace(string(whole), tt.from, tt.to, 1)))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
		})
	}
	for name, data := range map[string]string{"as it comes": string(whole), "with a byte order mark": "\ufeff" + string(whole)} {
		if _, err := game.Read([]byte(data)); err != nil {
			t.Errorf("the game %s: %v", name, err)
		}
	}
}
