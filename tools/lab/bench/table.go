package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// row is one measurement with what it is compared with.
type row struct {
	size   int
	name   string
	figure string  // what is printed when it is no rate
	value  float64 // the measured value in its unit
	most   float64 // upper limit of the value, in its unit; 0 for none
	least  float64 // what it should reach; 0 for none

	ours     measured
	peerName string
	peer     measured
	usual    measured // the same statements, read and written the usual way
	beside   bool     // ours is measured while people post, and the peer is the same on a quiet market
	goal     float64  // what the ratio of the rates should reach; 0 for none
	share    float64  // what the peer's processor time by ours should reach
	mostCost time.Duration
	growth   float64 // the rate by that of the market before; 0 for none

	bytes   float64 // of body, as they travel
	queries int     // statements sent to the database; -1 where unknown
	allocs  float64 // allocations, a request
}

func (r row) ratio() float64 {
	if r.peer.rate == 0 {
		return 0
	}
	return r.ours.rate / r.peer.rate
}

// mostUsual is how many times the processor time of the usual way a request may take.
const mostUsual = 1.3

// leastGrowth is what a rate may fall to at the larger of two markets, of that at the smaller.
const leastGrowth = 0.3

type table struct{ rows []row }

// rate returns the rate of a row at the market of 100,000 for comparison with a larger one.
func (t *table) rate(name string, size int) float64 {
	for _, r := range t.rows {
		if r.name == name && r.size == 100_000 && size > 100_000 {
			return r.ours.rate
		}
	}
	return 0
}

// question is a table: whom it concerns, and what it says of each.
type question struct {
	title   string
	columns []string
	about   func(row) bool
	cells   func(row) []string
}

var questions = []question{
	{
		"What it takes", []string{"what", "measured", "goal", "p50", "p99"},
		func(r row) bool { return r.ours.rate == 0 },
		func(r row) []string {
			return []string{r.figure, goal(r.most > 0, r.value > r.most, "< "+count(r.most)) +
				goal(r.least > 0, r.value < r.least, "at least "+count(r.least)),
				orNone(float64(r.ours.p50), "%s", short(r.ours.p50)),
				orNone(float64(r.ours.p99), "%s", short(r.ours.p99))}
		},
	},
	{
		"While people post", []string{"what", "quiet", "p99", "50 posts a second", "p99", "of quiet", "goal"},
		func(r row) bool { return r.beside },
		func(r row) []string {
			return []string{
				count(r.peer.rate) + "/s", short(r.peer.p99), count(r.ours.rate) + "/s", short(r.ours.p99),
				fmt.Sprintf("%.2f", r.ratio()),
				goal(r.goal > 0, r.ratio() < r.goal, fmt.Sprintf("%.2f", r.goal)),
			}
		},
	},
	{
		"How fast", []string{"what", "a second", "p50", "p99", "of 100,000", "beside", "its rate"},
		func(r row) bool { return r.ours.rate > 0 && !r.beside },
		func(r row) []string {
			return []string{
				count(r.ours.rate), short(r.ours.p50), short(r.ours.p99),
				orNone(r.growth, "%.2f", r.growth) + missed(r.growth > 0 && r.growth < leastGrowth),
				r.peerName, orNone(r.peer.rate, "%s (%.2f)", count(r.peer.rate), r.ratio()),
			}
		},
	},
	{
		"Processor time of a request", []string{"what", "program", "PostgreSQL", "both", "the usual way",
			"times", "goal"},
		func(r row) bool { return r.ours.cost.both() > 0 && !r.beside && r.peer.cost.both() == 0 },
		func(r row) []string {
			ours, usual := r.ours.cost, r.usual.cost.both()
			times := ""
			if usual > 0 {
				times = fmt.Sprintf("%.2f", float64(ours.both())/float64(usual))
			}
			wanted := goal(usual > 0, float64(ours.both()) > mostUsual*float64(usual),
				fmt.Sprintf("%.1f times", mostUsual))
			if r.mostCost > 0 {
				wanted = strings.Trim(wanted+", "+goal(true, ours.both() > r.mostCost,
					short(r.mostCost)), ", ")
			}
			return []string{short(ours.program), short(ours.postgres), short(ours.both()),
				orNone(float64(usual), "%s", short(usual)), times, wanted}
		},
	},
	{
		"Processor time of what needs no database",
		[]string{"what", "program", "PostgreSQL", "peer", "its time", "share", "goal"},
		func(r row) bool { return !r.beside && r.peer.cost.both() > 0 },
		func(r row) []string {
			share := float64(r.peer.cost.both()) / float64(r.ours.cost.both())
			return []string{
				short(r.ours.cost.program), short(r.ours.cost.postgres), r.peerName,
				short(r.peer.cost.both()), fmt.Sprintf("%.2f", share),
				goal(r.share > 0, share < r.share, fmt.Sprintf("%.2f", r.share)),
			}
		},
	},
	{
		"What a request carries", []string{"what", "bytes", "statements", "allocations"},
		func(r row) bool { return r.ours.rate > 0 && r.bytes > 0 },
		func(r row) []string {
			return []string{count(r.bytes), orNone(float64(r.queries+1), "%d", r.queries), count(r.allocs)}
		},
	},
}

func goal(there, isMissed bool, text string) string {
	if !there {
		return ""
	}
	return text + missed(isMissed)
}

func missed(is bool) string {
	if is {
		return " missed"
	}
	return ""
}

// print prints a table for each question and market. Those of an evening print themselves.
func (t *table) print(w io.Writer, s settings) error {
	fmt.Fprintf(w, "\n%s, %d processors, %s; %d connections; medians of %d turns of %s\n",
		time.Now().Format(time.DateOnly),
		runtime.NumCPU(), runtime.Version(), clients, s.turns, s.turn)
	for _, size := range s.sizes {
		for _, q := range questions {
			var lines [][]string
			for _, r := range t.rows {
				if r.size == size && q.about(r) {
					lines = append(lines, append([]string{r.name}, q.cells(r)...))
				}
			}
			if err := printTable(w, fmt.Sprintf("%s: %s requests", q.title, count(float64(size))), q.columns,
				lines); err != nil {
				return err
			}
		}
	}
	return nil
}

func printTable(w io.Writer, title string, columns []string, lines [][]string) error {
	if len(lines) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n%s\n\n", title)
	tw := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintln(tw, "| "+strings.Join(columns, "\t ")+"\t")
	fmt.Fprintln(tw, "| :--\t"+strings.Repeat(" --:\t", len(columns)-1))
	for _, cells := range lines {
		fmt.Fprintln(tw, "| "+strings.Join(cells, "\t ")+"\t")
	}
	return tw.Flush()
}

func orNone(known float64, format string, values ...any) string {
	if known <= 0 {
		return ""
	}
	return fmt.Sprintf(format, values...)
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
