package firstlook

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/text"
	"tradepost/core/trade"
)

// The numbers match dashboard/src/lib/format.ts and copper.ts in a browser in the document's language and in
// UTC. theme.js puts numbers and days into the browser's own form before they are painted.

// words writes texts and numbers in one language.
type words struct {
	text.Printer
	numbers   *message.Printer
	units     []string // of compact numbers, by thousands; empty for those that are written in full
	templates *template.Template
}

// inLanguages has the words of every language, made when they are first used.
var inLanguages = func() map[string]func() *words {
	all := map[string]func() *words{}
	for _, l := range text.Languages {
		all[l.Name] = sync.OnceValue(func() *words { return newWords(l) })
	}
	return all
}()

// wordsIn returns the words of a language, or the English ones where it has none.
func wordsIn(language string) *words { return inLanguages[text.For(language).Name]() }

func newWords(l *text.Language) *words {
	w := &words{Printer: text.Printer{Language: l}, numbers: message.NewPrinter(language.MustParse(l.Name)),
		units: compactUnits[l.Name]}
	w.templates = template.Must(template.New("").Funcs(functions).Funcs(template.FuncMap{
		"say": w.say, "rich": w.rich, "short": w.short, "label": w.label, "category": w.category,
	}).ParseFS(files, "*.html"))
	return w
}

// say returns a text.
func (w *words) say(key string, pairs ...any) string { return w.Page(key, pairs...) }

// category returns the name of a profession.
func (w *words) category(c game.Category) string { return w.Category(string(c)) }

// rich returns a text whose places take HTML.
func (w *words) rich(key string, pairs ...any) template.HTML {
	pairs = slices.Clone(pairs)
	var parts []string
	for i := 1; i < len(pairs); i += 2 {
		if part, ok := pairs[i].(template.HTML); ok {
			mark := string(rune(0xE000 + i)) // for private use: in no text of ours
			pairs[i], parts = mark, append(parts, mark, string(part))
		}
	}
	escaped := template.HTMLEscapeString(w.say(key, pairs...))
	// #nosec G203 -- the text is escaped, and the parts are HTML
	return template.HTML(strings.NewReplacer(parts...).Replace(escaped))
}

// count writes a text that counts something, such as "2 items".
func (w *words) count(key string, n int) template.HTML {
	// #nosec G203 -- the text is escaped
	return template.HTML(strings.Replace(template.HTMLEscapeString(w.say(key, "count", n)),
		w.Number(n), string(w.number(n)), 1))
}

// short returns the name that a card gives to a text of a request.
func (w *words) short(f trade.Field) string { return w.named(fieldTexts[f.Name].short, f.Short) }

// label returns the name that a row gives to a text of a request.
func (w *words) label(f trade.Field) string { return w.named(fieldTexts[f.Name].label, f.Label) }

func (w *words) named(key, otherwise string) string {
	if key == "" {
		return otherwise
	}
	return w.say(key)
}

// fieldTexts has the keys of the names of a request's texts, as dashboard/src/lib/fields.ts.
var fieldTexts = map[string]struct{ label, short string }{
	"itemName":     {"lib_item_name", "common_item"},
	"description":  {"common_description", "common_description"},
	"buyerContact": {"common_discord_username", ""},
	"ign":          {"common_in_game_name", "lib_in_game"},
}

func strong(inside template.HTML, class string) template.HTML {
	return `<strong class="` + template.HTML(class) + `">` + inside + `</strong>` // #nosec G203 -- ours
}

func bdi(name string) template.HTML {
	escaped := template.HTML(template.HTMLEscapeString(name)) // #nosec G203
	return `<bdi dir="auto">` + escaped + `</bdi>`
}

// number writes a whole number. A number with separators is marked, because browsers separate differently.
func (w *words) number(n int) template.HTML {
	if n < 1000 {
		return template.HTML(strconv.Itoa(n)) // #nosec G203 -- digits
	}
	return marked(n, w.numbers.Sprint(n), "")
}

// compact writes a count of coins that has no room: 12.5K.
func (w *words) compact(n core.Copper) template.HTML {
	if n < 10_000 {
		return w.number(int(n))
	}
	value, unit := float64(n), 0
	for value >= 999.95 && unit < len(w.units)-1 {
		value, unit = value/1000, unit+1
	}
	if unit >= len(w.units) || w.units[unit] == "" {
		return marked(int(n), w.numbers.Sprint(n), ` data-compact`)
	}
	digits := w.numbers.Sprint(number.Decimal(math.Round(value*10)/10, number.MaxFractionDigits(1)))
	return marked(int(n), digits+w.units[unit], ` data-compact`)
}

// The units of compact numbers, as CLDR has them.
var compactUnits = map[string][]string{
	"en": {"", "K", "M", "B", "T"}, "de": {"", "", " Mio.", " Mrd.", " Bio."},
}

func marked(n int, digits, attribute string) template.HTML {
	// #nosec G203 -- digits
	return template.HTML(fmt.Sprintf(`<data value="%d"%s>%s</data>`, n, attribute, digits))
}

// moment is a time and how it is written.
type moment struct{ ISO, Text string }

func iso(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999999Z") }

// day writes a day relative to today: "today", "3 days ago".
func (d drawing) day(t time.Time) moment {
	if n := d.daysUntil(t); n > 0 {
		return moment{iso(t), d.say("first_look_in_days", "count", n)}
	}
	return moment{iso(t), d.say("first_look_days_ago", "count", -d.daysUntil(t))}
}

// daysUntil returns the number of midnights until a time.
func (d drawing) daysUntil(t time.Time) int {
	midnight := func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
	return int(midnight(t).Sub(midnight(d.Now)) / (24 * time.Hour))
}

const aDay = 24 * time.Hour

// span writes the length of time between a time and now for a narrow column: "26m", "2h", "14mo".
func (d drawing) span(t time.Time) moment {
	length := t.Sub(d.Now).Abs()
	for _, unit := range []struct {
		name  string
		size  time.Duration
		least int
	}{{"years", 365 * aDay, 2}, {"months", 30 * aDay, 2}, {"days", aDay, 1}, {"hours", time.Hour, 1},
		{"minutes", time.Minute, 1}} {
		if length >= time.Duration(unit.least)*unit.size {
			return moment{iso(t), d.say("first_look_"+unit.name, "count", int(length/unit.size))}
		}
	}
	return moment{iso(t), d.say("first_look_now")}
}

// amount is a sum of money by coins, the largest first.
type amount struct {
	Words template.HTML
	Coins []coin
}

type coin struct {
	Style  game.CoinStyle
	Letter string
	Count  template.HTML
	First  bool
	Absent bool // of a column that has a place for it
}

// coinsOf splits an amount into coins and leaves out coins with count 0. An amount of zero is 0 of the
// smallest coin.
func (d drawing) coinsOf(c core.Copper) (coins []game.Coin, counted []core.Copper) {
	for i, kind := range d.Game.Coins {
		n := c / kind.Worth
		c %= kind.Worth
		if n > 0 || i == len(d.Game.Coins)-1 && len(coins) == 0 {
			coins, counted = append(coins, kind), append(counted, n)
		}
	}
	return coins, counted
}

func (d drawing) amount(c core.Copper) amount {
	kinds, counted := d.coinsOf(c)
	a := amount{Words: d.spelled(c)}
	for i, kind := range kinds {
		a.Coins = append(a.Coins, coin{Style: kind.Style, Letter: kind.Letter,
			Count: d.number(int(counted[i])),
			First: i == 0})
	}
	return a
}

// spelled spells out an amount: "1 platinum 500 gold".
func (d drawing) spelled(c core.Copper) template.HTML {
	kinds, counted := d.coinsOf(c)
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = string(d.number(int(counted[i]))) + " " + template.HTMLEscapeString(d.Coin(kind.Name))
	}
	return template.HTML(strings.Join(words, " ")) // #nosec G203 -- names are escaped
}

// slotted is an amount in a column: each coin has its own place, so that silver stands under silver.
type slotted struct {
	Words template.HTML
	Coins []coin
}

// slotsFor returns the letters of the coins that a column of amounts needs, from the largest to the smallest.
func (d drawing) slotsFor(amounts []core.Copper) []string {
	needed := map[string]bool{}
	for _, c := range amounts {
		kinds, _ := d.coinsOf(c)
		for _, kind := range kinds {
			needed[kind.Letter] = true
		}
	}
	slots := []string{}
	for _, kind := range d.Game.Coins {
		if needed[kind.Letter] {
			slots = append(slots, kind.Letter)
		}
	}
	return slots
}

func (d drawing) slotted(c core.Copper, slots []string) slotted {
	kinds, counted := d.coinsOf(c)
	s := slotted{Words: d.spelled(c)}
	for _, letter := range slots {
		place := coin{Absent: true}
		for i, kind := range kinds {
			if kind.Letter == letter {
				place = coin{Style: kind.Style, Letter: letter, Count: d.compact(counted[i]), First: i == 0}
			}
		}
		s.Coins = append(s.Coins, place)
	}
	return s
}
