package items

import (
	"errors"
	"testing"

	"tradepost/core"
	"tradepost/core/game"
)

func TestAnUnusualPriceIsAskedAbout(t *testing.T) {
	t.Parallel()
	game := game.Standard()
	traded := func(p core.Copper) KnownPrice { return KnownPrice{p, PriceTraded} }
	for name, tt := range map[string]struct {
		known KnownPrice
		typed core.Copper
		asks  string // empty for nothing
		meant core.Copper
	}{
		"gold for silver":             {traded(4_000), 4_000_000, "That is 1,000 times what it was traded for. Did you mean 4s?", 4_000},
		"silver for gold":             {traded(3_900_000), 4_000, "It was traded for 975 times as much. Did you mean 4g?", 4_000_000},
		"copper for silver":           {KnownPrice{4_000, PriceAsked}, 5, "Others pay 800 times as much. Did you mean 5s?", 5_000},
		"platinum for silver":         {KnownPrice{4_000, PriceAsked}, 4_000_000_000, "That is 1,000,000 times what others pay. Did you mean 4s?", 4_000},
		"two coins at once":           {traded(4_500), 4_500_000, "That is 1,000 times what it was traded for. Did you mean 4s 500c?", 4_500},
		"a similar item":              {KnownPrice{4_000, PriceSimilar}, 4_000_000, "That is 1,000 times the price of similar items. Did you mean 4s?", 4_000},
		"a similar item that is dear": {KnownPrice{4_000_000, PriceSimilar}, 4_000, "Similar items cost 1,000 times as much. Did you mean 4g?", 4_000_000},
		"no slip of a coin":           {traded(1_000), 40_001, "That is 40 times what it was traded for. Did you mean 1s?", 1_000},
		"thirty times":                {traded(1_000), 30_000, "That is 30 times what it was traded for. Did you mean 1s?", 1_000},
		"less than thirty times":      {traded(1_000), 29_999, "", 0},
		"a thirtieth":                 {traded(30_000), 1_000, "It was traded for 30 times as much. Did you mean 30s?", 30_000},
		"more than a thirtieth":       {traded(30_000), 1_001, "", 0},
		"the usual price":             {traded(4_000), 4_000, "", 0},
		"nothing is known":            {KnownPrice{}, 4_000_000, "", 0},
		"an item worth a copper":      {traded(1), 29, "", 0},
		"the highest price":           {traded(1), core.MaxPrice, "That is 999,999,999,999 times what it was traded for. Did you mean 1c?", 1},
	} {
		t.Run(name, func(t *testing.T) {
			asked := tt.known.unusual("maxPricePerUnit", "Iron Ore", tt.typed, game)
			if asked == nil {
				if tt.asks != "" {
					t.Fatalf("nothing is asked, want %q", tt.asks)
				}
				return
			}
			if question := asked.Question(game).String(); question != tt.asks || asked.Meant != tt.meant {
				t.Errorf("asks %q and means %d, want %q and %d", question, asked.Meant, tt.asks, tt.meant)
			}
		})
	}
}

func TestTheConflictNamesEachPriceUnderItsField(t *testing.T) {
	t.Parallel()
	game, known := game.Standard(), KnownPrice{4_000, PriceTraded}
	first, third := known.unusual("lines[1]", "Iron Ore", 4_000_000, game), known.unusual("lines[3]", "Coal", 4, game)
	var failed *core.Error
	if err := unusualPrices([]UnusualPrice{*first, *third}, game); !errors.As(err, &failed) || failed.Kind != core.Conflict ||
		failed.Code != CodePriceUnusual || len(UnusualPricesOf(err)) != 2 || len(failed.Fields) != 2 || failed.Fields[1].Field != "lines[3]" {
		t.Errorf("the answer is %+v", err)
	}
	if err := unusualPrices(nil, game); err != nil {
		t.Errorf("without a price in question: %v", err)
	}
}

func TestNeighboursAreOfTheKindAndOfTheProfessionAndLevel(t *testing.T) {
	t.Parallel()
	level := func(n int) *int { return &n }
	item := func(id core.ItemID, name, kind string, made game.Category, at *int) Item {
		return Item{ID: id, Name: name, Kind: kind, MadeBy: []game.Category{made}, MadeAt: at, State: Listed, Names: []Name{{Key: name, Name: name}}}
	}
	red := item(1, "red", "ore", "Miner", level(100))
	index := NewIndex([]Item{
		red, item(2, "blue", "ore", "Miner", level(300)), item(3, "near", "", "Miner", level(110)), item(4, "far", "", "Miner", level(126)),
		item(5, "other", "", "Chef", level(100)), item(6, "unknown", "", "Miner", nil),
	}, nil, core.TextForms{})
	if got := index.neighbours(red); len(got[0]) != 1 || got[0][0] != "blue" || len(got[1]) != 1 || got[1][0] != "near" {
		t.Errorf("the neighbours are %v", got)
	}
}
