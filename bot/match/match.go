package match

import "tradepost/bot/kernel"

// Match finds requests that fit a user: by their stock and their watches.
type Match struct{ *kernel.Kernel }

func New(k *kernel.Kernel) Match { return Match{k} }
