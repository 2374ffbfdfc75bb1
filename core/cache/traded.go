package cache

import (
	"context"
	"slices"
	"sync"

	"tradepost/core"
)

// maxTraded limits the trades that are remembered. A caller with an older mark has missed some: any trade
// may have changed.
const maxTraded = 4096

// traded records the names of items with recently changed trades. A mark counts them from the start of the
// process.
type traded struct {
	mu    sync.Mutex
	names []string
	first uint64 // the mark of the first of the names
}

func (t *traded) add(names []string, any bool) {
	if len(names) == 0 && !any {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names = append(t.names, names...)
	drop := max(0, len(t.names)-maxTraded)
	if any {
		drop = len(t.names)
		t.first++ // no earlier mark is known any more
	}
	t.names, t.first = slices.Clone(t.names[drop:]), t.first+uint64(drop)
}

func (t *traded) since(mark uint64) core.TradedSince {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.first + uint64(len(t.names))
	if mark < t.first || mark > now {
		return core.TradedSince{Mark: now, Any: true}
	}
	return core.TradedSince{Mark: now, Names: slices.Clone(t.names[mark-t.first:])}
}

// TradedSince returns the trades that have changed since a mark. It has an idle change feed read new changes
// first, as a load does.
func (c *Cache) TradedSince(ctx context.Context, mark uint64) core.TradedSince {
	if c.isBehind() {
		c.catchUp(ctx)
	}
	behind := c.isBehind() // before the names are read: they have all that was known then
	since := c.traded.since(mark)
	since.Behind = behind
	return since
}
