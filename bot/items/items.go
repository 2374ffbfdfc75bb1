package items

import "tradepost/bot/kernel"

// Items shows items, and has moderators decide on new names.
type Items struct{ *kernel.Kernel }

func New(k *kernel.Kernel) Items { return Items{k} }
