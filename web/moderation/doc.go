// Package moderation has the operations of moderators, and of those who report something to them.
package moderation

import "tradepost/web/kernel"

// operations are the operations of moderators, and of those who report something to them.
type operations struct{ *kernel.API }
