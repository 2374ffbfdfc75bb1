package items_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/items"
)

// imported returns a catalogue after files were imported one after the other, and what the last one changed.
func imported(t *testing.T, files ...string) (map[string]items.Item, items.Import) {
	t.Helper()
	var (
		index []items.Item
		done  items.Import
	)
	for _, file := range files {
		rows, err := items.ReadRows([]byte(file), coretest.Forms)
		if err != nil {
			t.Fatal(err)
		}
		if done, err = items.PlanImport(index, rows, coretest.Forms, coretest.Noon); err != nil {
			t.Fatal(err)
		}
		for _, item := range done.Changed {
			if item.ID == 0 {
				item.ID = core.ItemID(len(index) + 1)
				index = append(index, item)
			}
			index[item.ID-1] = item
		}
	}
	byName := map[string]items.Item{}
	for _, item := range index {
		byName[item.Name] = item
	}
	return byName, done
}

func TestImportingAFileTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	file := "id,name,kind,made_by,made_at_level,tradeable,aliases\n1,Iron Ore,Ore,Miner; Delver,20,yes,Ferrum; Raw Iron\n,Lantern,,,,,\n"
	items, first := imported(t, file)
	if first.Added != 2 || len(items["Iron Ore"].MadeBy) != 2 || *items["Iron Ore"].MadeAt != 20 || len(items["Iron Ore"].Names) != 3 {
		t.Errorf("the first import made %+v", first)
	}
	if _, second := imported(t, file, file); len(second.Changed) != 0 || second.Unchanged != 2 {
		t.Errorf("the second import changed %+v", second.Changed)
	}
}

func TestAnItemKeepsItsNumberWhenTheFileRenamesIt(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][2]string{
		"id":       {"id,name\n7,Iron Ore\n", "id,name\n7,Raw Iron\n"},
		"formerly": {"name\nIron Ore\n", "name,formerly\nRaw Iron,iron ore\n"},
	} {
		items, done := imported(t, files[0], files[1])
		if raw := items["Raw Iron"]; raw.ID != 1 || raw.Gone() || done.Renamed != 1 || len(raw.Names) != 2 || raw.Names[1].Name != "Iron Ore" {
			t.Errorf("by %s the item became %+v, %+v", name, raw, done)
		}
		if _, again := imported(t, files[0], files[1], files[1]); len(again.Changed) != 0 {
			t.Errorf("by %s, repeating the rename changed %+v", name, again.Changed)
		}
	}
	items, done := imported(t, "name\nIron Ore\n", "name\nRaw Iron\n")
	if items["Raw Iron"].ID != 2 || !items["Iron Ore"].Gone() || done.Added != 1 || done.Gone != 1 {
		t.Errorf("without, the items became %+v", items)
	}
	if items, done = imported(t, "name\nIron Ore\n", "name\nRaw Iron\n", "name\nIron Ore\nRaw Iron\n"); items["Iron Ore"].Gone() || done.Back != 1 {
		t.Errorf("an item that is there again became %+v", items)
	}
}

func TestTwoItemsMaySwapTheirNames(t *testing.T) {
	t.Parallel()
	items, _ := imported(t, "id,name\n1,Left\n2,Right\n", "id,name\n1,Right\n2,Left\n")
	if items["Right"].ID != 1 || items["Left"].ID != 2 || len(items["Right"].Names) != 1 || len(items["Left"].Names) != 1 {
		t.Errorf("they became %+v", items)
	}
}

func TestImportErrorsNameTheirLineAndColumn(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                                      "line 1: the file is empty",
		"kind\nOre\n":                           "line 1, column name: the column is missing",
		"name,colour\nA,red\n":                  `line 1, column colour: no such column`,
		"name,name\nA,B\n":                      "line 1, column name: the column is there twice",
		"name,kind\nIron\n":                     "line 2: it has 1 columns, and the header has 2",
		"name\nIron\n\"\"\n":                    "line 3, column name: it is empty",
		"name\nIron\n\nIRON \n":                 `line 4, column name: "IRON" is the name in line 2 already`,
		"name,aliases\nIron,Ore\nOre,\n":        `line 2, column aliases: "Ore" is a name in line 3 already`,
		"name,id\nA,1\nB,1\n":                   `line 3, column id: "1" is the id in line 2 already`,
		"name,made_at_level\nIron,ten\n":        `line 2, column made_at_level: "ten" is no level`,
		"name,made_at_level\nIron,-1\n":         `line 2, column made_at_level: "-1" is no level`,
		"name,tradeable\nIron,maybe\n":          `line 2, column tradeable: "maybe" is none of yes and no`,
		"name,link\nIron,javascript:alert(1)\n": "line 2, column link:",
		"name\nA \"b\n":                         "line 2:",
		"name\n" + strings.Repeat("x", 101):     "line 2, column name:",
	} {
		rows, err := items.ReadRows([]byte(file), coretest.Forms)
		var wrong *items.ImportError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q gives %d items and %v, want %s", file, len(rows), err, want)
		}
	}
	rows, err := items.ReadRows([]byte("name,formerly\nA,C\nB,C\n"), coretest.Forms)
	if err == nil {
		_, err = items.PlanImport([]items.Item{{ID: 1, Name: "C", Names: []items.Name{{Key: "c", Name: "C"}}}}, rows, coretest.Forms, coretest.Noon)
	}
	if fmt.Sprint(err) != "line 3, column formerly: it means the same item as line 2" {
		t.Errorf("two items with one former name give %v", err)
	}
}

func TestAnItemProposesOnlyWhatTheGameHas(t *testing.T) {
	t.Parallel()
	level := func(n int) *int { return &n }
	for name, tt := range map[string]struct {
		item     items.Item
		category game.Category
		level    int
	}{
		"one profession":         {items.Item{MadeBy: []game.Category{"Miner"}, MadeAt: level(180)}, "Miner", 180},
		"no level below 1":       {items.Item{MadeBy: []game.Category{"Miner"}, MadeAt: level(0)}, "Miner", 0},
		"the highest level":      {items.Item{MadeBy: []game.Category{"Miner"}, MadeAt: level(core.MaxLevel)}, "Miner", core.MaxLevel},
		"no level above":         {items.Item{MadeBy: []game.Category{"Miner"}, MadeAt: level(core.MaxLevel + 1)}, "Miner", 0},
		"two professions":        {items.Item{MadeBy: []game.Category{"Miner", "Chef"}, MadeAt: level(180)}, "", 0},
		"none of the game's":     {items.Item{MadeBy: []game.Category{"Delver"}, MadeAt: level(180)}, "", 0},
		"nothing of it is known": {items.Item{}, "", 0},
	} {
		p := tt.item.Proposal(game.Standard())
		if p.Category != tt.category || (p.Level == nil) != (tt.level == 0) || p.Level != nil && *p.Level != tt.level {
			t.Errorf("%s: it proposes %+v", name, p)
		}
	}
}

func TestTheShippedItemsMatchTheirVersion(t *testing.T) {
	t.Parallel()
	// When core/game_items.csv changes, raise ShippedVersion, so that markets import it, and note its items here.
	if n := len(items.Shipped(coretest.Forms)); items.ShippedVersion != 1 || n != 1659 {
		t.Errorf("version %d has %d items", items.ShippedVersion, n)
	}
}
