// Package notify stores notices and mailboxes.
package notify

import "tradepost/sql/postgres/kernel"

// Store reads and writes notices and mailboxes.
type Store struct{ *kernel.DB }

// New returns the store of a connection.
func New(on *kernel.DB) *Store { return &Store{on} }

// Tx is the store inside a transaction.
type Tx struct{ *kernel.Tx }

// NewTx returns the store inside a transaction.
func NewTx(in *kernel.Tx) *Tx { return &Tx{in} }
