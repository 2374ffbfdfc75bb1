package web

import (
	"bytes"
	"image/color"
	"image/png"
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
)

func TestACategoryIsSpelledAsBrowsersSpellIt(t *testing.T) {
	t.Parallel()
	for category, want := range map[core.Category]string{
		"Miner": "Miner", "Bow Maker": "Bow%20Maker", "Éclaireur": "%C3%89claireur", "R&D (old)!": "R%26D%20(old)!", "Jäger's~*": "J%C3%A4ger's~*",
	} {
		if got := listAddress(category, core.Newest, false); got != listsPath+"?category="+want {
			t.Errorf("the list of %s is at %s", category, got)
		}
		if got := equivalentQueries(category, core.Newest, core.Ungrouped); !slices.Contains(got, "category="+want) {
			t.Errorf("the category %s is stored as %q", category, got)
		}
	}
}

func TestACardShowsEachCoinInItsStyle(t *testing.T) {
	t.Parallel()
	for amount, looks := range map[core.Copper][]core.CoinStyle{
		250:                                 {"copper"},
		coretest.Silver:                     {"silver"},
		coretest.Platinum + 5*coretest.Gold: {"platinum", "gold"},
		core.MaxPrice:                       {"platinum", "gold", "silver", "copper"},
	} {
		card, err := drawCard(coretest.Order(func(o *core.Order) { o.MaxPrice = amount }), "Tradepost", core.StandardGame(), newCardFaces())
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(card))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[color.Color]bool{}
		for y := range cardHeight {
			for x := range cardWidth {
				seen[color.RGBAModel.Convert(picture.At(x, y))] = true
			}
		}
		for look, coin := range coins {
			if slices.Contains(looks, look) != seen[coin.face] {
				t.Errorf("of %d a card shows %s: %v", amount, look, seen[coin.face])
			}
		}
	}
}
