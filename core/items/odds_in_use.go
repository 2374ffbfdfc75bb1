package items

import (
	"slices"
	"sync"
	"time"

	"tradepost/core"
)

// Odds come from requests that are a week old or more, so they are cached: an item's odds for oddsUsedFor,
// the market's for marketOddsFor and while they are refreshed.
const (
	oddsUsedFor   = 10 * time.Minute
	marketOddsFor = time.Hour
)

// oddsInUse are the odds that were read. It is safe for concurrent use.
type oddsInUse struct {
	mu    sync.Mutex
	items map[core.ItemID]oddsEntry

	market  *marketOdds
	at      time.Time
	reading *marketReading // callers at the same time wait for one reading of the market; nil for none
}

// marketReading is one reading of the odds of the market.
type marketReading struct {
	done chan struct{} // closed when the other fields are set
	odds *marketOdds
	err  error
}

type oddsEntry struct {
	steps []OddsStep
	keys  []string // of the names that they are made of
	at    time.Time
}

func (o *oddsInUse) get(id core.ItemID, keys []string, now time.Time) ([]OddsStep, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	entry, known := o.items[id]
	return entry.steps, known && lately(entry.at, now, oddsUsedFor) && slices.Equal(entry.keys, keys)
}

func (o *oddsInUse) put(id core.ItemID, entry oddsEntry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.items == nil || len(o.items) >= maxPricesInUse {
		o.items = map[core.ItemID]oddsEntry{}
	}
	o.items[id] = entry
}

func lately(at, now time.Time, within time.Duration) bool {
	return !at.IsZero() && !now.Before(at) && now.Sub(at) < within
}
