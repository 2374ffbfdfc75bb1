package game

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tradepost/core"
)

// ListLine is a line of a pasted text that is not empty.
type ListLine struct {
	Number int // counted from 1, with empty lines
	Text   string
}

// ListedItem is the item that one line asks for.
type ListedItem struct {
	Item     string
	Quantity int
	Price    core.Copper // for one
	// Longer is the item with the word before the price, which may be the end of a name: "Potion At"; empty
	// where there is no such word.
	Longer string
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

// ListLines returns the lines of a text that are not empty, without the header of a table.
func ListLines(text string) []ListLine {
	var lines []ListLine
	for at, line := range SplitLines(text) {
		number := at + 1
		if line = strings.TrimSpace(line); line != "" && (len(lines) > 0 || !IsHeader(line)) {
			lines = append(lines, ListLine{number, line})
		}
	}
	return lines
}

var (
	countedWord = regexp.MustCompile(`^(?:[x×](\d[\d,.']*)|(\d[\d,.']*)[x×])$`)
)

// ReadListLine reads an item, how many of it, and the price for one: "50x Iron Ore 10s", "Iron Ore x50 @
// 10s each", or the three parted by tabs, semicolons or commas, as from a spreadsheet. It returns Invalid
// for a line without quantity or price.
func (g Game) ReadListLine(line string) (ListedItem, error) {
	words := g.LineWords(line)
	price, rest, err := g.TakePrice(words)
	if err != nil {
		return ListedItem{}, err
	}
	return readPriced(words, rest, price)
}

// readPriced reads the rest of a line whose price was taken off.
func readPriced(words, rest []string, price core.Copper) (ListedItem, error) {
	read, err := readListed(rest, price)
	if lead := len(rest); err == nil && lead < len(words) &&
		slices.Contains(PriceLead, strings.ToLower(words[lead])) {
		if longer, err := readListed(words[:lead+1], price); err == nil && longer.Quantity == read.Quantity {
			read.Longer = longer.Item
		}
	}
	return read, err
}

// ReadUnpriced reads a line as ReadListLine does, but a line that ends without a price is read, too: why is
// the error that asks for its price.
func (g Game) ReadUnpriced(line string) (read ListedItem, why, err error) {
	words := g.LineWords(line)
	price, rest, why := g.TakePrice(words)
	if why != nil {
		if core.FirstText(why).Code != codeNoPrice { // an unreadable price is not guessed
			return ListedItem{}, nil, why
		}
		rest = withoutTrail(words)
	}
	read, err = readPriced(words, rest, price)
	return read, why, err
}

func readListed(words []string, price core.Copper) (ListedItem, error) {
	quantity, words, err := takeQuantity(words)
	if err != nil {
		return ListedItem{}, err
	}
	return ListedItem{Item: strings.Trim(strings.Join(words, " "), ",:"), Quantity: quantity,
		Price: price}, nil
}

// withoutTrail returns the words of a line without the words that lead to a price: "50x Iron Ore at".
func withoutTrail(words []string) []string {
	for len(words) > 1 && slices.Contains(append(PriceLead, PriceTrail...),
		strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	return words
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
		if last > 0 && PlainNumber.MatchString(words[at]) {
			return quantityOf(words[at], without(words, at, "x", "×"), min(at, len(words)-1))
		}
	}
	return 0, nil, core.NewFieldError("line", core.NewText("list_line_quantity"))
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
	n, err := strconv.Atoi(ThousandsOut.Replace(number))
	if err != nil {
		n = core.MaxQuantity + 1 // too many digits: a rule says so
	}
	return n, rest, nil
}
