// Command bench measures what the market costs: how fast each thing is, beside what limits it, in the same
// run.
//
// It starts a private PostgreSQL with settings that survive a power cut, fills it with a market of
// the size asked for, starts the program as a child process, and asks it over loopback. Each
// measurement is compared with a peer: a bare net/http handler that answers the same bytes,
// pgbench running the same statements, or the way without this program's care. Ours and the peer
// take turns; what is printed are medians. docs/performance.md says how to read the table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// settings say what is measured and for how long.
type settings struct {
	sizes        []int
	only         string        // rows whose name contains this; empty for all
	turn         time.Duration // one measurement of ours or of a peer
	turns        int           // how often they alternate
	interactions int           // for the bot's memory
	dir          string        // for the temporary database
	keepLog      bool          // show what the program logs

	withoutPgbench bool // saves half of the time

	traders int           // of the evening
	evening time.Duration // how long it is measured
	beside  string        // what else the machine does, for the file of costs
	watches int           // of the smaller market for alerts; the larger one has ten times as many
	kept    string        // the folder of a market that is kept for the next run; empty for none
}

// clients is how many connections ask at once.
const clients = 8

func main() {
	if len(os.Args) > 2 {
		if run, known := map[string]func([]string) error{serveBytes: runLimit, serveTexts: runTexts,
			serveRows: runRows}[os.Args[1]]; known {
			fail(run(os.Args[2:]))
			return
		}
	}
	var s settings
	size := flag.Int("size", 100_000, "how many orders the largest market has; smaller ones of 1,000 and 100,000 are measured before it")
	alone := flag.Bool("alone", false, "measure that market alone")
	flag.StringVar(&s.only, "only", "", "measure only rows whose name holds this, or one of these with | between")
	flag.DurationVar(&s.turn, "turn", 2*time.Second, "how long one measurement takes")
	flag.IntVar(&s.turns, "turns", 3, "how many measurements each figure is the median of")
	flag.IntVar(&s.interactions, "interactions", 100_000,
		"how many interactions the bot's memory is measured after")
	flag.StringVar(&s.dir, "dir", os.TempDir(),
		"where the temporary database is made: its disk decides what a commit costs")
	flag.BoolVar(&s.withoutPgbench, "no-pgbench", false, "do not compare with pgbench")
	flag.IntVar(&s.traders, "traders", 5_000, "how many traders the evening has")
	flag.DurationVar(&s.evening, "evening", 2*time.Minute, "how long the evening is measured")
	flag.StringVar(&s.kept, "keep", "", "keep the market in this folder, and use the one that is there")
	alerts := flag.Bool("alerts", false,
		"measure alerts, stock and For me instead; -only takes first wave, posting, For me, crossing, plan, matching and waves")
	flag.IntVar(&s.watches, "watches", 100_000,
		"how many watches the smaller market for alerts has, 13,000 at least; the larger one has ten times as many")
	throughPooler := flag.Bool("pooler", false, "compare the program with and without PgBouncer instead")
	modelled := flag.String("model", "",
		"measure the parts of cmd/capacity's model and a mixture of them instead, on markets with so many orders, with commas between")
	costs := flag.String("costs", "", "with -model: write the costs into this file")
	flag.StringVar(&s.beside, "beside", "beside other work",
		"with -model: what else the machine does, for that file")
	ready := flag.String("program", "", "measure this program instead of building one")
	flag.BoolVar(&s.keepLog, "log", false, "show what the program logs")
	flag.Parse()
	for _, smaller := range []int{1_000, 100_000} {
		if smaller < *size && !*alone {
			s.sizes = append(s.sizes, smaller)
		}
	}
	s.sizes = append(s.sizes, max(*size, 1_000))
	if *modelled != "" {
		s.sizes = nil
		for text := range strings.SplitSeq(*modelled, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1_000 {
				fail(fmt.Errorf("-model %s: a market has 1000 orders at least", *modelled))
			}
			s.sizes = append(s.sizes, n)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	instead := measureMarkets
	switch {
	case *alerts:
		instead = runAlerts
	case *throughPooler:
		instead = runPooler
	case *modelled != "":
		instead = func(ctx context.Context, s settings,
			program string) error {
			return runModel(ctx, s, program, *costs)
		}
	}
	err := run(ctx, s, *ready, instead)
	stop()
	fail(err)
}

func fail(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(
	ctx context.Context, s settings, program string, measure func(context.Context, settings, string) error,
) error {
	if program == "" {
		built, remove, err := buildProgram(ctx)
		if err != nil {
			return err
		}
		defer remove()
		program = built
	}
	return measure(ctx, s, program)
}

func measureMarkets(ctx context.Context, s settings, program string) error {
	var all table
	for _, size := range s.sizes {
		rows, err := measureMarket(ctx, s, program, size, all.rate)
		all.rows = append(all.rows, rows...)
		if err != nil {
			return errors.Join(err, all.print(os.Stdout, s))
		}
	}
	return all.print(os.Stdout, s)
}

// measureMarket makes one market and measures everything on it. earlier is the rate of a row at a smaller
// size.
func measureMarket(
	ctx context.Context, s settings, program string, size int, earlier func(row string, size int) float64,
) ([]row, error) {
	b, err := newBench(ctx, s, program, size)
	if err != nil {
		return nil, err
	}
	defer b.close()
	for _, part := range []func(context.Context) error{
		b.measureDisk, b.measureStart, b.measureIdle, b.measureBundle, b.measureBrowser, b.measurePages,
		b.measureCounting, b.measureOwn,
		// before anything is written: a bot also sends pending notices
		b.measureBacklog, b.measureBot, b.measureFirstAnswers,
		b.measureMixed, b.measureEvening, b.measureTraders, b.measureWrites, b.measureEvents, b.measureMemory,
		b.measureBoards, b.measureItems,
	} {
		if err := part(ctx); err != nil {
			return b.rows, fmt.Errorf("market of %d: %w", size, err)
		}
	}
	for i := range b.rows {
		if r := earlier(b.rows[i].name, size); r > 0 && b.rows[i].ours.rate > 0 {
			b.rows[i].growth = b.rows[i].ours.rate / r
		}
	}
	return b.rows, nil
}
