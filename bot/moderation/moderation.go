// Package moderation has reports and the actions of moderators on them, in commands and in the report
// channel.
package moderation

import "tradepost/bot/kernel"

// Moderation has the actions of moderators, and reports.
type Moderation struct {
	*kernel.Kernel
	posts ReportChannels
}

// New returns the handlers of the package on a kernel and a store of the channel for reports.
func New(k *kernel.Kernel, posts ReportChannels) Moderation { return Moderation{k, posts} }
