package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
)

// A completion shows of each item how many open requests it has and the price that its page suggests.
func TestSummariesSayWhatTheItemPageSays(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	var people []core.Actor
	for i := range 10 {
		people = append(people, r.SignUp(fmt.Sprint("trader", i)))
	}
	for i := range 5 {
		r.agrees(people[2*i], people[2*i+1], []string{"Iron Ore", "iron  ORE"}[i%2], core.Copper(100+10*i))
	}
	r.sells(people[0], people[1], "Copper Ore", 77) // one trade is no price
	for i := range 3 {
		r.Post(people[i], func(d *trade.OrderDraft) { d.ItemName = []string{"Iron Ore", "IRON ore", "Unknown"}[i] })
	}
	prices, err := r.Items.Prices(t.Context(), iron, false)
	must(t, err)
	copper, _, err := r.Items.NameItem(t.Context(), "copper ore")
	must(t, err)
	got := r.Items.Summaries(t.Context())
	if usual := prices.Usual(); usual == nil || got[iron].Traded != usual.Price.Median || got[iron].Open != 2 {
		t.Errorf("the summary of iron is %+v, its prices are %+v", got[iron], prices.Usual())
	}
	if s, listed := got[copper.ID]; listed {
		t.Errorf("the summary of copper is %+v", s)
	}

	// They are cached: a completion reads nothing.
	before := r.Clock.Now()
	r.Post(people[3], func(d *trade.OrderDraft) { d.ItemName = "Iron Ore" })
	r.Clock.Forward(time.Minute)
	if again := r.Items.Summaries(t.Context()); again[iron].Open != 2 {
		t.Errorf("%v later the summary is read again", r.Clock.Now().Sub(before))
	}
}
