package core

import "time"

// NoticeID numbers a notice.
type NoticeID int64

// NoticeKind says what a notice is about.
type NoticeKind string

// The kinds of notice, each with its reader.
const (
	NoticeOfferReceived  NoticeKind = "offer_received"  // the buyer: a new offer
	NoticeOfferAccepted  NoticeKind = "offer_accepted"  // the seller: the buyer accepted some of it
	NoticeOfferDeclined  NoticeKind = "offer_declined"  // the seller: the buyer deleted it
	NoticeOfferWithdrawn NoticeKind = "offer_withdrawn" // the buyer: the seller withdrew it
	NoticeOfferLapsed    NoticeKind = "offer_lapsed"    // the seller: its order closed, expired or was deleted
	NoticeOrderFilled    NoticeKind = "order_filled"    // the buyer: the whole quantity was sold
	NoticeOrderExpiring  NoticeKind = "order_expiring"  // the buyer: seven days are left
	NoticeOrderRemoved   NoticeKind = "order_removed"   // the buyer: a moderator removed the request
	NoticeOfferRemoved   NoticeKind = "offer_removed"   // the seller: a moderator removed the offer
	NoticeOrderRestored  NoticeKind = "order_restored"  // the buyer: a moderator undid the removal of the request
	NoticeOfferRestored  NoticeKind = "offer_restored"  // the seller: a moderator undid the removal of the offer
	NoticeOfferReopened  NoticeKind = "offer_reopened"  // the other side of an offer: what ended it was undone
	NoticeUserBlocked    NoticeKind = "user_blocked"    // the blocked user
	NoticeManyRemovals   NoticeKind = "many_removals"   // a moderator: another one removed many things within a minute
	NoticeReportReceived NoticeKind = "report_received" // a moderator: something was reported that no open report is about
	// NoticeReportChannelEnded tells a moderator that reports no longer arrive in their channel; Name is its Discord id.
	NoticeReportChannelEnded NoticeKind = "report_channel_ended"
	// NoticeBoardEnded tells who made a board that it ended with its channel or server; Name is the channel's Discord id.
	NoticeBoardEnded NoticeKind = "board_ended"
	// NoticeLookAlike tells an established trader of a name, which is Name, that looks like theirs on a request or an offer.
	NoticeLookAlike NoticeKind = "look_alike"
	// NoticeStockStale asks a seller whether something of their stock is still there.
	NoticeStockStale NoticeKind = "stock_stale"
	// NoticeRequestWatched alerts a user to a request that fits one of their watches. Name is what they call the watch.
	NoticeRequestWatched NoticeKind = "request_watched"
	// NoticeOfferTimedOut tells the buyer that an offer lapsed that they did not answer.
	NoticeOfferTimedOut     NoticeKind = "offer_timed_out"
	NoticeHandoverPrompt    NoticeKind = "handover_prompt"    // a side: did you meet? The second one is the reminder
	NoticeHandoverCancelled NoticeKind = "handover_cancelled" // a side: it did not happen
	NoticeHandoverDisputed  NoticeKind = "handover_disputed"  // a side: the other contradicts them
	NoticeHandoverSettled   NoticeKind = "handover_settled"   // both sides: a moderator settled the dispute
	NoticeDisputeReceived   NoticeKind = "dispute_received"   // a moderator: two sides contradict each other
	NoticeStandingAccepted  NoticeKind = "standing_accepted"  // the buyer: an offer was accepted by their standing acceptance
	NoticeDMFailed          NoticeKind = "dm_failed"          // any user: a direct message failed; shown on the web only
	NoticeTest              NoticeKind = "test"               // the user who asked for it
)

// NoticeKinds lists every kind.
var NoticeKinds = []NoticeKind{
	NoticeOfferReceived, NoticeOfferAccepted, NoticeOfferDeclined, NoticeOfferWithdrawn, NoticeOfferLapsed,
	NoticeOrderFilled, NoticeOrderExpiring, NoticeOrderRemoved, NoticeOfferRemoved,
	NoticeOrderRestored, NoticeOfferRestored, NoticeOfferReopened, NoticeUserBlocked, NoticeManyRemovals, NoticeReportReceived, NoticeReportChannelEnded,
	NoticeBoardEnded,
	NoticeLookAlike, NoticeStockStale, NoticeRequestWatched, NoticeOfferTimedOut, NoticeHandoverPrompt, NoticeHandoverCancelled, NoticeHandoverDisputed, NoticeHandoverSettled,
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
	ID        NoticeID
	User      UserID // its reader
	Kind      NoticeKind
	OrderID   OrderID // zero for none
	OfferID   OfferID // zero for none
	Sale      SaleID  // whose handover it is about; zero for none
	CausedBy  UserID  // zero for a visitor, a moderator and the market itself
	ItemName  string
	Quantity  int    // offered, accepted, sold: what the kind is about
	Price     Copper // for one
	Name      string // the other side
	Contact   string // the other side's Discord username
	Message   string // the seller's words, or why something ended
	State     NoticeState
	Reason    string
	CreatedAt time.Time
	SettledAt time.Time // when the state became an end; zero while pending
	ReadAt    time.Time // zero while unread

	Watch     WatchID   // of a NoticeRequestWatched; it may be gone
	HoldUntil time.Time // not sent before; zero for at once

	LookAlike LookAlike // of Contact and Name, where they are the other side's; set in a list of notices

	// Offer is what has become of the offer of a NoticeOfferReceived, in a list of notices; nil elsewhere.
	Offer *OfferNow
}

// OfferNow is how an offer that a notice is about has come along.
type OfferNow struct {
	Open     bool
	Accepted int // of it, so far
}

// NoticePage is part of a user's notices, newest first.
type NoticePage struct {
	Notices []Notice
	Unread  int
	Next    NoticeID // ask for those before it; zero on the last page
}

func noticeAbout(o Order, to UserID, kind NoticeKind, now time.Time) Notice {
	return Notice{
		User: to, Kind: kind, OrderID: o.ID, ItemName: o.ItemName, Price: o.MaxPrice, State: NoticePending, CreatedAt: now,
	}
}

// offerReceived returns the notice of a new offer for the buyer.
func offerReceived(o Order, offer Offer, now time.Time) Notice {
	n := noticeAbout(o, o.Owner, NoticeOfferReceived, now)
	n.OfferID, n.Quantity, n.Price, n.CausedBy = offer.ID, offer.Quantity, offer.Price, offer.Seller
	n.Name, n.Contact, n.Message = offer.SellerName, offer.SellerContact, offer.Message
	return n
}

// toSeller returns the notice for a seller whose offer ended. It returns nothing for a visitor's
// offer.
func toSeller(o Order, offer Offer, kind NoticeKind, quantity int, why string, now time.Time) []Notice {
	if !offer.Verified() {
		return nil
	}
	n := noticeAbout(o, offer.Seller, kind, now)
	n.OfferID, n.Quantity, n.Price, n.CausedBy = offer.ID, quantity, offer.Price, o.Owner
	n.Name, n.Contact, n.Message = o.InGameName, o.BuyerContact, why
	return []Notice{n}
}

// orderFilled returns the buyer's notice that the order is filled, and nothing when it is not. by is the accept that filled it, where a
// thread may tell of it; zero for none.
func orderFilled(o Order, by SaleID, now time.Time) []Notice {
	if o.CloseReason != Filled {
		return nil
	}
	n := noticeAbout(o, o.Owner, NoticeOrderFilled, now)
	n.Quantity, n.Sale = o.Sold, by
	return []Notice{n}
}
