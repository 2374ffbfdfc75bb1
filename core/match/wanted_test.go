package match_test

import (
	"fmt"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/core/match"
)

// Prices that moved follow the rules of prices: G has too few trades, D moved too little, and those of H differ by chance.
func TestDemandIsSummedUpByProfessionAndLevels(t *testing.T) {
	t.Parallel()
	item := func(id core.ItemID, name string, level int) items.Item {
		return items.Item{ID: id, Name: name, State: items.Listed, MadeAt: &level, Names: []items.Name{{Key: coretest.Forms.FoldItem(name), Name: name}}}
	}
	index := items.NewIndex([]items.Item{item(1, "Iron Ore", 50), item(2, "Tin Ore", 51)}, nil, coretest.Forms)
	level := 7
	// traded are so many trades at a price in the period and before, each of another pair, with prices apart by a step.
	traded := func(now, before core.Copper, n int, step core.Copper) (fills []items.Fill) {
		for i := range 2 * n {
			f := items.Fill{At: coretest.Noon.Add(-time.Hour), Buyer: core.UserID(2*i + 1), Seller: core.UserID(2*i + 2), Price: now, Quantity: 10, Trust: 1}
			if i >= n {
				f.At, f.Price = coretest.Noon.Add(-20*24*time.Hour), before
			}
			f.Price += step * core.Copper(i%n-n/2)
			fills = append(fills, f)
		}
		return fills
	}
	// Of S and T the trades of the period are slips of a coin, of T all but three are none.
	slips := traded(100, 100, 8, 1)
	for i := range 8 {
		slips[i].Price *= 1000
	}
	fewSlips := traded(120, 100, 8, 1)
	for i := range 3 {
		fewSlips[i].Price *= 1000
	}
	w := match.NewWanted(match.Demand{
		Unmet: []match.Unmet{
			{ItemName: "iron ore", Category: "Miner", Requests: 2, Quantity: 30, Value: 300},
			{ItemName: "Iron Ore", Category: "Miner", Requests: 1, Quantity: 5, Value: 50},
			{ItemName: "Moon Dust", Category: "Miner", Level: &level, Requests: 1, Quantity: 1, Value: 400},
			{ItemName: "Tin Ore", Category: "Miner", Level: &level, Requests: 1, Quantity: 9, Value: 90}, // the catalogue's level
			{ItemName: "Anything", Category: "Chef", Requests: 1, Quantity: 1, Value: 1},
		},
		Filled: []match.FilledItem{{Name: "iron ore", Requests: 3, Median: time.Hour}, {Name: "B", Requests: 9, Median: time.Minute}, {Name: "C", Requests: 2, Median: 1}},
		Fills: map[string][]items.Fill{
			"D": traded(109, 100, 8, 1), "E": traded(80, 100, 8, 1), "F": traded(130, 100, 8, 1), "G": traded(130, 100, 4, 1),
			"tin ore": traded(200, 100, 8, 1), "H": traded(900, 800, 8, 100),
			"S": slips, "T": fewSlips,
		},
	}, index, coretest.Noon)
	var got []string
	for _, g := range w.Unmet {
		got = append(got, fmt.Sprintf("%s %d-%d %d requests %d %v", g.Category, g.From, g.To, g.Requests, g.Value, g.Items))
	}
	want := "[Miner 1-50 4 requests 750 [{Moon Dust 0 1 400} {Iron Ore 1 35 350}] Miner 51-100 1 requests 90 [{Tin Ore 2 9 90}] Chef 0-0 1 requests 1 [{Anything 0 1 1}]]"
	if fmt.Sprint(got) != want {
		t.Errorf("wanted is\n%v, want\n%v", got, want)
	}
	if got := fmt.Sprint(w.Fastest, w.Moved); got != "[{B 0 9 1m0s} {Iron Ore 1 3 1h0m0s}] [{Tin Ore 2 99 199} {F 0 99 129} {T 0 99 121} {E 0 99 79}]" {
		t.Errorf("fastest and moved are %s", got)
	}
	if young := match.NewWanted(match.Demand{Filled: []match.FilledItem{{Name: "A", Requests: 3, Median: time.Hour}}, Young: true}, index, coretest.Noon); len(young.Fastest) > 0 {
		t.Errorf("in a young market fastest are %+v", young.Fastest)
	}
	if w.Empty() || !match.NewWanted(match.Demand{}, index, coretest.Noon).Empty() {
		t.Error("a report without anything is not empty, or one with something is")
	}
}
