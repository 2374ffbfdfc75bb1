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
	"tradepost/core/webhook"
)

// Store persists the market. It returns a NotFound error for a missing row, and translates a
// violated constraint into the Error it means; its other errors are its own.
type Store interface {
	// Atomically runs do in one transaction and commits when it returns nil. do may run again when the
	// database asks for it, so nothing but the transaction may come of it.
	Atomically(ctx context.Context, do func(Tx) error) error

	people.Store
	items.Store
	notify.Store
	trust.Store
	trade.Store
	webhook.Store
	match.Store
	moderation.Store
	channels.Store

	// SalesOf returns a user's purchases and sales, newest first, below the id before (zero: from the top).
	// It includes sales of deleted orders.
	SalesOf(ctx context.Context, user core.UserID, before core.SaleID, limit int) ([]trade.Sale, error)
	// ExportRest returns the stored data about a user that no other method reads.
	ExportRest(ctx context.Context, id core.UserID) (ExportedRest, error)
	Counts(ctx context.Context, q CountsQuery) (Counts, error)
	// ReportsBy returns every report of a user, newest first.
	ReportsBy(ctx context.Context, reporter core.UserID) ([]moderation.Report, error)
	// RemovedOf returns a user's orders, offers and listings that moderators removed and can still restore,
	// the latest first.
	RemovedOf(ctx context.Context, user core.UserID) ([]moderation.Removed, error)
}

// Tx is one transaction of the store.
type Tx interface {
	people.Tx
	items.Tx
	notify.Tx
	trust.Tx
	trade.Tx
	webhook.Tx
	match.Tx
	moderation.Tx
	channels.Tx

	// OrdersAndOffersOf returns the orders and the open offers of a user.
	OrdersAndOffersOf(ctx context.Context, id core.UserID) ([]core.OrderID, []core.OfferID, error)
	// DeleteUser deletes a user with all their data, and removes their name from the data of others. It
	// keeps other users' decisions about them for RememberFor, in case the same account signs in again, and
	// also the contacts that the other sides of their accepts keep.
	DeleteUser(ctx context.Context, u people.User, now time.Time) error
	// SaveLeaving stores whether a locked user is leaving, and hides or shows their orders. A leaving user
	// is no longer named in other users' notices, except for the sides of their accepts.
	SaveLeaving(ctx context.Context, u people.User, now time.Time) error
	// AuditEntry returns an entry without the names. It returns NotFound.
	AuditEntry(ctx context.Context, id core.AuditID) (core.AuditEntry, error)
	// LockRemoval locks the removed data that is stored beside an entry. It returns NotFound when there is
	// none.
	LockRemoval(ctx context.Context, id core.AuditID) error
	// RestoreOrder adds the order that is kept beside a removal, with its sales but without offers, and
	// keeps it no longer. It is hidden when its owner is blocked now.
	RestoreOrder(ctx context.Context, removal core.AuditEntry) error
	// RestoreOffer adds the offer that is kept beside a removal, and keeps it no longer.
	RestoreOffer(ctx context.Context, removal core.AuditEntry, now time.Time) error
	TakeDecidedItem(ctx context.Context, id core.AuditID) (moderation.DecidedItem, error)
	// TakeRemovedListing returns the stock that is kept beside a removal, as it was for sale, and keeps it
	// no longer.
	TakeRemovedListing(ctx context.Context, id core.AuditID) (match.Stock, error)
	// MarkNamesAgain takes back what a moderator allowed with an entry. It returns NotFound when there is
	// nothing to take back.
	MarkNamesAgain(ctx context.Context, entry core.AuditEntry) error
	// PlanTradeThread plans the thread of a sale that this transaction has added, where its order was shown
	// or posted in a server.
	PlanTradeThread(ctx context.Context, sale core.SaleID, order core.OrderID, now time.Time) error
}
