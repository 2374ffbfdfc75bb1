// Package trades has the agreements of two users: receipts, handovers, slips, private threads and disputes.
package trades

import "tradepost/bot/kernel"

// Trades has the agreements of two users: receipts, handovers, slips and threads.
type Trades struct{ *kernel.Kernel }

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Trades { return Trades{k} }
