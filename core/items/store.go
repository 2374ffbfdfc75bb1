package items

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/people"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	people.Store

	// Items returns the index of the items. It reads them only when they may have changed; the counts of
	// recent requests may be some minutes old.
	Items(ctx context.Context, forms core.TextForms, now time.Time) (*Index, error)
	// Fills returns the accepts of items with one of the folded names after a time, the latest first. It
	// leaves out accounts that are set aside and handovers that were not met. Those without a handover are
	// settled core.SettledAfter the accept.
	Fills(ctx context.Context, keys []string, since time.Time) ([]NamedFill, error)
	// LatestFills returns up to limit accepts after a time as Fills does, of any item with its folded name.
	LatestFills(ctx context.Context, since time.Time, limit int) ([]NamedFill, error)
	// FillsOf returns the accepts of a time, from since until before until, of any item. Of more than limit
	// accepts of the market the oldest are left out: the answer is complete from a time on.
	FillsOf(ctx context.Context, since, until time.Time, limit int) (fills []NamedFill, from time.Time,
		err error)
	// OpenByName counts the open requests of each name, of the limit names that have most.
	OpenByName(ctx context.Context, now time.Time, limit int) (map[string]int, error)
	// Cache returns the cache of the process, in which prices and odds are kept.
	Cache() *cache.Cache
	// Young reports whether the market is young, as it was computed last.
	Young(ctx context.Context) (bool, error)
	// Asked sums up the open requests for items with one of the folded names. It leaves out the requests of
	// user notOf; zero leaves out none.
	Asked(ctx context.Context, keys []string, notOf core.UserID, now time.Time) (Asked, error)
	// NamesAskedFor returns the names in open requests with what these pay, and the lowest price of the
	// latest trades after a time; when there are too many, the highest-paying ones.
	NamesAskedFor(ctx context.Context, now, since time.Time) ([]NameAskedFor, error)
	// AskedFrom returns up to limit open requests for items with one of the folded names that pay at least a
	// price for one.
	AskedFrom(ctx context.Context, keys []string, price core.Copper, now time.Time,
		limit int) ([]PricedOrder, error)
	// Outcomes returns the results of the latest requests that were posted after since and not after until,
	// for each of several groups of items: those with one of its folded names.
	Outcomes(ctx context.Context, groups [][]string, since, until time.Time) ([][]Outcome, error)
	// MarketOutcomes returns the same for any item.
	MarketOutcomes(ctx context.Context, since, until time.Time) ([]Outcome, error)
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	people.Tx

	// LockItems returns every item, in whatever state, and the latest import. Until the transaction ends,
	// other calls wait.
	LockItems(ctx context.Context) ([]Item, LatestImport, error)
	// SaveItems stores items with their names; items without an ID are new.
	SaveItems(ctx context.Context, items []Item, now time.Time) error
	AddImport(ctx context.Context, i LatestImport, now time.Time) error
	// CountNamed returns how many orders name an item as a text does, and by how many people. Until the
	// transaction ends, other calls for the same name wait.
	CountNamed(ctx context.Context, name string) (orders, people int, err error)
}
