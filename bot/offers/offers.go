// Package offers sends, lists, accepts and declines offers in Discord.
package offers

import "tradepost/bot/kernel"

// Offers sends, lists, accepts and declines offers.
type Offers struct {
	*kernel.Kernel
	shown *shownAccepts
}

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Offers { return Offers{k, &shownAccepts{}} }
