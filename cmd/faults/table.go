//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// result is what came of playing a fault.
type result struct {
	name   string
	rounds int
	count
	back []time.Duration // of each round, how long until all was well again
	most time.Duration   // what is promised; 0 for nothing
	err  error           // what ended it early, or a broken promise of the data
}

// count tells what became of notices.
type count struct {
	owed      int // for what HTTP acknowledged
	delivered int
	refused   int // with a reason
	lost      int // acknowledged and never told, neither ended nor in a message
	doubled   int // told in two messages, or in one that nobody knows of
	failed    int // requests that failed, where none may
}

func (c *count) add(other count) {
	c.owed += other.owed
	c.delivered += other.delivered
	c.refused += other.refused
	c.lost += other.lost
	c.doubled += other.doubled
	c.failed += other.failed
}

// well tells whether everything is as promised.
func (r result) well() bool {
	return r.err == nil && r.lost == 0 && r.doubled == 0 && r.failed == 0 && (r.most == 0 || r.slowest() <= r.most)
}

func (r result) slowest() time.Duration {
	if len(r.back) == 0 {
		return 0
	}
	return slices.Max(r.back)
}

func (r result) usual() time.Duration {
	if len(r.back) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(r.back))
	return sorted[len(sorted)/2]
}

func (r result) progress() string {
	mark := "ok"
	if !r.well() {
		mark = "NOT WELL"
	}
	line := fmt.Sprintf("%-8s %-55s %d rounds, %d owed, slowest %s", mark, r.name, r.rounds, r.owed, short(r.slowest()))
	if r.err != nil {
		line += "\n" + r.err.Error()
	}
	return line
}

func short(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	default:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
}

type table []result

func (t table) rounds() (n int) {
	for _, r := range t {
		n += r.rounds
	}
	return n
}

func (t table) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, strings.Join([]string{
		"rounds", "owed", "delivered", "refused", "lost", "doubled", "back in", "slowest", "promised", "", "fault", "",
	}, "\t"))
	var all count
	for _, r := range t {
		all.add(r.count)
		mark := ""
		if !r.well() {
			mark = "NOT WELL"
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t\t%s\t  %s\n", r.rounds, r.owed, r.delivered, r.refused, r.lost, r.doubled,
			short(r.usual()), short(r.slowest()), short(r.most), r.name, mark)
	}
	fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t\t\t\t\t%s\t\n", t.rounds(), all.owed, all.delivered, all.refused, all.lost, all.doubled, "all")
	_ = w.Flush() // nothing could be done about it
}

// verdict is an error when something was not as promised.
func (t table) verdict() error {
	var all []error
	for _, r := range t {
		switch {
		case r.err != nil:
			all = append(all, fmt.Errorf("%s: %w", r.name, r.err))
		case r.lost+r.doubled+r.failed > 0:
			all = append(all, fmt.Errorf("%s: %d lost, %d doubled, %d requests failed", r.name, r.lost, r.doubled, r.failed))
		case !r.well():
			all = append(all, fmt.Errorf("%s: back after %s, promised are %s", r.name, short(r.slowest()), short(r.most)))
		}
	}
	return errors.Join(all...)
}
