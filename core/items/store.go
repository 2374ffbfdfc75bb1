package items

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/people"
)

// Store reads what this package shows. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	people.Store

	// Items returns the index of the items. It reads them only when they may have changed; what is asked for lately may be that of
	// some minutes ago.
	Items(ctx context.Context, forms core.TextForms, now time.Time) (*ItemIndex, error)
	// Fills returns the accepts of what has one of the folded names after a time, the latest first, without those of accounts that are
	// set aside.
	Fills(ctx context.Context, keys []string, since time.Time) ([]Fill, error)
	// TradedSince says which trades have changed since a mark that it returned earlier; of an unknown mark, such as zero, any may have.
	TradedSince(ctx context.Context, mark uint64) core.TradedSince
	// CountEstablished returns how many established traders there are who are not set aside.
	CountEstablished(ctx context.Context) (int, error)
	// Asked sums up the open requests for what has one of the folded names, without those of one user; zero for nobody.
	Asked(ctx context.Context, keys []string, notOf core.UserID, now time.Time) (Asked, error)
	// NamesAskedFor returns the names in open requests with what these pay, and the lowest price of the latest trades after a time; of many
	// those that pay most.
	NamesAskedFor(ctx context.Context, now, since time.Time) ([]NameAskedFor, error)
	// AskedFrom returns the open requests for what has one of the folded names that pay a price for one or more, up to limit.
	AskedFrom(ctx context.Context, keys []string, price core.Copper, now time.Time, limit int) ([]PricedOrder, error)
	// Outcomes returns what happened in the latest requests for what has one of the folded names, with nil for anything, that were posted
	// after a time and not after another.
	Outcomes(ctx context.Context, keys []string, since, until time.Time) ([]Outcome, error)
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	people.Tx

	// LockItems returns every item, in whatever state, and the latest import. Until the transaction ends, other calls wait.
	LockItems(ctx context.Context) ([]Item, LatestImport, error)
	// SaveItems stores items with their names; those without a number are new.
	SaveItems(ctx context.Context, items []Item, now time.Time) error
	AddImport(ctx context.Context, i LatestImport, now time.Time) error
	// CountNamed returns how many orders name an item as a text does, and by how many people. Until the transaction ends, other
	// calls for the same name wait.
	CountNamed(ctx context.Context, name string) (orders, people int, err error)
}
