package game

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tradepost/core"
)

var (
	tradeCall    = regexp.MustCompile(`(?i)^\[?(?:wts|wtb|s>|b>|selling|buying)\]?:?\s+`)
	columnsFirst = regexp.MustCompile(`^([xX×]?\d+[kK]?[xX×]?)\s*,\s*(\D.*?)\s*,\s*(.+)$`)
	columnsLater = regexp.MustCompile(
		`^(.*[^\d,\s])\s*,\s*` +
			`([xX×]?(?:\d{1,3}(?:,\d{3})+|\d+(?:[.,]\d{1,2})?[kK]|\d+)[xX×]?)(?:\s*,\s*(.*))?$`)
	thousandsWord = regexp.MustCompile(`^([xX×]?)(\d+(?:[.,]\d{1,2})?)[kK]([xX×]?)$`)

	headerItems   = []string{"item", "items", "name", "gegenstand", "artikel", "ware"}
	headerNumbers = []string{"quantity", "qty", "amount", "count", "price", "menge", "anzahl", "preis"}
	headerOthers  = []string{"each", "per", "unit", "for", "one", "min", "max", "je", "pro", "stück"}
)

// LineWords returns the words of a line that names an item, a quantity and a price, as lists and stock are
// typed or pasted: without bullet, call ("WTS") and quotation marks, columns parted, and with thousands
// written out.
func (g Game) LineWords(line string) []string {
	line = tradeCall.ReplaceAllString(listBullet.ReplaceAllString(strings.TrimSpace(line), ""), "")
	line = strings.TrimSpace(strings.NewReplacer("\t", " ", ";", " ", "|", " ", `"`, "").Replace(line))
	line = columnsLater.ReplaceAllString(columnsFirst.ReplaceAllString(line, "$1 $2 $3"), "$1 $2 $3")
	words := strings.Fields(line)
	for i, word := range words {
		words[i] = g.inFull(word)
	}
	return words
}

// inFull writes the thousands of a number out: 1.5k is 1500, unless the game has a coin with that letter.
func (g Game) inFull(word string) string {
	m := thousandsWord.FindStringSubmatch(word)
	if m == nil || g.coin('k') >= 0 {
		return word
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", "."), 64)
	if err != nil || n > core.MaxQuantity {
		n = core.MaxQuantity + 1 // a rule says so
	}
	return m[1] + strconv.Itoa(int(math.Round(n*1000))) + m[3]
}

// IsHeader reports whether a line is the first row of a table, which names its columns.
func IsHeader(line string) bool {
	words := strings.FieldsFunc(strings.ToLower(line),
		func(r rune) bool { return strings.ContainsRune(" \t,;|\"/", r) })
	numbers := 0
	for _, word := range words {
		if slices.Contains(headerNumbers, word) {
			numbers++
		} else if !slices.Contains(headerItems, word) && !slices.Contains(headerOthers, word) {
			return false
		}
	}
	return numbers > 0 && len(words) > 1
}
