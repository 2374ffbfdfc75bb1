// Package items has the operations of the catalogue and of the prices of its items.
package items

import "tradepost/web/kernel"

// operations are the operations of the catalogue and of prices.
type operations struct{ *kernel.API }
