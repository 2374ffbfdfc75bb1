package core_test

import (
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
)

func TestAKnownItemGivesItsProfessionToARequestWithoutCategory(t *testing.T) {
	t.Parallel()
	_, index := coretest.Shipped(t)
	game := core.StandardGame()
	for typed, want := range map[string]core.Category{
		"Goethite Iron Ore":                    "Miner",
		"  goethite iron ORE ":                 "Miner",
		"Goethite Iron Ore · Miner 85":         "Miner", // a label that a client sends in place of the name
		"Iron Ore":                             "",      // a kind is no item
		"Goethite Iron Or":                     "",      // nothing is guessed
		"Sword of a Thousand Unheard-of Tales": "",
		"":                                     "",
	} {
		if got := index.CategoryOf(typed, game); got != want {
			t.Errorf("%q belongs to %q, want %q", typed, got, want)
		}
	}
}

func TestALineOfAListBelongsToTheProfessionOfItsItem(t *testing.T) {
	t.Parallel()
	_, index := coretest.Shipped(t)
	for name, tt := range map[string]struct {
		said core.Category
		want map[string]core.Category
	}{
		"without a category, an unknown item gets the default": {"", map[string]core.Category{"Goethite Iron Ore": "Miner", "Unheard-of": "Merchant"}},
		"the category of the list is for unknown items":        {"Fisher", map[string]core.Category{"Goethite Iron Ore": "Miner", "Unheard-of": "Fisher"}},
	} {
		t.Run(name, func(t *testing.T) {
			draft := listDraft("5x Goethite Iron Ore 1s", "5x Unheard-of 1s")
			draft.Category = tt.said
			_, lines, err := core.NewList(draft, 1, index, core.StandardGame(), coretest.Forms, coretest.Noon)
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
