package items_test

import (
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/items"
)

func TestTheListOfItemsForgivesWhatCompletionForgives(t *testing.T) {
	t.Parallel()
	var index []items.Item
	for i, name := range []string{"Golden Starfish", "Silver Starfish", "Iron Ore", "Rank 2 Feather"} {
		index = append(index, items.Item{
			ID: core.ItemID(i + 1), Name: name, State: items.Listed, Names: []items.Name{{Key: coretest.Forms.FoldItem(name), Name: name}},
		})
	}
	x := items.NewIndex(index, nil, coretest.Forms)
	for typed, want := range map[string][]string{
		"starfish":           {"Golden Starfish", "Silver Starfish"},
		"goldenstarfish":     {"Golden Starfish"},
		"Golden Starfsih":    {"Golden Starfish"},
		"Glden Starfsih":     {"Golden Starfish"},
		"50 golden starfish": {"Golden Starfish"},
		"50x Glden Starfsih": {"Golden Starfish"},
		"1k iron ore":        {"Iron Ore"},
		"rank 2":             {"Rank 2 Feather"},
		"Gldn Strfsh":        nil,
		"dragon egg":         nil,
	} {
		var listed, completed []string
		all, _ := x.List(items.Filter{Text: typed}, "", 10)
		for _, item := range all {
			listed = append(listed, item.Name)
		}
		for _, item := range x.Complete(typed, 10) {
			completed = append(completed, item.Name)
		}
		slices.Sort(completed)
		if !slices.Equal(listed, want) || !slices.Equal(completed, want) {
			t.Errorf("%q lists %q and completes to %q, want %q", typed, listed, completed, want)
		}
	}
	if rest, more := x.List(items.Filter{Text: "starfsih"}, "goldenstarfish", 10); len(rest) != 1 || more {
		t.Errorf("the next page of a list with a typo has %d items", len(rest))
	}
}

func TestItemsAreFoundByWhoMakesThem(t *testing.T) {
	t.Parallel()
	var all []items.Item
	for name, makers := range map[string][]game.Category{
		"Iron Ore": {"Miner"}, "Tin Ore": {"Miner"}, "Iron Bar": {"Blacksmith"}, "Miner's Lamp": {"Carpenter"}, "Trout": nil,
		"Loaf": {"Chef", "Forager"}, "Fish Meal": {"Fisher"},
	} {
		all = append(all, items.Item{
			ID: core.ItemID(len(all) + 1), Name: name, State: items.Listed, MadeBy: makers,
			Names: []items.Name{{Key: coretest.Forms.FoldItem(name), Name: name}},
		})
	}
	x := items.NewIndex(all, nil, coretest.Forms)
	for typed, want := range map[string][]string{
		"Miner":        {"Iron Ore", "Miner's Lamp", "Tin Ore"},
		"Bergmann":     {"Iron Ore", "Tin Ore"}, // in German
		"bergmann tin": {"Tin Ore"},
		"iron schmied": {"Iron Bar"},
		"Sammler":      {"Loaf"},
		"holzfäller":   nil, // makes none of these
		"fis":          {"Fish Meal"},
		"Bergmann bar": nil,
	} {
		var listed, completed []string
		page, _ := x.List(items.Filter{Text: typed}, "", 10)
		for _, item := range page {
			listed = append(listed, item.Name)
		}
		for _, item := range x.Complete(typed, 10) {
			completed = append(completed, item.Name)
		}
		slices.Sort(completed)
		if !slices.Equal(listed, want) || !slices.Equal(completed, want) {
			t.Errorf("%q lists %q and completes to %q, want %q", typed, listed, completed, want)
		}
	}
	if first := x.Complete("miner", 10)[0].Name; first != "Miner's Lamp" {
		t.Errorf("%q comes before what the word is in", first)
	}
}
