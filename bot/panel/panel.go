// Package panel has the buttons from which a member reaches everything in Discord, below the member's todos.
package panel

import "tradepost/bot/kernel"

// Panel shows a member's todos and the buttons of every place.
type Panel struct{ *kernel.Kernel }

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Panel { return Panel{k} }
