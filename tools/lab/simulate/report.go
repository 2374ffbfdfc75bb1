package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// pair is a seed without watches and stock, and with them.
type pair struct{ without, with result }

// shorter is how many times shorter the median is with watches and stock.
func (p pair) shorter() float64 {
	return p.without.median().Seconds() / max(p.with.median().Seconds(), 1)
}

func (p pair) String() string {
	return fmt.Sprintf("visits %g, seed %d: %d and %d posted, median %s and %s, %.1f times shorter; messages at most %d a day (p95), %d on days with any; played in %s and %s",
		p.with.visits, p.with.seed, p.without.posted, p.with.posted, clock(p.without.median()),
		clock(p.with.median()), p.shorter(),
		p.with.messagesOf(false), p.with.messagesOf(true), p.without.took.Round(time.Second),
		p.with.took.Round(time.Second))
}

func (r result) median() time.Duration { return at(r.toFilled, 50) }

// messagesOf is the 95th percentile of the messages that a person got on a day, of all days or of those
// with any.
func (r result) messagesOf(withAny bool) int {
	return at(slices.DeleteFunc(slices.Clone(r.messages), func(n int) bool { return withAny && n == 0 }), 95)
}

// report prints the table of docs/simulation.md.
func report(out io.Writer, pairs []pair) error {
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| visits a day\t| seed\t| posted\t| filled: without\t| with\t| median to filled: without\t| with\t| times shorter\t| p90: without\t| with\t| messages a day, p95\t| of days with any\t|")
	fmt.Fprintln(table, "|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|")
	byVisits := map[float64][]pair{}
	for _, p := range pairs {
		line(table, fmt.Sprint(p.with.seed), p)
		byVisits[p.with.visits] = append(byVisits[p.with.visits], p)
	}
	for _, p := range pairs {
		of := byVisits[p.with.visits]
		if len(of) > 1 {
			line(table, fmt.Sprintf("all %d", len(of)), together(of))
		}
		delete(byVisits, p.with.visits)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	return nil
}

func line(out io.Writer, seeds string, p pair) {
	share := func(r result) string { return fmt.Sprintf("%d %%", 100*r.filled/max(r.posted, 1)) }
	fmt.Fprintf(out, "| %g\t| %s\t| %d\t| %s\t| %s\t| %s\t| %s\t| %.1f\t| %s\t| %s\t| %d\t| %d\t|\n",
		p.with.visits, seeds, p.with.posted, share(p.without), share(p.with),
		clock(p.without.median()), clock(p.with.median()), p.shorter(), clock(at(p.without.toFilled, 90)),
		clock(at(p.with.toFilled, 90)),
		p.with.messagesOf(false), p.with.messagesOf(true))
}

// together counts what several seeds have shown as if it were one.
func together(pairs []pair) (all pair) {
	add := func(to *result, r result) {
		to.plan = r.plan
		to.posted, to.filled = to.posted+r.posted, to.filled+r.filled
		to.toFilled, to.messages = append(to.toFilled, r.toFilled...), append(to.messages, r.messages...)
	}
	for _, p := range pairs {
		add(&all.without, p.without)
		add(&all.with, p.with)
	}
	slices.Sort(all.without.toFilled)
	slices.Sort(all.with.toFilled)
	slices.Sort(all.with.messages)
	return all
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
