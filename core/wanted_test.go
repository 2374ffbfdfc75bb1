package core_test

import (
	"fmt"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
)

func TestWhatIsWantedIsSummedUpByProfessionAndLevels(t *testing.T) {
	t.Parallel()
	item := func(id core.ItemID, name string, level int) core.Item {
		return core.Item{ID: id, Name: name, State: core.ItemListed, MadeAt: &level, Names: []core.ItemName{{Key: coretest.Forms.FoldItem(name), Name: name}}}
	}
	index := core.NewItemIndex([]core.Item{item(1, "Iron Ore", 50), item(2, "Tin Ore", 51)}, nil, coretest.Forms)
	level := 7
	w := core.NewWanted(core.Demand{
		Unmet: []core.Unmet{
			{ItemName: "iron ore", Category: "Miner", Requests: 2, Quantity: 30, Value: 300},
			{ItemName: "Iron Ore", Category: "Miner", Requests: 1, Quantity: 5, Value: 50},
			{ItemName: "Moon Dust", Category: "Miner", Level: &level, Requests: 1, Quantity: 1, Value: 400},
			{ItemName: "Tin Ore", Category: "Miner", Level: &level, Requests: 1, Quantity: 9, Value: 90}, // the catalogue's level
			{ItemName: "Anything", Category: "Chef", Requests: 1, Quantity: 1, Value: 1},
		},
		Filled: []core.FilledItem{{Name: "A", Requests: 3, Median: time.Hour}, {Name: "B", Requests: 9, Median: time.Minute}, {Name: "C", Requests: 2, Median: 1}},
		Traded: []core.MovedPrice{{Name: "D", Before: 100, Now: 109}, {Name: "E", Before: 100, Now: 80}, {Name: "F", Before: 100, Now: 130}},
	}, index, coretest.Noon)
	var got []string
	for _, g := range w.Unmet {
		got = append(got, fmt.Sprintf("%s %d-%d %d requests %d %v", g.Category, g.From, g.To, g.Requests, g.Value, g.Items))
	}
	want := "[Miner 1-50 4 requests 750 [{Moon Dust 1 400} {Iron Ore 35 350}] Miner 51-100 1 requests 90 [{Tin Ore 9 90}] Chef 0-0 1 requests 1 [{Anything 1 1}]]"
	if fmt.Sprint(got) != want {
		t.Errorf("wanted is\n%v, want\n%v", got, want)
	}
	if got := fmt.Sprint(w.Fastest, w.Moved); got != "[{B 9 1m0s} {A 3 1h0m0s}] [{F 100 130} {E 100 80}]" {
		t.Errorf("fastest and moved are %s", got)
	}
	if w.Empty() || !core.NewWanted(core.Demand{}, index, coretest.Noon).Empty() {
		t.Error("a report without anything is not empty, or one with something is")
	}
}
