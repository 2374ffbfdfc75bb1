package trades

import "tradepost/bot/kernel"

// Trades has what two people agreed: receipts, handovers, slips and threads.
type Trades struct{ *kernel.Kernel }

func New(k *kernel.Kernel) Trades { return Trades{k} }
