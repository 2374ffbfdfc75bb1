package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"tradepost/core/trade"
)

// pair is a seed without alerts, and with some features.
type pair struct{ without, with result }

// row is what all seeds of a plan have shown.
type row struct {
	pair
	seeds int
}

// add adds what a seed has shown: to the rows of its plan, which are the last, or as new ones.
func add(rows []row, played []pair) []row {
	first := len(rows) - len(played)
	if first < 0 || !rows[first].sameWorld(played[0]) {
		for _, both := range played {
			rows = append(rows, row{both, 1})
		}
		return rows
	}
	for i, both := range played {
		r := &rows[first+i]
		r.without, r.with, r.seeds = r.without.with(both.without), r.with.with(both.with), r.seeds+1
	}
	return rows
}

func (p pair) sameWorld(other pair) bool {
	a, b := p.with.plan, other.with.plan
	a.seed = b.seed
	return a == b
}

// with counts what two seeds have shown as if it were one.
func (r result) with(other result) result {
	sum := r
	sum.posted, sum.filled = r.posted+other.posted, r.filled+other.filled
	sum.trades, sum.missed, sum.unheard = r.trades+other.trades, r.missed+other.missed, r.unheard+other.unheard
	sum.raised, sum.crossed = r.raised+other.raised, r.crossed+other.crossed
	sum.toFilled, sum.toMet = both(r.toFilled, other.toFilled), both(r.toMet, other.toMet)
	sum.waits, sum.messages = both(r.waits, other.waits), both(r.messages, other.messages)
	sum.times = r.times.with(other.times)
	sum.parts = append(slices.Clone(r.parts), other.parts...)
	sum.took += other.took
	return sum
}

// both merges two lists, and sorts them.
func both[T time.Duration | int](a, b []T) []T {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return all
}

// sooner is how many times sooner half of the requests are done with the features.
func sooner(without, with []time.Duration) float64 {
	return at(without, 50).Seconds() / max(at(with, 50).Seconds(), 1)
}

func (p pair) String() string {
	return fmt.Sprintf("%s, seed %d: %d and %d posted, median to agreed %s and %s, %.1f times sooner; to met %s and %s, %.1f times; messages a day %.2f (p95 %d); played in %s and %s",
		p.with.named(), p.with.seed, p.without.posted, p.with.posted,
		clock(at(p.without.toFilled, 50)), clock(at(p.with.toFilled, 50)), sooner(p.without.toFilled, p.with.toFilled),
		clock(at(p.without.toMet, 50)), clock(at(p.with.toMet, 50)), sooner(p.without.toMet, p.with.toMet),
		mean(p.with.messages), at(p.with.messages, 95),
		p.without.took.Round(time.Second), p.with.took.Round(time.Second))
}

// cells say what distinguishes a plan, for the first columns of a table.
func (p plan) cells() []string {
	start, standing := "zero trust", fmt.Sprintf("%g %%", 100*p.standing)
	if p.before > 0 {
		start = "grown"
	}
	if p.standing > 0 && p.terms == trade.SellersAnybody {
		standing += " of anybody"
	}
	if p.listed > 0 {
		standing += fmt.Sprintf(", %g %% of listings", 100*p.listed)
	}
	if p.hours > 0 {
		standing += fmt.Sprintf(", hours of %g %% (%s)", 100*p.hours, p.known)
	}
	if p.another {
		standing += ", another time when late"
	}
	if p.needed {
		standing += ", alerts where needed"
	}
	return []string{start, p.asked.String(), fmt.Sprint(p.supply), fmt.Sprint(p.sessions), standing}
}

func (p plan) named() string { return strings.Join(p.cells(), ", ") }

// share is how many requests were agreed.
func (r result) share() string { return fmt.Sprintf("%d %%", 100*r.filled/max(r.posted, 1)) }

// busyDay is the 95th percentile of the messages that a person got on a day with any.
func (r result) busyDay() int {
	return at(slices.DeleteFunc(slices.Clone(r.messages), func(n int) bool { return n == 0 }), 95)
}

// beside shows both results.
func (p pair) beside(of func(result) string) string { return of(p.without) + ", " + of(p.with) }

// times shows the median of a part of both.
func (p pair) times(of func(parts) time.Duration) string {
	return p.beside(func(r result) string { return clock(middle(r.parts, of)) })
}

// today prints the figures that features are measured by, of the first world from each start.
func today(out io.Writer, rows []row) {
	var base []row
	for _, r := range rows {
		first := rows[0].with.plan
		if r.with.asked == first.asked && r.with.supply == first.supply && r.with.plan.sessions == first.sessions {
			base = append(base, r)
		}
	}
	line := func(name string, of func(row) string) {
		fmt.Fprintf(out, "| %s\t|", name)
		for _, r := range base {
			fmt.Fprintf(out, " %s\t|", of(r))
		}
		fmt.Fprintln(out)
	}
	line("", func(r row) string { c := r.with.cells(); return c[0] + ", " + c[4] })
	fmt.Fprintf(out, "|---\t|%s\n", strings.Repeat("--:\t|", len(base)))
	line("median to agreed, times sooner than without",
		func(r row) string { return fmt.Sprintf("%.1f", sooner(r.without.toFilled, r.with.toFilled)) })
	line("median to met, times sooner than without",
		func(r row) string { return fmt.Sprintf("%.1f", sooner(r.without.toMet, r.with.toMet)) })
	line("messages a seller and day, mean and p95",
		func(r row) string { return fmt.Sprintf("%.2f and %d", mean(r.with.messages), at(r.with.messages, 95)) })
	line("p90 to agreed", func(r row) string { return clock(at(r.with.toFilled, 90)) })
	if slices.ContainsFunc(base, func(r row) bool { return r.with.listed > 0 }) {
		line("trades that were crossed", func(r row) string {
			return fmt.Sprintf("%d of %d", r.with.crossed, r.with.trades)
		})
	}
	fmt.Fprintln(out)
}

// report prints the tables of docs/simulation.md.
func report(out io.Writer, rows []row) error {
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	if len(rows) > 0 {
		today(table, rows)
	}
	const world = "| start\t| items asked for\t| supply\t| sessions a day\t| as they come\t"
	heading(table, world+"| seeds\t| posted\t| agreed: without\t| with\t| median to agreed: without\t| with\t| times sooner\t| p90: without\t| with\t| median to met: without\t| with\t| times sooner\t| messages a seller and day: mean\t| p95\t| of days with any\t|")
	for _, r := range rows {
		fmt.Fprintf(table, "| %s\t| %d\t| %d\t| %s\t| %s\t| %s\t| %s\t| %.1f\t| %s\t| %s\t| %s\t| %s\t| %.1f\t| %.2f\t| %d\t| %d\t|\n",
			strings.Join(r.with.cells(), "\t| "), r.seeds, r.with.posted, r.without.share(), r.with.share(),
			clock(at(r.without.toFilled, 50)), clock(at(r.with.toFilled, 50)), sooner(r.without.toFilled, r.with.toFilled),
			clock(at(r.without.toFilled, 90)), clock(at(r.with.toFilled, 90)),
			clock(at(r.without.toMet, 50)), clock(at(r.with.toMet, 50)), sooner(r.without.toMet, r.with.toMet),
			mean(r.with.messages), at(r.with.messages, 95), r.with.busyDay())
	}
	fmt.Fprint(table, "\nWhere the time goes, medians of the requests that were agreed and of the trades that were met, without and with:\n\n")
	heading(table, world+"| first message\t| first offer\t| enough offered\t| from the first offer until agreed\t| sellers who have it\t| trades a request\t| from agreed until both play\t| p90\t| never both in time\t| offers without a message\t|")
	for _, r := range rows {
		fmt.Fprintf(table, "| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t|\n", strings.Join(r.with.cells(), "\t| "),
			clock(middle(r.with.parts, func(p parts) time.Duration { return p.toAlert })),
			r.times(func(p parts) time.Duration { return p.toOffer }),
			r.times(func(p parts) time.Duration { return p.enough }),
			r.times(func(p parts) time.Duration { return p.toFilled }),
			r.beside(func(r result) string { return fmt.Sprint(middle(r.parts, func(p parts) int { return p.sellers })) }),
			r.beside(func(r result) string { return fmt.Sprintf("%.1f", float64(r.trades)/float64(max(r.filled, 1))) }),
			r.beside(func(r result) string { return clock(at(r.waits, 50)) }),
			r.beside(func(r result) string { return clock(at(r.waits, 90)) }),
			r.beside(func(r result) string { return fmt.Sprintf("%d %%", 100*r.missed/max(r.trades, 1)) }),
			r.beside(func(r result) string { return fmt.Sprint(r.unheard) }))
	}
	fmt.Fprint(table, "\nWhat requests wait for that are agreed later than after 8 hours, without and with:\n\n")
	heading(table, world+"| later\t| never\t| sellers who take the price have not as much\t| they have, and offer later\t| they offer, and the buyer answers later\t|")
	for _, r := range rows {
		of := func(pick func(short, offered, answered int) int) string {
			return r.beside(func(r result) string { return fmt.Sprint(pick(slow(r.parts))) })
		}
		fmt.Fprintf(table, "| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t|\n", strings.Join(r.with.cells(), "\t| "),
			of(func(short, offered, answered int) int { return short + offered + answered }),
			r.beside(func(r result) string { return fmt.Sprint(r.posted - r.filled) }),
			of(func(short, _, _ int) int { return short }),
			of(func(_, offered, _ int) int { return offered }),
			of(func(_, _, answered int) int { return answered }))
	}
	timesOf(table, rows)
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	return nil
}

// timesOf prints what came of the times to meet that were proposed, where they were.
func timesOf(out io.Writer, rows []row) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.with.hours == 0 })
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(out, "\nTimes to meet that the program proposed, of trades, and medians:\n\n")
	heading(out, "| start\t| as they come\t| trades\t| knows when both play\t| proposes a time\t| both agree\t| both come\t| messages about it\t| so far ahead\t| from agreed until met: both came\t| others\t| requests whose sides all came\t| to met\t| others\t| to met\t|")
	for _, r := range rows {
		cells, t := r.with.cells(), r.with.times
		fmt.Fprintf(out, "| %s\t| %s\t| %d\t| %d\t| %d\t| %d\t| %d\t| %d\t| %s\t| %s\t| %s\t| %d\t| %s\t| %d\t| %s\t|\n",
			cells[0], cells[4], r.with.trades, t.known, t.proposed, t.agreed, t.came, t.messages, clock(at(t.ahead, 50)),
			clock(at(t.waits, 50)), clock(at(t.chance, 50)), len(t.all), clock(at(t.all, 50)),
			len(t.others), clock(at(t.others, 50)))
	}
}

// heading prints the first two lines of a table.
func heading(out io.Writer, columns string) {
	fmt.Fprintf(out, "%s\n%s|\n", columns, strings.Repeat("|--:\t", strings.Count(columns, "\t")))
}

func mean(values []int) float64 {
	sum := 0
	for _, n := range values {
		sum += n
	}
	return float64(sum) / float64(max(len(values), 1))
}

// clock writes a time as hours and minutes.
func clock(d time.Duration) string {
	minutes := int(d.Round(time.Minute) / time.Minute)
	return fmt.Sprintf("%d h %02d min", minutes/60, minutes%60)
}

// at is a percentile of sorted values.
func at[T any](sorted []T, percent int) (value T) {
	if len(sorted) == 0 {
		return value
	}
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)]
}
