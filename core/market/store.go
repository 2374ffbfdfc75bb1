package market

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// Store persists the market. It returns a NotFound error for a missing row, and translates a
// violated constraint into the Error it means; its other errors are its own.
type Store interface {
	// Atomically runs do in one transaction and commits when it returns nil. do may run again when the database asks
	// for it, so nothing but the transaction may come of it.
	Atomically(ctx context.Context, do func(Tx) error) error

	people.Store
	items.Store
	notify.Store
	trust.Store
	trade.Store
	match.Store
	moderation.Store
	channels.Store

	// SalesOf returns what a user has bought and sold, newest first, below the id before (zero: from the top). Sales of
	// deleted orders are among them.
	SalesOf(ctx context.Context, user core.UserID, before core.SaleID, limit int) ([]trade.Sale, error)
	// ExportRest returns what is stored about a user and read nowhere else.
	ExportRest(ctx context.Context, id core.UserID) (ExportedRest, error)
	Counts(ctx context.Context, id core.UserID, now time.Time) (Counts, error)
	// ReportsBy returns every report of a user, newest first.
	ReportsBy(ctx context.Context, reporter core.UserID) ([]moderation.Report, error)
	// RemovedOf returns what moderators removed of a user's and can still be restored, the latest first.
	RemovedOf(ctx context.Context, user core.UserID) ([]moderation.Removed, error)
}

// Tx is one transaction of the store.
type Tx interface {
	people.Tx
	items.Tx
	notify.Tx
	trust.Tx
	trade.Tx
	match.Tx
	moderation.Tx
	channels.Tx

	// OrdersAndOffersOf returns the orders and the open offers of a user.
	OrdersAndOffersOf(ctx context.Context, id core.UserID) ([]core.OrderID, []core.OfferID, error)
	// DeleteUser deletes a user with all their data, and removes their name from the data of others. What others have decided
	// about them is remembered for RememberFor, for when the same account signs in again, and so are the contacts that the
	// other sides of their accepts keep.
	DeleteUser(ctx context.Context, u people.User, now time.Time) error
	// SaveLeaving stores whether a locked user is leaving, and hides or shows their orders. One who is leaving is no longer named
	// in what others were told, except by the sides of their accepts.
	SaveLeaving(ctx context.Context, u people.User, now time.Time) error
	// AuditEntry returns an entry without the names. It returns NotFound.
	AuditEntry(ctx context.Context, id core.AuditID) (core.AuditEntry, error)
	// LockRemoval locks what is kept beside an entry. It returns NotFound when nothing is.
	LockRemoval(ctx context.Context, id core.AuditID) error
	// RestoreOrder adds the order that is kept beside a removal, with its sales but without offers, and keeps it no longer. It
	// is hidden when its owner is blocked now.
	RestoreOrder(ctx context.Context, removal core.AuditEntry) error
	// RestoreOffer adds the offer that is kept beside a removal, and keeps it no longer.
	RestoreOffer(ctx context.Context, removal core.AuditEntry, now time.Time) error
	TakeDecidedItem(ctx context.Context, id core.AuditID) (moderation.DecidedItem, error)
	// PlanTradeThread plans the thread of a sale that this transaction has added, where its order was shown or posted in a server.
	PlanTradeThread(ctx context.Context, sale core.SaleID, order core.OrderID, now time.Time) error
}
