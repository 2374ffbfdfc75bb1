// Package items shows items of the catalogue, and has moderators decide on new names.
package items

import "tradepost/bot/kernel"

// Items shows items, and has moderators decide on new names.
type Items struct{ *kernel.Kernel }

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Items { return Items{k} }
