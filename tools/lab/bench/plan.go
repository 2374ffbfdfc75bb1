package main

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/plan"
	"tradepost/core/trade"
)

//go:embed plan.sql
var traded string

const (
	planned      = 300
	plannedLines = 30
)

// plans measures how long it takes to plan thirty lines among 100,000 listings, what of it the database takes,
// and to post the plan in one press.
func (a *alertBench) plans(ctx context.Context) error {
	if err := a.manyListings(ctx); err != nil {
		return err
	}
	if err := a.script(ctx, traded); err != nil {
		return fmt.Errorf("make trades: %w", err)
	}
	var listings int
	if err := a.store.Pool().QueryRow(ctx, "select count(*) from stock where public").Scan(&listings); err != nil {
		return err
	}
	among := count(float64(listings)) + " listings"
	var read, first, again, posts []time.Duration
	for n := range 20 + planned {
		_, names := a.shopping(n)
		began := time.Now()
		if _, err := a.store.ListingsOfLines(ctx, names, 1, match.MaxPlanListings, began); err != nil {
			return err
		}
		if n >= 20 {
			read = append(read, time.Since(began))
		}
	}
	a.foundTimes(fmt.Sprintf("what a plan of %d lines reads among %s", plannedLines, among), "p99 < 50 ms", read,
		rowsAreSlow)
	agreed, lines, likely := 0, 0, 0
	for n := range 20 + planned {
		buyer := core.Actor{UserID: core.UserID(1 + n%64), Username: "player", PriceConfirmed: true}
		text, _ := a.shopping(n)
		query := match.PlanQuery{Text: text, Weight: plan.Balanced}
		began := time.Now()
		if _, err := a.market.Match.Plan(ctx, buyer, query); err != nil {
			return err
		}
		middle := time.Now()
		p, err := a.market.Match.Plan(ctx, buyer, query) // as after an edit
		if err != nil {
			return err
		}
		after, draft := time.Now(), draftOf(p)
		posted, err := a.market.Match.PostPlan(ctx, buyer, draft)
		if err != nil {
			return fmt.Errorf("post plan %d: %w", n, err)
		}
		if n >= 20 {
			first, again = append(first, middle.Sub(began)), append(again, after.Sub(middle))
			posts = append(posts, time.Since(after))
			agreed, lines = agreed+posted.Agreed, lines+len(draft.Lines)
			for _, line := range p.Lines {
				if line.Odds != nil {
					likely++
				}
			}
		}
	}
	a.foundTimes(fmt.Sprintf("the whole plan, with prices and odds (of %.1f lines)", float64(likely)/planned),
		"p99 < 50 ms", first, rowsAreSlow)
	a.foundTimes("the same after an edit", "p99 < 50 ms", again, rowsAreSlow)
	a.foundTimes(fmt.Sprintf("posting it (%.1f lines, of which %.1f are agreed at once)",
		float64(lines)/planned, float64(agreed)/planned), "", posts, time.Hour)
	return nil
}

// shopping returns the n-th list: its text, and the names of each line.
func (a *alertBench) shopping(n int) (text string, names [][]string) {
	var b strings.Builder
	for i := range plannedLines {
		item := a.items[(n*61+i*17)%len(a.items)]
		fmt.Fprintf(&b, "%dx %s 90s\n", 10+(n+i*13)%150, item.Name)
		names = append(names, []string{item.Name})
	}
	return b.String(), names
}

// draftOf returns the draft that the page posts of a plan.
func draftOf(p match.Planned) match.PlanDraft {
	d := match.PlanDraft{ListDraft: trade.ListDraft{Name: "Shopping", BuyerContact: "player", Category: "Miner"}}
	for _, line := range p.Lines {
		for _, l := range line.Listings {
			if l.Take > 0 {
				d.Lines = append(d.Lines, match.PlanDraftLine{ItemName: line.ItemName, Listing: l.ID,
					Quantity: l.Take, Price: l.Price})
			}
		}
	}
	d.Lines = slices.Clip(d.Lines[:min(len(d.Lines), match.MaxPlanLines)])
	return d
}

// manyListings adds 100,000 listings that sell without asking, once.
func (a *alertBench) manyListings(ctx context.Context) error {
	if a.listed {
		return nil
	}
	if err := a.fillable(ctx); err != nil {
		return err
	}
	people := strconv.Itoa(a.watches / watchesEach)
	if err := a.script(ctx, strings.ReplaceAll(standing, ":people", people)); err != nil {
		return fmt.Errorf("make listings: %w", err)
	}
	a.listed = true
	return nil
}
