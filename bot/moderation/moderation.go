// Package moderation has reports and what moderators do about them, in commands and in the channel for reports.
package moderation

import "tradepost/bot/kernel"

// Moderation has what moderators do, and reports.
type Moderation struct {
	*kernel.Kernel
	posts ReportChannels
}

// New returns the handlers of the package on a kernel and a store of the channel for reports.
func New(k *kernel.Kernel, posts ReportChannels) Moderation { return Moderation{k, posts} }
