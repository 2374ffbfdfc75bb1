package offers

import "tradepost/bot/kernel"

// Offers sends, lists, accepts and declines offers.
type Offers struct {
	*kernel.Kernel
	shown *shownAccepts
}

func New(k *kernel.Kernel) Offers { return Offers{k, &shownAccepts{}} }
