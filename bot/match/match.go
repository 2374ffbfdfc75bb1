// Package match finds requests for a user, by their stock, by the requests that they can fill, and by their
// watches.
package match

import "tradepost/bot/kernel"

// Match finds requests that fit a user: by their stock and their watches.
type Match struct{ *kernel.Kernel }

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Match { return Match{k} }
