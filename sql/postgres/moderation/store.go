// Package moderation stores reports, removals, blocks of users, and the log of moderation.
package moderation

import "tradepost/sql/postgres/kernel"

// Store reads and writes reports, removals, blocks and the log.
type Store struct{ *kernel.DB }

// New returns the store of a connection.
func New(on *kernel.DB) *Store { return &Store{on} }

// Tx is the store inside a transaction.
type Tx struct{ *kernel.Tx }

// NewTx returns the store inside a transaction.
func NewTx(in *kernel.Tx) *Tx { return &Tx{in} }
