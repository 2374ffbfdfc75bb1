package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"tradepost/core"
	"tradepost/core/items"
)

// moved is by how many percent a price moved: a price where there was none, or none where there was one, is
// all of it.
func moved(before, after *items.Price, of func(items.Price) core.Copper) int {
	switch {
	case before == nil && after == nil:
		return 0
	case before == nil || after == nil:
		return 100
	}
	return int(math.Round(100 * math.Abs(float64(of(*after))/float64(of(*before))-1)))
}

func median(p items.Price) core.Copper { return p.Median }
func low(p items.Price) core.Copper    { return p.Low }
func high(p items.Price) core.Copper   { return p.High }

// inRange is by how many percent either end of the usual range moved.
func inRange(before, after *items.Price) int {
	return max(moved(before, after, low), moved(before, after, high))
}

// figure is a figure that puppets try to move.
type figure struct {
	name string
	of   func(o outcome) int
	// from is the least that counts as moved: more than a tenth, or one where there should be none
	from int
}

// figuresOf are the figures of an outcome, in the order of the table's columns.
func figuresOf(o outcome) (all []figure) {
	for _, n := range o.fills {
		all = append(all, figure{fmt.Sprintf("median of %d", n), func(o outcome) int {
			return moved(o.without.prices[n], o.shown.prices[n], median)
		}, 11})
	}
	for _, n := range o.fills {
		all = append(all, figure{fmt.Sprintf("range of %d", n), func(o outcome) int {
			return inRange(o.without.prices[n], o.shown.prices[n])
		}, 11})
	}
	return append(all,
		figure{"odds", func(o outcome) int { return max(o.shown.odds-o.without.odds, o.without.odds-o.shown.odds) }, 11},
		figure{"partners shown", func(o outcome) int { return o.shown.partners }, 5},
		figure{"accepted automatically", func(o outcome) int {
			if o.shown.accepted {
				return 1
			}
			return 0
		}, 1},
		figure{"names completed", func(o outcome) int { return o.shown.names }, 1},
		figure{"people messaged a day", func(o outcome) int { return o.shown.messaged },
			core.LimitSharedReach.Limit + 1},
	)
}

// percents writes figures that are percentages, in one column.
func percents(o outcome, prefix string) string {
	var parts []string
	for _, f := range figuresOf(o) {
		if strings.HasPrefix(f.name, prefix) {
			parts = append(parts, fmt.Sprint(f.of(o)))
		}
	}
	return strings.Join(parts, ", ")
}

// header heads the rows that row writes.
const header = `| market | puppets | honest trades | days | median moves by %, of items with 0, 5, 10, 50, 400 honest trades | range | odds, points | partners shown | accepted | names completed | messaged a day |
|---|--:|--:|--:|---|---|--:|--:|---|--:|--:|
`

// row is the row of an attack.
func row(o outcome) string {
	accepted := "no"
	if o.shown.accepted {
		accepted = "yes"
	}
	puppets := fmt.Sprint(o.puppets)
	if o.planning {
		puppets += ", planning"
	} else if o.crossing {
		puppets += ", crossing"
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %s | %s | %s | %d | %s | %d | %d |\n", o.kind(), puppets, o.edges, o.days,
		percents(o, "median"), percents(o, "range"), percents(o, "odds"), o.shown.partners, accepted, o.shown.names,
		o.shown.messaged)
}

func printRows(out io.Writer, played []outcome) error {
	text := header
	for _, o := range played {
		text += row(o)
	}
	_, err := fmt.Fprintln(out, text)
	return err
}

// printCosts prints, by figure, the fewest puppets that moved it.
func printCosts(out io.Writer, played []outcome) error {
	text := "| market | to move | puppets | honest trades | pieces sold for a copper | days |\n|---|---|--:|--:|--:|--:|\n"
	seen := map[string]bool{}
	for _, market := range played {
		if seen[market.kind()] {
			continue
		}
		seen[market.kind()] = true
		for n, f := range figuresOf(market) {
			cheapest, fewest := "not with 50 | | |", 0
			for _, o := range played {
				if o.kind() == market.kind() && (fewest == 0 || o.puppets < fewest) && figuresOf(o)[n].of(o) >= f.from {
					cheapest, fewest = fmt.Sprintf("%d | %d | %d | %d", o.puppets, o.edges, 10*o.edges, o.days), o.puppets
				}
			}
			text += fmt.Sprintf("| %s | %s | %s |\n", market.kind(), f.name, cheapest)
		}
	}
	_, err := fmt.Fprintln(out, text)
	return err
}
