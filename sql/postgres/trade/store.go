// Package trade stores orders, offers, sales, handovers, lists and terms.
package trade

import (
	"time"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/postgres/kernel"
)

// Store reads and writes orders, offers, sales and handovers.
type Store struct{ *kernel.DB }

// New returns the store of a connection.
func New(on *kernel.DB) *Store { return &Store{on} }

// Tx is the store inside a transaction.
type Tx struct {
	*kernel.Tx
	HandoverTx
	CrossingTx

	// The orders and offers that this transaction has locked or read, in their present state.
	locked map[core.OrderID]trade.Order
	offers map[core.OfferID]trade.Offer
	undone map[core.OfferID][]time.Time
}

// HandoverTx reads and writes handovers, and where traders meet, inside a transaction.
type HandoverTx struct{ *kernel.Tx }

// NewTx returns the store inside a transaction.
func NewTx(in *kernel.Tx) *Tx {
	t := &Tx{
		Tx: in, HandoverTx: HandoverTx{in}, locked: map[core.OrderID]trade.Order{},
		offers: map[core.OfferID]trade.Offer{}, undone: map[core.OfferID][]time.Time{},
	}
	t.CrossingTx = CrossingTx{Tx: in, on: t}
	return t
}
