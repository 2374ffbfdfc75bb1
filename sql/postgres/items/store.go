// Package items stores the catalogue of items, and reads the trades and requests that prices are made of.
package items

import (
	"tradepost/core/cache"
	"tradepost/sql/postgres/kernel"
)

// Store reads and writes the catalogue and prices.
type Store struct {
	*kernel.DB
	items itemIndex
}

// New returns the store of a connection.
func New(on *kernel.DB) *Store {
	s := &Store{DB: on}
	s.items.entry = cache.NewEntry[readItems](on.Feed().Cache(), cache.Items)
	return s
}

// Cache returns the cache of the process.
func (s *Store) Cache() *cache.Cache { return s.Feed().Cache() }

// Tx is the store inside a transaction.
type Tx struct{ *kernel.Tx }

// NewTx returns the store inside a transaction.
func NewTx(in *kernel.Tx) *Tx { return &Tx{in} }
