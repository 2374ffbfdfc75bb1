package trade

import (
	"time"

	"tradepost/core"
)

// ListedOrder is an order in a list.
type ListedOrder struct {
	Order
	Offers int       // counted only when the query asked for it
	Group  ItemGroup // zero unless the query asked for groups

	// Purchases sums up the sales of a fulfilled order for its owner; nil for others, and when nothing was
	// sold.
	Purchases *Purchases
}

// ItemGroup sums up the orders of one item that match a query.
type ItemGroup struct {
	Orders int
	Wanted int         // how many are left of all of them
	Best   core.Copper // the highest price for one
}

// Purchases sums up the sales of an order that were not undone.
type Purchases struct {
	First, Last time.Time   // when the first and the last of it was bought
	Paid        core.Copper // in all
	Sellers     []string    // names from accepted offers, by their first sale, MaxPurchaseSellers at most
	SellerCount int         // how many of them there are
}

// MaxPurchaseSellers is how many sellers Purchases names.
const MaxPurchaseSellers = 3
