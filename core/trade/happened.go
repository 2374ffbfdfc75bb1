package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/items"
)

// Happened is told what happened in a transaction of trade. What follows from it only adds to that transaction.
type Happened interface {
	Posted(ctx context.Context, p Posting, now time.Time) error
	// Edited follows an order whose texts or numbers may have changed.
	Edited(ctx context.Context, before, after Order, now time.Time) error
	// Renewed follows an order that had expired and is open again.
	Renewed(ctx context.Context, o Order, now time.Time) error
	OfferSent(ctx context.Context, o Order, offer Offer, now time.Time) error
	Accepted(ctx context.Context, a Acceptance, items *items.ItemIndex, now time.Time) error
	// Closed follows an order that was closed other than by an accept, because its whole quantity was sold or its buyer closed it.
	Closed(ctx context.Context, o Order, now time.Time) error
}

// Scope is one transaction of trade.
type Scope struct {
	Tx
	Happened
}

// Posting is what was posted at once: an order, or those of a list.
type Posting struct {
	Orders []Order
	Asked  core.StockID     // the stock that the buyer asks for; zero for none
	Items  *items.ItemIndex // as it was when the transaction began
}
