package match_test

import (
	"fmt"
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// A press offers what a line probably meant; what it offers is understood, by lists and by stock. Nothing is offered for a line of which
// more is wrong, or whose item nobody knows.
func TestALineIsOfferedAsItWasProbablyMeant(t *testing.T) {
	t.Parallel()
	item := func(id core.ItemID, name string) items.Item {
		return items.Item{ID: id, Name: name, State: items.Listed, Names: []items.Name{{Key: coretest.Forms.FoldItem(name), Name: name}}}
	}
	index := items.NewIndex([]items.Item{item(1, "Golden Starfish"), item(2, "35% Potion Healing"), item(3, "Ration 5")}, nil, coretest.Forms)
	g := game.Standard()
	text := "50x Golden Starfish 4s\n\n50x Goldn Starfish 1g500s\r\n7 Golden Starfish\n3 Golden Starfsh at\nGolden Starfish 4s\n5 Moon Dust\n9x 35% Potion Heling 2s\n2x Raton 5 1s"
	var lists, stock []string
	for _, f := range items.ListFixes(text, trade.MaxListLines, index, g) {
		lists = append(lists, fmt.Sprint(f.Number, " ", f.Fix.Line(g), f.Fix.Usual))
	}
	for _, l := range match.ReadStockLines(text, index, g, coretest.Forms) {
		if l.Fix != nil {
			stock = append(stock, fmt.Sprint(l.Number, " ", l.Fix.Line(g), l.Fix.Usual))
		}
	}
	want := []string{
		"3 Golden Starfish x50 1g500sfalse", "4 Golden Starfish x7 0ctrue", "5 Golden Starfish x3 0ctrue",
		"8 35% Potion Healing x9 2sfalse", "9 Ration 5 x2 1sfalse",
	}
	if !slices.Equal(lists, want) {
		t.Errorf("of a list are offered\n%q, want\n%q", lists, want)
	}
	if want := want[:4]; !slices.Equal(stock, want) { // of stock the quantity may also be the last number
		t.Errorf("of stock are offered\n%q, want\n%q", stock, want)
	}
	for number, line := range map[int]string{3: "Golden Starfish x50 1g500s", 8: "35% Potion Healing x9 2s"} {
		text = game.ReplaceLine(text, number, line)
	}
	if left := items.ListFixes(text, trade.MaxListLines, index, g); len(left) != 3 {
		t.Errorf("after two were put right %+v are offered", left)
	}
	for _, l := range match.ReadStockLines(text, index, g, coretest.Forms) {
		if (l.Number == 3 || l.Number == 8) && l.Why.Code != "" && l.Why.Code != "stock_line_twice" {
			t.Errorf("what was offered is not understood: %+v", l)
		}
	}
}
