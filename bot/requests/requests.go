package requests

import "tradepost/bot/kernel"

// Requests posts, shows, edits and ends requests.
type Requests struct{ *kernel.Kernel }

func New(k *kernel.Kernel) Requests { return Requests{k} }
