// Package match reads the lists of orders and their counts, and stores saved searches, stock and
// alerts.
package match

import (
	"tradepost/core/cache"
	"tradepost/core/match"
	"tradepost/sql/postgres/kernel"
)

// Store reads and writes lists, counts, saved searches and stock.
type Store struct {
	*kernel.DB
	kept       keptTotals
	totals     *cache.Entry[openTotals]
	matches    cache.Entries[string, matches]
	categories cache.Entries[string, match.CategoryCounts]
	found      cache.Entries[string, found]
	vocabulary vocabulary
}

// New returns the store of a connection.
func New(on *kernel.DB) *Store {
	s := &Store{DB: on}
	s.found.Most = 100
	s.totals = cache.NewEntry[openTotals](on.Feed().Cache(), cache.Lists)
	s.vocabulary.entry = cache.NewEntry[readWords](on.Feed().Cache(), cache.Lists)
	return s
}

// Tx is the store inside a transaction.
type Tx struct{ *kernel.Tx }

// NewTx returns the store inside a transaction.
func NewTx(in *kernel.Tx) *Tx { return &Tx{in} }
