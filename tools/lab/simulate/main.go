// Command simulate plays a seeded community on the real core and store with a driven clock, with and
// without saved searches and stock, and prints how long requests took to be agreed and handed over.
// docs/simulation.md has its assumptions and what it has shown.
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
	"syscall"
	"time"

	"tradepost/core"
	"tradepost/sql/pgembed"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	plan
	choices
	from, seeds, weeks int
	profile            string
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	o.quota = core.LimitDMAlerts.Quota
	o.reach = core.LimitReach.Quota
	flags.IntVar(&o.traders, "traders", 2000, "how many people; of five, one buys, two sell and two do both")
	flags.IntVar(&o.plan.items, "items", 0, "how many items of the catalogue there are; 0 for all")
	flags.IntVar(&o.days, "days", 2, "how many days requests are posted on")
	flags.IntVar(&o.rows, "rows", 60, "how many rows of the board a seller reads")
	flags.IntVar(&o.goods, "goods", 8, "how many items a seller has")
	flags.Float64Var(&o.posts, "posts", 1.0/3, "how many requests a buyer posts in a day")
	flags.Float64Var(&o.searches, "searches", 0.25,
		"which part of sellers searches for what they have whenever they play, from 0 to 1")
	flags.Float64Var(&o.restock, "restock", 0.5,
		"how likely a seller has made again what they sold when they play next, from 0 to 1")
	flags.Float64Var(&o.arranged, "arranged", 0,
		"which part of trades is met at a time that the two agreed on, from 0 to 1")
	flags.BoolVar(&o.uses, "uses", false,
		"an item is asked for in proportion to how many professions the catalogue says use it, instead")
	flags.IntVar(&o.vouches, "vouches", 0, "for how many candidates the moderator vouches on a day")
	flags.Func("dm-alerts", "`DM_ALERTS`, the setting of the program (default 3/day)",
		func(text string) (err error) {
			o.quota, err = core.ParseQuota(text)
			return err
		})
	start := flags.String("start", "zero", "with how much trust the market begins: zero or grown, or zero,grown")
	popularities := flags.String("popularity", "0.7",
		"how often the n-th item is asked for: 0.7 for n^-0.7, 1.07+3 for (n+3)^-1.07, 0 for all alike")
	sessions := flags.String("sessions", "1.5", "how often a person plays in a day")
	supplies := flags.String("supply", "1", "how steep supply is, of how steep demand is: 0.5 for flatter")
	standing := flags.String("standing", "0", "which part of buyers has offers accepted as they come, in percent")
	byTerms := flags.String("terms", "usual",
		"of which sellers they do: usual for those that the program proposes, or anybody")
	bothSides := flags.String("both", "0",
		"play also a market in which this part of buyers and of listings stands, in percent, and trades without asking")
	alerts := flags.String("alerts", "all",
		"whom alerts that are inferred reach as messages: all, or needed where the request needs them")
	hours := flags.String("hours", "0",
		"play also markets in which the program knows when this part of people plays, in percent, and proposes when to meet")
	byWhat := flags.String("known", string(knownUsual),
		"how it knows: usual for what it offers around one's usual time, free for 17 till midnight, learned from who met")
	late := flags.String("late", "leave",
		"what who reads of a proposed time once it has passed does: leave it, or press for another one")
	flags.IntVar(&o.seeds, "seeds", 10, "the last seed")
	flags.IntVar(&o.from, "from", 1, "the first seed")
	flags.IntVar(&o.weeks, "weeks", 0,
		"play so many weeks, with the usual DM_REACH and trust and without, and print how requests are slowed")
	flags.StringVar(&o.profile, "profile", "", "write a profile of the processor to this file")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	var errs [11]error
	o.choices.before, errs[0] = list(*start, startsFrom)
	o.choices.asked, errs[1] = list(*popularities, parsePopularity)
	o.choices.sessions, errs[2] = list(*sessions, number)
	o.supplies, errs[3] = list(*supplies, number)
	o.choices.standing, errs[4] = list(*standing, percent)
	o.choices.terms, errs[5] = list(*byTerms, sellersOf)
	o.choices.bothSides, errs[6] = list(*bothSides, percent)
	o.choices.alerts, errs[7] = list(*alerts, alertsTo)
	o.choices.hours, errs[8] = list(*hours, percent)
	o.choices.known, errs[9] = list(*byWhat, knownBy)
	o.choices.another, errs[10] = list(*late, whenLate)
	return o, errors.Join(errs[:]...)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.profile != "" {
		file, err := os.Create(o.profile)
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
	if o.weeks > 0 {
		return o.playWeeks(ctx, server, out)
	}
	var rows []row
	for _, p := range o.worlds(o.plan) {
		for seed := o.from; seed <= o.seeds; seed++ {
			p.seed = uint64(seed)
			played, err := playWorld(ctx, server, p, o.arms())
			if err != nil { // who ended it early sees what was played
				return errors.Join(fmt.Errorf("seed %d: %w", p.seed, err), report(out, rows))
			}
			for _, both := range played { // a run takes long, and may be ended early
				fmt.Fprintln(os.Stderr, both)
			}
			rows = add(rows, played)
		}
	}
	return report(out, rows)
}

// playWorld plays a seed without alerts, and with each of some features.
func playWorld(ctx context.Context, server *pgembed.Server, p plan, with []features) (pairs []pair, err error) {
	of := settled
	if p.before > 0 {
		of = fmt.Sprintf("grown_%d", p.seed)
		if err := inServer(ctx, server, "create database "+of+" template "+settled); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, inServer(ctx, server, "drop database "+of+" with (force)")) }()
		if err := grow(ctx, server.DSN(of), p); err != nil {
			return nil, fmt.Errorf("what was before: %w", err)
		}
	}
	once := func(f features) (r result, err error) {
		p.features = f
		began := time.Now()
		err = inDatabase(ctx, server, fmt.Sprintf("play_%d", p.seed), of, func(dsn string) error {
			r, err = play(ctx, dsn, p)
			return err
		})
		r.took = time.Since(began)
		return r, err
	}
	without, err := once(features{})
	if err != nil {
		return nil, err
	}
	for _, f := range with {
		r, err := once(f)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair{without, r})
	}
	return pairs, nil
}
