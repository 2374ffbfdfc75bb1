package items

import (
	"slices"
	"testing"

	"tradepost/core"
)

func TestItemsAreListedByDemandAndPrice(t *testing.T) {
	t.Parallel()
	var all []Item
	for i, name := range []string{"Amber", "Birch", "Coal", "Dust", "Emerald"} {
		all = append(all, Item{ID: core.ItemID(i + 1), Name: name, State: Listed, Names: []Name{{core.TextForms{}.FoldItem(name), name}}})
	}
	x := NewIndex(all, map[string]Demand{"Dust": {Requests: 7}}, core.TextForms{})
	summaries := map[core.ItemID]Summary{5: {Open: 2}, 3: {Open: 2, Traded: 400}, 2: {Traded: 900}}
	for s, want := range map[Sort][]string{
		ByOpen:  {"Coal", "Emerald", "Birch", "Dust", "Amber"},
		ByPrice: {"Birch", "Coal", "Emerald", "Dust", "Amber"},
	} {
		var got []string
		for _, p := range x.listed(Filter{}, s, summaries, nil) {
			got = append(got, x.Items[p.at].Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("sorted by %s are listed %v, want %v", s, got, want)
		}
	}
}
