package notify

import (
	"slices"
	"time"

	"tradepost/core"
)

// BatchLimits returns how many notices of the kind one message contains, and for how long after
// its ping others are added to it.
func (k NoticeKind) BatchLimits() (most int, within time.Duration) {
	switch k {
	case NoticeOfferReceived:
		return MaxBatch, BatchWindow
	case NoticeRequestWatched:
		return MaxAlertBatch, 0
	case NoticeHandoverPrompt:
		return MaxBatch, HandoverBatchWindow
	case NoticeOrderExpiring, NoticeOfferLapsed, NoticeReportReceived, NoticeStockStale:
		return MaxExpiryBatch, ExpiryBatchWindow
	case NoticeOfferAccepted, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOrderFilled,
		NoticeOrderRemoved, NoticeOfferRemoved,
		NoticeOrderRestored, NoticeOfferRestored, NoticeOfferReopened,
		NoticeUserBlocked, NoticeManyRemovals, NoticeReportChannelEnded, NoticeBoardEnded, NoticeLookAlike,
		NoticeOfferTimedOut, NoticeHandoverCancelled,
		NoticeHandoverDisputed, NoticeHandoverSettled, NoticeDisputeReceived, NoticeStandingAccepted,
		NoticeDMFailed, NoticeTest, NoticeDigest:
	}
	return 1, 0
}

// MutableKinds lists the kinds of notice that a user may turn off. It leaves out kinds of features that are
// off and, unless moderator is set, kinds that only moderators get.
func MutableKinds(f core.Features, moderator bool) []NoticeKind {
	return slices.DeleteFunc(slices.Clone(MutableNoticeKinds), func(k NoticeKind) bool {
		switch k {
		case NoticeReportReceived:
			return !moderator
		case NoticeDisputeReceived:
			return !moderator || !f.Handover
		case NoticeRequestWatched:
			return !f.Alerts()
		case NoticeStockStale:
			return !f.Stock
		case NoticeStandingAccepted:
			return !f.Records
		case NoticeOfferTimedOut, NoticeHandoverPrompt, NoticeHandoverCancelled, NoticeHandoverDisputed,
			NoticeHandoverSettled:
			return !f.Handover
		default:
			return false
		}
	})
}

// NoticeKind is the kind of event that a notice is about.
type NoticeKind string

// The kinds of notice, each with its reader.
const (
	NoticeOfferReceived  NoticeKind = "offer_received"  // the buyer: a new offer
	NoticeOfferAccepted  NoticeKind = "offer_accepted"  // the seller: the buyer accepted some of it
	NoticeOfferDeclined  NoticeKind = "offer_declined"  // the seller: the buyer deleted it
	NoticeOfferWithdrawn NoticeKind = "offer_withdrawn" // the buyer: the seller withdrew it
	// the seller: its order closed, expired or was deleted
	NoticeOfferLapsed   NoticeKind = "offer_lapsed"
	NoticeOrderFilled   NoticeKind = "order_filled"   // the buyer: the whole quantity was sold
	NoticeOrderExpiring NoticeKind = "order_expiring" // the buyer: seven days are left
	NoticeOrderRemoved  NoticeKind = "order_removed"  // the buyer: a moderator removed the request
	NoticeOfferRemoved  NoticeKind = "offer_removed"  // the seller: a moderator removed the offer
	// the buyer: a moderator undid the removal of the request
	NoticeOrderRestored NoticeKind = "order_restored"
	// the seller: a moderator undid the removal of the offer
	NoticeOfferRestored NoticeKind = "offer_restored"
	NoticeOfferReopened NoticeKind = "offer_reopened" // the other side of an offer: its end was undone
	NoticeUserBlocked   NoticeKind = "user_blocked"   // the blocked user
	// a moderator: another one removed many things within a minute
	NoticeManyRemovals NoticeKind = "many_removals"
	// a moderator: something was reported that no open report is about
	NoticeReportReceived NoticeKind = "report_received"
	// NoticeReportChannelEnded tells a moderator that reports no longer arrive in their channel; Name is
	// its Discord id.
	NoticeReportChannelEnded NoticeKind = "report_channel_ended"
	// NoticeBoardEnded tells who made a board that it ended with its channel or server; Name is the
	// channel's Discord id.
	NoticeBoardEnded NoticeKind = "board_ended"
	// NoticeLookAlike warns an established trader of a name (Name) on a request or an offer that looks like
	// theirs.
	NoticeLookAlike NoticeKind = "look_alike"
	// NoticeStockStale asks a seller whether something of their stock is still there.
	NoticeStockStale NoticeKind = "stock_stale"
	// NoticeRequestWatched alerts a user to a request that fits one of their saved searches, of which Name
	// is the name, or their stock.
	NoticeRequestWatched NoticeKind = "request_watched"
	// NoticeOfferTimedOut tells the buyer that an offer lapsed that they did not answer.
	NoticeOfferTimedOut NoticeKind = "offer_timed_out"
	// a side: did you meet? The second one is the reminder
	NoticeHandoverPrompt    NoticeKind = "handover_prompt"
	NoticeHandoverCancelled NoticeKind = "handover_cancelled" // a side: it did not happen
	NoticeHandoverDisputed  NoticeKind = "handover_disputed"  // a side: the other contradicts them
	NoticeHandoverSettled   NoticeKind = "handover_settled"   // both sides: a moderator settled the dispute
	NoticeDisputeReceived   NoticeKind = "dispute_received"   // a moderator: two sides contradict each other
	// the buyer: an offer was accepted by their standing acceptance
	NoticeStandingAccepted NoticeKind = "standing_accepted"
	// any user: a direct message failed; shown on the web only
	NoticeDMFailed NoticeKind = "dm_failed"
	NoticeTest     NoticeKind = "test" // the user who asked for it
)

// NoticeKinds lists every kind.
var NoticeKinds = []NoticeKind{
	NoticeOfferReceived, NoticeOfferAccepted, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOfferLapsed,
	NoticeOrderFilled, NoticeOrderExpiring, NoticeOrderRemoved, NoticeOfferRemoved,
	NoticeOrderRestored, NoticeOfferRestored, NoticeOfferReopened, NoticeUserBlocked, NoticeManyRemovals,
	NoticeReportReceived, NoticeReportChannelEnded,
	NoticeBoardEnded,
	NoticeLookAlike, NoticeStockStale, NoticeRequestWatched, NoticeOfferTimedOut, NoticeHandoverPrompt,
	NoticeHandoverCancelled, NoticeHandoverDisputed, NoticeHandoverSettled,
	NoticeDisputeReceived, NoticeStandingAccepted, NoticeDMFailed, NoticeTest,
}

// NoticeState says how far the delivery of a notice by direct message has come.
type NoticeState string

// The states of a notice. All but the first are ends.
const (
	NoticePending   NoticeState = "pending"
	NoticeDelivered NoticeState = "delivered"
	NoticeRefused   NoticeState = "refused" // Reason is Discord's error, or names the reader's settings
	NoticeExpired   NoticeState = "expired" // not delivered in time, or no longer relevant
)

// NoticeStates lists every state.
var NoticeStates = []NoticeState{NoticePending, NoticeDelivered, NoticeRefused, NoticeExpired}

// Notice informs a user of an event on their orders and offers. It contains all it needs, so that
// it can be read after the order or offer is gone.
type Notice struct {
	ID        core.NoticeID
	User      core.UserID // its reader
	Kind      NoticeKind
	OrderID   core.OrderID // zero for none
	OfferID   core.OfferID // zero for none
	Sale      core.SaleID  // the sale of the handover that it is about; zero for none
	CausedBy  core.UserID  // zero for a visitor, a moderator and the market itself
	ItemName  string
	Quantity  int         // offered, accepted or sold, depending on the kind
	Price     core.Copper // for one
	Name      string      // the other side
	Contact   string      // the other side's Discord username
	Message   string      // the seller's words, or why something ended
	State     NoticeState
	Reason    string
	CreatedAt time.Time
	SettledAt time.Time // when the state became an end; zero while pending
	ReadAt    time.Time // zero while unread

	Search    core.SearchID // of a NoticeRequestWatched, with a bell; it may be gone; zero for stock
	HoldUntil time.Time     // not sent before; zero for at once

	LookAlike core.LookAlike // of Contact and Name, where they are the other side's; set in a list of notices

	// Offer is the present state of the offer of a NoticeOfferReceived, in a list of notices; nil elsewhere.
	Offer *OfferNow
}

// OfferNow is the present state of an offer that a notice is about.
type OfferNow struct {
	Open     bool
	Accepted int // of it, so far
}

// NoticePage is part of a user's notices, newest first.
type NoticePage struct {
	Notices []Notice
	Unread  int
	Next    core.NoticeID // ask for those before it; zero on the last page
}
