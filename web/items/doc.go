// Package items has the operations of the catalogue and of what its items were traded for.
package items

import "tradepost/web/kernel"

// operations are the operations of the catalogue, and of what its items were traded for.
type operations struct{ *kernel.API }
