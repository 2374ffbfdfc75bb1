package items

import (
	"fmt"
	"strings"

	"tradepost/core"
	"tradepost/core/game"
)

// LineFix is a line that is not right as it probably was meant.
type LineFix struct {
	ItemName string
	Quantity int
	Price    core.Copper // for one
	Usual    bool        // the line says no price, and Price is the usual one
}

// ListFix is a line of a list that a press can put right.
type ListFix struct {
	Number int // counted from 1, with empty lines
	Text   string
	Why    core.Text
	Fix    LineFix
}

// Line writes the line as it was meant, so that lists and stock are read the same.
func (f LineFix) Line(game game.Game) string {
	return fmt.Sprintf("%s x%d %s", f.ItemName, f.Quantity, strings.ReplaceAll(game.Format(f.Price), " ", ""))
}

// ListFixes returns the lines of a list, of its first most ones, that nearly name an item, and the lines
// without a price for a known item. FillUsual fills in these prices.
func ListFixes(text string, most int, index *Index, g game.Game) []ListFix {
	var fixes []ListFix
	lines := game.ListLines(text)
	for _, line := range lines[:min(len(lines), most)] {
		read, noPrice, err := g.ReadUnpriced(line.Text)
		if err != nil {
			continue
		}
		read.Item = index.Listed(read)
		fix := ListFix{Number: line.Number, Text: line.Text,
			Fix: LineFix{Quantity: read.Quantity, Price: read.Price, Usual: noPrice != nil}}
		if item, known := index.Named(read.Item); known {
			if noPrice == nil {
				continue
			}
			fix.Fix.ItemName, fix.Why = item.Name, core.FirstText(noPrice)
		} else if near, found := index.Near(read.Item); found {
			fix.Fix.ItemName, fix.Why = near.Name, core.NewText("stock_line_near", "typed", read.Item,
				"item", near.Name)
		} else {
			continue
		}
		fixes = append(fixes, fix)
	}
	return fixes
}

// Listed returns the item of a line that was read: its longer name where that is an item's.
func (x *Index) Listed(read game.ListedItem) string {
	if longer := x.Meant(x.forms.Line(read.Longer)); longer != "" {
		if _, known := x.Named(longer); known {
			return longer
		}
	}
	return read.Item
}
