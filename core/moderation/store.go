package moderation

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	trade.Store

	// AuditEntries returns the moderators' actions, newest first, below the id before (zero: from the top).
	// Undoable reports whether the data that an entry removed is still stored.
	AuditEntries(ctx context.Context, before core.AuditID, limit int) ([]core.AuditEntry, error)
	// OpenReports returns reports that no moderator has settled, newest first, below the id before (zero:
	// from the top). Reports about one thing are one entry: the newest, with the count and the reasons of
	// all.
	OpenReports(ctx context.Context, before core.ReportID, limit int) ([]Report, error)
	// OpenReport returns the entry of OpenReports for a report's target. It returns NotFound when no report
	// about it is open.
	OpenReport(ctx context.Context, id core.ReportID) (Report, error)
	// BlockedUsers returns users who are blocked, the latest first.
	BlockedUsers(ctx context.Context, limit int) ([]people.User, error)
	// Reaching returns the users with a stopped reach, and those with so many people messaged by their acts
	// since a time; of both the farthest reaching first.
	Reaching(ctx context.Context, since time.Time, atLeast, limit int) ([]Reaching, error)
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	trade.Tx
	match.ListingTx

	// SaveBlock stores whether a locked user is blocked, and hides or shows their orders.
	SaveBlock(ctx context.Context, u people.User, now time.Time) error
	// StopReach stores that a locked user's acts send no messages. Notices of these acts that are in no
	// message yet are in the readers' inbox only.
	StopReach(ctx context.Context, id core.UserID, now time.Time) error
	// AllowReach ends that.
	AllowReach(ctx context.Context, id core.UserID) error
	// LockRemovals returns how many orders, offers and listings a moderator removed after a time, including
	// in this transaction. Until the transaction ends, other calls for the moderator wait.
	LockRemovals(ctx context.Context, moderator core.UserID, since time.Time) (int, error)
	// ModeratorsToAlert returns the users with one of the Discord accounts, or with one of the roles seen
	// after roleSince, except the remover, who have no NoticeManyRemovals about the remover that was
	// created after noticeSince.
	ModeratorsToAlert(ctx context.Context, m people.Moderators, remover core.UserID, roleSince,
		noticeSince time.Time) ([]core.UserID, error)
	// SaveRemovedOrder stores a locked order as it is, with its sales, beside the entry that this
	// transaction added last.
	SaveRemovedOrder(ctx context.Context, id core.OrderID, now time.Time) error
	SaveRemovedOffer(ctx context.Context, id core.OfferID, now time.Time) error
	SaveRemovedListing(ctx context.Context, id core.StockID, now time.Time) error
	// OpenReportsBy returns a user's reports that no moderator has settled, and their latest reports that a
	// quota counts, newest first. Another by the same user waits until the transaction ends.
	OpenReportsBy(ctx context.Context, reporter core.UserID, q core.Quotas) (open, latest []Report, err error)
	AddReport(ctx context.Context, r Report) (core.ReportID, error)
	// IsReported reports whether an open report is about the target of a new one.
	IsReported(ctx context.Context, r Report) (bool, error)
	// Report returns a report in any state without a lock.
	Report(ctx context.Context, id core.ReportID) (Report, error)
	LockReport(ctx context.Context, id core.ReportID) (Report, error)
	// TradesOn reports whether a user has an open offer or a sale on an order, or asks for some of a listing
	// or has bought of it.
	TradesOn(ctx context.Context, about ReportTarget, user core.UserID) (bool, error)
	// SettleReport stores the state of a locked report, and who decided on it, with all open ones about the
	// same.
	SettleReport(ctx context.Context, r Report, by core.UserID, now time.Time) error
	// ActOnReports ends the open reports about something as acted on.
	ActOnReports(ctx context.Context, about ReportTarget, by core.UserID, now time.Time) error
	// AllowNames stores names that a moderator allows on an order, or on its offer, beside the entry that
	// this transaction added last. Cards of the order are drawn again. It reports false when all were allowed
	// before: another process may have heard of it already.
	AllowNames(
		ctx context.Context, order core.OrderID, names []trust.AllowedName, now time.Time,
	) (bool, error)
	// SaveDecidedItem stores the changes of a decision beside the entry that this transaction added last.
	// TakeDecidedItem returns an entry's changes, once; NotFound when none are stored.
	SaveDecidedItem(ctx context.Context, d DecidedItem, now time.Time) error
}
