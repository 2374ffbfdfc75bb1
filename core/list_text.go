package core

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// listLine is a line of a pasted text that is not empty.
type listLine struct {
	number int // counted from 1, with empty lines
	text   string
}

// listedItem is what one line asks for.
type listedItem struct {
	item     string
	quantity int
	price    Copper // for one
}

func listLines(text string) []listLine {
	var lines []listLine
	for at, line := range splitLines(text) {
		number := at + 1
		if line = strings.TrimSpace(line); line != "" && (len(lines) > 0 || !isHeader(line)) {
			lines = append(lines, listLine{number, line})
		}
	}
	return lines
}

var (
	listBullet   = regexp.MustCompile(`^(?:[-*•–]|\[[ xX]?\])\s+`)
	countedWord  = regexp.MustCompile(`^(?:[x×](\d[\d,.']*)|(\d[\d,.']*)[x×])$`)
	plainNumber  = regexp.MustCompile(`^\d[\d,.']*$`)
	priceLead    = []string{"@", "for", "at", "à", "je", "für", "zu"}
	priceTrail   = []string{"each", "ea", "ea.", "je", "pro", "stück"}
	thousandsOut = strings.NewReplacer(",", "", ".", "", "'", "")
)

// codeNoPrice is the code of the text that asks for a price at the end of a line, which is written out where the text is.
const codeNoPrice = "list_line_price"

// readListLine reads an item, how many of it, and the price for one: "50x Iron Ore 10s", "Iron Ore x50 @ 10s each", or the three
// parted by tabs, semicolons or commas, as from a spreadsheet. It returns Invalid for a line without quantity or price.
func readListLine(g Game, line string) (listedItem, error) {
	price, words, err := g.takePrice(g.lineWords(line))
	if err != nil {
		return listedItem{}, err
	}
	quantity, words, err := takeQuantity(words)
	if err != nil {
		return listedItem{}, err
	}
	return listedItem{item: strings.Trim(strings.Join(words, " "), ",:"), quantity: quantity, price: price}, nil
}

// takePrice takes the price off the end of a line.
func (g Game) takePrice(words []string) (Copper, []string, error) {
	end := len(words)
	if end > 0 && slices.Contains(priceTrail, strings.ToLower(words[end-1])) {
		end--
	}
	start := end
	for start > 0 {
		word := words[start-1]
		switch {
		case g.isAmount(strings.TrimPrefix(word, "@")):
			start--
			continue
		case start > 1 && len(word) == 1 && g.coin(rune(word[0])) >= 0 && plainNumber.MatchString(words[start-2]):
			start -= 2
			continue
		}
		break
	}
	if start == end {
		return 0, nil, NewFieldError("line", NewText("list_line_price", "Say the price for one at the end, such as %s", g.Example))
	}
	price, err := g.ParseCopper("line", thousandsOut.Replace(strings.TrimPrefix(strings.Join(words[start:end], ""), "@")))
	if err != nil {
		return 0, nil, err
	}
	if start > 0 && slices.Contains(priceLead, strings.ToLower(words[start-1])) {
		start--
	}
	return price, words[:start], nil
}

// isAmount reports whether a word is made of numbers with coins, such as 1g50s.
func (g Game) isAmount(word string) bool {
	digits, coins := false, 0
	for _, r := range word {
		switch {
		case '0' <= r && r <= '9':
			digits = true
		case digits && (r == ',' || r == '.' || r == '\''): // thousands
		case digits && r < 0x80 && g.coin(r) >= 0:
			digits = false
			coins++
		default:
			return false
		}
	}
	return coins > 0 && !digits
}

// takeQuantity takes the quantity off a line: a number with an x anywhere at its ends, else a plain number in front or at the end.
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
		if last > 0 && plainNumber.MatchString(words[at]) {
			return quantityOf(words[at], without(words, at, "x", "×"), min(at, len(words)-1))
		}
	}
	return 0, nil, NewFieldError("line", NewText("list_line_quantity", "Say how many you need, such as 50x"))
}

// without returns the words without one of these that follows or precedes the number at a place: "50 x Iron Ore".
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
	n, err := strconv.Atoi(thousandsOut.Replace(number))
	if err != nil {
		n = MaxQuantity + 1 // too many digits: a rule says so
	}
	return n, rest, nil
}
