package serving

import (
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/web/kernel"
)

func TestACategoryIsSpelledAsBrowsersSpellIt(t *testing.T) {
	t.Parallel()
	for category, want := range map[core.Category]string{
		"Miner": "Miner", "Bow Maker": "Bow%20Maker", "Éclaireur": "%C3%89claireur", "R&D (old)!": "R%26D%20(old)!", "Jäger's~*": "J%C3%A4ger's~*",
	} {
		if got := kernel.ListAddress(category, core.Newest, false); got != kernel.ListsPath+"?category="+want {
			t.Errorf("the list of %s is at %s", category, got)
		}
		if got := equivalentQueries(category, core.Newest, core.Ungrouped); !slices.Contains(got, "category="+want) {
			t.Errorf("the category %s is stored as %q", category, got)
		}
	}
}
