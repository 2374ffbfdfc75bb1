package core_test

import (
	"slices"
	"testing"

	"tradepost/core"
)

func TestCategoriesAndImportancesMatchTheSpecification(t *testing.T) {
	t.Parallel()
	game := core.StandardGame()
	categories := []core.Category{
		"Forager", "Fisher", "Chef", "Alchemist", "Botanist", "Woodcutter", "Carpenter", "Miner", "Bonewright", "Blacksmith",
		"Stonemason", "Detective", "Leatherworker", "Merchant", "Combat",
	}
	if !slices.Equal(game.Categories(), categories) || game.Default != "Merchant" {
		t.Errorf("categories %q, by default %q", game.Categories(), game.Default)
	}
	if want := []core.Importance{"low", "medium", "high", "urgent"}; !slices.Equal(core.Importances, want) {
		t.Errorf("importances %q", core.Importances)
	}
	for _, c := range []core.Category{"", "miner", "Pirate", "Miner "} {
		if game.HasCategory(c) {
			t.Errorf("%q passes for a category", c)
		}
	}
	for importance, want := range map[core.Importance]string{
		"low": "", "medium": "",
		"high":   "HIGH PRIORITY REQUEST: Buyer needs this item soon",
		"urgent": "URGENT REQUEST: Buyer needs this item as soon as possible",
	} {
		if got := importance.Banner(); got != want {
			t.Errorf("%s is announced as %q, want %q", importance, got, want)
		}
	}
}
