package core

import "time"

// Limits on user input. Texts are counted in characters (code points), after cleaning.
const (
	MaxQuantity     = 1_000_000
	MaxLevel        = 500
	MaxItemName     = 100
	MaxDescription  = 1000
	MaxContact      = 64
	MaxInGameName   = 64
	MaxSellerName   = 64
	MaxOfferMessage = 500
	MaxNotes        = 500
	MaxReason       = 500 // of a report, a removal or a block
	MaxSearchName   = 40
	MaxStockNote    = 100
	MaxStock        = 200 // items of one seller
	MaxStockLines   = 100 // at a time
)

// Limits are the limits by name. The page's forms (tools/rules), the API's description (the tag `limit` in
// package web) and a comparison with the database (sql/postgres) read them here.
type Limits struct {
	Quantity    int `json:"quantity"`
	Level       int `json:"level"`
	ItemName    int `json:"itemName"` // this and the next in characters
	Description int `json:"description"`
	Contact     int `json:"contact"`
	InGameName  int `json:"inGameName"`
	SellerName  int `json:"sellerName"`
	Message     int `json:"message"`
	Notes       int `json:"notes"`
	Reason      int `json:"reason"`
	SearchName  int `json:"searchName"`
	Searches    int `json:"searches"` // without a bell, of one user
	StockNote   int `json:"stockNote"`
	Stock       int `json:"stock"` // items of one seller
	StockLines  int `json:"stockLines"`
	Watches     int `json:"watches"` // searches with a bell, of one user
	WatchItems  int `json:"watchItems"`
	WatchPause  int `json:"watchPause"` // in minutes
	Place       int `json:"place"`      // where two traders meet
}

// AllLimits returns the limits.
func AllLimits() Limits {
	return Limits{
		Quantity: MaxQuantity, Level: MaxLevel, ItemName: MaxItemName, Description: MaxDescription,
		Contact:    MaxContact,
		InGameName: MaxInGameName, SellerName: MaxSellerName, Message: MaxOfferMessage, Notes: MaxNotes,
		Reason:     MaxReason,
		SearchName: MaxSearchName, Searches: MaxSearches, StockNote: MaxStockNote, Stock: MaxStock,
		StockLines: MaxStockLines,
		Watches:    MaxWatches, WatchItems: MaxWatchItems, WatchPause: int(MaxWatchPause / time.Minute),
		Place: MaxMeetingPlace,
	}
}

// TooLong returns the message about a text that has more characters than its limit.
func TooLong(code string, limit int) Text { return NewText(code, "limit", limit) }

// PageSize is how many orders a page has at most, and by default.
const PageSize = 60

// BadCursorMessage is the message about a place in a list that no list gave.
var BadCursorMessage = NewText("cursor_unknown")

// MaxSearches is how many searches without a bell a user can save.
const MaxSearches = 25

const (
	// MaxMeetingPlace is how long the line is that says where two traders meet.
	MaxMeetingPlace = 100
)

// MaxWatches is how many searches with a bell a user can save.
const MaxWatches = 25

// MaxTokens is how many tokens of programs a user can have.
const MaxTokens = 10

// MaxWebhooks is how many webhooks a user can have, and how many the market.
const MaxWebhooks = 5

// MaxWatchPause is the longest pause between two alerts of a saved search.
const MaxWatchPause = Day

// MaxWatchItems is how many items a saved search can list.
const MaxWatchItems = 25
