package core

import "time"

// NoticeID numbers a notice.
type NoticeID int64

// NoticeKind says what a notice tells.
type NoticeKind string

// The kinds of notice, each with its reader.
const (
	OfferReceived   NoticeKind = "offer_received"  // the buyer: somebody offers
	OfferTaken      NoticeKind = "offer_accepted"  // the seller: some of it was accepted
	OfferRefused    NoticeKind = "offer_declined"  // the seller: the buyer deleted it
	OfferTakenBack  NoticeKind = "offer_withdrawn" // the buyer: the seller withdrew it
	OfferHasLapsed  NoticeKind = "offer_lapsed"    // the seller: its order closed, expired or was deleted
	OrderFilled     NoticeKind = "order_filled"    // the buyer: everything asked for was sold
	OrderExpiring   NoticeKind = "order_expiring"  // the buyer: seven days are left
	OrderRemoved    NoticeKind = "order_removed"   // the buyer: a moderator took it off the market
	OfferTakenOff   NoticeKind = "offer_removed"   // the seller: a moderator took it off the market
	UserBlocked     NoticeKind = "user_blocked"    // whoever a moderator has blocked
	DirectMsgFailed NoticeKind = "dm_failed"       // anybody: a direct message could not be delivered; told on the web only
	TestNotice      NoticeKind = "test"            // whoever asked to see one
)

// NoticeKinds lists every kind.
var NoticeKinds = []NoticeKind{
	OfferReceived, OfferTaken, OfferRefused, OfferTakenBack, OfferHasLapsed, OrderFilled, OrderExpiring, OrderRemoved, OfferTakenOff,
	UserBlocked, DirectMsgFailed, TestNotice,
}

// NoticeState says how far the delivery of a notice by direct message has come.
type NoticeState string

// The states of a notice. All but the first are ends.
const (
	NoticePending   NoticeState = "pending"
	NoticeDelivered NoticeState = "delivered"
	NoticeRefused   NoticeState = "refused" // Reason says why: Discord's word, or the reader's own settings
	NoticeExpired   NoticeState = "expired" // nobody could be told in time, or it no longer mattered
)

// Notice tells a user what happened to something of theirs. It carries what it says, so that it can be read after the
// order or offer is gone.
type Notice struct {
	ID        NoticeID
	User      UserID // its reader
	Kind      NoticeKind
	OrderID   OrderID // zero for none
	OfferID   OfferID // zero for none
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

// offerReceived tells the buyer of a new offer.
func offerReceived(o Order, offer Offer, now time.Time) Notice {
	n := noticeAbout(o, o.Owner, OfferReceived, now)
	n.OfferID, n.Quantity, n.Price = offer.ID, offer.Quantity, offer.Price
	n.Name, n.Contact, n.Message = offer.SellerName, offer.SellerContact, offer.Message
	return n
}

// toSeller tells the seller of an offer what became of it. It returns nothing for a visitor's offer.
func toSeller(o Order, offer Offer, kind NoticeKind, quantity int, why string, now time.Time) []Notice {
	if !offer.Verified() {
		return nil
	}
	n := noticeAbout(o, offer.Seller, kind, now)
	n.OfferID, n.Quantity, n.Price = offer.ID, quantity, offer.Price
	n.Name, n.Contact, n.Message = o.InGameName, o.BuyerContact, why
	return []Notice{n}
}

// orderFilled tells the buyer that everything was sold. It returns nothing when the order is not filled.
func orderFilled(o Order, now time.Time) []Notice {
	if o.CloseReason != Filled {
		return nil
	}
	n := noticeAbout(o, o.Owner, OrderFilled, now)
	n.Quantity = o.Sold
	return []Notice{n}
}
