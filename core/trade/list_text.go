package trade

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tradepost/core"
	"tradepost/core/game"
)

// listLine is a line of a pasted text that is not empty.
type listLine struct {
	number int // counted from 1, with empty lines
	text   string
}

// listedItem is the item that one line asks for.
type listedItem struct {
	item     string
	quantity int
	price    core.Copper // for one
}

func listLines(text string) []listLine {
	var lines []listLine
	for at, line := range SplitLines(text) {
		number := at + 1
		if line = strings.TrimSpace(line); line != "" && (len(lines) > 0 || !game.IsHeader(line)) {
			lines = append(lines, listLine{number, line})
		}
	}
	return lines
}

var (
	countedWord = regexp.MustCompile(`^(?:[x×](\d[\d,.']*)|(\d[\d,.']*)[x×])$`)
)

// codeNoPrice is the code of the text that asks for a price at the end of a line, which is written out
// where the text is.
const codeNoPrice = "list_line_price"

// readListLine reads an item, how many of it, and the price for one: "50x Iron Ore 10s", "Iron Ore x50 @
// 10s each", or the three parted by tabs, semicolons or commas, as from a spreadsheet. It returns Invalid
// for a line without quantity or price.
func readListLine(g game.Game, line string) (listedItem, error) {
	price, words, err := g.TakePrice(g.LineWords(line))
	if err != nil {
		return listedItem{}, err
	}
	quantity, words, err := takeQuantity(words)
	if err != nil {
		return listedItem{}, err
	}
	return listedItem{item: strings.Trim(strings.Join(words, " "), ",:"), quantity: quantity,
		price: price}, nil
}

// takeQuantity takes the quantity off a line: a number with an x anywhere at its ends, else a plain number
// in front or at the end.
func takeQuantity(words []string) (int, []string, error) {
	last := len(words) - 1
	for _, at := range []int{0, last} {
		if last < 0 {
			break
		}
		if m := countedWord.FindStringSubmatch(words[at]); m != nil {
			return quantityOf(m[1]+m[2], words, at)
		}
	}
	for _, at := range []int{0, last} {
		if last > 0 && game.PlainNumber.MatchString(words[at]) {
			return quantityOf(words[at], without(words, at, "x", "×"), min(at, len(words)-1))
		}
	}
	return 0, nil, core.NewFieldError("line",
		core.NewText("list_line_quantity", "Say how many you need, such as 50x"))
}

// without returns the words without one of these that follows or precedes the number at a place: "50 x Iron
// Ore".
func without(words []string, at int, these ...string) []string {
	next := 1
	if at > 0 {
		next = at - 1
	}
	if len(words) > 2 && slices.Contains(these, strings.ToLower(words[next])) {
		return slices.Delete(slices.Clone(words), next, next+1)
	}
	return words
}

func quantityOf(number string, words []string, at int) (int, []string, error) {
	rest := slices.Clone(words)
	if at >= len(rest) {
		at = len(rest) - 1
	}
	rest = slices.Delete(rest, at, at+1)
	n, err := strconv.Atoi(game.ThousandsOut.Replace(number))
	if err != nil {
		n = core.MaxQuantity + 1 // too many digits: a rule says so
	}
	return n, rest, nil
}

// FirstText is the sentence of an Error, of Invalid its first field's.
func FirstText(err error) core.Text {
	var e *core.Error
	if !errors.As(err, &e) {
		return core.NewText("not_understood", "This could not be read")
	}
	if len(e.Fields) > 0 {
		return e.Fields[0].Text
	}
	return e.Text
}
