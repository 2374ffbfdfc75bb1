//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// result is what came of playing a fault, at one duration.
type result struct {
	family  string
	name    string
	lasts   time.Duration // 0 for a fault of a moment
	skipped string        // why it was not played
	rounds  int
	count
	back []time.Duration // of each round, how long until everything worked again
	most time.Duration   // what is promised; 0 for nothing
	note string          // what else was measured
	err  error           // what ended it early, or a broken invariant of the data
}

// count says how writes and notices have ended.
type count struct {
	writes    int // sent through either adapter
	inDoubt   int // of unknown outcome at the end: in Discord, where no client repeats them
	owed      int // notices, for what was acknowledged
	delivered int
	refused   int // with a reason
	lost      int // acknowledged without its effect, or a notice neither ended nor in a message
	doubled   int // done twice, or sent in two messages, or in one without a row
	failed    int // requests that failed, where none may
}

func (c *count) add(other count) {
	c.writes += other.writes
	c.inDoubt += other.inDoubt
	c.owed += other.owed
	c.delivered += other.delivered
	c.refused += other.refused
	c.lost += other.lost
	c.doubled += other.doubled
	c.failed += other.failed
}

// well reports whether everything is as promised.
func (r result) well() bool { return r.intact() && (r.most == 0 || r.slowest() <= r.most) }

// intact reports whether everything but the times is as promised.
func (r result) intact() bool { return r.err == nil && r.lost+r.doubled+r.failed == 0 }

func (r result) slowest() time.Duration {
	if len(r.back) == 0 {
		return 0
	}
	return slices.Max(r.back)
}

func (r result) progress() string {
	mark := "ok"
	switch {
	case r.skipped != "":
		return fmt.Sprintf("%-8s %-66s %s", "skipped", title(r.name, r.lasts), r.skipped)
	case !r.well():
		mark = "FAILED"
	}
	line := fmt.Sprintf("%-8s %-66s %d rounds, %d writes, %d owed, slowest %s", mark, title(r.name, r.lasts),
		r.rounds, r.writes, r.owed, short(r.slowest()))
	if r.note != "" {
		line += "; " + r.note
	}
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

// seconds writes a duration of a fault, such as "0.1 s" and "40 s".
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s" }

type table []result

func (t table) rounds() (n int) {
	for _, r := range t {
		n += r.rounds
	}
	return n
}

// rows returns the results of each fault, at all of its durations, in order.
func (t table) rows() (rows []table) {
	for _, r := range t {
		if last := len(rows) - 1; last >= 0 && rows[last][0].name == r.name &&
			rows[last][0].family == r.family {
			rows[last] = append(rows[last], r)
			continue
		}
		rows = append(rows, table{r})
	}
	return rows
}

// columns are the durations of which there is a result.
func (t table) columns() (all []time.Duration) {
	for _, r := range t {
		all = append(all, r.lasts)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// print shows one row for each fault, and how long after its end everything worked again, by how long it
// lasted: the slowest of its rounds.
func (t table) print(out io.Writer) {
	columns := t.columns()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := []string{"rounds", "writes", "in doubt", "notices", "delivered", "refused", "lost", "doubled"}
	for _, lasts := range columns {
		if lasts == 0 {
			head = append(head, "a moment")
		} else {
			head = append(head, seconds(lasts))
		}
	}
	head = append(head, "promised", "", "  fault")
	line := func(cells ...any) {
		texts := make([]string, len(head))
		for i, cell := range cells {
			texts[i] = fmt.Sprint(cell)
		}
		fmt.Fprintln(w, strings.Join(texts, "\t"))
	}
	var heads []any
	for _, text := range head {
		heads = append(heads, text)
	}
	line(heads...)
	family := ""
	var all count
	for _, row := range t.rows() {
		if row[0].family != family {
			family = row[0].family
			fmt.Fprintln(w, strings.Repeat("\t", len(head)-1)+"  "+strings.ToUpper(family))
		}
		cells, c := row.cells(columns)
		all.add(c)
		line(cells...)
	}
	line(t.rounds(), all.writes, all.inDoubt, all.owed, all.delivered, all.refused, all.lost, all.doubled)
	_ = w.Flush() // nothing could be done about it
}

// cells are what one row shows.
func (t table) cells(columns []time.Duration) ([]any, count) {
	var c count
	mark, name := "", t[0].name
	back := map[time.Duration]string{}
	for _, r := range t {
		c.add(r.count)
		back[r.lasts] = short(r.slowest())
		if r.note != "" {
			name += " (" + r.note + ")"
		}
		switch {
		case r.skipped != "":
			back[r.lasts], name = "skipped", r.name+" (skipped: "+r.skipped+")"
		case !r.well():
			back[r.lasts] += " !"
			mark = "FAILED"
		}
	}
	cells := []any{t.rounds(), c.writes, c.inDoubt, c.owed, c.delivered, c.refused, c.lost, c.doubled}
	for _, lasts := range columns {
		cells = append(cells, back[lasts])
	}
	return append(cells, short(t[0].most), mark, "  "+name), c
}

// verdict is an error when something was not as promised.
func (t table) verdict() error {
	var all []error
	for _, r := range t {
		name := title(r.name, r.lasts)
		switch {
		case r.err != nil:
			all = append(all, fmt.Errorf("%s: %w", name, r.err))
		case !r.intact():
			all = append(all, fmt.Errorf("%s: %d lost, %d doubled, %d requests failed", name, r.lost,
				r.doubled, r.failed))
		case !r.well():
			all = append(all, fmt.Errorf("%s: everything worked again after %s, promised is %s", name,
				short(r.slowest()), short(r.most)))
		}
	}
	return errors.Join(all...)
}
