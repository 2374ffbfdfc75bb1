package cache_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
)

func TestAValueIsLoadedAgainWhenATradeOfItsItemsChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t, cache.Orders)
	f.entry = cache.NewTradesEntry[int](f.cache, func(name string) bool { return strings.EqualFold(name, "Iron Ore") })
	f.cache.Changed(core.Change{Resync: true})
	reads := 0
	wants := func(what string, again bool, change core.Change) {
		t.Helper()
		f.cache.Changed(change)
		if again {
			reads++
		}
		for range 2 { // the second has it in any case
			f.wants(1, reads)
		}
		if f.reads != reads {
			t.Errorf("%s: loaded %d times, want %d", what, f.reads, reads)
			reads = f.reads
		}
	}
	wants("the first", true, core.Change{})
	wants("an order that changed", false, core.Change{Orders: []core.OrderID{7}, Lists: true, Items: true})
	wants("a trade of another item", false, core.Change{Traded: []string{"Oak Log"}})
	wants("a trade", true, core.Change{Traded: []string{"Tin Ore", "IRON ore"}})
	wants("trades that count otherwise", true, core.Change{AnyTraded: true})
	wants("changes that were missed", true, core.Change{Resync: true})
	many := core.Change{}
	for i := range 5000 {
		many.Traded = append(many.Traded, fmt.Sprint(i))
	}
	wants("more trades than are remembered", true, many)
	wants("a few of those", false, core.Change{Traded: many.Traded[:4000]})
	wants("a few more", false, core.Change{Traded: many.Traded[:4000]})
}

func TestAValueThatNoChangeConcernsIsUsedForItsTime(t *testing.T) {
	t.Parallel()
	f := newFixture(t, cache.Orders)
	c := cache.New(nil) // of a market without a change feed
	f.entry = cache.NewEntry[int](c, cache.Never)
	f.validUntil = f.now.Add(time.Hour)
	f.wants(1, 1)
	c.Changed(core.Change{Resync: true})
	f.now = f.now.Add(time.Hour - time.Microsecond)
	f.wants(1, 1)
	f.now = f.now.Add(time.Microsecond)
	f.wants(1, 2)
}
