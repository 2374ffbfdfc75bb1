// Package browse lists requests in Discord: open ones, and one's own.
package browse

import "tradepost/bot/kernel"

// Browse lists requests: open ones, and one's own.
type Browse struct{ *kernel.Kernel }

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Browse { return Browse{k} }
