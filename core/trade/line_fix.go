package trade

import (
	"fmt"
	"slices"
	"strings"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
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

// SplitLines returns the lines of a text, whatever ends them.
func SplitLines(text string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// ReplaceLine returns a text with another line in the place of the one with a number, counted from 1.
func ReplaceLine(text string, number int, line string) string {
	lines := SplitLines(text)
	if 0 < number && number <= len(lines) {
		lines[number-1] = line
	}
	return strings.Join(lines, "\n")
}

// ListFixes returns the lines of a list that nearly name an item, and the lines without a price for a known
// item. The Market fills in these prices.
func ListFixes(text string, index *items.ItemIndex, game game.Game) []ListFix {
	var fixes []ListFix
	lines := listLines(text)
	for _, line := range lines[:min(len(lines), MaxListLines)] {
		words := game.LineWords(line.text)
		price, rest, noPrice := game.TakePrice(words)
		if noPrice != nil {
			if FirstText(noPrice).Code != codeNoPrice { // an unreadable price is not guessed
				continue
			}
			rest = withoutTrail(words)
		}
		quantity, rest, err := takeQuantity(rest)
		if err != nil {
			continue
		}
		name := strings.Trim(strings.Join(rest, " "), ",:")
		fix := ListFix{Number: line.number, Text: line.text,
			Fix: LineFix{Quantity: quantity, Price: price, Usual: noPrice != nil}}
		if item, known := index.Named(name); known {
			if noPrice == nil {
				continue
			}
			fix.Fix.ItemName, fix.Why = item.Name, FirstText(noPrice)
		} else if near, found := index.Near(name); found {
			fix.Fix.ItemName, fix.Why = near.Name,
				core.NewText("stock_line_near", "No item is called %s. Did you mean %s?", name, near.Name)
		} else {
			continue
		}
		fixes = append(fixes, fix)
	}
	return fixes
}

// withoutTrail returns the words of a line without the words that lead to a price: "50x Iron Ore at".
func withoutTrail(words []string) []string {
	for len(words) > 1 && slices.Contains(append(game.PriceLead, game.PriceTrail...),
		strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	return words
}
