package core

// Change says what has moved in the market, for whoever shows it: ids only, everything else is to be read again.
type Change struct {
	Orders []OrderID // posted, changed, deleted, or with other offers on them
	Users  []UserID  // with another list of orders, sent offers or notices
	Resync bool      // something may have been missed: everything is to be read again
}
