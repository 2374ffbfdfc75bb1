package match

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
)

// StockLine is a line that a seller typed, with the result of parsing it.
type StockLine struct {
	Number int    // from 1, as it was typed
	Text   string // cleaned
	Draft  StockDraft
	Item   core.ItemID    // that the line names; zero for none
	Why    core.Text      // why it is not understood; without a code it is
	Fix    *items.LineFix // as it was probably meant; nil for a line without an automatic correction
}

// Understood reports whether the line was parsed without a problem.
func (l StockLine) Understood() bool { return l.Why.Code == "" }

var (
	priceWord    = regexp.MustCompile(`^([0-9]+\pL)+$`)
	quantityWord = regexp.MustCompile(`^[xX×]?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)[xX×]?$`)
)

// ReadStockLines reads lines such as "Sturdy Hickory Log 600 4s": an item, how many of it, and the least
// that is taken for one. The quantity may also come first, and columns of a table are read as words.
// Nothing is guessed: a line that is not understood says why. Empty lines are left out, and lines beyond
// MaxStockLines are not read.
func ReadStockLines(text string, index *items.Index, g game.Game, forms core.TextForms) []StockLine {
	lines := []StockLine{}
	for at, raw := range game.SplitLines(text) {
		line := StockLine{Number: at + 1,
			Text: forms.Line(strings.NewReplacer("\t", " ", ";", " ", "|", " ").Replace(raw))}
		if line.Text == "" || len(lines) == 0 && game.IsHeader(raw) {
			continue
		}
		if len(lines) == core.MaxStockLines {
			line.Why = core.NewText("stock_lines_many", "limit", core.MaxStockLines)
			return append(lines, line)
		}
		line.read(index, g, forms)
		at := slices.IndexFunc(lines, func(other StockLine) bool {
			return other.Understood() && line.Understood() &&
				index.SameItem(other.Draft.ItemName, line.Draft.ItemName)
		})
		if at >= 0 {
			line.Why = core.NewText("stock_line_twice", "line", lines[at].Number)
		}
		lines = append(lines, line)
	}
	return lines
}

func (l *StockLine) read(index *items.Index, game game.Game, forms core.TextForms) {
	words := game.LineWords(l.Text)
	for i := range words {
		words[i] = strings.TrimRight(words[i], ",")
	}
	var ends []string // the first of the fillers in each place: it may be the end of a name
	fillers := func() {
		all := words
		for len(words) > 0 && slices.Contains([]string{"", "@", "at", "each", "ea", "for", "-", "per"},
			strings.ToLower(words[len(words)-1])) {
			words = words[:len(words)-1]
		}
		if len(words) < len(all) {
			ends = append(ends, all[len(words)])
		}
	}
	fillers()
	first := len(words)
	for first > 0 && priceWord.MatchString(words[first-1]) {
		first--
	}
	if first == len(words) {
		l.Why = core.NewText("stock_line_price", "price", game.Format(game.Coins[len(game.Coins)-1].Worth*4))
		if quantity, rest, known := takeStockQuantity(words); known {
			l.fix(index, strings.Join(rest, " "), items.LineFix{Quantity: quantity, Usual: true})
		}
		return
	}
	price, err := game.ParseCopper("price", strings.Join(words[first:], " "))
	if err != nil {
		l.Why = core.FirstText(err)
		return
	}
	words = words[:first]
	fillers()
	quantity, words, known := takeStockQuantity(words)
	if !known {
		l.Why = core.NewText("stock_line_quantity", "example", "Iron Ore 600 4s")
		return
	}
	fillers()
	name := strings.Join(words, " ")
	for _, end := range ends {
		if _, known := index.Named(name + " " + end); known {
			name += " " + end
			break
		}
	}
	l.Draft = StockDraft{ItemName: index.Meant(name), Quantity: quantity, Price: price}
	if item, known := index.Named(l.Draft.ItemName); known {
		l.Draft.ItemName, l.Item = item.Name, item.ID
	} else if near, found := index.Near(l.Draft.ItemName); found {
		l.Why = core.NewText("stock_line_near", "typed", l.Draft.ItemName,
			"item", near.Name)
		l.Fix = &items.LineFix{ItemName: near.Name, Quantity: quantity, Price: price}
		return
	}
	var c core.Checks
	l.Draft.check(&c, game, forms, time.Time{})
	if err := c.Err(); err != nil {
		l.Why = core.FirstText(err)
	}
}

// fix sets the Fix of a line that names a known item, or nearly so.
func (l *StockLine) fix(index *items.Index, name string, fix items.LineFix) {
	item, known := index.Named(index.Meant(name))
	if !known {
		item, known = index.Near(name)
	}
	if known {
		fix.ItemName = item.Name
		l.Fix = &fix
	}
}

// takeStockQuantity takes the quantity off the end of a line, else off its beginning.
func takeStockQuantity(words []string) (int, []string, bool) {
	last := len(words) - 1
	if last <= 0 {
		return 0, words, false
	}
	if quantity, known := readQuantity(words[last]); known {
		return quantity, words[:last], true
	}
	quantity, known := readQuantity(words[0])
	if known {
		words = words[1:]
	}
	return quantity, words, known
}

// readQuantity reads a number with or without separators of thousands. A number that is too high for an int
// becomes one over every limit.
func readQuantity(word string) (int, bool) {
	if !quantityWord.MatchString(word) {
		return 0, false
	}
	n, err := strconv.Atoi(strings.Trim(strings.ReplaceAll(word, ",", ""), "xX×"))
	if err != nil {
		n = core.MaxQuantity + 1
	}
	return n, true
}
