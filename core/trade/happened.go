package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/trust"
)

// Happened receives the events of a transaction of trade. Its methods only add to that transaction.
type Happened interface {
	Posted(ctx context.Context, p Posting, now time.Time) error
	// Edited follows an edit, which may have changed the order's texts or numbers. alerts says whether others
	// are to be alerted to that.
	Edited(ctx context.Context, before, after Order, alerts bool, now time.Time) error
	// Renewed follows an order that had expired and is open again.
	Renewed(ctx context.Context, o Order, now time.Time) error
	// OfferSent follows an offer, with its seller's reach.
	OfferSent(ctx context.Context, o Order, offer Offer, seller trust.Reach, now time.Time) error
	Accepted(ctx context.Context, a Acceptance, items *items.Index, now time.Time) error
	// Closed follows an order that was closed other than by an accept: all of it was sold, or its buyer
	// closed it.
	Closed(ctx context.Context, o Order, now time.Time) error
	// Stands follows a change after which an order may trade with listings that sell without asking:
	// LockForOrder has locked them.
	Stands(ctx context.Context, actor core.Actor, o Order, items *items.Index, now time.Time) (Crossed, error)
	// ListingStands follows a change after which a listing may sell without asking: LockForUndo has locked
	// the orders of its item.
	ListingStands(ctx context.Context, actor core.Actor, listing core.StockID, itemName string,
		items *items.Index, now time.Time) error
	// Reversed follows the undo of a sale, or its reversal with a cancelled handover. Its order may be
	// deleted.
	Reversed(ctx context.Context, sale core.SaleID) error
}

// Scope is one transaction of trade.
type Scope struct {
	Tx
	Happened
}

// Crossed is an order after Stands.
type Crossed struct {
	Order    Order
	Standing StandingAcceptance // zero where nothing was traded
}

// Posting contains the orders that were posted at once: a single one, or a list's.
type Posting struct {
	Orders []Order
	Asked  core.StockID // the stock that the buyer asks for; zero for none
	Items  *items.Index // as it was when the transaction began
}
