//go:build unix

// Command faults injects faults into the market's dependencies and checks that every notice ended
// correctly.
//
// It runs the real program, as one process or several, on a real PostgreSQL of its own, with the
// stand-in for Discord. In each round something fails (a process is killed, PostgreSQL restarts,
// Discord refuses, answers get lost) while offers come in over HTTP. What HTTP has acknowledged is
// owed: afterwards each notice must have ended, in the database as in the record of the stand-in,
// delivered in exactly one message or failed with a reason. After each fault the invariants of the
// data are checked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// settings say what is played and how often.
type settings struct {
	program   string // the program's file
	rounds    int
	only      string // faults whose family or name contains this; empty for all
	longest   time.Duration
	atOnce    int    // faults at a time
	keepLog   bool   // show what the program logs
	soak      int    // interactions of a soak instead; 0 for none
	races     int    // rounds of accepts at once instead; 0 for none
	cluster   bool   // play failovers of a cluster instead
	keepIn    string // the folder for the logs of a cluster; empty for none
	edge      bool   // play a cache in front instead
	seed      uint64 // of what is left to chance
	histories int    // operations of histories to play instead; 0 for none
	writes    bool   // count the writes of each kind at the end
}

func main() {
	var s settings
	list := flag.Bool("list", false, "name the faults and stop")
	flag.StringVar(&s.program, "program", "bin/tradepost", "the program to be tried")
	flag.IntVar(&s.rounds, "rounds", 100, "how often each fault is played; slow ones less often")
	flag.StringVar(&s.only, "only", "", `play only faults of which "family: name" contains this`)
	flag.DurationVar(&s.longest, "longest", time.Hour, "play only faults that last no longer")
	flag.IntVar(&s.atOnce, "at-once", 4, "how many faults are played at a time")
	flag.BoolVar(&s.keepLog, "log", false, "show what the program logs")
	flag.IntVar(&s.soak, "soak", 0, "play so many interactions instead of faults, and watch the heap")
	flag.IntVar(&s.races, "races", 0, "play so many rounds of 64 accepts at once instead of faults")
	flag.IntVar(&s.histories, "histories", 0,
		"play so many operations of all kinds under faults, and check their histories")
	flag.BoolVar(&s.cluster, "cluster", false,
		`play failovers of three PostgreSQLs with Patroni instead of faults (as root, on Linux); -only is of "way: failover"`)
	flag.StringVar(&s.keepIn, "logs", "",
		"keep the logs of a cluster and of its programs in this folder, and histories that are not as promised")
	flag.BoolVar(&s.edge, "edge", false, "play a cache in front of the programs instead of faults (on Linux)")
	flag.Uint64Var(&s.seed, "seed", rand.Uint64(), "seed of the races, to repeat them")
	flag.BoolVar(&s.writes, "writes", false, "count the writes of each kind at the end")
	flag.Parse()
	if *list {
		for _, f := range everyFault() {
			fmt.Printf("%-26s %-60s %s\n", f.family, f.name, f.note)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, s)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	if s.cluster {
		return (&ground{settings: s}).playFailovers(ctx, s.rounds, os.Stdout)
	}
	ground, err := newGround(ctx, s)
	if err != nil {
		return err
	}
	defer ground.close()
	switch {
	case s.edge:
		return ground.playEdge(ctx, os.Stdout)
	case s.soak > 0:
		return ground.soak(ctx, s.soak, os.Stdout)
	case s.histories > 0:
		return ground.playHistories(ctx, s.histories, os.Stdout)
	case s.races > 0:
		return ground.playRaces(ctx, s.races, os.Stdout)
	}
	fmt.Fprintln(os.Stderr, "seed", s.seed)
	began := time.Now()
	var chosen []fault
	for _, f := range everyFault() {
		if !strings.Contains(f.family+": "+f.name, s.only) {
			continue
		}
		for _, f := range f.atEach() {
			if f.lasts <= s.longest {
				chosen = append(chosen, f)
			}
		}
	}
	results := ground.playAll(ctx, chosen, func(r result) { fmt.Fprintln(os.Stderr, r.progress()) })
	results.print(os.Stdout)
	fmt.Printf("\n%d rounds in %s.\n", results.rounds(), time.Since(began).Round(time.Second))
	if s.writes {
		ground.printWrites(os.Stdout)
	}
	if ctx.Err() != nil {
		return errors.New("stopped before the end")
	}
	return results.verdict()
}
