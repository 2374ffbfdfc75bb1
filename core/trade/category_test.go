package trade_test

import (
	"slices"
	"testing"

	"tradepost/core/game"
)

func TestCategoriesAndImportancesMatchTheSpecification(t *testing.T) {
	t.Parallel()
	g := game.Standard()
	categories := []game.Category{
		"Forager", "Fisher", "Chef", "Alchemist", "Botanist", "Woodcutter", "Carpenter", "Miner", "Bonewright", "Blacksmith",
		"Stonemason", "Detective", "Leatherworker", "Merchant", "Combat",
	}
	if !slices.Equal(g.Categories(), categories) || g.Default != "Merchant" {
		t.Errorf("categories %q, by default %q", g.Categories(), g.Default)
	}
	if want := []game.Importance{"low", "medium", "high", "urgent"}; !slices.Equal(game.Importances, want) {
		t.Errorf("importances %q", game.Importances)
	}
	for _, c := range []game.Category{"", "miner", "Pirate", "Miner "} {
		if g.HasCategory(c) {
			t.Errorf("%q passes for a category", c)
		}
	}
	for importance, want := range map[game.Importance]string{
		"low": "", "medium": "",
		"high":   "HIGH PRIORITY REQUEST: Buyer needs this item soon",
		"urgent": "URGENT REQUEST: Buyer needs this item as soon as possible",
	} {
		if got := importance.Banner(); got != want {
			t.Errorf("%s is announced as %q, want %q", importance, got, want)
		}
	}
}
