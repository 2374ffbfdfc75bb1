package core

import (
	"context"
	"time"
)

// Store persists the market. It returns a NotFound error for a missing row, and translates a
// violated constraint into the Error it means; its other errors are its own.
type Store interface {
	// Atomically runs do in one transaction and commits when it returns nil. do may run again when the database asks
	// for it, so nothing but the transaction may come of it.
	Atomically(ctx context.Context, do func(Tx) error) error

	Orders(ctx context.Context, q OrderQuery) (OrderPage, error)
	Order(ctx context.Context, id OrderID) (Order, error)
	// OrdersByID returns those of the orders that are there, in any order.
	OrdersByID(ctx context.Context, ids []OrderID) ([]Order, error)
	CategoryCounts(ctx context.Context, f OrderFilter, now time.Time) (CategoryCounts, error)
	// Total counts the open orders that match a filter.
	Total(ctx context.Context, f OrderFilter, now time.Time) (Total, error)
	// Vocabulary returns the words of the newest open orders that are not hidden. They may be those of a moment ago.
	Vocabulary(ctx context.Context, now time.Time) (Vocabulary, error)
	CountOffers(ctx context.Context, id OrderID) (int, error)
	// Purchases sums up the sales of an order. It returns nil when there are none.
	Purchases(ctx context.Context, id OrderID) (*Purchases, error)
	// ItemNames returns names of items that contain the words of text, the most ordered first: those that two people ask for
	// now, and those that the user has asked for.
	ItemNames(ctx context.Context, user UserID, text string, limit int, now time.Time) ([]string, error)

	// Terms returns what is asked of sellers on an order, and which offers are accepted as they come, the latest first.
	Terms(ctx context.Context, id OrderID) (Terms, error)
	// IsTrader reports whether a user is an established trader.
	IsTrader(ctx context.Context, id UserID) (bool, error)
	// UserNamed returns the user whose account has a username, in any case. It returns NotFound.
	UserNamed(ctx context.Context, username string) (UserID, error)
	// PostedList returns a list with its orders, by number. It returns NotFound.
	PostedList(ctx context.Context, id ListID) (PostedList, error)
	// PostedLists returns a user's lists, newest first.
	PostedLists(ctx context.Context, owner UserID, limit int) ([]ListSummary, error)

	// Items returns the index of the items. It reads them only when they may have changed; what is asked for lately may be that of
	// some minutes ago.
	Items(ctx context.Context, forms TextForms, now time.Time) (*ItemIndex, error)

	// Offers returns the offers on an order, newest first.
	Offers(ctx context.Context, id OrderID) ([]Offer, error)
	// AnsweredOffers returns what there was on an order before: the offers that its owner declined after a time, and whether it
	// had any.
	AnsweredOffers(ctx context.Context, o Order, since time.Time) (AnsweredOffers, error)
	Offer(ctx context.Context, id OfferID) (Offer, error)
	// SentOffers returns a seller's records, newest first, below the offer id before (zero: from the top).
	SentOffers(ctx context.Context, seller UserID, before OfferID, limit int) ([]SentOffer, error)

	// SentOffersIn returns one part of a seller's records, newest first, below the offer id before (zero: from the top).
	SentOffersIn(ctx context.Context, seller UserID, part SentPart, before OfferID, limit int) ([]SentOffer, error)
	SentCounts(ctx context.Context, seller UserID) (SentCounts, error)
	// ReceivedOffers returns the offers that wait for a buyer, by request, the newest first of both, after a place in the list
	// (zero: from the top).
	ReceivedOffers(ctx context.Context, buyer UserID, after ReceivedPlace, now time.Time, limit int) ([]OpenOffer, error)
	// OpenSentOffers returns a seller's records of open offers, newest first.
	OpenSentOffers(ctx context.Context, seller UserID, limit int) ([]SentOffer, error)
	// OpenSentOfferOn returns a seller's record of their open offer on an order. It returns NotFound when there is none.
	OpenSentOfferOn(ctx context.Context, seller UserID, order OrderID) (SentOffer, error)

	// Sales returns the newest sales of an order and how many there are in all.
	Sales(ctx context.Context, id OrderID, limit int) ([]Sale, int, error)
	// SalesOf returns what a user has bought and sold, newest first, below the id before (zero: from the top). Sales of
	// deleted orders are among them.
	SalesOf(ctx context.Context, user UserID, before SaleID, limit int) ([]Sale, error)

	// Receipts returns accepts in which a user was the buyer or the seller, newest first.
	Receipts(ctx context.Context, user UserID, q ReceiptQuery) ([]Receipt, error)

	// Handovers returns the handovers in which a user is a party, newest first.
	Handovers(ctx context.Context, user UserID, q HandoverQuery) ([]Handover, error)
	// SettledHandovers returns what was settled between users and their partners, by user, the oldest sale first. One in which both sides
	// are among the users is there for each of them.
	SettledHandovers(ctx context.Context, users []UserID) ([]SettledHandover, error)
	// Disputes returns handovers that are disputed, newest first, below the number before (zero: from the top).
	Disputes(ctx context.Context, before SaleID, limit int) ([]Handover, error)
	// Dispute returns one that is disputed. It returns NotFound.
	Dispute(ctx context.Context, id SaleID) (Handover, error)
	// HandoversBetween returns the other handovers between the sides of some, newest first.
	HandoversBetween(ctx context.Context, sales []SaleID, limit int) ([]Handover, error)

	// Slip returns what is open between a user and a partner. It returns NotFound when one of them is gone.
	Slip(ctx context.Context, user, partner UserID, limit int) (SlipRows, error)
	// SlipPartners returns with whom something is open for a user, those first with whom the latest is.
	SlipPartners(ctx context.Context, user UserID, limit int) ([]SlipPartner, error)

	// OfferLink returns what a private link leads to, as stored, with the receipts of its offer. It returns NotFound.
	OfferLink(ctx context.Context, key OfferLinkKey) (OfferLink, error)

	// SaveUser stores what Discord says of an account under its Discord id and returns the user.
	SaveUser(ctx context.Context, p Profile, now time.Time) (User, error)
	User(ctx context.Context, id UserID) (User, error)
	// Fills returns the accepts of what has one of the folded names after a time, the latest first, without those of accounts that are
	// set aside.
	Fills(ctx context.Context, keys []string, since time.Time) ([]Fill, error)
	// TradedSince says which trades have changed since a mark that it returned earlier; of an unknown mark, such as zero, any may have.
	TradedSince(ctx context.Context, mark uint64) TradedSince
	// CountEstablished returns how many established traders there are who are not set aside.
	CountEstablished(ctx context.Context) (int, error)
	// Asked sums up the open requests for what has one of the folded names, without those of one user; zero for nobody.
	Asked(ctx context.Context, keys []string, notOf UserID, now time.Time) (Asked, error)
	// NamesAskedFor returns the names in open requests with what these pay, and the lowest price of the latest trades after a time; of many
	// those that pay most.
	NamesAskedFor(ctx context.Context, now, since time.Time) ([]NameAskedFor, error)
	// AskedFrom returns the open requests for what has one of the folded names that pay a price for one or more, up to limit.
	AskedFrom(ctx context.Context, keys []string, price Copper, now time.Time, limit int) ([]PricedOrder, error)
	// Outcomes returns what happened in the latest requests for what has one of the folded names, with nil for anything, that were posted
	// after a time and not after another.
	Outcomes(ctx context.Context, keys []string, since, until time.Time) ([]Outcome, error)
	// Rings returns the accounts that are set aside, the latest first.
	Rings(ctx context.Context, limit int) ([]Ring, error)
	// TraderNames returns the names of established traders, sorted.
	TraderNames(ctx context.Context) ([]TraderName, error)
	// ExportRest returns what is stored about a user and read nowhere else.
	ExportRest(ctx context.Context, id UserID) (ExportedRest, error)
	// SessionsOf returns a user's sessions that were used after a time, the latest used first.
	SessionsOf(ctx context.Context, user UserID, usedSince time.Time) ([]Session, error)
	// Accounts returns the Discord accounts of those users who are there.
	Accounts(ctx context.Context, ids []UserID) (Accounts, error)
	Counts(ctx context.Context, id UserID, now time.Time) (Counts, error)

	// Skills returns a user's skills in any order.
	Skills(ctx context.Context, user UserID) ([]Skill, error)
	// Stock returns a user's stock by name.
	Stock(ctx context.Context, user UserID) ([]Stock, error)
	// StockSum sums up what there is of an item. Sellers who are blocked or leaving are left out.
	StockSum(ctx context.Context, q StockQuery) (StockSum, error)
	// PublicStock returns what is public of it, the cheapest first.
	PublicStock(ctx context.Context, q StockQuery, limit int) ([]SellerStock, error)
	// FillOrders returns a page of the open orders that a seller can fill. Of equal ones the newer comes first.
	FillOrders(ctx context.Context, q FillQuery) (FillablePage, error)
	// Demand returns what a report of unmet demand is made of: open requests without offers but for some, and what was filled and traded at
	// least so often since a time, and for prices since an earlier one.
	Demand(ctx context.Context, without []OrderID, now, since, beforeSince time.Time, least int) (Demand, error)
	// Searches returns a user's saved searches by name.
	Searches(ctx context.Context, user UserID) ([]SavedSearch, error)
	// Watches returns a user's watches by name.
	Watches(ctx context.Context, user UserID) ([]Watch, error)
	// MutedBuyers returns the buyers of whose requests a user does not want to hear, the latest first.
	MutedBuyers(ctx context.Context, user UserID, limit int) ([]MutedBuyer, error)
	// CountWatchers counts the people whom a request would be alerted to, up to limit.
	CountWatchers(ctx context.Context, q AudienceQuery) (int, error)
	// CountPosted counts the orders that were posted after a time and match a filter, whatever has become of them.
	CountPosted(ctx context.Context, f OrderFilter, minQuantity int, since time.Time) (int, error)
	// DueAlertRounds returns requests of which watchers are to be alerted now, up to limit: those that failed before, or the others.
	DueAlertRounds(ctx context.Context, now time.Time, failed bool, limit int) ([]OrderID, error)

	// AuditEntries returns what moderators did, newest first, below the id before (zero: from the top). Undoable says whether
	// what an entry removed is still kept.
	AuditEntries(ctx context.Context, before AuditID, limit int) ([]AuditEntry, error)
	// OpenReports returns reports that no moderator has settled, newest first, below the id before (zero: from the top).
	// Those about one thing are one: the newest, with the count and the reasons of all.
	OpenReports(ctx context.Context, before ReportID, limit int) ([]Report, error)
	// OpenReport returns what OpenReports would list for what a report is about. It returns NotFound when no open one is.
	OpenReport(ctx context.Context, id ReportID) (Report, error)
	// ReportsBy returns every report of a user, newest first.
	ReportsBy(ctx context.Context, reporter UserID) ([]Report, error)
	// RemovedOf returns what moderators removed of a user's and can still be restored, the latest first.
	RemovedOf(ctx context.Context, user UserID) ([]Removed, error)
	// BlockedSellers returns the sellers that a buyer has blocked, the latest first.
	BlockedSellers(ctx context.Context, buyer UserID, limit int) ([]BlockedSeller, error)
	// BlockedUsers returns users who are blocked, the latest first.
	BlockedUsers(ctx context.Context, limit int) ([]User, error)

	// MarketRules returns what moderators set for the whole market.
	MarketRules(ctx context.Context) (MarketRules, error)

	// Notices returns a user's notices, newest first, below the id before (zero: from the top).
	Notices(ctx context.Context, user UserID, before NoticeID, limit int) (NoticePage, error)
	// ReadNotices marks a user's notices up to an id as read.
	ReadNotices(ctx context.Context, user UserID, upTo NoticeID, now time.Time) error
	Mailbox(ctx context.Context, user UserID) (Mailbox, error)
	// Delivery returns a direct message to a user with its notices, those of their offers that are
	// still open, the reader's receipts of the others, and the accounts of everyone it names.
	Delivery(ctx context.Context, user UserID, id DeliveryID) (Delivery, error)
	// NoteActed stores that a user has pressed something on a direct message to them that was sent after a time. Other
	// messages are left out.
	NoteActed(ctx context.Context, user UserID, messageID string, since, now time.Time) error
}

// Tx is the Store inside a transaction. What is read of a locked order is true until the
// transaction ends; an order is always locked before its offers. A write may be buffered until the
// next read or the commit, so its error may come from Atomically.
type Tx interface {
	WriteTx

	// OrdersAndOffersOf returns the orders and the open offers of a user.
	OrdersAndOffersOf(ctx context.Context, id UserID) ([]OrderID, []OfferID, error)
	// DeleteUser deletes a user with all their data, and removes their name from the data of others. What others have decided
	// about them is remembered for RememberFor, for when the same account signs in again, and so are the contacts that the
	// other sides of their accepts keep.
	DeleteUser(ctx context.Context, u User, now time.Time) error
	// SaveLeaving stores whether a locked user is leaving, and hides or shows their orders. One who is leaving is no longer named
	// in what others were told, except by the sides of their accepts.
	SaveLeaving(ctx context.Context, u User, now time.Time) error
	// EndSession ends a user's session, if it is there.
	EndSession(ctx context.Context, user UserID, id SessionID) error
	// EndSessions ends every session of a user that began before now.
	EndSessions(ctx context.Context, user UserID, now time.Time) error

	// LockBuyer returns what is known of the owner of an order that they post, edit or renew: the order itself is left out of
	// it. Until the transaction ends they are not blocked, and post, edit, renew and offer nothing else.
	LockBuyer(ctx context.Context, o Order, q Quotas, now time.Time) (Buyer, error)
	AddOrder(ctx context.Context, o Order) (OrderID, error)
	// AddList stores a list; its orders are added each by AddOrder.
	AddList(ctx context.Context, l PostedList) (ListID, error)
	// LockList locks those of the orders that are of a list, by number.
	LockList(ctx context.Context, id ListID, orders []OrderID) (map[OrderID]Order, error)
	LockOrder(ctx context.Context, id OrderID) (Order, error)
	SaveOrder(ctx context.Context, o Order) error
	// DeleteOrder deletes an order with its offers. Its sales and sent offers stay, without the owner's texts and contacts.
	DeleteOrder(ctx context.Context, id OrderID) error
	// LockExpired locks up to limit orders whose time is over since they were posted or renewed, and marks them, so that
	// each is returned once.
	LockExpired(ctx context.Context, now time.Time, limit int) ([]Order, error)
	// LockExpiring locks up to limit open orders that end before the time and whose buyers were
	// not warned since they were posted or renewed, and marks them as warned.
	LockExpiring(ctx context.Context, now, before time.Time, limit int) ([]Order, error)

	// LockOffer locks the order of an offer, then the offer.
	LockOffer(ctx context.Context, id OfferID) (Order, Offer, error)
	// LockSeller returns the facts that decide whether a user may offer on a locked order. Until
	// the transaction ends they are not blocked or unblocked, and post and offer nothing else.
	LockSeller(ctx context.Context, o Order, seller UserID, q Quotas) (Seller, error)
	// SettledHandovers returns what was settled between a user and their partners.
	SettledHandovers(ctx context.Context, user UserID) ([]SettledHandover, error)
	AddStanding(ctx context.Context, s StandingAcceptance) (int64, error)
	// EndStanding ends the standing acceptance of a locked order. It reports whether there was one.
	EndStanding(ctx context.Context, id OrderID, now time.Time) (bool, error)
	// SaveStanding stores what a standing acceptance has taken.
	SaveStanding(ctx context.Context, s StandingAcceptance) error
	// SaveLeastRecord stores what is asked of sellers on a locked order.
	SaveLeastRecord(ctx context.Context, id OrderID, l LeastRecord) error
	// LockVisitors returns how many open offers of visitors a locked order has, what it asks of sellers, and the rules of the market, which do not change
	// until the transaction ends.
	LockVisitors(ctx context.Context, id OrderID) (Seller, error)
	// LockMarketRules locks the rules of the market against changes, and against offers of visitors.
	LockMarketRules(ctx context.Context) (MarketRules, error)
	SaveMarketRules(ctx context.Context, r MarketRules) error
	// CountVisitorOffers returns how many open offers of visitors a locked order has.
	CountVisitorOffers(ctx context.Context, id OrderID) (int, error)
	// AddOffer stores an offer and, for a user's, its record.
	AddOffer(ctx context.Context, o Offer, itemName string) (OfferID, error)
	// AddOfferLink stores the private link to a visitor's offer that this transaction has added.
	AddOfferLink(ctx context.Context, key OfferLinkKey, o Offer) error
	// MoveOfferLinks has every link of the offer that one leads to lead to the offer that has replaced it.
	MoveOfferLinks(ctx context.Context, key OfferLinkKey, to Offer) error
	// AddOfferLinkAgain adds a link beside those that an offer has. It reports false when there is none, or MaxOfferLinks.
	AddOfferLinkAgain(ctx context.Context, key OfferLinkKey, id OfferID) (bool, error)
	// LinkedOffer returns the number of the offer that a private link leads to. It returns NotFound.
	LinkedOffer(ctx context.Context, key OfferLinkKey) (OfferID, error)
	SaveOffer(ctx context.Context, o Offer) error
	// EndOffer deletes an offer and stores its state in the sent offer and in its private links.
	EndOffer(ctx context.Context, id OfferID, state OfferState, now time.Time) error
	// KeepEndedOffer stores an open offer that is about to end, so that this can be undone.
	KeepEndedOffer(ctx context.Context, id OfferID, state OfferState, by UserID, now time.Time) error
	// EndedOffer returns an offer that KeepEndedOffer has stored. It returns NotFound.
	EndedOffer(ctx context.Context, id OfferID) (EndedOffer, error)
	// RetellDeclined has the notice that an offer was declined, and its message, say that the offer is open again. It reports whether there
	// is one.
	RetellDeclined(ctx context.Context, offer Offer) (bool, error)
	// ReopenOffer adds an ended offer again, with a quantity, and keeps it no longer.
	ReopenOffer(ctx context.Context, e EndedOffer, quantity int, now time.Time) error
	// TakeBackAccepted takes from what was accepted of a user's offer.
	TakeBackAccepted(ctx context.Context, id OfferID, qty int, now time.Time) error
	// LockSellers returns the facts that decide whether the sellers of offers that lapsed with an order may return to it, as
	// LockSeller does; their latest offers are left out. Sellers who are gone are absent.
	LockSellers(ctx context.Context, o Order, sellers []UserID) (map[UserID]Seller, error)
	// AddClosing stores that a locked order was closed, so that this can be undone, and lapses every offer on it.
	AddClosing(ctx context.Context, o Order, now time.Time) error
	// LockClosing locks the closing of a locked order and returns it. It returns NotFound when there is none.
	LockClosing(ctx context.Context, o Order) (Closing, error)
	// TakeClosing deletes the closing of a locked order and returns it. It returns NotFound when there is none.
	TakeClosing(ctx context.Context, o Order) (Closing, error)
	// TakeClosings deletes up to limit closings from before a time, the oldest first, and returns them. Their orders are locked.
	TakeClosings(ctx context.Context, before time.Time, limit int) ([]Closing, error)
	// Reopen stores that a closing was undone, adds those of its offers again that return, and deletes it. The notice that the
	// order is filled ends if it has not been sent. The caller saves the order.
	Reopen(ctx context.Context, c Closing, back []Offer, now time.Time) error
	// LapseOffers deletes every offer on an order, notes it in their records and returns them.
	LapseOffers(ctx context.Context, id OrderID, now time.Time) ([]Offer, error)
	// RecordAccepted adds to what was accepted of a user's offer.
	RecordAccepted(ctx context.Context, id OfferID, qty int, buyerContact string, now time.Time) error

	// EndOffersBy ends every offer of a seller, on one buyer's orders or (zero) everybody's, and returns them. The seller is
	// locked.
	EndOffersBy(ctx context.Context, seller, buyer UserID, state OfferState, now time.Time) ([]OpenOffer, error)

	// LockUser locks a user against trading at the same time.
	LockUser(ctx context.Context, id UserID) (User, error)
	// SaveBlock stores whether a locked user is blocked, and hides or shows their orders.
	SaveBlock(ctx context.Context, u User, now time.Time) error
	AddAuditEntry(ctx context.Context, e AuditEntry) error
	// LockRemovals returns how many orders and offers a moderator removed after a time, those of this transaction
	// included. Until the transaction ends, other calls for the moderator wait.
	LockRemovals(ctx context.Context, moderator UserID, since time.Time) (int, error)
	// ModeratorsToAlert returns the users with one of the Discord accounts, or with one of the roles seen after roleSince,
	// except the remover, who have no NoticeManyRemovals about the remover that was created after noticeSince.
	ModeratorsToAlert(ctx context.Context, m Moderators, remover UserID, roleSince, noticeSince time.Time) ([]UserID, error)
	// AuditEntry returns an entry without the names. It returns NotFound.
	AuditEntry(ctx context.Context, id AuditID) (AuditEntry, error)

	// SaveRemovedOrder stores a locked order as it is, with its sales, beside the entry that this transaction added last.
	SaveRemovedOrder(ctx context.Context, id OrderID, now time.Time) error
	SaveRemovedOffer(ctx context.Context, id OfferID, now time.Time) error
	// LockRemoval locks what is kept beside an entry. It returns NotFound when nothing is.
	LockRemoval(ctx context.Context, id AuditID) error
	// RestoreOrder adds the order that is kept beside a removal, with its sales but without offers, and keeps it no longer. It
	// is hidden when its owner is blocked now.
	RestoreOrder(ctx context.Context, removal AuditEntry) error
	// RestoreOffer adds the offer that is kept beside a removal, and keeps it no longer.
	RestoreOffer(ctx context.Context, removal AuditEntry, now time.Time) error

	// OpenReportsBy returns those of a user's reports that no moderator has settled, and those of the latest that a quota
	// counts, newest first. Another by the same user waits until the transaction ends.
	OpenReportsBy(ctx context.Context, reporter UserID, q Quotas) (open, latest []Report, err error)
	AddReport(ctx context.Context, r Report) (ReportID, error)
	// IsReported reports whether an open report is about an order, or about an offer when its number is not zero.
	IsReported(ctx context.Context, order OrderID, offer OfferID) (bool, error)
	// ModeratorsToTell lists the moderators except some: the accounts of Moderators that are users, and users with a role of
	// Moderators that was seen after roleSince.
	ModeratorsToTell(ctx context.Context, m Moderators, except []UserID, roleSince time.Time) ([]UserID, error)
	// Report returns a report in any state without a lock.
	Report(ctx context.Context, id ReportID) (Report, error)
	LockReport(ctx context.Context, id ReportID) (Report, error)
	// EndBoard deletes a board, and returns it; nothing where there is none.
	EndBoard(ctx context.Context, guildID, channelID string) ([]Board, error)
	// EndServer deletes the boards and pings of a server, keeps them without who made them, and returns the boards.
	EndServer(ctx context.Context, guildID string, now time.Time) ([]Board, error)
	// RemoveReportChannel ends that reports arrive in a channel. It reports whether they did.
	RemoveReportChannel(ctx context.Context, channelID string) (bool, error)
	// TradesOn reports whether a user has an open offer or a sale on an order.
	TradesOn(ctx context.Context, id OrderID, user UserID) (bool, error)
	// SettleReport stores the state of a locked report, and who decided on it, with all open ones about the same.
	SettleReport(ctx context.Context, r Report, by UserID, now time.Time) error
	// ActOnReports ends the open reports about something as acted on.
	ActOnReports(ctx context.Context, about ReportTarget, by UserID, now time.Time) error

	// AddBlockedSeller keeps a locked seller from offering on a buyer's orders. A second time changes nothing.
	AddBlockedSeller(ctx context.Context, buyer, seller UserID, now time.Time) error
	RemoveBlockedSeller(ctx context.Context, buyer, seller UserID) error

	// NewTrades returns when users first traded with each of their established partners (most at the most), in accepts before a time
	// that stand, for those who are no established traders and have sales since EndTraderSearch. Another call waits until the
	// transaction ends.
	NewTrades(ctx context.Context, settledBefore time.Time, most int) ([]Trades, error)
	// EndTraderSearch stores that the sales before a time were searched for new traders.
	EndTraderSearch(ctx context.Context, settledBefore time.Time) error
	// AddTraders stores established traders and returns how many of them were none before. The others stay as they are.
	AddTraders(ctx context.Context, origin TraderOrigin, established ...NewTrader) (int, error)
	// AddModeratorTraders makes the moderators established traders: the accounts that are users, and users with a role that was seen
	// after roleSince.
	AddModeratorTraders(ctx context.Context, m Moderators, roleSince time.Time) error
	// Traders returns the established traders who are neither blocked nor leaving.
	Traders(ctx context.Context) ([]Trader, error)
	// SaveTraderNames replaces the names of all established traders.
	SaveTraderNames(ctx context.Context, names []TraderName) error
	// AddLookAlike stores that a trader is notified of a name. It reports false when they were before, or of as many names as most
	// since a time.
	AddLookAlike(ctx context.Context, trader UserID, name string, now, since time.Time, most int) (bool, error)

	// UsersNamed returns the users with one of the usernames, in small letters, or of the Discord accounts.
	UsersNamed(ctx context.Context, names, accounts []string) ([]User, error)
	// SetAside sets users aside as one ring and returns those who were not before.
	SetAside(ctx context.Context, users []UserID, reason string, now time.Time) ([]UserID, error)
	// CountAgain ends a ring and returns who was in it.
	CountAgain(ctx context.Context, ring RingID) ([]UserID, error)

	// SaveSkills replaces the skills of a locked user.
	SaveSkills(ctx context.Context, user UserID, skills []Skill) error
	// LockStock locks a user and returns their stock.
	LockStock(ctx context.Context, user UserID) ([]Stock, error)
	// SaveStock stores entries of a locked user's stock, those without an id as new ones, and deletes what was not touched since a
	// time.
	SaveStock(ctx context.Context, user UserID, stock []Stock, touchedSince time.Time) error
	// DeleteStock reports whether the user had the entry.
	DeleteStock(ctx context.Context, user UserID, id StockID) (bool, error)
	// ConfirmStock notes that a user's stock that was touched since a time is still there, and returns how many entries that are.
	ConfirmStock(ctx context.Context, user UserID, now, touchedSince time.Time) (int, error)
	// SaveStockAlerts stores what an entry alerts to.
	SaveStockAlerts(ctx context.Context, s Stock) error
	// HoldStockAlerts holds what a user's stock of an item with the names owes and no message has been given yet.
	HoldStockAlerts(ctx context.Context, user UserID, names []string, until time.Time) error
	// EndStockAlerts ends it.
	EndStockAlerts(ctx context.Context, user UserID, names []string, reason string, now time.Time) error
	// TakeStock takes the quantity of a sale from what its seller has under the names, at most all of it. AddReversal gives it back.
	TakeStock(ctx context.Context, s Sale, names []string) error
	// StockWatchers returns up to limit sellers whose stock an order is for, or the seller of the public stock that is asked for (zero for
	// none), as watchers who can fill it and were not alerted to it.
	StockWatchers(ctx context.Context, f StockFits, limit int, ask StockID) ([]Watcher, error)
	// AskedStock marks stock that was not touched since a time and whose seller was not asked about it, up to limit, and returns it.
	AskedStock(ctx context.Context, now, touchedBefore time.Time, limit int) ([]Stock, error)
	// RemoveStock deletes stock that was not touched since a time, up to limit, and returns how many entries it has deleted.
	RemoveStock(ctx context.Context, touchedBefore time.Time, limit int) (int, error)
	// LockSearches locks a user and returns their saved searches.
	LockSearches(ctx context.Context, user UserID) ([]SavedSearch, error)
	// SaveSearch stores a saved search of a locked user, one without an id as a new one, and returns its id.
	SaveSearch(ctx context.Context, user UserID, s SavedSearch) (SearchID, error)
	// DeleteSearch reports whether the user had the search.
	DeleteSearch(ctx context.Context, user UserID, id SearchID) (bool, error)

	// LockWatches locks a user and returns their watches.
	LockWatches(ctx context.Context, user UserID) ([]Watch, error)
	// SaveWatch stores a watch of a locked user with its keys, one without an id as a new one, and returns its id.
	SaveWatch(ctx context.Context, w Watch, keys []string) (WatchID, error)
	// DeleteWatch reports whether the user had the watch.
	DeleteWatch(ctx context.Context, user UserID, id WatchID) (bool, error)
	// HoldAlerts holds what a user's watch owes and no message has been given yet.
	HoldAlerts(ctx context.Context, user UserID, id WatchID, until time.Time) error
	// EndAlerts ends what a user's watches owe and no message has been given yet: of one watch, or about one buyer's requests.
	EndAlerts(ctx context.Context, user UserID, id WatchID, buyer UserID, reason string, now time.Time) error
	// AlertNotice returns a user's NoticeRequestWatched. It returns NotFound when there is none.
	AlertNotice(ctx context.Context, user UserID, id NoticeID) (Notice, error)
	// MuteBuyer stores that a user does not want to hear of a buyer's requests. A second time changes nothing.
	MuteBuyer(ctx context.Context, user, buyer UserID, now time.Time) error
	UnmuteBuyer(ctx context.Context, user, buyer UserID) error

	// AddAlertRound stores that watchers are to be alerted to an order that was posted or edited. One that goes on keeps what it was.
	AddAlertRound(ctx context.Context, r AlertRound) error
	// LockAlertRound locks the round of a locked order. It returns NotFound when there is none.
	LockAlertRound(ctx context.Context, id OrderID) (AlertRound, error)
	// SaveAlertRound stores how a round goes on.
	SaveAlertRound(ctx context.Context, r AlertRound) error
	DeleteAlertRound(ctx context.Context, id OrderID) error
	// Offered returns how many items are offered on a locked order.
	Offered(ctx context.Context, id OrderID) (int, error)
	// Watchers returns the watches that a request fits, those first whose users can fill it and have waited longest. Left out are
	// watches that are paused or were changed after the round began, users who may not trade or whom the buyer has blocked, who have
	// muted the buyer, who were alerted to the request, and who were alerted after a time to one of its buyer's that is over.
	Watchers(ctx context.Context, o WatchedOrder, keys []string, since, repeatedSince time.Time, limit int) ([]Watcher, error)
	// NoteAlerts stores when watches have alerted, whose turn it was, and when users are messaged: as many of the latest times of each
	// as messages says.
	NoteAlerts(ctx context.Context, alerts []Alert, messages int, now time.Time) error

	// LockItems returns every item, in whatever state, and the latest import. Until the transaction ends, other calls wait.
	LockItems(ctx context.Context) ([]Item, LatestImport, error)
	// SaveItems stores items with their names; those without a number are new.
	SaveItems(ctx context.Context, items []Item, now time.Time) error
	AddImport(ctx context.Context, i LatestImport, now time.Time) error
	// SaveDecidedItem keeps what a decision has changed beside the entry that this transaction added last. TakeDecidedItem returns that of
	// an entry, once; NotFound when it is not kept.
	SaveDecidedItem(ctx context.Context, d DecidedItem, now time.Time) error
	TakeDecidedItem(ctx context.Context, id AuditID) (DecidedItem, error)
	// CountNamed returns how many orders name an item as a text does, and by how many people. Until the transaction ends, other
	// calls for the same name wait.
	CountNamed(ctx context.Context, name string) (orders, people int, err error)

	AddSale(ctx context.Context, s Sale) (SaleID, error)
	// AddHandover stores the handover of a sale that this transaction has added.
	AddHandover(ctx context.Context, h Handover) error
	// AddMissingHandovers adds those of accepts after a time that have none because an older program made them.
	AddMissingHandovers(ctx context.Context, since time.Time, limit int) (added int, err error)
	// LockHandovers locks those of the handovers that are there, by number, and the orders of those that may be cancelled before.
	LockHandovers(ctx context.Context, sales []SaleID, cancels bool) ([]Handover, error)
	// LockDueHandovers locks up to limit handovers about which there is something to do, and the orders of those that are cancelled by
	// now. Those that another transaction has locked are left out.
	LockDueHandovers(ctx context.Context, now time.Time, limit int) ([]Handover, error)
	SaveHandover(ctx context.Context, h Handover) error
	// LockMissing locks and returns the sale of a cancelled handover that gave back to a fulfilled order of the same buyer at least what an
	// order asks for, and that no order has asked for again; zero for none.
	LockMissing(ctx context.Context, o Order) (SaleID, error)
	// PostAgain stores that an order asks again for what a cancelled handover gave back.
	PostAgain(ctx context.Context, sale SaleID, order OrderID) error
	// PlanTradeThread plans the thread of a sale that this transaction has added, where its order was shown or posted in a server.
	PlanTradeThread(ctx context.Context, sale SaleID, order OrderID, now time.Time) error
	// TradeThread returns the thread of a sale without its handover, nil for none.
	TradeThread(ctx context.Context, sale SaleID) (*TradeThread, error)
	// GiveUpTradeThread ends a thread that was not opened in time. It returns false while an attempt goes on.
	GiveUpTradeThread(ctx context.Context, sale SaleID, now time.Time) (bool, error)
	// EndTradeThread ends a thread that does not reach its people any more.
	EndTradeThread(ctx context.Context, sale SaleID) error
	// MayMeet reports whether something is open between two users, and whether one has blocked the other.
	MayMeet(ctx context.Context, user, partner UserID) (open, blocked bool, err error)
	// SaveMeetingPlace stores where the user who says it and a partner meet. One without a text is deleted.
	SaveMeetingPlace(ctx context.Context, partner UserID, p MeetingPlace) error
	// SaveInGameName stores how a user is called in the game; an empty name is none.
	SaveInGameName(ctx context.Context, user UserID, name string) error
	// RedrawOffers has the messages that list offers on an order drawn again.
	RedrawOffers(ctx context.Context, r RedrawnOffers) error
	// RedrawHandovers has the messages that show handovers drawn again, without the one that is acted on: its answer draws it again. It is
	// empty for none.
	RedrawHandovers(ctx context.Context, sales []SaleID, actedOn string) error
	// LockLapsing locks up to limit orders with offers that lapse by now, and returns those offers. Offers without a time to lapse at are
	// given lapsesAt first.
	LockLapsing(ctx context.Context, now, lapsesAt time.Time, limit int) ([]OpenOffer, error)
	// LockSale locks the order of a sale and returns both. It returns NotFound when either is gone.
	LockSale(ctx context.Context, id SaleID) (Order, Sale, error)
	// AddReversal stores that a sale was undone, and gives what it took from the stock of its seller back.
	AddReversal(ctx context.Context, s Sale, by UserID, now time.Time) error
	// AddNotices stores notices, and with each the job that delivers it. One that Mailbox.endsUnsent ends for its reader's settings ends
	// here, without a job.
	AddNotices(ctx context.Context, notices []Notice) error
	// SettleNotices ends those of the notices that are still pending.
	SettleNotices(ctx context.Context, ids []NoticeID, state NoticeState, reason string, now time.Time) error

	// LockMailbox locks the mailbox of a notice's reader and returns it with the notice.
	LockMailbox(ctx context.Context, id NoticeID) (Mailbox, Notice, error)
	// SaveMailbox stores the channel, lease, pause and closed reason of a locked mailbox.
	SaveMailbox(ctx context.Context, b Mailbox) error
	// SaveNoticeSettings stores a user's wishes and has their pending notices checked again.
	SaveNoticeSettings(ctx context.Context, user UserID, s NoticeSettings) error
	// NextNotice returns the notice that is first in a reader's line: pending, due, in no message yet, and not for the
	// thread of a trade. Trades come before alerts, and the oldest first. Its ID is zero when there is none.
	NextNotice(ctx context.Context, reader UserID, now time.Time) (Notice, error)
	// DeliveryFor returns the direct message that is to be sent next for a notice: the reader's
	// oldest one that was started and whose outcome is not known, with the notices it was started
	// with, whatever notice it is; else the one that the notice was already given to; else, for
	// kinds that are gathered, the reader's newest one of that kind when it was sent after fresh,
	// has room among most and was not acted on; else a new one without an id. For
	// NoticeOfferReceived it takes in the reader's other pending notices of that kind, up to most,
	// and Offers has those offers that are still open.
	DeliveryFor(ctx context.Context, n Notice, fresh time.Time, most int) (Delivery, error)
	// SentDelivery returns the message that a notice was given to, with all that DeliveryFor adds; one without an id when it is kept no
	// longer.
	SentDelivery(ctx context.Context, n Notice) (Delivery, error)
	// MessageTimes returns when the reader of a notice was sent messages other than digests, as far back as the quotas count:
	// in all, and of the kinds, caused by the same user.
	MessageTimes(ctx context.Context, n Notice, kinds []NoticeKind, q Quotas) (MessageTimes, error)
	// DigestFor returns the newest digest that the notice's reader was sent after a time, or a new one without an id. While
	// it has fewer than most notices, it takes in the notice and others that no message was given: all of the reader's, or
	// those that the same person caused.
	DigestFor(ctx context.Context, n Notice, since time.Time, most int, all bool) (Delivery, error)
	// StartDelivery stores that a message is about to be sent and gives its notices to it. StartedAt is set the first
	// time only.
	StartDelivery(ctx context.Context, d Delivery, now time.Time) (Delivery, error)
	// FinishDelivery stores where the message is. SentAt is when it was sent, not edited.
	FinishDelivery(ctx context.Context, d Delivery, now time.Time) error
}
