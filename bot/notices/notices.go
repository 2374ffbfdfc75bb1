// Package notices draws and sends direct messages, and has the inbox and the settings of messages.
package notices

import "tradepost/bot/kernel"

// Notices shows and sends notices.
type Notices struct {
	*kernel.Kernel
	reminded *reminders
}

// New returns the handlers of the package on a kernel.
func New(k *kernel.Kernel) Notices { return Notices{k, &reminders{}} }
