package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// longestRead is what a read may take while the primary is away.
const longestRead = 5 * time.Second

// failoverResult is what rounds of one failover have come to, for one way.
type failoverResult struct {
	way string
	result
	reads, readsFailed, backwards int
	slowestRead                   time.Duration
	lastRead                      error // the last that was not as promised
	traded                        time.Duration
}

// measured adds a round.
func (o *failoverResult) measured(withoutWrites time.Duration, r *readers) {
	o.back = append(o.back, withoutWrites)
	o.reads, o.readsFailed, o.backwards = o.reads+r.reads, o.readsFailed+r.failed, o.backwards+r.backwards
	o.slowestRead = max(o.slowestRead, r.slowest)
	if r.last != nil {
		o.lastRead = r.last
	}
}

func (o *failoverResult) asPromised() bool {
	return o.well() && o.readsFailed+o.backwards == 0 && o.slowestRead <= longestRead
}

// progress says what the rounds came to so far, and what was wrong with the last.
func (o *failoverResult) progress(err error) string {
	last := time.Duration(0)
	if len(o.back) > 0 {
		last = o.back[len(o.back)-1]
	}
	said := "as promised"
	if err = errors.Join(err, o.lastRead); err != nil {
		said = fmt.Sprintf("%.4000s", err)
	}
	return fmt.Sprintf("writing again after %s, %d writes, %d reads, %d failed, slowest %s: %s", short(last),
		o.writes, o.reads, o.readsFailed, short(o.slowestRead), said)
}

// rate is how many writes a second were answered while writes were taken.
func (o *failoverResult) rate() float64 {
	taken := o.traded
	for _, without := range o.back {
		taken -= without
	}
	return float64(o.writes) / max(1, taken.Seconds())
}

// printFailovers prints the table, and returns an error unless no former primary has taken writes.
func printFailovers(out io.Writer, played []*failoverResult, split *splitBrain) error {
	if len(played) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| the primary\t| by way of\t| rounds\t| writes\t| a second\t| notices\t| lost\t| doubled\t| longest without writes\t| reads\t| failed\t| backwards\t| slowest\t|")
	fmt.Fprintln(table, "|:--\t|:--\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|")
	for _, o := range played {
		fmt.Fprintf(table, "| %s\t| %s\t| %d\t| %d\t| %.0f\t| %d\t| %d\t| %d\t| %s\t| %d\t| %d\t| %d\t| %s\t|\n",
			o.name, o.way, o.rounds, o.writes, o.rate(), o.delivered, o.lost, o.doubled,
			short(o.slowest()), o.reads, o.readsFailed, o.backwards, short(o.slowestRead))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if split.asked > 0 {
		fmt.Fprintf(out, "\nSplit brain: a client on the machine that was cut off asked the former primary for %d writes; %d were acknowledged.\n\n", split.asked, split.acknowledged)
	}
	if split.acknowledged > 0 {
		return fmt.Errorf("%d writes were acknowledged by a former primary", split.acknowledged)
	}
	return nil
}

func sayHowLong(out io.Writer, began time.Time) error {
	_, err := fmt.Fprintf(out, "\nPlayed in %s.\n", time.Since(began).Round(time.Second))
	return err
}
