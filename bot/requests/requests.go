// Package requests posts, shows, edits and ends requests in Discord.
package requests

import "tradepost/bot/kernel"

// Requests posts, shows, edits and ends requests.
type Requests struct{ *kernel.Kernel }

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Requests { return Requests{k} }
