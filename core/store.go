package core

import (
	"context"
	"time"
)

// Store keeps the market. It returns a NotFound refusal for what is not there, and translates a broken constraint into
// the refusal it stands for; its other errors are its own.
type Store interface {
	// Atomically runs do in one transaction and commits when it returns nil. do may run again when the database asks
	// for it, so nothing but the transaction may come of it.
	Atomically(ctx context.Context, do func(Tx) error) error

	Orders(ctx context.Context, q OrderQuery) (OrderPage, error)
	Order(ctx context.Context, id OrderID) (Order, error)
	CategoryCounts(ctx context.Context, f OrderFilter, now time.Time) (CategoryCounts, error)
	CountOffers(ctx context.Context, id OrderID) (int, error)
	// ItemNames returns names of items ordered before that hold the words of text, the most ordered first.
	ItemNames(ctx context.Context, text string, limit int) ([]string, error)

	// Offers returns the offers on an order, newest first.
	Offers(ctx context.Context, id OrderID) ([]Offer, error)
	Offer(ctx context.Context, id OfferID) (Offer, error)
	// SentOffers returns a seller's records, newest first, below the offer id before (zero: from the top).
	SentOffers(ctx context.Context, seller UserID, before OfferID, limit int) ([]SentOffer, error)

	// Sales returns the newest sales of an order and how many there are in all.
	Sales(ctx context.Context, id OrderID, limit int) ([]Sale, int, error)

	// SaveUser stores what Discord says of an account under its Discord id and returns the user.
	SaveUser(ctx context.Context, p Profile, now time.Time) (User, error)
	User(ctx context.Context, id UserID) (User, error)
	Counts(ctx context.Context, id UserID, now time.Time) (Counts, error)

	// AuditEntries returns what moderators did, newest first, below the id before (zero: from the top).
	AuditEntries(ctx context.Context, before AuditID, limit int) ([]AuditEntry, error)
	// OpenReports returns reports that no moderator has settled, newest first, below the id before (zero: from the top).
	OpenReports(ctx context.Context, before ReportID, limit int) ([]Report, error)
	// ReportsBy returns every report of a user, newest first.
	ReportsBy(ctx context.Context, reporter UserID) ([]Report, error)
	// BlockedSellers returns the sellers that a buyer has blocked, the latest first.
	BlockedSellers(ctx context.Context, buyer UserID, limit int) ([]BlockedSeller, error)
	// BlockedUsers returns users who are blocked, the latest first.
	BlockedUsers(ctx context.Context, limit int) ([]User, error)

	// Notices returns a user's notices, newest first, below the id before (zero: from the top).
	Notices(ctx context.Context, user UserID, before NoticeID, limit int) (NoticePage, error)
	// ReadNotices marks a user's notices up to an id as read.
	ReadNotices(ctx context.Context, user UserID, upTo NoticeID, now time.Time) error
	Mailbox(ctx context.Context, user UserID) (Mailbox, error)
	// Delivery returns a direct message to a user with its notices and those of their offers that still stand.
	Delivery(ctx context.Context, user UserID, id DeliveryID) (Delivery, error)
}

// Tx is the Store inside a transaction. Whoever locks an order reads the truth until the transaction ends; an order is
// always locked before its offers. A write may be held back until the next read or the commit, so its refusal may come
// from Atomically.
type Tx interface {
	// Traded returns the orders of a user, and their offers that stand.
	Traded(ctx context.Context, id UserID) ([]OrderID, []OfferID, error)
	// DeleteUser deletes a user with all that is theirs, and takes their name out of what is others'.
	DeleteUser(ctx context.Context, id UserID) error

	// Claim takes a key for this write. When it was taken before, it returns what was kept under it.
	Claim(ctx context.Context, c Claim) (kept *Claim, err error)
	// Keep stores the answer of the write under the key that it claimed.
	Keep(ctx context.Context, c Claim) error

	// LockBuyer tells whether a user is blocked. It stays so until the transaction ends.
	LockBuyer(ctx context.Context, id UserID) (blocked bool, err error)
	AddOrder(ctx context.Context, o Order) (OrderID, error)
	LockOrder(ctx context.Context, id OrderID) (Order, error)
	SaveOrder(ctx context.Context, o Order) error
	// DeleteOrder deletes an order with its sales and offers.
	DeleteOrder(ctx context.Context, id OrderID) error
	// LockExpired locks up to limit orders that are past their time and still have offers.
	LockExpired(ctx context.Context, now time.Time, limit int) ([]Order, error)
	// LockExpiring locks up to limit open orders that end before the time and whose buyers were not told since they
	// were posted or renewed, and notes that they are being told.
	LockExpiring(ctx context.Context, now, before time.Time, limit int) ([]Order, error)

	// LockOffer locks the order of an offer, then the offer.
	LockOffer(ctx context.Context, id OfferID) (Order, Offer, error)
	// LockSeller returns what stands between a user and a locked order that they offer on. They are not blocked or unblocked
	// until the transaction ends.
	LockSeller(ctx context.Context, o Order, seller UserID) (Seller, error)
	// CountVisitorOffers tells how many offers of visitors stand on a locked order.
	CountVisitorOffers(ctx context.Context, id OrderID) (int, error)
	// AddOffer stores an offer and, for a user's, its record.
	AddOffer(ctx context.Context, o Offer, itemName string) (OfferID, error)
	SaveOffer(ctx context.Context, o Offer) error
	// EndOffer deletes an offer and notes in its record what became of it.
	EndOffer(ctx context.Context, id OfferID, state OfferState, now time.Time) error
	// LapseOffers deletes every offer on an order, notes it in their records and returns them.
	LapseOffers(ctx context.Context, id OrderID, now time.Time) ([]Offer, error)
	// RecordAccepted adds to what was accepted of a user's offer.
	RecordAccepted(ctx context.Context, id OfferID, qty int, buyerContact string, now time.Time) error

	// EndOffersBy ends every offer of a seller, on one buyer's orders or (zero) everybody's, and returns them. The seller is
	// locked.
	EndOffersBy(ctx context.Context, seller, buyer UserID, state OfferState, now time.Time) ([]LiveOffer, error)

	// LockUser locks a user against trading at the same time.
	LockUser(ctx context.Context, id UserID) (User, error)
	// SaveBlock stores whether a locked user is blocked, and hides or shows their orders.
	SaveBlock(ctx context.Context, u User, now time.Time) error
	AddAuditEntry(ctx context.Context, e AuditEntry) error

	// OpenReportsBy returns those of a user's reports that no moderator has settled. Another by the same user waits until
	// the transaction ends.
	OpenReportsBy(ctx context.Context, reporter UserID) ([]Report, error)
	AddReport(ctx context.Context, r Report) (ReportID, error)
	LockReport(ctx context.Context, id ReportID) (Report, error)
	// SettleReport stores the state of a locked report, and who decided on it.
	SettleReport(ctx context.Context, r Report, by UserID, now time.Time) error
	// ActOnReports ends the open reports about something as acted on.
	ActOnReports(ctx context.Context, about ReportTarget, by UserID, now time.Time) error

	// AddBlockedSeller keeps a locked seller from offering on a buyer's orders. A second time changes nothing.
	AddBlockedSeller(ctx context.Context, buyer, seller UserID, now time.Time) error
	RemoveBlockedSeller(ctx context.Context, buyer, seller UserID) error

	AddSale(ctx context.Context, s Sale) (SaleID, error)
	// AddNotices stores notices, and with each the job that delivers it.
	AddNotices(ctx context.Context, notices []Notice) error
	// SettleNotices ends those of the notices that are still pending.
	SettleNotices(ctx context.Context, ids []NoticeID, state NoticeState, reason string, now time.Time) error

	// LockMailbox locks the mailbox of a notice's reader and returns it with the notice.
	LockMailbox(ctx context.Context, id NoticeID) (Mailbox, Notice, error)
	// SaveMailbox stores the channel, lease, pause and closed reason of a locked mailbox.
	SaveMailbox(ctx context.Context, b Mailbox) error
	// SaveNoticeSettings stores a user's wishes and has their pending notices looked at anew.
	SaveNoticeSettings(ctx context.Context, user UserID, s NoticeSettings) error
	// OpenMailbox forgets that a user could not be reached: they have just done something, so it is tried again.
	OpenMailbox(ctx context.Context, user UserID) error
	// DeliveryFor returns the direct message that is to be sent next for a notice: the reader's oldest one that was
	// started and whose outcome is not known, with the notices it was started with, whatever notice it is; else the one
	// that the notice was already given to; else, for OfferReceived, the reader's newest one of that kind when it was
	// sent after fresh and has room among most; else a new one without an id. For OfferReceived it takes in the reader's
	// other pending notices of that kind, up to most, and Offers holds those offers that still stand.
	DeliveryFor(ctx context.Context, n Notice, fresh time.Time, most int) (Delivery, error)
	// StartDelivery stores that a message is about to be sent and gives its notices to it. StartedAt is set the first
	// time only.
	StartDelivery(ctx context.Context, d Delivery, now time.Time) (DeliveryID, error)
	// FinishDelivery stores where the message is. SentAt is when it was sent, not edited.
	FinishDelivery(ctx context.Context, d Delivery, now time.Time) error
}

// Claim is a key that names one write, and what came of it.
type Claim struct {
	Scope     string // whose key it is
	Key       string
	Digest    []byte // of what was asked
	Answer    []byte // JSON; nil until kept
	CreatedAt time.Time
}
