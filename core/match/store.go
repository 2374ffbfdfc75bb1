package match

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	trade.Store

	Orders(ctx context.Context, q OrderQuery) (OrderPage, error)
	// OrdersByID returns the orders with the IDs that exist, in any order.
	OrdersByID(ctx context.Context, ids []core.OrderID) ([]trade.Order, error)
	// PublicChanges returns up to limit public changes after a place, and for no place the present one.
	PublicChanges(ctx context.Context, after core.PublicPlace, limit int) (core.PublicPage, error)
	CategoryCounts(ctx context.Context, f OrderFilter, now time.Time) (CategoryCounts, error)
	// Total counts the open orders that match a filter.
	Total(ctx context.Context, f OrderFilter, now time.Time) (Total, error)
	// Vocabulary returns the words of the newest open orders that are not hidden. They may be a moment old.
	Vocabulary(ctx context.Context, now time.Time) (Vocabulary, error)
	// ItemNames returns names of items that contain the words of text, the most ordered first: names that
	// two established traders ask for now, and names that the user has asked for.
	ItemNames(ctx context.Context, user core.UserID, text string, limit int, now time.Time) ([]string, error)
	// Stock returns a user's stock by name.
	Stock(ctx context.Context, user core.UserID) ([]Stock, error)
	// StockSum sums up the stock of an item. Sellers who are blocked or leaving are left out.
	StockSum(ctx context.Context, q StockQuery) (StockSum, error)
	// PublicStock returns the public stock of an item, the cheapest first.
	PublicStock(ctx context.Context, q StockQuery, limit int) ([]SellerStock, error)
	// Listings returns a page of the stock that is shown for sale. Sellers who are blocked or leaving are
	// left out.
	Listings(ctx context.Context, q ListingQuery) (ListingPage, error)
	// Listing returns a listing with the facts that decide whether a buyer may ask. It returns NotFound.
	Listing(ctx context.Context, id core.StockID, buyer core.UserID, now time.Time) (LockedListing, error)
	// Asks returns the open asks that a user has made, and those for their listings, the oldest first.
	Asks(ctx context.Context, user core.UserID, now time.Time) ([]Ask, error)
	// FillOrders returns a page of the open orders that a seller can fill. Of equal ones the newer comes
	// first.
	FillOrders(ctx context.Context, q FillQuery) (FillablePage, error)
	// SellerOn returns what decides whether a seller may offer on each of the orders: their terms and quotas.
	SellerOn(ctx context.Context, seller core.UserID, orders []core.OrderID, q core.Quotas,
		now time.Time) (map[core.OrderID]trade.Seller, error)
	// LatestMessages returns the messages among a seller's latest offers, the latest first. Messages that a
	// moderator removed are left out.
	LatestMessages(ctx context.Context, seller core.UserID, limit int) ([]string, error)
	// Demand returns the data for a report of unmet demand: open requests without offers, except the given
	// ones, and items that were filled and traded at least so often since a time, and for prices since an
	// earlier one.
	Demand(ctx context.Context, without []core.OrderID, now, since, beforeSince time.Time,
		least int) (Demand, error)
	// Searches returns a user's saved searches by name.
	Searches(ctx context.Context, user core.UserID) ([]SavedSearch, error)
	// MutedBuyers returns the buyers that a user has muted, the latest first.
	MutedBuyers(ctx context.Context, user core.UserID, limit int) ([]MutedBuyer, error)
	// CountWatchers counts the users who would be alerted to a request, up to limit.
	CountWatchers(ctx context.Context, q AudienceQuery) (int, error)
	// CountPosted counts the orders that were posted after a time and match a filter, whatever has become
	// of them.
	CountPosted(ctx context.Context, f OrderFilter, minQuantity int, since time.Time) (int, error)
	// DueAlertRounds returns up to limit requests with watchers to alert now: only rounds that failed
	// before, or only the others.
	DueAlertRounds(ctx context.Context, now time.Time, failed bool, limit int) ([]core.OrderID, error)
	// DueListingRounds returns the same for listings.
	DueListingRounds(ctx context.Context, now time.Time, failed bool, limit int) ([]DueListing, error)
	// ForSale sums up the listings for each line, by the names of its item. The buyer's own listings and
	// listings of sellers that they don't trade with are left out, and so are lines without any.
	ForSale(ctx context.Context, lines [][]string, buyer core.UserID, now time.Time) (map[int]ForSale, error)
	// ListingsOfLines returns up to limit listings for each line, by the names of its item, the cheapest
	// first. What ForSale leaves out is left out, and so are listings that the buyer has asked for.
	ListingsOfLines(ctx context.Context, lines [][]string, buyer core.UserID, limit int,
		now time.Time) (map[int][]PlanListing, error)
}

// AskTx is one transaction of an ask or its answer, which is one of trade, too.
type AskTx struct {
	Tx
	trade.Happened
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	trade.Tx
	ReachTx
	ListingTx

	// LockStock locks a user and returns their stock.
	LockStock(ctx context.Context, user core.UserID) ([]Stock, error)
	// SaveStock stores entries of a locked user's stock, entries without an id as new ones, and deletes
	// earlier entries of their items that were not touched since a time. It returns the user's stock.
	SaveStock(ctx context.Context, user core.UserID, stock []Stock, touchedSince time.Time) ([]Stock, error)
	// DeleteStock locks a user and stores that an entry of the user's was last touched at a time, at which it
	// counts no more. It reports whether they had the entry, touched since.
	DeleteStock(ctx context.Context, user core.UserID, id core.StockID, touchedAt time.Time) (bool, error)
	// RestoreStock stores that an entry of the user's is there.
	RestoreStock(ctx context.Context, user core.UserID, id core.StockID, now time.Time) error
	// ConfirmStock notes that a user's stock that was touched since a time is still there, and returns how
	// many entries that are.
	ConfirmStock(ctx context.Context, user core.UserID, now, touchedSince time.Time) (int, error)
	// SaveStockAlerts stores the alert settings of an entry.
	SaveStockAlerts(ctx context.Context, s Stock) error
	// HoldStockAlerts holds the pending alerts of a user's stock of an item with the names that are in no
	// message yet.
	HoldStockAlerts(ctx context.Context, user core.UserID, names []string, until time.Time) error
	// EndStockAlerts ends it.
	EndStockAlerts(ctx context.Context, user core.UserID, names []string, reason string, now time.Time) error
	// TakeStock subtracts the quantity of a sale from its seller's stock under the names, at most all of it.
	TakeStock(ctx context.Context, s trade.Sale, names []string) error
	// ReturnStock gives back what TakeStock subtracted for a sale, if it did.
	ReturnStock(ctx context.Context, sale core.SaleID) error
	// StockWatchers returns up to limit sellers with stock that fits an order, or the seller of the public
	// stock that is asked for (zero for none), as watchers who can fill it and were not alerted to it.
	StockWatchers(ctx context.Context, f StockFits, limit int, ask core.StockID) ([]Watcher, error)
	// AskedStock marks up to limit entries of stock that were not touched since a time and not asked about,
	// and returns them.
	AskedStock(ctx context.Context, now, touchedBefore time.Time, limit int) ([]Stock, error)
	// RemoveStock deletes stock that was not touched since a time, up to limit, and returns how many
	// entries it has deleted.
	RemoveStock(ctx context.Context, touchedBefore time.Time, limit int) (int, error)
	// LockSearches locks a user and returns their saved searches.
	LockSearches(ctx context.Context, user core.UserID) ([]SavedSearch, error)
	// SaveSearch stores a saved search of a locked user, one without an id as a new one, and returns its id.
	// The keys are stored when its bell is on: alerts find the search by them.
	SaveSearch(ctx context.Context, s SavedSearch, keys []string) (core.SearchID, error)
	// DeleteSearch reports whether the user had the search.
	DeleteSearch(ctx context.Context, user core.UserID, bell Bell, id core.SearchID) (bool, error)
	// HoldAlerts holds a saved search's pending alerts that are in no message yet.
	HoldAlerts(ctx context.Context, user core.UserID, id core.SearchID, until time.Time) error
	// EndAlerts ends a user's pending alerts that are in no message yet: of one saved search, or about one
	// buyer's requests.
	EndAlerts(ctx context.Context, user core.UserID, id core.SearchID, buyer core.UserID, reason string,
		now time.Time) error
	// AlertNotice returns a user's NoticeRequestWatched. It returns NotFound when there is none.
	AlertNotice(ctx context.Context, user core.UserID, id core.NoticeID) (notify.Notice, error)
	// MuteBuyer stores that a user does not want to hear of a buyer's requests. A second time changes
	// nothing.
	MuteBuyer(ctx context.Context, user, buyer core.UserID, now time.Time) error
	UnmuteBuyer(ctx context.Context, user, buyer core.UserID) error
	// AddAlertRound stores that watchers are to be alerted to an order that was posted or edited. A round
	// that goes on keeps its data.
	AddAlertRound(ctx context.Context, r AlertRound) error
	// LockAlertRound locks the round of a locked order. It returns NotFound when there is none.
	LockAlertRound(ctx context.Context, id core.OrderID) (AlertRound, error)
	// SaveAlertRound stores how a round goes on.
	SaveAlertRound(ctx context.Context, r AlertRound) error
	DeleteAlertRound(ctx context.Context, id core.OrderID) error
	// Offered returns how many items are offered on a locked order.
	Offered(ctx context.Context, id core.OrderID) (int, error)
	// HaveStock returns how many besides the buyer of an order have its item in stock at any price, up to a
	// limit.
	HaveStock(ctx context.Context, f StockFits, limit int) (int, error)
	// Watchers returns the saved searches with a bell that a request fits; users who can fill it and have
	// waited longest come first. It leaves out searches that are paused or were changed after the round
	// began, users who may not trade or are blocked by the buyer, who have muted the buyer, who were alerted
	// to the request, and who were alerted after repeatedSince to a request of the same buyer for the item.
	Watchers(ctx context.Context, o WatchedOrder, keys []string, since, repeatedSince time.Time,
		limit int) ([]Watcher, error)
	// NoteAlerts stores the times of alerts by saved search, the users' turns, and the times of direct
	// messages: up to messages of the latest times of each user.
	NoteAlerts(ctx context.Context, alerts []Alert, messages int, now time.Time) error
	// RecheckAlerts runs the transaction again when one of an order's alerts that were added now is from a
	// search, or from stock under the names, that was stopped or snoozed since it was read. It follows
	// NoteAlerts, and keeps both from being changed until the transaction ends.
	RecheckAlerts(ctx context.Context, id core.OrderID, names []string, now time.Time) error
}

// ReachTx is the part of a transaction that decides which people alerts reach.
type ReachTx interface {
	// LockSender locks the buyer of an order and returns the facts that decide which people its alerts
	// reach, with the people reached since a time. Of an order without a number it locks the seller of the
	// listing, as Owner, and reads whether that was reported.
	LockSender(ctx context.Context, o trade.Order, since time.Time) (Sender, error)
	// LockSharedReach locks the places that accounts share and returns the places taken since a time.
	LockSharedReach(ctx context.Context, now, since time.Time) (SharedReach, error)
	// TakeSharedReach stores that places were taken now for readers of an order's alerts. It forgets those
	// taken before a time.
	TakeSharedReach(ctx context.Context, o core.OrderID, readers []core.UserID, now, before time.Time) error
}

// ListingTx is the part of a transaction that alerts users to listings that fit their saved searches.
type ListingTx interface {
	// LockListing locks stock and returns it with the facts that decide whether a buyer may ask. It returns
	// NotFound.
	LockListing(ctx context.Context, id core.StockID, buyer core.UserID, now time.Time) (LockedListing, error)
	// ShowListing stores whether locked stock is for sale, until when, and how many without asking.
	ShowListing(ctx context.Context, s Stock) error
	// LockPlanned locks a buyer, the sellers of some listings, and the listings.
	LockPlanned(ctx context.Context, buyer core.UserID, listings []core.StockID) error
	// Unasked returns how many a locked listing sells to a buyer without asking. It returns NotFound.
	Unasked(ctx context.Context, id core.StockID, buyer core.UserID, now time.Time) (Unasked, error)
	// AddListingRound stores that watchers are to be alerted to a listing that is new, cheaper or more. A
	// round that goes on keeps its data.
	AddListingRound(ctx context.Context, r AlertRound) error
	// LockListingRound locks the round of a locked listing. It returns NotFound when there is none.
	LockListingRound(ctx context.Context, id core.StockID) (AlertRound, error)
	// SaveListingRound stores how a round goes on.
	SaveListingRound(ctx context.Context, r AlertRound) error
	DeleteListingRound(ctx context.Context, id core.StockID) error
	// ListingWatchers returns the saved searches with a bell that a listing fits; users who have waited
	// longest come first. It leaves out searches that are paused or were changed after the round began, the
	// seller, users who may not trade, who have muted the seller or of whom one has blocked the other, who
	// were alerted to the listing, and who were alerted after repeatedSince to the seller's item.
	ListingWatchers(ctx context.Context, id core.StockID, l WatchedOrder, keys []string,
		since, repeatedSince time.Time, limit int) ([]Watcher, error)
	// RecheckListingAlerts is RecheckAlerts for alerts to a listing.
	RecheckListingAlerts(ctx context.Context, id core.StockID, now time.Time) error
}
