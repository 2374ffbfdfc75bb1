package items

import (
	"sync"
	"time"

	"tradepost/core"
)

// Prices are cached until a trade of the item changes, or a trade becomes too old for a window. A
// much-traded item's prices are used for PricesFor even so, and while they are refreshed: that takes long,
// and no single trade changes them noticeably.
const (
	PricesFor      = time.Minute
	manyFills      = 2000
	maxPricesInUse = 2000
	manyAsked      = 500 // with so many buyers, the asked prices of an item are cached for as long
)

// pricesInUse are the prices that were read. It is safe for concurrent use.
type pricesInUse struct {
	mu    sync.Mutex
	items map[core.ItemID]pricesEntry
	asked map[core.ItemID]askedEntry // of items that many buyers ask for
}

type askedEntry struct {
	asked Asked
	at    time.Time
}

// pricesEntry are the prices of an item as they were read. It does not change, but for refreshing.
type pricesEntry struct {
	prices     ItemPrices
	keys       []string // of the names that they are made of
	mark       uint64   // of the trades that they are made of
	at         time.Time
	validUntil time.Time
	many       bool

	refreshing bool // they are being read again
}

func (p *pricesInUse) get(id core.ItemID) (pricesEntry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	entry, known := p.items[id]
	return entry, known
}

func (p *pricesInUse) put(id core.ItemID, entry pricesEntry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.items == nil {
		p.items = map[core.ItemID]pricesEntry{}
	}
	if _, known := p.items[id]; !known && len(p.items) >= maxPricesInUse {
		for other := range p.items { // any of them
			delete(p.items, other)
			break
		}
	}
	p.items[id] = entry
}

// seen notes that nothing has changed up to a mark.
func (p *pricesInUse) seen(id core.ItemID, before, mark uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if entry, known := p.items[id]; known && entry.mark == before {
		entry.mark = mark
		p.items[id] = entry
	}
}

// refresh reports whether the caller is the one to read prices again. With false it ends that.
func (p *pricesInUse) refresh(id core.ItemID, begins bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	entry, known := p.items[id]
	if !known || entry.refreshing == begins {
		return false
	}
	entry.refreshing = begins
	p.items[id] = entry
	return true
}

func (p *pricesInUse) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.items = nil
}

// latestAsked returns the asked prices of an item with many buyers, when they were read lately.
func (p *pricesInUse) latestAsked(id core.ItemID, now time.Time) (Asked, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	entry, known := p.asked[id]
	return entry.asked, known && !now.Before(entry.at) && now.Sub(entry.at) < PricesFor
}

func (p *pricesInUse) putAsked(id core.ItemID, asked Asked, now time.Time) {
	if asked.Buyers < manyAsked {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked == nil || len(p.asked) >= maxPricesInUse {
		p.asked = map[core.ItemID]askedEntry{}
	}
	p.asked[id] = askedEntry{asked, now}
}
