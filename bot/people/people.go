package people

import "tradepost/bot/kernel"

// People has accounts, traders and blocked sellers.
type People struct{ *kernel.Kernel }

func New(k *kernel.Kernel) People { return People{k} }
