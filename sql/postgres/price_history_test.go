package postgres_test

import (
	"fmt"
	"testing"

	"tradepost/core"
)

// Of too many accepts the oldest are left out, and the answer says from when on it is complete.
func TestFillsOfATimeAreCompleteFromATimeOn(t *testing.T) {
	t.Parallel()
	r, _ := newPricedMarket(t)
	var people []core.Actor
	for i := range 3 {
		people = append(people, r.SignUp(fmt.Sprint("trader", i)))
	}
	start := r.Clock.Now()
	for i := range 5 {
		r.agrees(people[i%3], people[(i+1)%3], "Iron Ore", core.Copper(100+i))
	}
	end := r.Clock.Now()
	r.agrees(people[0], people[1], "Iron Ore", 999)
	all, from, err := r.Store.FillsOf(t.Context(), start, end, 100)
	must(t, err)
	if len(all) != 4 || !from.Equal(start) || all[0].Price != 103 || all[3].Price != 100 || all[0].Key != "ironore" { // not the one at the end
		t.Fatalf("all are %+v from %v", all, from)
	}
	some, from, err := r.Store.FillsOf(t.Context(), start, end, 3)
	must(t, err)
	if len(some) != 1 || some[0] != all[0] || !from.Equal(all[1].At) {
		t.Errorf("of the latest three of the market there are %+v from %v, want those after %v", some, from, all[1].At)
	}
	none, from, err := r.Store.FillsOf(t.Context(), end.Add(core.Day), end.Add(2*core.Day), 3)
	if must(t, err); len(none) != 0 || !from.Equal(end.Add(core.Day)) {
		t.Errorf("later there are %+v from %v", none, from)
	}
}
