package firstlook

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"tradepost/core"
	"tradepost/core/game"
)

// The texts match dashboard/src/lib/format.ts and copper.ts in an English browser in UTC. theme.js puts
// numbers and days into the browser's own form before they are painted.

var english = message.NewPrinter(language.English)

// number writes a whole number. A number with separators is marked, because browsers separate differently.
func number[N int | int64 | core.Copper](n N) template.HTML {
	if n < 1000 {
		return template.HTML(strconv.FormatInt(int64(n), 10)) // #nosec G203 -- digits
	}
	return marked(int64(n), english.Sprint(int64(n)), "")
}

// compact writes a count of coins that has no room: 12.5K.
func compact(n core.Copper) template.HTML {
	if n < 10_000 {
		return number(n)
	}
	value, unit := float64(n), 0
	for value >= 999.95 && unit < len(compactUnits)-1 {
		value, unit = value/1000, unit+1
	}
	text := strings.TrimSuffix(strconv.FormatFloat(math.Round(value*10)/10, 'f', 1, 64), ".0")
	return marked(int64(n), text+compactUnits[unit], ` data-compact`)
}

var compactUnits = []string{"", "K", "M", "B", "T"}

func marked(n int64, text, attribute string) template.HTML {
	// #nosec G203 -- digits
	return template.HTML(fmt.Sprintf(`<data value="%d"%s>%s</data>`, n, attribute, text))
}

// count writes "1 item", "2 items".
func (d drawing) count(n int, one string) template.HTML {
	if n != 1 {
		one += "s"
	}
	return number(n) + template.HTML(" "+one) // #nosec G203 -- ours
}

// moment is a time and how it is written.
type moment struct{ ISO, Text string }

func iso(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999999Z") }

// day writes a day relative to today: "today", "3 days ago".
func (d drawing) day(t time.Time) moment {
	n := d.daysUntil(t)
	text := ""
	switch {
	case n == 0:
		text = "today"
	case n == -1:
		text = "yesterday"
	case n == 1:
		text = "tomorrow"
	case n < 0:
		text = english.Sprintf("%d days ago", -n)
	default:
		text = english.Sprintf("in %d days", n)
	}
	return moment{iso(t), text}
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
	}{{"y", 365 * aDay, 2}, {"mo", 30 * aDay, 2}, {"d", aDay, 1}, {"h", time.Hour, 1},
		{"m", time.Minute, 1}} {
		if length >= time.Duration(unit.least)*unit.size {
			return moment{iso(t), strconv.Itoa(int(length/unit.size)) + unit.name}
		}
	}
	return moment{iso(t), "now"}
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
	a := amount{Words: d.words(c)}
	for i, kind := range kinds {
		a.Coins = append(a.Coins, coin{Style: kind.Style, Letter: kind.Letter, Count: number(counted[i]),
			First: i == 0})
	}
	return a
}

// words spells out an amount: "1 platinum 500 gold".
func (d drawing) words(c core.Copper) template.HTML {
	kinds, counted := d.coinsOf(c)
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = string(number(counted[i])) + " " + template.HTMLEscapeString(kind.Name)
	}
	return template.HTML(strings.Join(words, " ")) // #nosec G203 -- names are escaped
}

// slotted is an amount in a column: each coin has its own place, so that silver stands under silver.
type slotted struct {
	Words  template.HTML
	Coins  []coin
	Narrow bool
	Class  string
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

func (s slotted) narrow(class string) slotted {
	s.Narrow, s.Class = true, class
	return s
}

func (d drawing) slotted(c core.Copper, slots []string) slotted {
	kinds, counted := d.coinsOf(c)
	s := slotted{Words: d.words(c)}
	for _, letter := range slots {
		place := coin{Absent: true}
		for i, kind := range kinds {
			if kind.Letter == letter {
				place = coin{Style: kind.Style, Letter: letter, Count: compact(counted[i]), First: i == 0}
			}
		}
		s.Coins = append(s.Coins, place)
	}
	return s
}
