// Package channels stores what is posted in Discord's channels and threads, and the deliveries of direct
// messages.
package channels

import (
	"tradepost/core"
	"tradepost/sql/postgres/kernel"
)

// Store reads and writes posts in Discord's channels and direct messages.
type Store struct {
	*kernel.DB
	ThreadStore
}

// ThreadStore reads and writes the threads of trades.
type ThreadStore struct{ *kernel.DB }

// New returns the store of a connection.
func New(on *kernel.DB) *Store { return &Store{on, ThreadStore{on}} }

// Tx is the store inside a transaction.
type Tx struct {
	*kernel.Tx
	given  map[core.NoticeID]*core.DeliveryID // the direct message that a locked notice was given to
	reader core.UserID                        // of the locked mailbox
}

// NewTx returns the store inside a transaction.
func NewTx(in *kernel.Tx) *Tx {
	return &Tx{Tx: in, given: map[core.NoticeID]*core.DeliveryID{}}
}
