package serving

import (
	"slices"
	"testing"

	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/web/kernel"
)

func TestACategoryIsSpelledAsBrowsersSpellIt(t *testing.T) {
	t.Parallel()
	for category, want := range map[game.Category]string{
		"Miner": "Miner", "Bow Maker": "Bow%20Maker", "Éclaireur": "%C3%89claireur", "R&D (old)!": "R%26D%20(old)!", "Jäger's~*": "J%C3%A4ger's~*",
	} {
		if got := kernel.ListAddress(category, match.Newest, false); got != kernel.ListsPath+"?category="+want {
			t.Errorf("the list of %s is at %s", category, got)
		}
		if got := equivalentQueries(category, match.Newest, match.Ungrouped); !slices.Contains(got, "category="+want) {
			t.Errorf("the category %s is stored as %q", category, got)
		}
	}
}
