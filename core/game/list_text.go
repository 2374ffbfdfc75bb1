package game

import (
	"regexp"
	"slices"
	"strings"

	"tradepost/core"
)

var (
	listBullet = regexp.MustCompile(`^(?:[-*•–]|\[[ xX]?\])\s+`)
)

// PlainNumber, PriceLead and PriceTrail are the parts of a line: a number, and words before and after a
// price.
var (
	PlainNumber  = regexp.MustCompile(`^\d[\d,.']*$`)
	PriceLead    = []string{"@", "for", "at", "à", "je", "für", "zu"}
	PriceTrail   = []string{"each", "ea", "ea.", "je", "pro", "stück"}
	ThousandsOut = strings.NewReplacer(",", "", ".", "", "'", "")
)

// codeNoPrice is the code of the text that asks for a price at the end of a line, which is written out
// where the text is.
const codeNoPrice = "list_line_price"

// TakePrice takes the price off the end of a line.
func (g Game) TakePrice(words []string) (core.Copper, []string, error) {
	end := len(words)
	if end > 0 && slices.Contains(PriceTrail, strings.ToLower(words[end-1])) {
		end--
	}
	start := end
	for start > 0 {
		word := words[start-1]
		switch {
		case g.isAmount(strings.TrimPrefix(word, "@")):
			start--
			continue
		case start > 1 && len(word) == 1 && g.coin(rune(word[0])) >= 0 &&
			PlainNumber.MatchString(words[start-2]):
			start -= 2
			continue
		}
		break
	}
	if start == end {
		return 0, nil, core.NewFieldError("line", core.NewText("list_line_price", "price", g.Example))
	}
	price, err := g.ParseCopper("line", ThousandsOut.Replace(strings.TrimPrefix(strings.Join(words[start:end],
		""), "@")))
	if err != nil {
		return 0, nil, err
	}
	if start > 0 && slices.Contains(PriceLead, strings.ToLower(words[start-1])) {
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
