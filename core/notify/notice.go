package notify

import (
	"slices"
	"time"

	"tradepost/core"
)

// BatchLimits returns how many notices of the kind one message contains, and for how long after
// its ping others are added to it.
func (k Kind) BatchLimits() (most int, within time.Duration) {
	switch k {
	case NoticeOfferReceived:
		return MaxBatch, BatchWindow
	case NoticeRequestWatched:
		return MaxAlertBatch, 0
	case NoticeHandoverPrompt, NoticeMeetingSoon:
		return MaxBatch, HandoverBatchWindow
	case NoticeOrderExpiring, NoticeOfferLapsed, NoticeReportReceived, NoticeStockStale, NoticeAskEnded:
		return MaxExpiryBatch, ExpiryBatchWindow
	case NoticeListingSold, NoticeAskReceived: // of one buyer, whose plan writes all of them at once
		return MaxGathered, 0
	case NoticeOfferAccepted, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOrderFilled,
		NoticeOrderRemoved, NoticeOfferRemoved,
		NoticeOrderRestored, NoticeOfferRestored, NoticeOfferReopened, NoticeListingRemoved,
		NoticeListingRestored,
		NoticeUserBlocked, NoticeManyRemovals, NoticeReportChannelEnded, NoticeBoardEnded, NoticeLookAlike,
		NoticeRoleGiven, NoticeRoleTaken, NoticeRoleTrouble, NoticeTokenMade, NoticeWebhookOff,
		NoticeOfferTimedOut, NoticeHandoverCancelled,
		NoticeHandoverDisputed, NoticeHandoverSettled, NoticeDisputeReceived, NoticeStandingAccepted,
		NoticeMeetingTime,
		NoticeAskAccepted, NoticeCrossingUndone,
		NoticeDMFailed, NoticeTest, NoticeDigest:
	}
	return 1, 0
}

// PairKinds returns the kinds of message that share one quota of DMPair with messages of kind k; none for
// notices that no other person causes. Accepted offers have a quota to themselves on each side, so that
// nothing else uses it up.
func (k Kind) PairKinds() []Kind {
	switch k {
	case NoticeOfferAccepted:
		return []Kind{NoticeOfferAccepted}
	case NoticeStandingAccepted:
		return []Kind{NoticeStandingAccepted}
	case NoticeListingSold, NoticeCrossingUndone:
		return []Kind{NoticeListingSold, NoticeCrossingUndone}
	case NoticeAskAccepted:
		return []Kind{NoticeAskAccepted}
	case NoticeMeetingTime:
		return []Kind{NoticeMeetingTime}
	case NoticeAskReceived, NoticeAskEnded:
		return []Kind{NoticeAskReceived, NoticeAskEnded}
	case NoticeOfferReceived, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOfferLapsed,
		NoticeOfferReopened:
		return []Kind{NoticeOfferReceived, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOfferLapsed,
			NoticeOfferReopened}
	case NoticeOrderFilled, NoticeOrderExpiring, NoticeOrderRemoved, NoticeOfferRemoved, NoticeOrderRestored,
		NoticeOfferRestored, NoticeListingRemoved, NoticeListingRestored,
		NoticeUserBlocked, NoticeManyRemovals, NoticeReportReceived,
		NoticeReportChannelEnded, NoticeBoardEnded, NoticeRoleGiven, NoticeRoleTaken, NoticeRoleTrouble,
		NoticeTokenMade, NoticeWebhookOff, NoticeMeetingSoon,
		NoticeLookAlike, NoticeStockStale, NoticeRequestWatched, NoticeOfferTimedOut, NoticeHandoverPrompt,
		NoticeHandoverCancelled, NoticeHandoverDisputed, NoticeHandoverSettled,
		NoticeDisputeReceived, NoticeDMFailed, NoticeTest, NoticeDigest:
	}
	return nil
}

// AllMutableKinds lists the kinds of notice that a user may turn off.
var AllMutableKinds = []Kind{
	NoticeOfferReceived, NoticeOfferAccepted, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOfferLapsed,
	NoticeOfferReopened,
	NoticeOrderFilled, NoticeOrderExpiring,
	NoticeStockStale,
	NoticeRequestWatched,
	NoticeAskReceived, NoticeAskAccepted, NoticeAskEnded, NoticeListingSold, NoticeCrossingUndone,
	NoticeOfferTimedOut, NoticeStandingAccepted, NoticeHandoverPrompt, NoticeHandoverCancelled,
	NoticeHandoverDisputed, NoticeHandoverSettled, NoticeMeetingTime,
	NoticeLookAlike,
	NoticeReportReceived, NoticeDisputeReceived,
}

// AlwaysSentKinds lists the kinds of notice that no user may turn off: moderators' decisions about
// them, notices to moderators about the moderation itself, the end of one of their boards, the role that a
// server gives or takes, a token that is made for them, their webhook that is off, the time to meet that they
// have agreed on, and
// notices that are no message or that the user asked for.
var AlwaysSentKinds = []Kind{
	NoticeOrderRemoved, NoticeOfferRemoved, NoticeOrderRestored, NoticeOfferRestored,
	NoticeListingRemoved, NoticeListingRestored, NoticeUserBlocked,
	NoticeManyRemovals, NoticeReportChannelEnded, NoticeBoardEnded,
	NoticeRoleGiven, NoticeRoleTaken, NoticeRoleTrouble, NoticeTokenMade, NoticeWebhookOff,
	NoticeMeetingSoon, NoticeDMFailed, NoticeTest,
}

// MutableKinds lists the kinds of notice that a user may turn off. It leaves out kinds of features that are
// off and, unless moderator is set, kinds that only moderators get.
func MutableKinds(f core.Features, moderator bool) []Kind {
	return slices.DeleteFunc(slices.Clone(AllMutableKinds), func(k Kind) bool {
		switch k {
		case NoticeReportReceived:
			return !moderator
		case NoticeDisputeReceived:
			return !moderator || !f.Handover
		case NoticeRequestWatched:
			return !f.Alerts()
		case NoticeStockStale:
			return !f.Stock
		case NoticeAskReceived, NoticeAskAccepted, NoticeAskEnded:
			return !f.Listings
		case NoticeListingSold, NoticeCrossingUndone:
			return !f.Crossing
		case NoticeStandingAccepted:
			return !f.Records
		case NoticeOfferTimedOut, NoticeHandoverPrompt, NoticeHandoverCancelled, NoticeHandoverDisputed,
			NoticeHandoverSettled:
			return !f.Handover
		case NoticeMeetingTime:
			return !f.Hours
		default:
			return false
		}
	})
}

// Kind is the kind of event that a notice is about.
type Kind string

// The kinds of notice, each with its reader.
const (
	NoticeOfferReceived  Kind = "offer_received"  // the buyer: a new offer
	NoticeOfferAccepted  Kind = "offer_accepted"  // the seller: the buyer accepted some of it
	NoticeOfferDeclined  Kind = "offer_declined"  // the seller: the buyer deleted it
	NoticeOfferWithdrawn Kind = "offer_withdrawn" // the buyer: the seller withdrew it
	// the seller: its order closed, expired or was deleted
	NoticeOfferLapsed   Kind = "offer_lapsed"
	NoticeOrderFilled   Kind = "order_filled"   // the buyer: the whole quantity was sold
	NoticeOrderExpiring Kind = "order_expiring" // the buyer: seven days are left
	NoticeOrderRemoved  Kind = "order_removed"  // the buyer: a moderator removed the request
	NoticeOfferRemoved  Kind = "offer_removed"  // the seller: a moderator removed the offer
	// the buyer: a moderator undid the removal of the request
	NoticeOrderRestored Kind = "order_restored"
	// the seller: a moderator undid the removal of the offer
	NoticeOfferRestored Kind = "offer_restored"
	// the seller: a moderator took a listing off sale, or undid that
	NoticeListingRemoved  Kind = "listing_removed"
	NoticeListingRestored Kind = "listing_restored"

	NoticeOfferReopened Kind = "offer_reopened" // the other side of an offer: its end was undone
	NoticeUserBlocked   Kind = "user_blocked"   // the blocked user
	// a moderator: another one removed many things within a minute
	NoticeManyRemovals Kind = "many_removals"
	// a moderator: something was reported that no open report is about
	NoticeReportReceived Kind = "report_received"
	// NoticeReportChannelEnded tells a moderator that reports no longer arrive in their channel; Name is
	// its Discord id.
	NoticeReportChannelEnded Kind = "report_channel_ended"
	// NoticeBoardEnded tells who made a board that it ended with its channel or server; Name is the
	// channel's Discord id.
	NoticeBoardEnded Kind = "board_ended"
	// NoticeRoleGiven tells an established trader that the server Name gave them the role ItemName.
	NoticeRoleGiven Kind = "role_given"
	// NoticeRoleTaken tells someone who is no established trader any more that the server took the role.
	NoticeRoleTaken Kind = "role_taken"
	// NoticeRoleTrouble tells the manager who named a role why the bot cannot give it.
	NoticeRoleTrouble Kind = "role_trouble"
	// NoticeLookAlike warns an established trader of a name (Name) on a request or an offer that looks like
	// theirs.
	NoticeLookAlike Kind = "look_alike"
	// NoticeStockStale asks a seller whether something of their stock is still there.
	NoticeStockStale Kind = "stock_stale"
	// NoticeRequestWatched alerts a user to a request that fits one of their saved searches, of which Name
	// is the name, or their stock.
	NoticeRequestWatched Kind = "request_watched"
	// NoticeOfferTimedOut tells the buyer that an offer lapsed that they did not answer.
	NoticeOfferTimedOut Kind = "offer_timed_out"
	// a side: did you meet? The second one is the reminder
	NoticeHandoverPrompt    Kind = "handover_prompt"
	NoticeHandoverCancelled Kind = "handover_cancelled" // a side: it did not happen
	NoticeHandoverDisputed  Kind = "handover_disputed"  // a side: the other contradicts them
	NoticeHandoverSettled   Kind = "handover_settled"   // both sides: a moderator settled the dispute
	NoticeDisputeReceived   Kind = "dispute_received"   // a moderator: two sides contradict each other
	// the buyer: an offer was accepted by their standing acceptance
	NoticeStandingAccepted Kind = "standing_accepted"
	// NoticeAskReceived tells a seller that a buyer asks for some of a listing.
	NoticeAskReceived Kind = "ask_received"
	// NoticeAskAccepted tells the buyer that the seller said yes to their ask, or to a part of it.
	NoticeAskAccepted Kind = "ask_accepted"
	// NoticeAskEnded tells the buyer that the seller said no, or nothing; Message says which.
	NoticeAskEnded Kind = "ask_ended"
	// NoticeListingSold tells a seller that some of a listing was sold without asking them.
	NoticeListingSold Kind = "listing_sold"
	// NoticeCrossingUndone tells a side that the other, or they themselves, undid such a sale.
	NoticeCrossingUndone Kind = "crossing_undone"
	// NoticeMeetingTime tells a side that the other has chosen a time to meet, or says that it works.
	NoticeMeetingTime Kind = "meeting_time"
	// NoticeMeetingSoon reminds both sides of the time that they have agreed on.
	NoticeMeetingSoon Kind = "meeting_soon"
	// NoticeTokenMade tells a user that a token was made for them, for the program Name.
	NoticeTokenMade Kind = "token_made"
	// NoticeWebhookOff tells the owner of a webhook to the host Name that it gets no events any more; Message
	// is the webhook.Reason.
	NoticeWebhookOff Kind = "webhook_off"
	// any user: a direct message failed; shown on the web only
	NoticeDMFailed Kind = "dm_failed"
	NoticeTest     Kind = "test" // the user who asked for it
)

// Kinds lists every kind.
var Kinds = []Kind{
	NoticeOfferReceived, NoticeOfferAccepted, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOfferLapsed,
	NoticeOrderFilled, NoticeOrderExpiring, NoticeOrderRemoved, NoticeOfferRemoved,
	NoticeOrderRestored, NoticeOfferRestored, NoticeListingRemoved, NoticeListingRestored,
	NoticeOfferReopened, NoticeUserBlocked, NoticeManyRemovals,
	NoticeReportReceived, NoticeReportChannelEnded,
	NoticeBoardEnded, NoticeRoleGiven, NoticeRoleTaken, NoticeRoleTrouble,
	NoticeLookAlike, NoticeStockStale, NoticeRequestWatched, NoticeOfferTimedOut, NoticeHandoverPrompt,
	NoticeHandoverCancelled, NoticeHandoverDisputed, NoticeHandoverSettled,
	NoticeDisputeReceived, NoticeStandingAccepted, NoticeAskReceived, NoticeAskAccepted, NoticeAskEnded,
	NoticeListingSold, NoticeCrossingUndone, NoticeMeetingTime, NoticeMeetingSoon,
	NoticeTokenMade, NoticeWebhookOff, NoticeDMFailed, NoticeTest,
}

// State says how far the delivery of a notice by direct message has come.
type State string

// The states of a notice. All but the first are ends.
const (
	NoticePending   State = "pending"
	NoticeDelivered State = "delivered"
	NoticeRefused   State = "refused" // Reason is Discord's error, or names the reader's settings
	NoticeExpired   State = "expired" // not delivered in time, or no longer relevant
)

// States lists every state.
var States = []State{NoticePending, NoticeDelivered, NoticeRefused, NoticeExpired}

// Notice informs a user of an event on their orders and offers. It contains all it needs, so that
// it can be read after the order or offer is gone.
type Notice struct {
	ID        core.NoticeID
	User      core.UserID // its reader
	Kind      Kind
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
	State     State
	Reason    string
	CreatedAt time.Time
	SettledAt time.Time // when the state became an end; zero while pending
	ReadAt    time.Time // zero while unread

	Search    core.SearchID // of a NoticeRequestWatched, with a bell; it may be gone; zero for stock
	HoldUntil time.Time     // not sent before; zero for at once
	Listing   core.StockID  // of a NoticeRequestWatched about a listing; it may be gone; zero for a request
	// Rank is the place of a NoticeRequestWatched among others in one message: the highest comes first.
	Rank int64 `json:",omitzero"`

	LookAlike core.LookAlike // of Contact and Name, where they are the other side's; set in a list of notices

	// Offer is the present state of the offer of a NoticeOfferReceived, in a list of notices; nil elsewhere.
	Offer *OfferNow
}

// ForInbox returns the notice as it is added for the inbox alone, with the reason.
func (n Notice) ForInbox(reason string) Notice {
	n.State, n.Reason, n.SettledAt = NoticeDelivered, reason, n.CreatedAt
	return n
}

// OfferNow is the present state of an offer that a notice is about.
type OfferNow struct {
	Open     bool
	Accepted int // of it, so far
}

// Page is part of a user's notices, newest first.
type Page struct {
	Notices []Notice
	Unread  int
	Next    core.NoticeID // ask for those before it; zero on the last page
}
