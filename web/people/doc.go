// Package people signs users in, and has the operations of their accounts, sessions, records and blocked
// sellers.
package people

import "tradepost/web/kernel"

// operations are the operations of users: their accounts, sessions and records, and the sellers they block.
type operations struct{ *kernel.API }
