package match_test

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/match"
)

func TestLinesOfStockAreUnderstoodOrSayWhyNot(t *testing.T) {
	t.Parallel()
	item := func(id int, names ...string) items.Item {
		i := items.Item{ID: core.ItemID(id), Name: names[0], State: items.Listed}
		for _, n := range names {
			i.Names = append(i.Names, items.Name{Key: coretest.Forms.FoldItem(n), Name: n})
		}
		return i
	}
	index := items.NewIndex([]items.Item{item(1, "Sturdy Hickory Log", "SHL"), item(2, "Iron Ore"), item(3, "Rank 2 Feather"), item(4, "Plan AT")}, nil, coretest.Forms)
	for line, want := range map[string]string{
		"Sturdy Hickory Log 600 4s":            "Sturdy Hickory Log|600|4s",
		"  sturdy   hickory log 1,200 1s 20c":  "Sturdy Hickory Log|1200|1s 20c",
		"600x Sturdy Hickory Log 4s":           "Sturdy Hickory Log|600|4s",
		"Sturdy Hickory Log x600 @ 4s each":    "Sturdy Hickory Log|600|4s",
		"Iron Ore\t600\t4s":                    "Iron Ore|600|4s",
		"Iron Ore; 600; 4s;":                   "Iron Ore|600|4s",
		"Iron Ore, 600, 1g2s":                  "Iron Ore|600|1g 2s",
		"Iron Ore,600,4s":                      "Iron Ore|600|4s",
		"Iron Ore,1,200,400s":                  "Iron Ore|1200|400s",
		"600,Iron Ore,4s":                      "Iron Ore|600|4s",
		"50 Iron Ore @ 4s":                     "Iron Ore|50|4s",
		"Iron Ore 1k 4s":                       "Iron Ore|1000|4s",
		"Iron Ore x1.5k 4s":                    "Iron Ore|1500|4s",
		"WTS Iron Ore x50 4s each":             "Iron Ore|50|4s",
		"[WTS] 50x Iron Ore 4s":                "Iron Ore|50|4s",
		"- Iron Ore 50 4s":                     "Iron Ore|50|4s",
		"Iron Ore 9999k 4s":                    "Quantity must be 1,000,000 or less",
		"SHL 5 4S":                             "Sturdy Hickory Log|5|4s",
		"Rank 2 Feather 3 7c":                  "Rank 2 Feather|3|7c",
		"10x Plan AT 1s":                       "Plan AT|10|1s",
		"Plan AT 10 for 1s":                    "Plan AT|10|1s",
		"Plan AT x10 at 1s":                    "Plan AT|10|1s",
		"10x Iron Ore AT 1s":                   "Iron Ore|10|1s",
		"Dragon Egg 1 1p":                      "Dragon Egg|1|1p",
		"Iron Ore 600":                         "Write your lowest price per unit at the end, such as 4c",
		"Iron Ore 4s":                          "Write an item, the quantity and your lowest price per unit, such as Iron Ore 600 4s",
		"600 4s":                               "Write an item, the quantity and your lowest price per unit, such as Iron Ore 600 4s",
		"Irn Ore 600 4s":                       "No item is called Irn Ore. Did you mean Iron Ore?",
		"Iron Ore 600 4z":                      "Invalid format. Use: 1p 500g 250s 100c",
		"Iron Ore 0 4s":                        "Quantity must be greater than 0",
		"Iron Ore 99999999999999999999 4s":     "Quantity must be 1,000,000 or less",
		"Iron Ore 5 0c":                        "Enter your lowest price per unit",
		strings.Repeat("x", 101) + " 5 4s":     "Item name must be 100 characters or fewer",
		"Buy gold at cheap-coins.example 5 4s": "",
	} {
		read := match.ReadStockLines(line, index, game.Standard(), coretest.Forms)
		if len(read) != 1 {
			t.Errorf("%q: %+v", line, read)
			continue
		}
		got := read[0].Why.String()
		if d := read[0].Draft; read[0].Understood() {
			got = fmt.Sprintf("%s|%d|%s", d.ItemName, d.Quantity, game.Standard().Format(d.Price))
		}
		if want != "" && got != want {
			t.Errorf("%q is read as %q, want %q", line, got, want)
		}
	}
	table := match.ReadStockLines("Item,Quantity,Price each\nIron Ore,5,4s", index, game.Standard(), coretest.Forms)
	if len(table) != 1 || table[0].Number != 2 || !table[0].Understood() {
		t.Errorf("a table with a header is read as %+v", table)
	}
	read := match.ReadStockLines("Iron Ore 5 4s\r\n\r\nSHL 5 4s\nIRON ore 6 3s", index, game.Standard(), coretest.Forms)
	if len(read) != 3 || read[2].Number != 4 && read[2].Number != 6 || !strings.HasPrefix(read[2].Why.String(), "This item is in line 1 already") {
		t.Errorf("an item that is there twice: %+v", read)
	}
	many := match.ReadStockLines(strings.Repeat("x\n", 150), index, game.Standard(), coretest.Forms)
	if last := many[len(many)-1]; len(many) != core.MaxStockLines+1 || last.Why.Code != "stock_lines_many" {
		t.Errorf("of 150 lines %d are read: %+v", len(many), last)
	}
}

func FuzzStockLines(f *testing.F) {
	f.Add("Sturdy Hickory Log 600 4s\n600x a 1g 2s")
	index := items.NewIndex(nil, nil, coretest.Forms)
	f.Fuzz(func(t *testing.T, text string) {
		for _, line := range match.ReadStockLines(text, index, game.Standard(), coretest.Forms) {
			d := line.Draft
			if line.Understood() && (d.ItemName == "" || d.Quantity < 1 || d.Quantity > core.MaxQuantity || d.Price < 1 || d.Price > core.MaxPrice) {
				t.Errorf("%q is understood as %+v", line.Text, d)
			}
		}
	})
}
