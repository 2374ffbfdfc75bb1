// Package match has the operations that bring sellers and requests together: levels, saved searches,
// watches and stock.
package match

import "tradepost/web/kernel"

// operations are the operations of levels, saved searches, watches and stock.
type operations struct{ *kernel.API }
