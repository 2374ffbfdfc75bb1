package notices

import "tradepost/bot/kernel"

// Notices shows and sends notices.
type Notices struct {
	*kernel.Kernel
	reminded *reminders
}

func New(k *kernel.Kernel) Notices { return Notices{k, &reminders{}} }
