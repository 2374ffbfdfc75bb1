package trade_test

import (
	"testing"

	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/trade"
)

func TestAKnownItemGivesItsProfessionToARequestWithoutCategory(t *testing.T) {
	t.Parallel()
	_, index := coretest.Shipped(t)
	g := game.Standard()
	for typed, want := range map[string]game.Category{
		"Goethite Iron Ore":                    "Miner",
		"  goethite iron ORE ":                 "Miner",
		"Goethite Iron Ore · Miner 85":         "Miner", // a label that a client sends in place of the name
		"Iron Ore":                             "",      // a kind is no item
		"Goethite Iron Or":                     "",      // nothing is guessed
		"Sword of a Thousand Unheard-of Tales": "",
		"":                                     "",
	} {
		if got := index.CategoryOf(typed, g); got != want {
			t.Errorf("%q belongs to %q, want %q", typed, got, want)
		}
	}
}

func TestALineOfAListBelongsToTheProfessionOfItsItem(t *testing.T) {
	t.Parallel()
	_, index := coretest.Shipped(t)
	for name, tt := range map[string]struct {
		said game.Category
		want map[string]game.Category
	}{
		"without a category, an unknown item gets the default": {"", map[string]game.Category{"Goethite Iron Ore": "Miner", "Unheard-of": "Merchant"}},
		"the category of the list is for unknown items":        {"Fisher", map[string]game.Category{"Goethite Iron Ore": "Miner", "Unheard-of": "Fisher"}},
	} {
		t.Run(name, func(t *testing.T) {
			draft := listDraft("5x Goethite Iron Ore 1s", "5x Unheard-of 1s")
			draft.Category = tt.said
			_, lines, err := trade.NewList(draft, 1, index, game.Standard(), coretest.Forms, coretest.Noon)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range lines {
				if line.Order.Category != tt.want[line.Order.ItemName] {
					t.Errorf("%q belongs to %q, want %q", line.Order.ItemName, line.Order.Category, tt.want[line.Order.ItemName])
				}
			}
		})
	}
}
