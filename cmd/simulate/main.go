// Command simulate plays a seeded community on the real core and store with a driven clock, with and without stock and its alerts,
// and prints how long requests took to be filled. docs/simulation.md has its assumptions and what it has shown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"tradepost/sql/pgembed"
)

// plan says what is played.
type plan struct {
	traders, days, rows int
	visits              float64 // of a seller in a day
	posts               float64 // of a buyer in a day
	alerts              bool    // with stock and its alerts
	seed                uint64
}

// result is what a run has shown.
type result struct {
	plan
	posted, filled int
	toFilled       []time.Duration // of all that were posted; those that were not filled count as the time that buyers wait
	messages       []int           // that a seller got on a day, of each and every day
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	p := plan{}
	flags.IntVar(&p.traders, "traders", 2000, "how many people; of five, two buy and three sell")
	flags.IntVar(&p.days, "days", 14, "how many days requests are posted on")
	flags.IntVar(&p.rows, "rows", 60, "how many rows of the board a visit reads")
	flags.Float64Var(&p.posts, "posts", 0.5, "how many requests a buyer posts in a day")
	seeds := flags.Int("seeds", 10, "seeds 1 to this one")
	visits := flags.String("visits", "1,2,4", "how often a seller visits in a day; several for the sensitivity")
	if err := flags.Parse(args); err != nil {
		return err
	}
	server, err := pgembed.Start(ctx, pgembed.Options{Temporary: true, Fast: true})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	defer func() { _ = server.Stop(context.WithoutCancel(ctx)) }()
	var results []result
	for _, text := range strings.Split(*visits, ",") {
		if p.visits, err = strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("visits: %w", err)
		}
		for seed := range *seeds {
			for _, alerts := range []bool{false, true} {
				p.seed, p.alerts = uint64(seed+1), alerts
				dsn, err := newDatabase(ctx, server, fmt.Sprintf("play_%d", len(results)))
				if err != nil {
					return err
				}
				r, err := play(ctx, dsn, p)
				if err != nil {
					return fmt.Errorf("seed %d: %w", p.seed, err)
				}
				results = append(results, r)
			}
		}
	}
	return report(out, results)
}

func report(out io.Writer, results []result) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "visits a day\tseed\tstock\tposted\tfilled\tmedian to filled\tp90\tmessages a day, p95\tof days with any\ttimes shorter\t")
	var before time.Duration
	for _, r := range results {
		slices.Sort(r.toFilled)
		slices.Sort(r.messages)
		median, shorter := at(r.toFilled, 50), ""
		if r.alerts {
			shorter = fmt.Sprintf("%.1f", before.Seconds()/max(median.Seconds(), 1))
		}
		before = median
		fmt.Fprintf(table, "%g\t%d\t%t\t%d\t%d %%\t%s\t%s\t%d\t%d\t%s\t\n", r.visits, r.seed, r.alerts, r.posted, 100*r.filled/max(r.posted, 1),
			median.Round(time.Minute), at(r.toFilled, 90).Round(time.Minute), at(r.messages, 95), at(slices.DeleteFunc(slices.Clone(r.messages), func(n int) bool { return n == 0 }), 95), shorter)
	}
	return errors.Join(table.Flush())
}

// at is a percentile of sorted values.
func at[T any](sorted []T, percent int) (value T) {
	if len(sorted) == 0 {
		return value
	}
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)]
}
