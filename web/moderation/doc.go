// Package moderation has the operations of moderators, and of users who report something to them.
package moderation

import "tradepost/web/kernel"

// operations has the operations of moderators, and of users who report something to them.
type operations struct{ *kernel.API }
