//go:build unix

// Command faults breaks what the market stands on, again and again, and counts what became of every notice that was owed.
//
// It runs the real program, as one process or several, on a real PostgreSQL of its own, with the stand-in for Discord. In
// each round something fails (a process is killed, PostgreSQL restarts, Discord refuses, answers get lost) while offers
// come in over HTTP. What HTTP has acknowledged is owed: afterwards each notice must have ended, in the database as in the
// record of the stand-in, delivered in exactly one message or refused with a reason. After each fault the promises of the
// data are checked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// settings say what is played and how often.
type settings struct {
	program string // the program's file
	rounds  int
	only    string // faults whose name holds this; empty for all
	atOnce  int    // faults at a time, of those that leave PostgreSQL alone
	keepLog bool   // show what the program logs
}

func main() {
	var s settings
	list := flag.Bool("list", false, "name the faults and stop")
	flag.StringVar(&s.program, "program", "bin/tradepost", "the program to be tried")
	flag.IntVar(&s.rounds, "rounds", 100, "how often each fault is played; slow ones less often")
	flag.StringVar(&s.only, "only", "", "play only faults whose name holds this")
	flag.IntVar(&s.atOnce, "at-once", 4, "how many faults are played at a time, of those that leave PostgreSQL alone")
	flag.BoolVar(&s.keepLog, "log", false, "show what the program logs")
	flag.Parse()
	if *list {
		for _, f := range faults {
			fmt.Printf("%-60s %s\n", f.name, f.note)
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
	ground, err := newGround(ctx, s)
	if err != nil {
		return err
	}
	defer ground.close()
	began := time.Now()
	var chosen []fault
	for _, f := range faults {
		if strings.Contains(f.name, s.only) {
			chosen = append(chosen, f)
		}
	}
	results := ground.playAll(ctx, chosen, func(r result) { fmt.Fprintln(os.Stderr, r.progress()) })
	results.print(os.Stdout)
	fmt.Printf("\n%d rounds in %s.\n", results.rounds(), time.Since(began).Round(time.Second))
	if ctx.Err() != nil {
		return errors.New("stopped before the end")
	}
	return results.verdict()
}
