package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// row is one measurement with its peer.
type row struct {
	size     int
	name     string
	rate     float64 // a second; 0 where it is another measurement
	figure   string  // what is printed instead of a rate
	peer     string  // what it is compared with
	peerRate float64
	goal     float64 // what the ratio should reach; 0 for none
	most     float64 // upper limit of the value, in its unit; 0 for none
	least    float64 // what it should reach; 0 for none
	value    float64 // the measured value in that unit
	growth   float64 // the rate by that of the market before; 0 for none
	p50, p99 time.Duration
	bytes    float64       // of body, as they travel
	queries  int           // statements sent to the database; -1 where unknown
	allocs   float64       // allocations, a request
	busy     time.Duration // of a core, by the program, a request
}

func (r row) ratio() float64 {
	if r.peerRate == 0 {
		return 0
	}
	return r.rate / r.peerRate
}

// missed reports whether the row misses its limit.
func (r row) missed() bool {
	return r.goal > 0 && r.ratio() < r.goal || r.most > 0 && r.value > r.most || r.least > 0 && r.value < r.least || r.growth > 0 && r.growth < leastGrowth
}

// leastGrowth is what a rate may fall to at the larger of two markets, of that at the smaller.
const leastGrowth = 0.8

type table struct{ rows []row }

// rate returns the rate of a row at the market of 100,000 for comparison with a larger one.
func (t *table) rate(name string, size int) float64 {
	for _, r := range t.rows {
		if r.name == name && r.size == 100_000 && size > 100_000 {
			return r.rate
		}
	}
	return 0
}

func (t *table) print(w io.Writer, s settings) error {
	fmt.Fprintf(w, "\n%s, %d processors, %s; %d connections; medians of %d turns of %s\n\n", time.Now().Format(time.DateOnly),
		runtime.NumCPU(), runtime.Version(), clients, s.turns, s.turn)
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintln(tw, "| orders\t what\t ours\t peer\t its rate\t ratio\t goal\t of 100k\t p50\t p99\t busy\t bytes\t queries\t allocs\t")
	fmt.Fprintln(tw, "| --:\t :--\t --:\t :--\t --:\t --:\t --:\t --:\t --:\t --:\t --:\t --:\t --:\t --:\t")
	for _, r := range t.rows {
		ours, goal := r.figure, ""
		if r.rate > 0 {
			ours = count(r.rate) + "/s"
		}
		switch {
		case r.goal > 0:
			goal = fmt.Sprintf("%.2f", r.goal)
		case r.most > 0:
			goal = "< " + count(r.most)
		case r.least > 0:
			goal = fmt.Sprintf("%.2f", r.least)
		}
		if r.missed() {
			goal += " missed"
		}
		cells := []string{
			count(float64(r.size)), r.name, ours, r.peer, orNone(r.peerRate, "%s/s", count(r.peerRate)),
			orNone(r.peerRate, "%.2f", r.ratio()), goal, orNone(r.growth, "%.2f", r.growth),
			orNone(float64(r.p50), "%s", short(r.p50)), orNone(float64(r.p99), "%s", short(r.p99)),
			orNone(float64(r.busy), "%s", short(r.busy)), orNone(r.bytes, "%.0f", r.bytes), orNone(float64(r.queries+1), "%d", r.queries), orNone(r.allocs, "%.0f", r.allocs),
		}
		fmt.Fprintln(tw, "| "+strings.Join(cells, "\t ")+"\t")
	}
	return tw.Flush()
}

func orNone(known float64, format string, value any) string {
	if known <= 0 {
		return ""
	}
	return fmt.Sprintf(format, value)
}

// count writes a number with its thousands apart.
func count(n float64) string {
	if n < 10 && n != float64(int(n)) {
		return fmt.Sprintf("%.2f", n)
	}
	digits := fmt.Sprintf("%.0f", n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func short(d time.Duration) string {
	if d < time.Millisecond {
		return fmt.Sprintf("%.0f µs", float64(d)/float64(time.Microsecond))
	}
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
