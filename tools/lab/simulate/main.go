// Command simulate plays a seeded community on the real core and store with a driven clock, with and
// without watches and stock, and prints how long requests took to be filled. docs/simulation.md has its
// assumptions and what it has shown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tradepost/core"
	"tradepost/sql/pgembed"
)

// plan says what is played.
type plan struct {
	traders, days, rows, goods int
	visits                     float64 // of a seller in a day
	posts                      float64 // of a buyer in a day
	// how much more some items are asked for than others, and how many at the head are alike
	skew, head float64
	// items are asked for in proportion to how many professions use them, instead
	uses     bool
	standing float64 // which part of buyers has offers accepted as they come
	alerts   bool    // with watches and stock
	quota    core.Quota
	reach    core.Quota // DM_REACH; sellers' goods are refilled each week where several are played
	vouches  int        // by the one moderator, on a day
	meets    bool       // both sides say that they met, which settles a trade a day sooner
	seed     uint64
}

// result is what a run has shown.
type result struct {
	plan
	posted, filled int
	// of all that were posted; those that were not filled count as the time that buyers wait
	toFilled []time.Duration
	parts    []parts           // of those that were filled
	byWeek   [][]time.Duration // toFilled by the week in which the request was posted, unsorted
	messages []int             // with alerts that a seller got on a day, of each and every day
	trades   int               // accepts
	unheard  int               // offers beyond their sellers' reach
	grown    *grown            // nil while the market is young, and without limits on reach
	took     time.Duration     // to play it
}

// parts are how a request came to be filled.
type parts struct {
	toAlert  time.Duration // from the post to the first message about it; zero without any
	toOffer  time.Duration // from the post to the first offer
	toFilled time.Duration // from the first offer
	enough   time.Duration // from the post until as much was offered as is wanted
	looks    int           // how often the buyer looked at offers
	sellers  int           // who have the item
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
	p := plan{quota: core.Quota{Limit: 3, Per: 24 * time.Hour}}
	flags.IntVar(&p.traders, "traders", 2000, "how many people; of five, two buy and three sell")
	flags.IntVar(&p.days, "days", 2, "how many days requests are posted on")
	flags.IntVar(&p.rows, "rows", 60, "how many rows of the board a visit reads")
	flags.Float64Var(&p.skew, "skew", 0,
		"the n-th item is asked for in proportion to n to the power of minus this; 0 for all alike")
	flags.Float64Var(&p.head, "head", 0, "with -skew: added to n")
	flags.BoolVar(&p.uses, "uses", false,
		"an item is asked for in proportion to how many professions the catalogue says use it, instead")
	flags.Float64Var(&p.standing, "standing", 0,
		"which part of buyers has offers accepted as they come, from 0 to 1")
	flags.IntVar(&p.goods, "goods", 8, "how many items a seller has")
	flags.Float64Var(&p.posts, "posts", 0.5, "how many requests a buyer posts in a day")
	flags.Func("dm-alerts", "`DM_ALERTS`, the setting of the program (default 3/day)",
		func(text string) (err error) {
			p.quota, err = core.ParseQuota(text)
			return err
		})
	seeds := flags.Int("seeds", 10, "the last seed")
	first := flags.Int("from", 1, "the first seed")
	visits := flags.String("visits", "2",
		"how often a seller visits in a day; several for the sensitivity, as 2,1,4")
	weeks := flags.Int("weeks", 0,
		"play so many weeks, with the usual DM_REACH and trust and without, and print how requests are slowed")
	flags.IntVar(&p.vouches, "vouches", 0, "with -weeks: for how many candidates the moderator vouches on a day")
	profile := flags.String("profile", "", "write a profile of the processor to this file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *profile != "" {
		file, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	server, err := pgembed.Start(ctx, pgembed.Options{Temporary: true, Fast: true})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	defer func() { _ = server.Stop(context.WithoutCancel(ctx)) }()
	if err := prepare(ctx, server); err != nil {
		return err
	}
	play, print := playBoth, report
	if *weeks > 0 {
		p.days, p.meets, play, print = *weeks*7, true, playReach, reportReach
	}
	var pairs []pair
	for _, text := range strings.Split(*visits, ",") {
		if p.visits, err = strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("visits: %w", err)
		}
		for seed := *first; seed <= *seeds; seed++ {
			p.seed = uint64(seed)
			both, err := play(ctx, server, p)
			if err != nil { // who ended it early sees what was played
				return errors.Join(fmt.Errorf("seed %d: %w", p.seed, err), print(out, pairs))
			}
			pairs = append(pairs, both)
			printParts(os.Stderr, "without", both.without)
			printParts(os.Stderr, "with", both.with)
			fmt.Fprintln(os.Stderr, both) // a run takes long, and may be ended early
		}
	}
	return print(out, pairs)
}

// playBoth plays a seed without watches and stock, and with them.
func playBoth(ctx context.Context, server *pgembed.Server, p plan) (both pair, err error) {
	for _, r := range []*result{&both.without, &both.with} {
		p.alerts = r == &both.with
		began := time.Now()
		err := inDatabase(ctx, server, fmt.Sprintf("play_%d_%t", p.seed, p.alerts),
			func(dsn string) (err error) {
				*r, err = play(ctx, dsn, p)
				return err
			})
		if err != nil {
			return both, err
		}
		r.took = time.Since(began)
	}
	return both, nil
}
