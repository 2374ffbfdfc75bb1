package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// printEdge prints how many requests there were and how many of them reached a program.
func printEdge(out io.Writer, played []edgeResult) {
	for _, r := range played {
		fmt.Fprintf(out, "\nVarnish in front of %d: %d reads a second for %s, one in five signed in\n\n",
			r.programs, edgeReads, edgeLasts)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "\tasked\treached\thits\tasked, with writes\treached\thits\t")
		for _, kind := range edgeKinds {
			row(w, kind.name, r.quiet.asked[kind.name], r.quiet.reached[kind.name],
				r.written.asked[kind.name], r.written.reached[kind.name])
		}
		quietAsked, quietReached := r.quiet.sums()
		asked, reached := r.written.sums()
		row(w, "all", quietAsked, quietReached, asked, reached)
		_ = w.Flush() // to a terminal or a file: there is nobody to tell
		fmt.Fprintf(out, "\nprocessor time for a request asked: of the programs %s without a cache, %s with it, %s with it and a post and a close every %s; of Varnish %s\n",
			each(r.direct.program, r.direct), each(r.quiet.program, r.quiet),
			each(r.written.program, r.written), edgeWrites, each(r.quiet.varnish, r.quiet))
		slices.Sort(r.seen)
		fmt.Fprintf(out, "a change was read through the cache after %s (median of %d), %s at the latest\n",
			r.seen[len(r.seen)/2].Round(100*time.Microsecond), len(r.seen),
			r.seen[len(r.seen)-1].Round(time.Millisecond))
		fmt.Fprintln(out, r.flooded)
		fmt.Fprintln(out, r.killed)
	}
}

func row(w io.Writer, name string, counts ...int) {
	fmt.Fprintf(w, "%s\t", name)
	for i := 0; i < len(counts); i += 2 {
		asked, reached := counts[i], counts[i+1]
		fmt.Fprintf(w, "%d\t%d\t%.1f %%\t", asked, reached, 100*(1-float64(reached)/float64(max(1, asked))))
	}
	fmt.Fprintln(w)
}

// sums are all that was asked and all that reached a program.
func (t *traffic) sums() (asked, reached int) {
	for kind, n := range t.asked {
		asked += n
		reached += t.reached[kind]
	}
	return asked, reached
}

func each(used time.Duration, t *traffic) time.Duration {
	asked, _ := t.sums()
	return (used / time.Duration(max(1, asked))).Round(time.Microsecond)
}
