// Package cache keeps values read from the database in memory until the market changes.
//
// A process has one Cache and any number of entries in it, each with one value: the response to a request,
// the counts of a filter, or the prices of an item. The change feed (sql/changefeed) calls Changed for every
// change: for a change of this process before its write is acknowledged, for a change of another replica as
// soon as the feed has read it. It calls UpToDate after each read.
//
// An entry's value is fresh while
//
//   - nothing in its scope has changed since its load began,
//   - the time until which it is valid has not come: orders expire without a change, and
//   - it was loaded, or the feed was up to date, within maxBehind. So a lost connection of the
//     feed costs no correctness: a value is then used for that long at most.
//
// A load that began before a change is never taken for one after it. Only a fresh value is used, unless the
// caller asks for an old one, by Latest, Unchanged or Within, and says how old it may be.
package cache

import (
	"context"
	"sync/atomic"
	"time"

	"tradepost/core"
)

// Scope says which changes make a value stale.
type Scope int

// The scopes.
const (
	Orders Scope = iota // any order was posted, changed or deleted
	Lists               // orders joined or left a list: a sale that leaves an order open changes none
	Items               // items were added or changed
	Never               // no change does: only time
	scopes
)

// maxBehind is how far a value may be behind the database: two polls of the change feed.
const maxBehind = 400 * time.Millisecond

// Cache decides which of its entries are fresh. It is safe for concurrent use.
type Cache struct {
	versions [scopes]atomic.Uint64
	upToDate atomic.Pointer[time.Time] // nil before the feed was read; until then nothing is fresh
	catchUp  func(context.Context)
	traded   traded
}

// New returns an empty cache. catchUp is called before a load: it has an idle change feed read new changes.
// Nil does nothing.
func New(catchUp func(context.Context)) *Cache {
	if catchUp == nil {
		catchUp = func(context.Context) {}
	}
	return &Cache{catchUp: catchUp}
}

// Changed makes every value stale that a change concerns. Only the change feed calls it.
func (c *Cache) Changed(change core.Change) {
	if change.Resync || change.Items || len(change.Orders) > 0 { // an order shows which item it names
		c.versions[Orders].Add(1)
	}
	if change.Resync || change.Lists {
		c.versions[Lists].Add(1)
	}
	if change.Resync || change.Items {
		c.versions[Items].Add(1)
	}
	c.traded.add(change.Traded, change.Resync || change.AnyTraded)
}

// UpToDate says that Changed was called for everything that was committed before a moment. Only the change
// feed calls it.
func (c *Cache) UpToDate(at time.Time) { c.upToDate.Store(&at) }

// isCurrent reports whether Changed was called for every change since a load began. Changes of the last
// maxBehind may be missing.
func (c *Cache) isCurrent(began time.Time) bool {
	upToDate := c.upToDate.Load()
	return upToDate != nil && (time.Since(began) < maxBehind || time.Since(*upToDate) < maxBehind)
}
