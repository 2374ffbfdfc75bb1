package browse

import "tradepost/bot/kernel"

// Browse lists requests: open ones, and one's own.
type Browse struct{ *kernel.Kernel }

func New(k *kernel.Kernel) Browse { return Browse{k} }
