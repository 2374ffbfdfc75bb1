package trade_test

import "tradepost/core/coretest"

// Actors of the tests.
var (
	visitor   = coretest.Visitor
	seller    = coretest.Seller
	moderator = coretest.Moderator
)
