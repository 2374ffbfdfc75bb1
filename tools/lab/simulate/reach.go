package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"tradepost/core"
	"tradepost/sql/pgembed"
)

// What limits on reach cost an honest community that begins with one moderator whom all others are new to.

const week = 7 * core.Day

func discordID(n int) string { return fmt.Sprint(80351110224678912 + n) }

// quotas are the limits of a program without settings, but for those that the plan sets.
func (p plan) quotas() core.Quotas {
	q := core.Quotas{
		OpenRequests: core.LimitOpenRequests.Limit, Offers: core.LimitOffers.Quota,
		OffersPerRequest: core.LimitOffersHere.Quota, DMPair: core.LimitDMPair.Quota,
		DMReader: core.LimitDMReader.Quota, Alerts: p.quota, Reach: p.reach,
	}
	if p.reach.Limit > 0 {
		q.NewRequests = core.LimitRequests.Quota // by which requests of an account's first day wait
	}
	return q
}

// took notes how long a request took, in all and in the week of its post.
func (w *world) took(wanted *want, d time.Duration) {
	w.result.toFilled = append(w.result.toFilled, d)
	n := min(int(wanted.at.Sub(w.begin.AddDate(0, 0, 1))/week), (w.days-1)/7) // a day ends later in the west
	for len(w.result.byWeek) <= n {
		w.result.byWeek = append(w.result.byWeek, nil)
	}
	w.result.byWeek[n] = append(w.result.byWeek[n], d)
}

// trustHourly computes trust each hour, and has the moderator vouch each day.
func (w *world) trustHourly() {
	if w.reach.Limit == 0 {
		return
	}
	for hour := range w.days * 24 {
		w.after(w.begin.Add(core.Day+time.Duration(hour)*time.Hour), func(ctx context.Context) error {
			if err := w.market.Trust.FindTraders(ctx); err != nil {
				return err
			}
			return w.look(ctx, hour%24 == 20)
		})
	}
}

// grown is when a market was young no more.
type grown struct {
	after  time.Duration // the first day of requests began
	trades int
}

// look notes whether the market is young no more, and has the moderator vouch.
func (w *world) look(ctx context.Context, vouches bool) error {
	moderator := w.people[0].Actor
	moderator.Moderator, moderator.SignedInAt = true, w.clock()
	list, err := w.market.Trust.VouchList(ctx, moderator)
	if err != nil {
		return err
	}
	if !list.Young && w.result.grown == nil {
		w.result.grown = &grown{w.clock().Sub(w.begin.AddDate(0, 0, 1)), w.result.trades}
	}
	for n, c := range list.Candidates {
		if n == w.vouches || !vouches {
			break
		}
		if err := w.market.Trust.Vouch(ctx, moderator, c.User.ID); err != nil {
			return err
		}
	}
	return nil
}

// playWeeks plays each seed of the first world without limits on reach and with the usual ones, and prints
// how requests are slowed.
func (o options) playWeeks(ctx context.Context, server *pgembed.Server, out io.Writer) error {
	p := o.worlds(o.plan)[0]
	p.days, p.alerts = o.weeks*7, true
	var pairs []pair
	for seed := o.from; seed <= o.seeds; seed++ {
		p.seed = uint64(seed)
		both, err := playReach(ctx, server, p)
		if err != nil { // who ended it early sees what was played
			return errors.Join(fmt.Errorf("seed %d: %w", p.seed, err), reportReach(out, pairs))
		}
		fmt.Fprintln(os.Stderr, both)
		pairs = append(pairs, both)
	}
	return reportReach(out, pairs)
}

// playReach plays a seed without limits on reach, and with the usual ones.
func playReach(ctx context.Context, server *pgembed.Server, p plan) (both pair, err error) {
	for n, r := range []*result{&both.without, &both.with} {
		p.reach = core.Quota{Limit: n * core.LimitReach.Quota.Limit, Per: core.LimitReach.Quota.Per}
		began := time.Now()
		err := inDatabase(ctx, server, fmt.Sprintf("reach_%d_%d", p.seed, n), settled, func(dsn string) (err error) {
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

// reportReach prints the weeks of each seed, and those of all together.
func reportReach(out io.Writer, pairs []pair) error {
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| traders\t| vouched a day\t| seed\t| week\t| posted\t| median to filled: without limits\t| with\t| slower\t| p90: without\t| with\t|")
	fmt.Fprintln(table, "|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|")
	var all pair
	for _, p := range pairs {
		weeksOf(table, fmt.Sprint(p.with.seed), p)
		all.without, all.with = all.without.and(p.without), all.with.and(p.with)
	}
	if len(pairs) > 1 {
		weeksOf(table, fmt.Sprintf("all %d", len(pairs)), all)
	}
	fmt.Fprintln(table)
	fmt.Fprintln(table, "| traders\t| vouched a day\t| seed\t| young until\t| trades by then\t| of each person\t| offers without a message\t|")
	fmt.Fprintln(table, "|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|--:\t|")
	for _, p := range pairs {
		grownOf(table, p.with)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	return nil
}

// grownOf prints when a market was young no more. A trade is one of both its sides.
func grownOf(out io.Writer, r result) {
	until, trades := "after the end", r.trades
	if r.grown != nil {
		until, trades = fmt.Sprintf("day %.1f", r.grown.after.Hours()/24), r.grown.trades
	}
	fmt.Fprintf(out, "| %d\t| %d\t| %d\t| %s\t| %d\t| %.1f\t| %d\t|\n", r.traders, r.vouches, r.seed, until, trades,
		2*float64(trades)/float64(r.traders), r.unheard)
}

func weeksOf(out io.Writer, seeds string, p pair) {
	for n := range min(len(p.with.byWeek), len(p.without.byWeek)) {
		without, with := slices.Sorted(slices.Values(p.without.byWeek[n])), slices.Sorted(slices.Values(p.with.byWeek[n]))
		slower := 100 * (at(with, 50).Seconds()/max(at(without, 50).Seconds(), 1) - 1)
		fmt.Fprintf(out, "| %d\t| %d\t| %s\t| %d\t| %d\t| %s\t| %s\t| %.0f %%\t| %s\t| %s\t|\n", p.with.traders, p.with.vouches,
			seeds, n+1, len(with), clock(at(without, 50)), clock(at(with, 50)), slower, clock(at(without, 90)), clock(at(with, 90)))
	}
}

// and counts what two seeds have shown as if it were one, by the week.
func (r result) and(other result) result {
	sum := result{plan: other.plan, byWeek: slices.Clone(r.byWeek)}
	for n, took := range other.byWeek {
		if n == len(sum.byWeek) {
			sum.byWeek = append(sum.byWeek, nil)
		}
		sum.byWeek[n] = append(slices.Clone(sum.byWeek[n]), took...)
	}
	return sum
}
