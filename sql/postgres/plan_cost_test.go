package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/plan"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/postgres"
)

// Planning reads the listings of all lines at once, and so their trades and past requests. Posting looks at each line again under its lock: some five round trips a
// line, of which a trade takes nine.
func TestStatementsPerPlan(t *testing.T) {
	t.Parallel()
	b := newBilled(t)
	ctx := t.Context()
	catalogue := "name,made_by\n"
	for i := range 30 {
		catalogue += fmt.Sprintf("Hall Thing Q%c%c,Miner\n", 'A'+i/26, 'A'+i%26)
	}
	b.Imports(catalogue)
	store := b.Another(postgres.Options{Tracer: b.till})
	storetest.Listen(t, store)
	b.market = market.New(store, market.Options{Now: b.Clock.Now, Features: core.EveryFeature()})
	seller := b.Bob
	seller.PriceConfirmed = true
	var text strings.Builder
	for i := range 30 {
		name := fmt.Sprintf("Hall Thing Q%c%c", 'A'+i/26, 'A'+i%26)
		fmt.Fprintf(&text, "10x %s 1s\n", name)
		if i >= 20 {
			continue
		}
		daily := 0
		if i%2 == 0 {
			daily = 10
		}
		_, err := b.market.Match.SaveStock(ctx, seller, []match.StockDraft{{ItemName: name, Quantity: 10, Price: 30,
			Public: true, SellsDaily: daily}})
		must(t, err)
	}
	buyer := b.Ann
	buyer.PriceConfirmed = true
	draft := func(p match.Planned) match.PlanDraft {
		d := match.PlanDraft{ListDraft: trade.ListDraft{Name: "Guild hall", BuyerContact: "ann"}}
		for _, line := range p.Lines {
			for _, l := range line.Listings {
				d.Lines = append(d.Lines, match.PlanDraftLine{ItemName: line.ItemName, Listing: l.ID, Quantity: l.Take, Price: l.Price})
			}
			if line.Request > 0 {
				d.Lines = append(d.Lines, match.PlanDraftLine{ItemName: line.ItemName, Quantity: line.Request, Price: line.Price})
			}
		}
		return d
	}
	query := match.PlanQuery{Text: text.String(), Weight: plan.Balanced}
	_, err := connect(t, b.DSN).Exec(ctx, "insert into trust_market (computed_at, of, trusted, circles, active, young) "+
		"values (now(), '', 0, 0, 0, false)") // odds are read in a market that is young no more
	must(t, err)
	_, err = b.market.Match.Plan(ctx, buyer, match.PlanQuery{Text: "10x Hall Thing QAA 1s", Weight: plan.Balanced})
	must(t, err) // the items, their summaries and the odds of the market are read once
	var planned match.Planned
	b.costs("planning thirty lines, with the prices and odds of items that nobody has looked at", bill{4, 4}, func() (err error) {
		planned, err = b.market.Match.Plan(ctx, buyer, query)
		return err
	})
	b.costs("planning them again", bill{1, 1}, func() (err error) {
		planned, err = b.market.Match.Plan(ctx, buyer, query)
		return err
	})
	d := draft(planned)
	if len(d.Lines) != 30 {
		t.Fatalf("the plan has %d lines", len(d.Lines))
	}
	b.costs("posting them, ten agreed at once, ten asked for, ten requested", bill{344, 165}, func() error {
		_, err := b.market.Match.PostPlan(ctx, buyer, d)
		return err
	})
}
