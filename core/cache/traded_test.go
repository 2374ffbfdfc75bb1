package cache_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
)

func TestTradesSinceAMark(t *testing.T) {
	t.Parallel()
	caughtUp := 0
	c := cache.New(func(context.Context) { caughtUp++ })
	since := func(mark uint64, any bool, names ...string) uint64 {
		t.Helper()
		got := c.TradedSince(t.Context(), mark)
		if got.Any != any || !slices.Equal(got.Names, names) {
			t.Errorf("since %d: %+v, want %v, any %t", mark, got, names, any)
		}
		return got.Mark
	}
	if got := c.TradedSince(t.Context(), 0); !got.Behind || caughtUp != 1 {
		t.Errorf("before the feed is read: %+v after %d reads", got, caughtUp)
	}
	c.Changed(core.Change{Resync: true})
	c.UpToDate(time.Now())
	start := since(0, true)
	if got := c.TradedSince(t.Context(), start); got.Behind || caughtUp != 1 {
		t.Errorf("of an up-to-date feed: %+v after %d reads", got, caughtUp)
	}
	c.Changed(core.Change{Orders: []core.OrderID{7}, Lists: true, Items: true})
	since(start, false)
	c.Changed(core.Change{Traded: []string{"Iron Ore"}})
	one := since(start, false, "Iron Ore")
	c.Changed(core.Change{Traded: []string{"Oak Log", "Tin Ore"}})
	since(start, false, "Iron Ore", "Oak Log", "Tin Ore")
	since(one, false, "Oak Log", "Tin Ore")
	since(one+3, true) // of another process
	c.Changed(core.Change{AnyTraded: true, Traded: []string{"Iron Ore"}})
	since(one, true)
	after := since(one+2, true)
	since(after, false)
	for i := range 5000 {
		c.Changed(core.Change{Traded: []string{fmt.Sprint(i)}})
	}
	since(after, true)
	since(after+4998, false, "4998", "4999")
}
