// Package people has accounts, traders and blocked sellers.
package people

import "tradepost/bot/kernel"

// People has accounts, traders and blocked sellers.
type People struct{ *kernel.Kernel }

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) People { return People{k} }
