package lists

import "tradepost/bot/kernel"

// Lists posts several requests at once, and takes offers on them.
type Lists struct{ *kernel.Kernel }

func New(k *kernel.Kernel) Lists { return Lists{k} }
