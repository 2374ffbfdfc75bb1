// Package trade has the operations of requests, of the offers on them, of sales, handovers and receipts,
// and of lists of requests.
package trade

import "tradepost/web/kernel"

// The operations of requests, of the offers on them, of handovers and of lists of requests.
type (
	orders    struct{ *kernel.API }
	offers    struct{ *kernel.API }
	handovers struct{ *kernel.API }
	lists     struct{ *kernel.API }
)
