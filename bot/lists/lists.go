// Package lists posts several requests at once, and takes offers on several of them.
package lists

import "tradepost/bot/kernel"

// Lists posts several requests at once, and takes offers on them.
type Lists struct{ *kernel.Kernel }

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Lists { return Lists{k} }
