package core

// Change says which data of the market is new. It names IDs only; readers load the rest again.
type Change struct {
	Orders []OrderID // posted, changed, deleted, or with other offers on them
	Users  []UserID  // with another list of orders, sent offers or notices
	Lists  bool      // one of the orders joined or left a list of open orders, or moved within it
	// SignedOut lists users with a session that has ended.
	SignedOut []UserID

	Items bool // an item was added or changed, so that requests may name another

	Traded    []string // names of items of which a trade was made or undone, as they were typed
	AnyTraded bool     // the trades of any item may count otherwise

	Resync bool // changes may have been missed: everything must be loaded again
}
