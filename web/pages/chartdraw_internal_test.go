package pages

import (
	"bytes"
	"image/png"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/text"
)

func TestThePictureOfAnItemHasItsPrices(t *testing.T) {
	t.Parallel()
	faces := newCardFaces()
	price := func(median core.Copper) *items.Price {
		return &items.Price{Median: median, Low: median - 10, High: median + 10, Fills: 9}
	}
	days := make([]items.PriceDay, 90)
	for i := range days {
		days[i].Day = coretest.Noon.Truncate(24*time.Hour).AddDate(0, 0, i-89)
		if i%30 != 0 { // with gaps
			days[i].Price = price(core.Copper(1000 + i))
		}
	}
	days[45].Price, days[44].Price, days[46].Price = price(2000), nil, nil // a day alone
	few := make([]items.PriceDay, 90)
	for i := range few {
		few[i].Day = days[i].Day
		if i%10 == 5 {
			few[i].Singles = []core.Copper{core.Copper(1000 + i), 1100}
		}
	}
	ofDays := func(n int) [3]items.PriceWindow { return [3]items.PriceWindow{{}, {}, {Days: n, Price: price(1000)}} }
	prices := items.Prices{Days: days}
	item := items.Item{ID: 1, Name: "Caric Adathril Ore"}
	both := slices.Clone(days)
	for i := range both {
		both[i].Singles = few[i].Singles
	}
	both[80].Singles = []core.Copper{900_000} // a slip, which is left out
	drawn := map[string]int{}
	for name, p := range map[string]items.Prices{"no price": {}, "only days": prices, "a price": {Days: days, Windows: ofDays(90)}, "single trades": {Days: few, Windows: ofDays(90)}, "both": {Days: both, Windows: ofDays(90)}} {
		picture, err := drawItemCard(item, p, true, "Tradepost", game.Standard(), faces, text.For("de"))
		if err != nil {
			t.Fatal(err)
		}
		image, err := png.Decode(bytes.NewReader(picture))
		if err != nil {
			t.Fatal(err)
		}
		for x := range cardWidth { // how much of the chart's colour there is, beside the edge and the name of the site
			for y := 282; y < 484; y++ {
				if r, g, b, _ := image.At(x, y).RGBA(); x > 80 && r>>8 == uint32(accent.R) && g>>8 == uint32(accent.G) && b>>8 == uint32(accent.B) {
					drawn[name]++
				}
			}
		}
	}
	if drawn["no price"] != 0 || drawn["only days"] != 0 || drawn["a price"] < 2000 {
		t.Errorf("of the line are drawn %v points", drawn)
	}
	if dots := drawn["single trades"]; dots < 1000 {
		t.Errorf("of single trades are drawn %d points", dots)
	}
	if drawn["both"] < drawn["a price"]+500 {
		t.Errorf("of a line and single trades are drawn %v points", drawn)
	}
}
