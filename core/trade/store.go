package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/items"
	"tradepost/core/people"
	"tradepost/core/trust"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	items.Store
	trust.Store

	Order(ctx context.Context, id core.OrderID) (Order, error)
	CountOffers(ctx context.Context, id core.OrderID) (int, error)
	// Purchases sums up the sales of an order. It returns nil when there are none.
	Purchases(ctx context.Context, id core.OrderID) (*Purchases, error)
	// Terms returns the requirements for sellers on an order, and its standing acceptances, the latest
	// first.
	Terms(ctx context.Context, id core.OrderID) (Terms, error)
	// PostedList returns a list with its orders, by number. It returns NotFound.
	PostedList(ctx context.Context, id core.ListID) (PostedList, error)
	// PostedLists returns a user's lists, newest first.
	PostedLists(ctx context.Context, owner core.UserID, limit int) ([]ListSummary, error)
	// Offers returns the offers on an order, newest first.
	Offers(ctx context.Context, id core.OrderID) ([]Offer, error)
	// AnsweredOffers returns the earlier offers on an order: the offers that its owner declined after a
	// time, and whether it had any.
	AnsweredOffers(ctx context.Context, o Order, since time.Time) (AnsweredOffers, error)
	Offer(ctx context.Context, id core.OfferID) (Offer, error)
	// SentOffers returns a seller's records, newest first, below the offer id before (zero: from the top).
	SentOffers(ctx context.Context, seller core.UserID, before core.OfferID, limit int) ([]SentOffer, error)
	// SentOffersIn returns one part of a seller's records, newest first, below the offer id before (zero:
	// from the top).
	SentOffersIn(ctx context.Context, seller core.UserID, part SentPart, before core.OfferID,
		limit int) ([]SentOffer, error)
	SentCounts(ctx context.Context, seller core.UserID) (SentCounts, error)
	// ReceivedOffers returns the offers that wait for a buyer, by request, the newest first of both, after
	// a place in the list (zero: from the top).
	ReceivedOffers(ctx context.Context, buyer core.UserID, after ReceivedPlace, now time.Time,
		limit int) ([]OpenOffer, error)
	// OpenSentOffers returns a seller's records of open offers, newest first.
	OpenSentOffers(ctx context.Context, seller core.UserID, limit int) ([]SentOffer, error)
	// OpenSentOfferOn returns a seller's record of their open offer on an order. It returns NotFound when
	// there is none.
	OpenSentOfferOn(ctx context.Context, seller core.UserID, order core.OrderID) (SentOffer, error)
	// Sales returns the newest sales of an order and how many there are in all.
	Sales(ctx context.Context, id core.OrderID, limit int) ([]Sale, int, error)
	// Receipts returns accepts in which a user was the buyer or the seller, newest first.
	Receipts(ctx context.Context, user core.UserID, q Query) ([]Trade, error)
	// Handovers returns the handovers in which a user is a party, newest first.
	Handovers(ctx context.Context, user core.UserID, q Query) ([]Trade, error)
	// Disputes returns handovers that are disputed, newest first, below the number before (zero: from the
	// top).
	Disputes(ctx context.Context, before core.SaleID, limit int) ([]Trade, error)
	// Dispute returns a disputed handover. It returns NotFound.
	Dispute(ctx context.Context, id core.SaleID) (Trade, error)
	// HandoversBetween returns the other handovers between the sides of some, newest first.
	HandoversBetween(ctx context.Context, sales []core.SaleID, limit int) ([]Trade, error)
	// Slip returns the open handovers between a user and a partner. It returns NotFound when one of them is
	// gone.
	Slip(ctx context.Context, user, partner core.UserID, limit int) (SlipRows, error)
	// TradeDetails returns an accept of which a user is a side, also when it was undone, and up to limit
	// open handovers with the other side. It returns NotFound for others.
	TradeDetails(ctx context.Context, user core.UserID, sale core.SaleID, limit int) (DetailsRows, error)
	// SlipPartners returns the partners with whom a user has open handovers, the latest handover first.
	SlipPartners(ctx context.Context, user core.UserID, limit int) ([]SlipPartner, error)
	// OfferLink returns the content behind a private link, as stored, with the receipts of its offer. It
	// returns NotFound.
	OfferLink(ctx context.Context, key OfferLinkKey) (OfferLink, error)
	// MarketRules returns the moderators' settings for the whole market.
	MarketRules(ctx context.Context) (MarketRules, error)
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	items.Tx
	trust.Tx
	OfferTx
	HandoverTx
	CrossingTx

	// LockBuyer returns the facts about the owner of an order that they post, edit or renew, leaving out the
	// order itself. Until the transaction ends they are not blocked, and post, edit, renew and offer nothing
	// else.
	LockBuyer(ctx context.Context, o Order, q core.Quotas, now time.Time) (Buyer, error)
	// CountPost counts a post of a locked buyer towards their quota.
	CountPost(ctx context.Context, buyer core.UserID, now time.Time) error
	AddOrder(ctx context.Context, o Order) (core.OrderID, error)
	// AddList stores a list; its orders are added each by AddOrder.
	AddList(ctx context.Context, l PostedList) (core.ListID, error)
	// LatestList returns when a locked buyer posted their latest list; long ago for never.
	LatestList(ctx context.Context, buyer core.UserID) (time.Time, error)
	// LockList locks the given orders that belong to a list, by number.
	LockList(ctx context.Context, id core.ListID, orders []core.OrderID) (map[core.OrderID]Order, error)
	LockOrder(ctx context.Context, id core.OrderID) (Order, error)
	SaveOrder(ctx context.Context, o Order) error
	// DeleteOrder deletes an order with its offers. Its sales and sent offers stay, without the owner's
	// texts and contacts.
	DeleteOrder(ctx context.Context, id core.OrderID) error
	// LockExpired locks up to limit orders that have expired since they were posted or renewed, and marks
	// them, so that each is returned once.
	LockExpired(ctx context.Context, now time.Time, limit int) ([]Order, error)
	// LockExpiring locks up to limit open orders that end before the time and were not warned about since
	// they were posted or renewed, and marks them as warned.
	LockExpiring(ctx context.Context, now, before time.Time, limit int) ([]Order, error)
	AddStanding(ctx context.Context, s StandingAcceptance) (int64, error)
	// EndStanding ends the standing acceptance of a locked order. It reports whether there was one.
	EndStanding(ctx context.Context, id core.OrderID, now time.Time) (bool, error)
	// SaveStanding stores the quantities that a standing acceptance has taken.
	SaveStanding(ctx context.Context, s StandingAcceptance) error
	// SaveLeastRecord stores the requirement for sellers on a locked order.
	SaveLeastRecord(ctx context.Context, id core.OrderID, l LeastRecord) error
	// LockMarketRules locks the rules of the market against changes, and against offers of visitors.
	LockMarketRules(ctx context.Context) (MarketRules, error)
	SaveMarketRules(ctx context.Context, r MarketRules) error
	// RetellDeclined has the notice that an offer was declined, and its message, say that the offer is open
	// again. It reports whether there is one.
	RetellDeclined(ctx context.Context, offer Offer) (bool, error)
	// ExpireAccepted ends the seller's notice of a sale that no message was given to yet. It reports whether
	// there was one.
	ExpireAccepted(ctx context.Context, offer Offer, s Sale, now time.Time) (bool, error)
	// UndoneAccepts returns when the buyer undid acceptances of a locked offer, up to LimitUndoneAccepts,
	// latest first.
	UndoneAccepts(id core.OfferID) []time.Time
	// TakeBackAccepted subtracts from the accepted quantity of a user's offer.
	TakeBackAccepted(ctx context.Context, id core.OfferID, qty int, now time.Time) error
	// Reopen stores that a closing was undone, adds its returning offers again, and deletes it. The notice
	// that the order is filled ends if it has not been sent. The caller saves the order.
	Reopen(ctx context.Context, closed Order, c Closing, back []Offer, now time.Time) error
	// RecordAccepted adds to the accepted quantity of a user's offer.
	RecordAccepted(ctx context.Context, id core.OfferID, qty int, buyerContact string, now time.Time) error
	// ModeratorsToTell lists the moderators except some: the accounts of Moderators that are users, and
	// users with a role of Moderators that was seen after roleSince.
	ModeratorsToTell(ctx context.Context, m people.Moderators, except []core.UserID,
		roleSince time.Time) ([]core.UserID, error)
	// PostAgain stores that an order asks again for the quantity that a cancelled handover gave back.
	PostAgain(ctx context.Context, sale core.SaleID, order core.OrderID) error
}

// CrossingTx contains the methods of a transaction in which requests and listings trade without asking. It
// locks the items first, then orders, users and listings.
type CrossingTx interface {
	// LockForOrder locks an order that is about to change, up to limit listings that may then cross with it,
	// and their items and sellers. same returns the names of an item.
	LockForOrder(ctx context.Context, id core.OrderID, change ToCross, same func(name string) []string,
		now time.Time, limit int) error
	// LockForPost locks up to limit listings of an item that an order may cross with which is about to be
	// added, and the item and their sellers.
	LockForPost(ctx context.Context, o Order, names []string, now time.Time, limit int) error
	// LockForUndo locks what the request of a sale that is about to be undone may cross with, and what its
	// seller's listing may cross with, which it returns; zero for none.
	LockForUndo(ctx context.Context, sale core.SaleID, same func(name string) []string, now time.Time,
		limit int) (core.StockID, error)
	// LockForListings locks up to limit orders for each of a seller's listings that are about to be saved,
	// and their items and buyers.
	LockForListings(ctx context.Context, seller core.UserID, listings []ListingToCross, now time.Time,
		limit int) error
	// MeetingsOf pairs a locked order with the listings of its item that LockForOrder has locked, or a saved
	// listing with the orders that LockForListings has locked.
	MeetingsOf(ctx context.Context, order core.OrderID, listing core.StockID, names []string,
		now time.Time) ([]Meeting, error)
	// LockedOrder returns an order that this transaction has locked, as it is now.
	LockedOrder(id core.OrderID) Order
	// ReturnToStanding has the standing acceptance of a locked order take again what a crossed sale gave
	// back.
	ReturnToStanding(ctx context.Context, s Sale) error
	// RetellCrossing has the notices of a crossed sale say that one of its sides undid it, where they are not
	// read. It reports whether the other side's is one of these.
	RetellCrossing(ctx context.Context, sale core.SaleID, by core.UserID, now time.Time) (bool, error)
}

// ToCross is a change of an order that may make it cross.
type ToCross struct {
	Item     *string      // nil when it stays
	MaxPrice *core.Copper // nil when it stays
	Stands   bool         // its offers may be accepted as they come from now on
}

// ListingToCross is a listing that is about to be saved.
type ListingToCross struct {
	Names []string // of its item
	Price core.Copper
}

// OfferTx contains the methods of a transaction that offers need.
type OfferTx interface {
	// LockOffer locks the order of an offer, then the offer.
	LockOffer(ctx context.Context, id core.OfferID) (Order, Offer, error)
	// LockSeller returns the facts that decide whether a user may offer on a locked order. Until
	// the transaction ends they are not blocked or unblocked, and post and offer nothing else.
	LockSeller(
		ctx context.Context, o Order, seller core.UserID, q core.Quotas, now time.Time,
	) (Seller, error)
	// LockVisitors returns how many open offers of visitors a locked order has, its requirements for
	// sellers, and the rules of the market, which do not change until the transaction ends.
	LockVisitors(ctx context.Context, id core.OrderID) (Seller, error)
	// CountVisitorOffers returns how many open offers of visitors a locked order has.
	CountVisitorOffers(ctx context.Context, id core.OrderID) (int, error)
	// AddOffer stores an offer and, for a user's, its record.
	AddOffer(ctx context.Context, o Offer, itemName string) (core.OfferID, error)
	// AddOfferLink stores the private link to a visitor's offer that this transaction has added.
	AddOfferLink(ctx context.Context, key OfferLinkKey, o Offer) error
	// MoveOfferLinks has every link of the offer that one leads to lead to the offer that has replaced it.
	MoveOfferLinks(ctx context.Context, key OfferLinkKey, to Offer) error
	// AddOfferLinkAgain adds a link beside an offer's existing ones. It reports false when there is none, or
	// MaxOfferLinks.
	AddOfferLinkAgain(ctx context.Context, key OfferLinkKey, id core.OfferID) (bool, error)
	// LinkedOffer returns the number of the offer that a private link leads to. It returns NotFound.
	LinkedOffer(ctx context.Context, key OfferLinkKey) (core.OfferID, error)
	SaveOffer(ctx context.Context, o Offer) error
	// EndOffer deletes an offer and stores its state in the sent offer and in its private links.
	EndOffer(ctx context.Context, id core.OfferID, state OfferState, now time.Time) error
	// KeepEndedOffer stores an open offer that is about to end, so that this can be undone.
	KeepEndedOffer(ctx context.Context, id core.OfferID, state OfferState, by core.UserID,
		now time.Time) error
	// EndedOffer returns an offer that KeepEndedOffer has stored. It returns NotFound.
	EndedOffer(ctx context.Context, id core.OfferID) (EndedOffer, error)
	// ReopenOffer adds an ended offer again, with a quantity, and keeps it no longer.
	ReopenOffer(ctx context.Context, e EndedOffer, quantity int, now time.Time) error
	// LockSellers returns the facts that decide whether the sellers of offers that lapsed with an order may
	// return to it, as LockSeller does; their latest offers are left out. Sellers who are gone are absent.
	LockSellers(ctx context.Context, o Order, sellers []core.UserID) (map[core.UserID]Seller, error)
	// AddClosing stores that a locked order was closed, so that this can be undone, and lapses every offer
	// on it.
	AddClosing(ctx context.Context, o Order, now time.Time) error
	// LockClosing locks the closing of a locked order and returns it. It returns NotFound when there is none.
	LockClosing(ctx context.Context, o Order) (Closing, error)
	// TakeClosing deletes the closing of a locked order and returns it. It returns NotFound when there is
	// none.
	TakeClosing(ctx context.Context, o Order) (Closing, error)
	// TakeClosings deletes up to limit closings from before a time, the oldest first, and returns them.
	// Their orders are locked.
	TakeClosings(ctx context.Context, before time.Time, limit int) ([]Closing, error)
	// LapseOffers deletes every offer on an order, notes it in their records and returns them.
	LapseOffers(ctx context.Context, id core.OrderID, now time.Time) ([]Offer, error)
	// EndOffersBy ends every offer of a seller, on one buyer's orders or (zero) all orders, and returns
	// them. The seller is locked.
	EndOffersBy(ctx context.Context, seller, buyer core.UserID, state OfferState,
		now time.Time) ([]OpenOffer, error)
	// AddBlockedSeller keeps a locked seller from offering on a buyer's orders. A second time changes
	// nothing.
	AddBlockedSeller(ctx context.Context, buyer, seller core.UserID, now time.Time) error
	// LockLapsing locks up to limit orders with offers that lapse by now, and returns those offers. Offers
	// without a time to lapse at are given lapsesAt first.
	LockLapsing(ctx context.Context, now, lapsesAt time.Time, limit int) ([]OpenOffer, error)
}

// HandoverTx contains the methods of a transaction that handovers and sales need.
type HandoverTx interface {
	AddSale(ctx context.Context, s Sale) (core.SaleID, error)
	// AddHandover stores the handover of a sale that this transaction has added.
	AddHandover(ctx context.Context, h Trade) error
	// AddMissingHandovers adds handovers for accepts after a time that have none because an older program
	// made them.
	AddMissingHandovers(ctx context.Context, since time.Time, limit int) (added int, err error)
	// LockHandovers locks the handovers that exist, by number; before them, it locks the orders of the ones
	// that may be cancelled.
	LockHandovers(ctx context.Context, sales []core.SaleID, cancels bool) ([]Trade, error)
	// LockDueHandovers locks up to limit handovers with work to do, and the orders of the ones that are
	// cancelled by now. It leaves out handovers that another transaction has locked.
	LockDueHandovers(ctx context.Context, now time.Time, limit int) ([]Trade, error)
	SaveHandover(ctx context.Context, h Trade) error
	// SaveRuling stores the reason of a ruling, and that the entry which this transaction added to the log
	// last is of the ruling.
	SaveRuling(ctx context.Context, h Trade) error
	// LockRuling locks the handover that the ruling of a log entry has settled, and its order before it. It
	// returns NotFound when there is none, and once the ruling was undone.
	LockRuling(ctx context.Context, entry core.AuditID) (Trade, error)
	// EndRuling stores that the ruling on a handover was undone.
	EndRuling(ctx context.Context, h Trade) error
	// EndReversal stores that the sale of a handover counts again.
	EndReversal(ctx context.Context, h Trade) error
	// LockMissing locks and returns the sale of a cancelled handover that gave back to a fulfilled order of
	// the same buyer at least the quantity of an order, and that no order has asked for again; zero for
	// none.
	LockMissing(ctx context.Context, o Order) (core.SaleID, error)
	// MayMeet reports whether something is open between two users, and whether one has blocked the other.
	MayMeet(ctx context.Context, user, partner core.UserID) (open, blocked bool, err error)
	// SaveMeetingPlace stores the meeting place of the user who says it and a partner. A place without a
	// text is deleted.
	SaveMeetingPlace(ctx context.Context, partner core.UserID, p MeetingPlace) error
	// SaveInGameName stores how a user is called in the game; an empty name is none.
	SaveInGameName(ctx context.Context, user core.UserID, name string) error
	// LockMeeting locks when two users meet: until the transaction ends, no other proposes a time to them.
	LockMeeting(ctx context.Context, a, b core.UserID) error
	// OpenWithSameSides returns up to limit open handovers between the sides of one, by number.
	OpenWithSameSides(ctx context.Context, sale core.SaleID, limit int) ([]core.SaleID, error)
	// MeetingBetween returns the next time that is proposed to two users for what is open between them; zero
	// for none.
	MeetingBetween(ctx context.Context, a, b core.UserID, now time.Time) (time.Time, error)
	// Players returns when two users play and when they take no messages.
	Players(ctx context.Context, a, b core.UserID) (hours.Player, hours.Player, error)
	// LearnPlayHours counts a meeting in an hour of the week for each of the users who want that counted.
	LearnPlayHours(ctx context.Context, met map[core.UserID]int) error
	// RedrawHandovers has the messages that show handovers redrawn, except actedOn, which its answer
	// redraws. actedOn is empty for none.
	RedrawHandovers(ctx context.Context, sales []core.SaleID, actedOn string) error
	// LockSale locks the order of a sale and returns both. It returns NotFound when either is gone.
	LockSale(ctx context.Context, id core.SaleID) (Order, Sale, error)
	// AddReversal stores that a sale was undone.
	AddReversal(ctx context.Context, s Sale, by core.UserID, now time.Time) error
}
