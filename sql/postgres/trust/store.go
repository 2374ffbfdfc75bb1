// Package trust stores established traders, rings and blocked sellers, and reads the records of traders.
package trust

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/trust"
	"tradepost/sql/postgres/kernel"
)

// Store reads and writes established traders, rings and blocked sellers.
type Store struct{ *kernel.DB }

// New returns the store of a connection.
func New(on *kernel.DB) *Store { return &Store{on} }

// Tx is the store inside a transaction.
type Tx struct{ *kernel.Tx }

// NewTx returns the store inside a transaction.
func NewTx(in *kernel.Tx) *Tx { return &Tx{in} }

// ReachOf returns the reach of a user, with the people reached since a time.
func (t *Tx) ReachOf(ctx context.Context, user core.UserID, since time.Time) (trust.Reach, error) {
	row, err := t.Q.ReachOf(ctx, since, int64(user))
	return trust.Reach{Since: row.Since, Trust: row.Trust, Stopped: row.Stopped,
		Reached: kernel.IDs[core.UserID](row.Reached)}, kernel.Translate(err)
}
