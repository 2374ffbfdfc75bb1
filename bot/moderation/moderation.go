package moderation

import "tradepost/bot/kernel"

// Moderation has what moderators do, and reports.
type Moderation struct {
	*kernel.Kernel
	posts ReportChannels
}

func New(k *kernel.Kernel, posts ReportChannels) Moderation { return Moderation{k, posts} }
