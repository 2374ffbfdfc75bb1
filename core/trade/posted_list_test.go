package trade_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/trade"
)

func listDraft(lines ...string) trade.ListDraft {
	return trade.ListDraft{Name: "Guild hall", Text: strings.Join(lines, "\n"), BuyerContact: "maple"}
}

func newList(draft trade.ListDraft) (string, []trade.ListLine, error) {
	known := items.NewIndex([]items.Item{{ID: 1, Name: "Plan AT", State: items.Listed,
		Names: []items.Name{{Key: coretest.Forms.FoldItem("Plan AT"), Name: "Plan AT"}}}}, nil, coretest.Forms)
	return trade.NewList(draft, 1, known, game.Standard(), coretest.Forms, coretest.Noon)
}

func TestALineSaysWhatAndHowManyAndThePriceForOne(t *testing.T) {
	const silver, gold = core.Copper(1000), core.Copper(1000 * 1000)
	for line, want := range map[string]struct {
		item     string
		quantity int
		price    core.Copper
	}{
		"50x Iron Ore 10s":                {"Iron Ore", 50, 10 * silver},
		"Iron Ore x50 10s":                {"Iron Ore", 50, 10 * silver},
		"50 Iron Ore @ 10s each":          {"Iron Ore", 50, 10 * silver},
		"50 x Iron Ore for 10s":           {"Iron Ore", 50, 10 * silver},
		"Iron Ore 50 10s":                 {"Iron Ore", 50, 10 * silver},
		"- Iron Ore ×1,500 1g 5s":         {"Iron Ore", 1500, gold + 5*silver},
		"Iron Ore\t50\t1g50s":             {"Iron Ore", 50, gold + 50*silver},
		"50; Iron Ore; 10s":               {"Iron Ore", 50, 10 * silver},
		"7 Leaf Clover x5 1g":             {"7 Leaf Clover", 5, gold},
		"5x Potion 2 1g":                  {"Potion 2", 5, gold},
		"[ ] 3 Ring of the 9 Winds 20 c":  {"Ring of the 9 Winds", 3, 20},
		"Golden Starfish,600,4s":          {"Golden Starfish", 600, 4 * silver},
		"600,Golden Starfish,4s":          {"Golden Starfish", 600, 4 * silver},
		"Golden Starfish,1,200,400s":      {"Golden Starfish", 1200, 400 * silver},
		"Golden Starfish 1k 4s":           {"Golden Starfish", 1000, 4 * silver},
		"1.5k Golden Starfish @ 4s":       {"Golden Starfish", 1500, 4 * silver},
		"WTB Golden Starfish x50 4s":      {"Golden Starfish", 50, 4 * silver},
		"\"Golden Starfish\";50;4s":       {"Golden Starfish", 50, 4 * silver},
		"Item;Menge;Preis\nCoal;50;4s":    {"Coal", 50, 4 * silver},
		"12 Caric Adathril Ore @1p":       {"Caric Adathril Ore", 12, 1000 * gold},
		"10x Plan AT 1s":                  {"Plan AT", 10, silver},
		"10x Plan AT at 1s":               {"Plan AT", 10, silver},
		"Plan AT x10 1s":                  {"Plan AT", 10, silver},
		"10x Iron Ore AT 1s":              {"Iron Ore", 10, silver},
		"2x Lord's Sword of Fire 1,500 s": {"Lord's Sword of Fire", 2, 1500 * silver},
	} {
		_, lines, err := newList(listDraft(line))
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		if o := lines[0].Order; o.ItemName != want.item || o.Quantity != want.quantity || o.MaxPrice != want.price {
			t.Errorf("%q is %d × %q at %d", line, o.Quantity, o.ItemName, o.MaxPrice)
		}
	}
}

func TestErrorsInAListNameTheirLine(t *testing.T) {
	_, lines, err := newList(listDraft("50x Iron Ore 10s", "", "Oak Log 5s", "20x Oak Log", "50x iron ore 10s", "0x Coal 1s", "50x Iron Ore 10s", "9999999999x Tin 1s"))
	var failed *core.Error
	if !errors.As(err, &failed) || lines != nil {
		t.Fatalf("posted %v, %v", lines, err)
	}
	got := map[string]string{}
	for _, f := range failed.Fields {
		got[f.Field] = f.Message
	}
	for field, want := range map[string]string{
		"lines[3]": "Write how many you need, such as 50x", "lines[4]": "Write the price per unit at the end",
		"lines[6]": "Quantity must be greater than 0", "lines[7]": "This is the same as line 1", "lines[8]": "Quantity must be 1,000,000 or less",
	} {
		if !strings.HasPrefix(got[field], want) {
			t.Errorf("%s: %q, want %q", field, got[field], want)
		}
	}
	if len(got) != 5 {
		t.Errorf("wrong are %v", got)
	}
}

func TestAListHasANameAndUpToFiftyLines(t *testing.T) {
	var lines []string
	for i := range trade.MaxListLines + 1 {
		lines = append(lines, fmt.Sprintf("%dx Iron Ore 1s", i+1))
	}
	if _, posted, err := newList(listDraft(lines[:trade.MaxListLines]...)); err != nil || len(posted) != trade.MaxListLines {
		t.Errorf("fifty lines: %d, %v", len(posted), err)
	}
	if _, _, err := newList(listDraft(lines...)); core.KindOf(err) != core.Invalid {
		t.Errorf("fifty-one lines: %v", err)
	}
	if _, _, err := newList(trade.ListDraft{Text: "5x Iron Ore 1s"}); core.KindOf(err) != core.Invalid {
		t.Errorf("no name: %v", err)
	}
}

func TestTheProgressOfAListSumsUpItsItems(t *testing.T) {
	order := func(quantity, sold int, status trade.Status) trade.Order {
		return trade.Order{OrderDraft: trade.OrderDraft{Quantity: quantity}, Sold: sold, Status: status}
	}
	list := trade.PostedList{Orders: []trade.Order{order(50, 10, trade.Active), order(20, 5, trade.Fulfilled), order(30, 0, trade.Active)}}
	if p := list.Progress(); p != (trade.ListProgress{Orders: 3, Done: 1, Wanted: 85, Sold: 15}) || p.Percent() != 17 {
		t.Errorf("the progress is %+v, %d %%", p, p.Percent())
	}
}
